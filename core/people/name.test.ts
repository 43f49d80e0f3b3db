import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { businessNameProblem, personNameProblem, unlinked } from './name.ts';

const PEOPLE = [
  'Ann',
  'Ann Lee',
  'J. R. R. Tolkien',
  'J.R.R. Tolkien',
  'St. John Smith',
  'Dr. Ann Lee-Smith',
  "O'Neil",
  'Zoë',
  '李小龙',
  'Ann Lee, Ph.D.',
  'Louis XIV 1638',
  'Ann (office)',
  'Ann @ Acme',
  'J.Smith',
  'Dr.Müller',
  'M.Sc. Petra Kühn',
  'Petra Kühn,M.Sc.',
  'Dr.med.Ann Lee',
  'Dipl.Ing. Max Berg',
  'Ma.Teresa Cruz',
  'Md.Rahman',
  'Md.Al.Amin',
  'St.John',
  'Ann = ?',
  'Müller: Ann',
  'a/b',
  '',
];
const BUSINESSES = [
  'Booking.com Repairs',
  'Acme',
  'Smith & Co.',
  '24/7 Plumbing',
  '1-800-FLOWERS',
  'Dr. Lee Dental',
  'Toys “R” Us',
  'A.B.C. Ltd.',
  'Node.js Experts',
  'Café @ Home',
  'Law: Lee',
  '+1 312 555 0100 Taxi',
  '',
];
const ADDRESSES = [
  'your account is locked, sign in at https://evil.example/login',
  'HTTP://EVIL',
  'www.evil.example',
  'see www2.evil',
  'mailto:a@evil.example',
  'ann@evil.example',
  'sign in: ann@evil.example now',
  'evil.example/login',
  'evil.example?x',
  'evil.example:8080',
  'ｅｖｉｌ．ｅｘａｍｐｌｅ／login',
  'evil。example/x',
  'ev\u200bil.\u2060example/x',
  '192.0.2.7',
  'xn--pypal-4ve.xn--p1ai/x',
  'javascript:alert(1)',
];
/** Mail programs link the ends of names that are top-level domains, in any case: `Dr.Li` goes to a host in Liechtenstein. */
const LINKED_NAMES = ['Dr.Li', 'Ann.Me', 'EVIL.COM', 'evil.com.Ann', 'm.sc.com', 'a-m.sc', 'evil.museum', 'evil.com.', 'evil.test'];
const ENCODED = [
  '=?UTF-8?Q?Bank_=3Ca=40bank.example=3E?=',
  'x =?utf-8?b?QmFuaw==?= y',
  '＝？utf-8？q？a b？＝',
  '=?utf-8?q?a\u200bb?\u200b=',
];
const DOMAINS = ['evil.example', 'Sign in at evil.example', 'пример.рф', 'evil․example', 'evil｡example', 'a.b.evil.co', 'x.com'];

/** Repeatable pseudo-random numbers (mulberry32). */
function numbers(seed: number): (max: number) => number {
  let state = seed;
  return (max) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % max;
  };
}

describe("a person's name", () => {
  for (const name of PEOPLE) it(`may be "${name}"`, () => assert.equal(personNameProblem(name), null));
  for (const name of [...ADDRESSES, ...DOMAINS, ...LINKED_NAMES, 'Call 1-800-555-0100', '٠١٢٣٤٥٦ call'])
    it(`may not be "${name}"`, () => assert.equal(personNameProblem(name)?.code, 'has_address'));

  for (const name of ENCODED)
    it(`may hold no encoded word, which mail programs decode: ${name}`, () => {
      assert.equal(personNameProblem(name)?.code, 'has_encoded_word');
      assert.equal(businessNameProblem(name)?.code, 'has_encoded_word');
    });

  it('may hold no domain, anywhere and in any surroundings', () => {
    const next = numbers(7);
    const around = ['', ' ', '(', ')', ',', '!', '"', ' locked: ', '\u200b', ' Ann ', '。'];
    for (let n = 0; n < 2000; n += 1) {
      const label = Array.from({ length: 1 + next(8) }, () => 'abcdefghijklmnopqrstuvwxyz0123456789'[next(36)]).join('');
      const end = ['com', 'example', 'рф', 'co.uk', 'xn--p1ai'][next(5)] ?? '';
      const name = `${around[next(around.length)]}${label}.${end}${around[next(around.length)]}`;
      assert.equal(personNameProblem(name)?.code, 'has_address', name);
    }
  });
});

describe('the name of an agency or business', () => {
  for (const name of [...BUSINESSES, ...DOMAINS]) it(`may be "${name}"`, () => assert.equal(businessNameProblem(name), null));
  for (const name of ADDRESSES) it(`may not be "${name}"`, () => assert.equal(businessNameProblem(name)?.code, 'has_address'));
});

describe('a name in a mail', () => {
  /** Texts that mail programs turn into links: schemes, www, addresses and words joined by a dot. */
  const LINKS = /[a-z][a-z0-9+.-]*:\/\/|www\.[^\s\u2060]|[^\s\u2060]@[^\s\u2060]|[\p{L}\p{N}][.。․﹒．｡][\p{L}\p{N}]/iu;

  it('never holds what mail programs turn into a link', () => {
    const next = numbers(11);
    const parts = ['evil', '.', '@', '://', 'https', 'www', ' ', '/', ':', 'com', '。', '．', 'a', '1', '..', '@@', '\u2060'];
    for (let n = 0; n < 5000; n += 1) {
      const name = Array.from({ length: 1 + next(12) }, () => parts[next(parts.length)]).join('');
      assert.doesNotMatch(unlinked(name), LINKS, JSON.stringify(name));
    }
    for (const name of [...ADDRESSES, ...DOMAINS, 'Booking.com Repairs']) assert.doesNotMatch(unlinked(name), LINKS, name);
  });

  it('reads as it was typed', () => {
    for (const name of [...PEOPLE, ...BUSINESSES, ...ADDRESSES])
      assert.equal(unlinked(name).replaceAll('\u2060', ''), name.replaceAll('\u2060', ''));
    for (const name of ['Acme', 'Smith & Co.', 'J. R. R. Tolkien', 'Lee: Law']) assert.equal(unlinked(name), name);
  });
});
