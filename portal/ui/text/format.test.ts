import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  dayKey,
  formatAge,
  formatAgo,
  formatBytes,
  formatDate,
  formatDuration,
  formatLongDay,
  formatMoment,
  formatPrice,
  formatOffset,
  formatPercent,
  formatPast,
  formatPhone,
  formatWhen,
  joinWords,
  plural,
  shortId,
  startOfDay,
} from './format.ts';
import { initials } from './initials.ts';
import { setReader } from './reader.ts';

const NOW = new Date('2026-11-18T20:32:06.000Z');

test('a share is in whole percent, with the space before its sign that the language of the reader has', () => {
  const t = (): string => '';
  for (const [tag, expected] of [
    ['de-DE', '70\u00A0%'],
    ['es-ES', '70\u00A0%'],
    ['en-GB', '70%'],
  ] as const) {
    setReader({ tag, t });
    assert.equal(formatPercent(0.704), expected);
  }
});

test('durations use the smallest readable unit', () => {
  const cases: [number, string][] = [
    [0, '0 ms'],
    [18, '18 ms'],
    [999, '999 ms'],
    [1000, '1 s'],
    [1170, '1.17 s'],
    [2100, '2.1 s'],
    [12_400, '12 s'],
    [59_900, '1 min'],
    [250_000, '4 min 10 s'],
    [1_800_000, '30 min'],
    [7_500_000, '2 h 5 min'],
    [7_200_000, '2 h'],
  ];
  for (const [ms, text] of cases) assert.equal(formatDuration(ms), text);
});

test('times show seconds today, the date on other days, and the year in other years', () => {
  assert.equal(formatWhen('2026-11-18T20:28:52.000Z', NOW, 'America/Chicago'), '14:28:52');
  assert.equal(formatWhen('2026-11-17T20:28:52.000Z', NOW, 'America/Chicago'), '17 Nov');
  assert.equal(formatWhen('2025-05-03T12:00:00.000Z', NOW, 'America/Chicago'), '3 May 2025');
});

test('a day starts at midnight of the displayed time zone, not of UTC', () => {
  const late = new Date('2026-11-19T04:00:00.000Z');
  assert.equal(formatMoment('2026-11-18T20:28:52.000Z', late, 'America/Chicago'), 'today at 14:28:52');
  assert.equal(formatMoment('2026-11-18T20:28:52.000Z', late, 'UTC'), '18 Nov, 20:28:52');
});

test('a day begins at midnight of a time zone, also when clocks change, and has one name for all', () => {
  const chicago = 'America/Chicago';
  for (const [daysBack, now, expected] of [
    [0, '2026-11-18T20:00:00.000Z', '2026-11-18T06:00:00.000Z'],
    [6, '2026-11-18T03:00:00.000Z', '2026-11-11T06:00:00.000Z'],
    // Clocks go back on the 1st of November and forward on the 8th of March.
    [1, '2026-11-02T12:00:00.000Z', '2026-11-01T05:00:00.000Z'],
    [0, '2026-11-01T20:00:00.000Z', '2026-11-01T05:00:00.000Z'],
    [0, '2026-03-08T20:00:00.000Z', '2026-03-08T06:00:00.000Z'],
  ] as const)
    assert.equal(startOfDay(daysBack, new Date(now), chicago).toISOString(), expected, now);
  // Clocks go forward at midnight: the day begins at one.
  for (const [zone, now, expected] of [
    ['America/Santiago', '2026-09-12T15:00:00.000Z', '2026-09-06T04:00:00.000Z'],
    ['Atlantic/Azores', '2027-04-03T12:00:00.000Z', '2027-03-28T01:00:00.000Z'],
    ['Asia/Beirut', '2027-04-03T12:00:00.000Z', '2027-03-27T22:00:00.000Z'],
  ] as const)
    assert.equal(startOfDay(6, new Date(now), zone).toISOString(), expected, zone);
  assert.equal(dayKey(new Date('2026-11-18T03:00:00.000Z'), chicago), '2026-11-17');
  assert.equal(formatDate('2026-11-18', NOW), '18 Nov');
});

