import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Locale } from '@partner-portal/contract/locales.ts';
import { readText, VALUE_TEXT_MAX } from '@partner-portal/core/template/placeholders.ts';
import { PREVIEW_TEXT_MAX, renderPreviews } from './preview.ts';
import type { Json, JsonObject, Template, TemplateInput, TemplateMessage } from '@partner-portal/core/template/types.ts';

const input = (key: string): TemplateInput => ({ key, label: key, type: 'longtext', required: false, aliases: [], example: '' });
const setting = (key: string) => ({ key, label: key, type: 'longtext' as const, default: '', help: '', maxLength: 4000 });
const message = (change: Partial<TemplateMessage>): TemplateMessage => ({
  step: 'send',
  channel: 'text',
  to: '{input.a}',
  body: '{config.m}',
  ...change,
});

/** The parts of a template that a preview needs. */
const template = (messages: TemplateMessage[]): Template =>
  ({ inputs: [input('a'), input('b')], config: [setting('m'), setting('n')], messages, steps: [] }) as unknown as Template; // the rest is not read

const preview = (config: JsonObject, given: JsonObject, body = '{config.m}') =>
  renderPreviews(template([message({ body })]), { input: given, config, client: { name: 'Oak Street' } })[0];

describe('times in a preview', () => {
  const visit: TemplateInput = { ...input('a'), type: 'datetime' };
  const shown = (given: Json, timezone?: string, locale?: Locale) =>
    renderPreviews(
      { ...template([message({ to: '', body: 'on {a}' })]), inputs: [visit] },
      {
        input: { a: given },
        config: {},
        client: { name: 'Oak Street', ...(timezone ? { timezone } : {}), ...(locale ? { locale } : {}) },
      },
    )[0]?.body;

  it('are shown as the text that is sent says them, in the time zone of the client', () => {
    assert.equal(shown('2027-01-05T15:00:00Z', 'America/Chicago'), 'on Tuesday 5 January at 09:00');
    assert.equal(shown('2027-01-05T15:00:00Z'), 'on Tuesday 5 January at 15:00');
    assert.equal(shown('2027-01-05T15:00:00Z', 'Mars/Olympus'), 'on Tuesday 5 January at 15:00');
  });

  it('are written in the language of the client', () => {
    assert.equal(shown('2027-01-05T15:00:00Z', 'Europe/Berlin', 'de'), 'on Dienstag, 5. Januar um 16:00');
    assert.equal(shown('2027-01-05T15:00:00Z', 'Europe/Madrid', 'es'), 'on martes 5 de enero a las 16:00');
  });

  it('that are no times stay as they are', () => {
    assert.equal(shown('tomorrow', 'America/Chicago'), 'on tomorrow');
    assert.equal(shown(5), 'on 5');
  });
});

describe('a preview', () => {
  const booking = { ...setting('bookingUrl'), default: '', fromProfile: 'bookingUrl' as const };
  const shown = (given: JsonObject, body: string) =>
    renderPreviews(
      {
        ...template([message({ to: '{input.a}', body })]),
        inputs: [input('a'), input('customerName')],
        config: [booking],
        steps: [{ name: 'send', label: 'Send text' }],
      } as unknown as Template, // the rest is not read
      { input: given, config: {}, client: { name: 'Oak Street', businessProfile: { bookingUrl: 'https://oak.example/b' } } },
    )[0];

  it('fills settings, input and profile as the run would', () => {
    const filled = shown({ a: '+13125550121', customerName: 'Ada Byron' }, 'Hi {firstName}, {bookingUrl}');
    assert.deepEqual(
      [filled?.to, filled?.body, filled?.label, filled?.characters],
      ['+13125550121', 'Hi Ada, https://oak.example/b', 'Send text', 29],
    );
  });

  it('greets as the text that is sent does', () => {
    const greeted = (customerName: string) => shown({ customerName }, 'Hi {firstName}, thanks.')?.body;
    assert.equal(greeted('Byron, Ada'), 'Hi Ada, thanks.');
    assert.equal(greeted('Dr. Byron'), 'Hi, thanks.');
    assert.equal(greeted('+1 312 555 0121'), 'Hi, thanks.');
    assert.equal(shown({ customerName: 'Dr. Byron' }, 'Hola, {firstName}: gracias.')?.body, 'Hola: gracias.');
  });
});

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

