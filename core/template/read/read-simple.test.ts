import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Json } from '../types.ts';
import { readBoolean } from './read-boolean.ts';
import { readText } from './read-text.ts';
import { readUrl } from './read-url.ts';

describe('yes or no', () => {
  const yes: Json[] = [
    true,
    'true',
    'TRUE',
    ' Yes ',
    'y',
    'on',
    1,
    '1',
    'ja',
    'Sí',
    'si',
    'wahr',
    'oui',
    '"yes"',
    'Yes.',
    'accepted',
    'ACCEPTÉ',
    'closed_won',
    'CLOSED-WON',
    'Closed  Won',
    'closedwon',
    ['0', '1'],
    ['yes'],
  ];
  const no: Json[] = [false, 'false', 'No', 'n', 'off', 0, '0', 'nein', 'falso', 'non', 'declined', ['on', 'off']];
  const neither: Json[] = ['', 'maybe', 'yes no', 'closed', '-', 2, -1, {}, [], null, 'not', '2027-01-05'];
  const words = { trueWords: ['Accepted', 'accepte', 'closed won'], falseWords: ['declined'] };
  for (const came of yes) it(`${JSON.stringify(came)} is yes`, () => assert.deepEqual(readBoolean(came, words), { value: true }));
  for (const came of no) it(`${JSON.stringify(came)} is no`, () => assert.deepEqual(readBoolean(came, words), { value: false }));
  for (const came of neither) it(`${JSON.stringify(came)} is neither`, () => assert.ok('problem' in readBoolean(came, words)));
  const within = { trueWords: ['cancelled'], trueWithin: ['cancelled'] };
  for (const came of [
    'CANCELLED_BY_CUSTOMER',
    'LateCancelled',
    'late cancelled',
    'Cancelled (refunded)',
    'Cancelled - no show',
    'cancelled: 1',
  ])
    it(`${came} is yes, by a word within it`, () => assert.deepEqual(readBoolean(came, within), { value: true }));
  for (const came of ['not cancelled', 'not yet cancelled', 'no cancelled', 'cancelled: no', 'cancelled=0', 'uncancelled', 'cancellable'])
    it(`${came} is neither`, () => assert.ok('problem' in readBoolean(came, within)));
  const phrases = { trueWords: ['declined'], trueWithin: ['booking declined', 'declined by', 'vom kunden gelöscht'] };
  for (const came of ['Declined by host', 'DECLINED_BY_SELLER', 'booking.declined', 'BookingDeclined', 'Vom Kunden gelöscht'])
    it(`${came} is yes, by the phrase that it begins with`, () => assert.deepEqual(readBoolean(came, phrases), { value: true }));
  for (const came of [
    'cancellation declined',
    'Payment declined by bank',
    'not declined by host',
    'booking declined: no',
    'declined payment',
  ])
    it(`${came} is neither, as it begins with no phrase or denies it`, () => assert.ok('problem' in readBoolean(came, phrases)));
  it('has the words of its own input only', () => assert.ok('problem' in readBoolean('accepted', {})));
});

describe('a web address', () => {
  const understood: [Json, string][] = [
    ['https://example.com', 'https://example.com'],
    ['HTTPS://Example.com:443/X?y=Z', 'https://example.com/X?y=Z'],
    ['https://Ada@example.com/x', 'https://Ada@example.com/x'],
    ['example.com', 'https://example.com'],
    ['www.example.com/x?y=1#z', 'https://www.example.com/x?y=1#z'],
    ['//example.com/x', 'https://example.com/x'],
    ['example.com:8080/x', 'https://example.com:8080/x'],
    ['<https://example.com>', 'https://example.com'],
    [' https://example.com\n', 'https://example.com'],
    ['exämple.de/ü', 'https://xn--exmple-cua.de/%C3%BC'],
    ['http://localhost:3000/x', 'http://localhost:3000/x'],
    [['example.com'], 'https://example.com'],
  ];
  const refused: Json[] = [
    '',
    'example',
    'not a url',
    'javascript:alert(1)',
    'ftp://example.com',
    'mailto:a@example.com',
    'a@example.com',
    'https://',
    'https://exa mple.com',
    'https://example.com/"x',
    5,
    true,
    {},
    null,
    `https://example.com/${'x'.repeat(2_000)}`,
  ];
  for (const [came, value] of understood) it(`${JSON.stringify(came)} is ${value}`, () => assert.deepEqual(readUrl(came), { value }));
  for (const came of refused) it(`${JSON.stringify(came)?.slice(0, 40)} is none`, () => assert.ok('problem' in readUrl(came)));
});

describe('a text', () => {
  const short = (came: Json) => readText(came, { isLong: false });
  const long = (came: Json) => readText(came, { isLong: true });
  it('is composed, without control characters and half characters', () => {
    assert.deepEqual(short('Zoe\u0308 \u0000\u0007Gr\u00fcn'), { value: 'Zo\u00eb Gr\u00fcn' });
    assert.deepEqual(short('a\ud800b'), { value: 'a\ufffdb' });
    assert.deepEqual(short('a\tb\u0085c'), { value: 'a b c' });
    assert.deepEqual(short('👩‍👩‍👧 שלום'), { value: '👩‍👩‍👧 שלום' });
  });
  it('keeps its line breaks only where it is long', () => {
    assert.deepEqual(long('a\r\nb\rc\u2028d\n'), { value: 'a\nb\nc\nd\n' });
    assert.deepEqual(short('a\r\nb'), { value: 'a b' });
  });
  it('is made of numbers, truth values and lists', () => {
    assert.deepEqual(short(12), { value: '12' });
    assert.deepEqual(short(true), { value: 'true' });
    assert.deepEqual(short(['a']), { value: 'a' });
    const joined = short(['a', ' b ', 3, null, '']);
    assert.ok('value' in joined && joined.remark !== undefined);
    assert.equal(joined.value, 'a, b, 3');
  });
  it('is no object', () => {
    for (const came of [{}, [{}], [['a'], 'b'], null]) assert.ok('problem' in short(came), JSON.stringify(came));
  });
});
