import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Booking, latestBookingStart, planReminders } from './booking-reminder.ts';

const BOOKING: Booking = {
  uid: 'bk1',
  start: new Date('2026-05-05T15:00:00Z'),
  attendees: [
    { name: 'Ada Byron', email: 'ada@example.com', phone: null },
    { name: 'A guest', email: 'guest@example.com', phone: null },
  ],
};
const due = (leadHours: number[], now: string, until: string, booking: Booking = BOOKING): string[] =>
  planReminders(booking, leadHours, { now: new Date(now), until: new Date(until) }, null).map((one) => one.dueAt.toISOString());

describe('the reminders of a booking', () => {
  it('are one for each lead time, at exactly that time before the visit', () => {
    assert.deepEqual(due([2, 24, 24], '2026-05-04T14:30:00Z', '2026-05-05T14:00:00Z'), [
      '2026-05-04T15:00:00.000Z',
      '2026-05-05T13:00:00.000Z',
    ]);
  });
  it('are planned only as far as the window reaches', () => {
    assert.deepEqual(due([24, 2], '2026-05-04T14:30:00Z', '2026-05-04T16:30:00Z'), ['2026-05-04T15:00:00.000Z']);
    assert.deepEqual(due([24, 2], '2026-05-04T10:00:00Z', '2026-05-04T12:00:00Z'), []);
  });
  it('are still sent when they were missed within the hour, and then once', () => {
    assert.deepEqual(due([24], '2026-05-04T15:40:00Z', '2026-05-04T17:00:00Z'), ['2026-05-04T15:00:00.000Z']);
    assert.deepEqual(due([24], '2026-05-04T15:58:00Z', '2026-05-04T17:00:00Z'), []);
    assert.deepEqual(due([24, 23.75], '2026-05-04T15:20:00Z', '2026-05-04T17:00:00Z'), ['2026-05-04T15:15:00.000Z']);
  });
  it('are none for a visit that has started, has no attendee or no time', () => {
    const window = ['2026-05-05T15:00:00Z', '2026-05-06T00:00:00Z'] as const;
    assert.deepEqual(due([1], ...window), []);
    assert.deepEqual(due([1], '2026-05-05T13:00:00Z', window[1], { ...BOOKING, attendees: [] }), []);
    assert.deepEqual(due([1], '2026-05-05T13:00:00Z', window[1], { ...BOOKING, start: new Date(Number.NaN) }), []);
    assert.deepEqual(due([0, -3, Number.NaN], '2026-05-05T13:00:00Z', window[1]), []);
  });
  it('take their input from the first attendee of the booking', () => {
    const [one] = planReminders(BOOKING, [24], { now: new Date('2026-05-04T14:30:00Z'), until: new Date('2026-05-04T16:00:00Z') }, null);
    assert.deepEqual(one?.input, {
      attendeeName: 'Ada Byron',
      startTime: '2026-05-05T15:00:00.000Z',
      bookingUid: 'bk1',
      attendeeEmail: 'ada@example.com',
    });
    assert.deepEqual([one?.subject, one?.lastAt.toISOString()], ['booking:bk1', '2026-05-04T15:59:00.000Z']);
  });
  it('by text that fall into quiet hours are due an hour before them, and none is once that has passed', () => {
    // 8:15 in Chicago; two hours before is 6:15.
    const early: Booking = {
      ...BOOKING,
      start: new Date('2026-05-05T13:15:00Z'),
      attendees: [{ name: 'Ada', email: null, phone: '+13125550121' }],
    };
    const quiet = { range: '21:00-08:00', timezone: 'America/Chicago' };
    const dueAt = (now: string, booking = early, range = quiet.range): string[] =>
      planReminders(booking, [2, 3], { now: new Date(now), until: new Date('2026-05-06T00:00:00Z') }, { ...quiet, range }).map((one) =>
        one.dueAt.toISOString(),
      );
    assert.deepEqual(dueAt('2026-05-04T20:00:00Z'), ['2026-05-05T01:00:00.000Z']);
    assert.deepEqual(dueAt('2026-05-05T03:00:00Z'), []);
    assert.deepEqual(dueAt('2026-05-04T20:00:00Z', early, ''), ['2026-05-05T10:15:00.000Z', '2026-05-05T11:15:00.000Z']);
    const byMail: Booking = { ...early, attendees: [{ name: 'Ada', email: 'ada@example.com', phone: null }] };
    assert.deepEqual(dueAt('2026-05-04T20:00:00Z', byMail), ['2026-05-05T10:15:00.000Z', '2026-05-05T11:15:00.000Z']);
  });
  it('need visits to be known as far ahead as the longest lead time', () => {
    assert.equal(latestBookingStart([2, 24], new Date('2026-05-04T16:00:00Z'), null).toISOString(), '2026-05-05T16:00:00.000Z');
    assert.equal(latestBookingStart([], new Date('2026-05-04T16:00:00Z'), null).toISOString(), '2026-05-04T16:00:00.000Z');
    const quiet = { range: '21:00-08:00', timezone: 'America/Chicago' };
    assert.equal(latestBookingStart([2], new Date('2026-05-04T16:00:00Z'), quiet).toISOString(), '2026-05-05T19:00:00.000Z');
  });
});
