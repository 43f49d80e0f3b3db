import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Locale } from '@partner-portal/contract/locales.ts';
import { messagesFor } from '@partner-portal/messages/all.ts';
import { dayHeading, daysOfThisMonth } from './days.ts';

describe('the days of an agent', () => {
  it('are those of the month of today, the first of it included, with their results and failures', () => {
    const counted = Array.from({ length: 90 }, (_, at) => ({
      date: new Date(Date.UTC(2026, 9, 31 - (89 - at))).toISOString().slice(0, 10),
      results: at === 89 ? 3 : 0,
      failed: at === 89 ? 2 : 0,
    }));
    const days = daysOfThisMonth(counted);
    assert.deepEqual([days.length, days[0]?.date], [31, '2026-10-01']);
    assert.deepEqual(days.at(-1), { date: '2026-10-31', results: 3, failed: 2 });
    assert.deepEqual(daysOfThisMonth([]), []);
  });
});

describe('the heading of a day', () => {
  const berlin = messagesFor('en', 'Europe/Berlin');
  const headings = (now: string, ...times: string[]) => times.map((iso) => dayHeading(berlin, iso, new Date(now)));

  it('is that of the calendar also on the days after clocks change, which have 23 and 25 hours', () => {
    // Monday 00:30, after the clocks went forward on Sunday.
    assert.deepEqual(headings('2026-03-29T22:30:00Z', '2026-03-29T22:10:00Z', '2026-03-29T10:00:00Z', '2026-03-28T22:45:00Z'), [
      'Today',
      'Yesterday',
      'Saturday 28 March',
    ]);
    // Sunday 23:30, on which they went back.
    assert.deepEqual(headings('2026-10-25T22:30:00Z', '2026-10-24T22:30:00Z', '2026-10-24T10:00:00Z', '2026-10-23T10:00:00Z'), [
      'Today',
      'Yesterday',
      'Friday 23 October',
    ]);
  });

  it('begins with a capital letter in every language', () => {
    const heading = (locale: Locale): string =>
      dayHeading(messagesFor(locale, 'Europe/Berlin'), '2026-11-28T10:00:00Z', new Date('2026-11-30T10:00:00Z'));
    assert.deepEqual([heading('es'), heading('de')], ['Sábado, 28 de noviembre', 'Samstag, 28. November']);
  });

  it('names the year where it is another one in the zone of the reader', () => {
    // In Berlin the first of January, in UTC still the year before.
    assert.deepEqual(headings('2026-12-31T23:30:00Z', '2026-12-31T23:10:00Z', '2026-12-31T10:00:00Z', '2026-12-30T10:00:00Z'), [
      'Today',
      'Yesterday',
      'Wednesday, 30 December 2026',
    ]);
  });
});