test('times are relative only within an hour', () => {
  assert.equal(formatAgo('2026-11-18T20:32:04.000Z', NOW), 'now');
  assert.equal(formatAgo('2026-11-18T20:31:36.000Z', NOW), '30 s ago');
  assert.equal(formatAgo('2026-11-18T20:28:06.000Z', NOW), '4 min ago');
  assert.doesNotMatch(formatAgo('2026-11-18T19:00:00.000Z', NOW), /ago/);
});

test('waiting times are shown in the largest sufficient unit', () => {
  assert.equal(formatAge('2026-11-18T20:31:30.000Z', NOW), 'now');
  assert.equal(formatAge('2026-11-18T20:20:06.000Z', NOW), '12 min');
  assert.equal(formatAge('2026-11-18T15:00:00.000Z', NOW), '5 h');
  assert.equal(formatAge('2026-11-17T12:00:00.000Z', NOW), 'yesterday');
  assert.equal(formatAge('2026-11-15T20:00:00.000Z', NOW), '3 days');
});

test('a price has decimals only when needed, and as many digits as its currency', () => {
  assert.equal(formatPrice(29_900, 'USD'), '$299');
  assert.equal(formatPrice(9950, 'USD'), '$99.50');
  assert.equal(formatPrice(1200, 'JPY'), '¥1,200');
  assert.equal(formatPrice(990_050, 'HUF'), 'HUF\u00a09,900.50');
});

test('small texts: offsets, phones, ids, initials, lists, counts', () => {
  assert.equal(formatOffset(71), '+00.071');
  assert.equal(formatOffset(12_312), '+12.312');
  assert.equal(formatPhone('+13125550100'), '+1 312 555 0100');
  assert.equal(formatPhone('(312) 555-0148'), '(312) 555-0148');
  assert.equal(shortId('0199a3b2-1111-7222-8333-444455556666'), '0199a3b2…6666');
  assert.equal(initials('Oak Street Dental'), 'OD');
  assert.equal(initials('maya'), 'M');
  assert.equal(joinWords(['Twilio', 'OpenAI', 'Resend']), 'Twilio, OpenAI and Resend');
  assert.equal(plural(1, 'client'), '1 client');
  assert.equal(plural(1200, 'client'), '1,200 clients');
});

test('sizes have one unit and at most one decimal', () => {
  const cases: [number, string][] = [
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1 KB'],
    [4_240, '4.2 KB'],
    [12_400_000, '12 MB'],
    [2_000_000_000, '2 GB'],
    [5_000_000_000_000, '5000 GB'],
  ];
  for (const [bytes, text] of cases) assert.equal(formatBytes(bytes), text);
});

test('a date in a sentence names its month, and its year when that is another', () => {
  assert.equal(formatLongDay('2026-12-22T12:00:00.000Z', NOW, 'UTC'), '22 December');
  assert.equal(formatLongDay('2027-01-02T12:00:00.000Z', NOW, 'UTC'), '2 January 2027');
});

test('what has passed is relative within a day, in the language of the reader; dates and what is to come are not', () => {
  const past = (minutes: number): string => formatPast(new Date(NOW.getTime() - minutes * 60_000).toISOString(), NOW);
  assert.deepEqual([0.5, 1, 12.9, 59, 60, 23 * 60].map(past), ['now', '1 min ago', '12 min ago', '59 min ago', '1 h ago', '23 h ago']);
  assert.equal(past(-0.5), 'now', 'clocks differ a little');
  assert.equal(past(24 * 60), formatWhen(new Date(NOW.getTime() - 86_400_000).toISOString(), NOW));
  assert.doesNotMatch(past(-60), /ago|now/);
  const t = (): string => '';
  for (const [tag, expected] of [
    ['de-DE', ['jetzt', 'vor 12 Min.', 'vor 5 Std.']],
    ['es-ES', ['ahora', 'hace 12 min', 'hace 5 h']],
  ] as const) {
    setReader({ tag, t });
    assert.deepEqual([0, 12, 300].map(past), expected);
  }
  setReader({ tag: 'en', t });
});

test('sizes and durations have the decimal mark of the language', () => {
  const t = (): string => '';
  setReader({ tag: 'de', t });
  try {
    assert.deepEqual([formatDuration(1170), formatBytes(4200)], ['1,17 s', '4,2 KB']);
  } finally {
    setReader({ tag: 'en', t });
  }
  assert.deepEqual([formatDuration(1170), formatBytes(4200)], ['1.17 s', '4.2 KB']);
});