function anyText(next: (max: number) => number): string {
  const parts = [
    '{a}',
    '{b}',
    '{m}',
    '{n}',
    '{firstName}',
    '{config.m}',
    '{input.a}',
    '{{a}}',
    '{',
    '}',
    ' ',
    '😀',
    'x',
    '\n',
    '\ud83d',
    '{a',
    '{constructor}',
  ];
  return Array.from({ length: next(1400) }, () => parts[next(parts.length)] ?? '')
    .join('')
    .slice(0, 4000);
}

function anyJson(next: (max: number) => number, depth = 0): Json {
  const kind = next(depth > 4 ? 3 : 5);
  if (kind === 0) return '😀{a}word '.repeat(next(8000));
  if (kind === 1) return next(1_000_000);
  if (kind === 2) return next(2) === 0;
  if (kind === 3) return Array.from({ length: next(40) }, () => anyJson(next, depth + 1));
  return { a: anyJson(next, depth + 1) };
}

describe('a preview', () => {
  it('is never longer than its bound, for any texts and any input', () => {
    for (let seed = 1; seed <= 60; seed += 1) {
      const next = numbers(seed);
      const config = { m: anyText(next), n: anyText(next) };
      const [body, subject] = [anyText(next), anyText(next)];
      const given = { a: anyJson(next), b: anyJson(next) };
      const messages = [message({ body, subject, to: anyText(next) })];
      const [shown] = renderPreviews(template(messages), { input: given, config, client: { name: 'Oak Street' } });
      for (const text of [shown?.body, shown?.subject, shown?.to])
        assert.ok(text !== undefined && text !== null && text.length <= PREVIEW_TEXT_MAX, `seed ${seed}`);
      assert.equal(shown?.characters, shown?.body.length);
    }
  });

  it('of 1,333 placeholders and a long input reads each value once', () => {
    let reads = 0;
    const given = Object.defineProperty({}, 'a', { enumerable: true, get: () => ((reads += 1), 'x'.repeat(390_000)) }) as JsonObject;
    const shown = preview({ m: '{a}'.repeat(1333) }, given);
    assert.equal(shown?.body.length, PREVIEW_TEXT_MAX);
    assert.ok(reads < 10, `${reads} reads`);
    assert.match(shown?.note ?? '', /first 32,000 characters/);
  });

  it('cuts one value at its bound, between whole characters', () => {
    const shown = preview({ m: '{a}|' }, { a: '😀'.repeat(VALUE_TEXT_MAX) });
    assert.match(shown?.body ?? '', /^(?:😀)+…\|$/u);
    assert.ok((shown?.body.length ?? 0) <= VALUE_TEXT_MAX + 1);
  });

  it('of a value at the bound is whole', () => {
    const value = 'y'.repeat(VALUE_TEXT_MAX);
    const shown = preview({ m: '{a}' }, { a: value });
    assert.deepEqual([shown?.body, shown?.note], [value, null]);
  });

  it('fills declared keys only', () => {
    const shown = preview({ m: 'a={a} unknown={unknown} {constructor}{__proto__}', other: 'x' }, { a: 'yes', unknown: 'no' });
    assert.equal(shown?.body, 'a=yes unknown=');
    assert.equal(preview({ m: 'x' }, { unknown: 'no' }, 'A {input.unknown} B')?.body, 'A B');
  });

  it('fills what an agency usually writes, unchanged', () => {
    const shown = preview({ m: 'Hi {a}, {businessName} here: {n} , {b}', n: 'call us' }, { a: 'Ada', b: ['one', 2, true] });
    assert.deepEqual([shown?.body, shown?.note], ['Hi Ada, Oak Street here: call us, one, 2, true', null]);
  });
});

describe('a value as text', () => {
  it('is read from lists of any depth and size within its bound', () => {
    let deep: Json = 'core';
    for (let n = 0; n < 100_000; n += 1) deep = [deep];
    assert.equal(readText({ deep }, 'deep'), '');
    assert.equal(readText({ list: [['a', ['b']], 'c'] }, 'list'), 'a, b, c');
    const wide = Array.from({ length: 200_000 }, () => 'word');
    assert.ok(readText({ wide }, 'wide').length <= VALUE_TEXT_MAX);
  });
});
