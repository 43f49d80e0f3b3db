import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { outsideQuietHours } from '@partner-portal/core/schedule/quiet-hours.ts';

/** A text that falls into quiet hours is planned before them: by the service from bookings, and by the steps of agents from events. */

type Step = { outsideQuietHours(at: number, range: string, timezone: string): number };
// A module for the engine, without types.
const step = (await import(new URL('parts/sms.js', import.meta.url).href)) as Step;

const CASES: [what: string, at: string, range: string, timezone: string, planned: string][] = [
  ['in the morning', '2027-01-07T12:15:00Z', '21:00-08:00', 'America/Chicago', '2027-01-07T02:00:00.000Z'],
  ['in the evening', '2027-01-07T04:30:00Z', '21:00-08:00', 'America/Chicago', '2027-01-07T02:00:00.000Z'],
  ['at their first minute', '2027-01-07T03:00:00Z', '21:00-08:00', 'America/Chicago', '2027-01-07T02:00:00.000Z'],
  ['at the minute they end, which is outside', '2027-01-07T14:00:00Z', '21:00-08:00', 'America/Chicago', '2027-01-07T14:00:00.000Z'],
  ['by day, which is outside', '2027-01-07T18:00:00Z', '21:00-08:00', 'America/Chicago', '2027-01-07T18:00:00.000Z'],
  ['of the afternoon', '2027-01-07T13:30:00Z', '13:00-15:00', 'UTC', '2027-01-07T12:00:00.000Z'],
  ['of all but half an hour', '2027-01-07T12:00:00Z', '08:30-08:00', 'UTC', '2027-01-07T08:00:00.000Z'],
  ['none', '2027-01-07T03:00:00Z', '', 'UTC', '2027-01-07T03:00:00.000Z'],
  ['in the night that the clock jumps', '2027-03-28T05:00:00Z', '21:00-08:00', 'Europe/Berlin', '2027-03-27T19:00:00.000Z'],
  ['in the night that the clock is turned back', '2027-10-31T06:30:00Z', '21:00-08:00', 'Europe/Berlin', '2027-10-30T18:00:00.000Z'],
];

describe('a planned text in quiet hours', () => {
  for (const [what, at, range, timezone, planned] of CASES)
    it(`${what} goes out an hour before them`, () => {
      assert.equal(outsideQuietHours(new Date(at), { range, timezone }).toISOString(), planned);
      assert.equal(new Date(step.outsideQuietHours(Date.parse(at), range, timezone)).toISOString(), planned);
    });

  it('is planned for the same moment by the service and by the steps, each half hour of a year', () => {
    for (const timezone of ['America/Chicago', 'Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Kathmandu'])
      for (let n = 0; n < 365 * 48; n += 7) {
        const at = Date.UTC(2027, 0, 1) + n * 1_800_000;
        const planned = outsideQuietHours(new Date(at), { range: '20:30-07:15', timezone }).getTime();
        assert.equal(step.outsideQuietHours(at, '20:30-07:15', timezone), planned, `${timezone} ${new Date(at).toISOString()}`);
        assert.ok(planned <= at);
      }
  });
});
