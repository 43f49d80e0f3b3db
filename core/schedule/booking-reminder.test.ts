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
  planReminders(booking, leadHours, { now: new Date(now), until: new Date(until) }).map((one) => one.dueAt.toISOString());

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
    const [one] = planReminders(BOOKING, [24], { now: new Date('2026-05-04T14:30:00Z'), until: new Date('2026-05-04T16:00:00Z') });
    assert.deepEqual(one?.input, {
      attendeeName: 'Ada Byron',
      startTime: '2026-05-05T15:00:00.000Z',
      bookingUid: 'bk1',
      attendeeEmail: 'ada@example.com',
    });
    assert.deepEqual([one?.subject, one?.lastAt.toISOString()], ['booking:bk1', '2026-05-04T15:59:00.000Z']);
  });
  it('need visits to be known as far ahead as the longest lead time', () => {
    assert.equal(latestBookingStart([2, 24], new Date('2026-05-04T16:00:00Z')).toISOString(), '2026-05-05T16:00:00.000Z');
    assert.equal(latestBookingStart([], new Date('2026-05-04T16:00:00Z')).toISOString(), '2026-05-04T16:00:00.000Z');
  });
});
