import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { capReached, type InvitationUse, startsBurst, waitInWords } from './invitation-caps.ts';

const CAPS = { perHour: 30, perDay: 200, trialPerHour: 10, trialPerDay: 30 };
const NOW = new Date('2027-03-01T12:00:00.000Z');
const ago = (minutes: number): Date => new Date(NOW.getTime() - minutes * 60_000);
const use = (inHour: number, inDay: number, isTrial = false): InvitationUse => ({
  inHour,
  inDay,
  hourSince: inHour > 0 ? ago(20) : null,
  daySince: inDay > 0 ? ago(600) : null,
  isTrial,
});

describe('the cap on invitation mails', () => {
  const cases: [what: string, use: InvitationUse, expected: ReturnType<typeof capReached>][] = [
    ['none yet', use(0, 0), null],
    ['one below the cap of the hour', use(29, 29), null],
    ['the cap of the hour', use(30, 30), { limit: 30, used: 30, per: 'hour', retryAfterSeconds: 40 * 60 }],
    ['above it, after the cap was lowered', use(45, 45), { limit: 30, used: 45, per: 'hour', retryAfterSeconds: 40 * 60 }],
    ['one below the cap of the day', use(0, 199), null],
    ['the cap of the day', use(0, 200), { limit: 200, used: 200, per: 'day', retryAfterSeconds: 14 * 3600 }],
    ['both', use(30, 200), { limit: 200, used: 200, per: 'day', retryAfterSeconds: 14 * 3600 }],
    ['what a trial may', use(9, 29, true), null],
    ['the cap of a trial', use(10, 10, true), { limit: 10, used: 10, per: 'hour', retryAfterSeconds: 40 * 60 }],
    ['the daily cap of a trial', use(0, 30, true), { limit: 30, used: 30, per: 'day', retryAfterSeconds: 14 * 3600 }],
  ];
  for (const [what, given, expected] of cases)
    it(`${what}: ${expected ? `refused per ${expected.per}` : 'allowed'}`, () => assert.deepEqual(capReached(CAPS, given, NOW), expected));

  it('asks for a wait between a second and its window, however the clocks differ', () => {
    for (const minutes of [-5, 0, 59, 60, 61, 2000]) {
      const wait = capReached(CAPS, { ...use(30, 30), hourSince: ago(minutes) }, NOW)?.retryAfterSeconds ?? 0;
      assert.ok(wait >= 1 && wait <= 3600, `${minutes}: ${wait}`);
    }
  });

  it('reports a burst once on the way up', () => {
    const counts = Array.from({ length: 30 }, (_, n) => n).filter((n) => startsBurst(CAPS, use(n, n)));
    assert.deepEqual(counts, [14]);
    assert.equal(startsBurst({ ...CAPS, trialPerHour: 1 }, use(0, 0, true)), true);
  });

  it('is explained in minutes or hours', () => {
    assert.deepEqual([1, 60, 61, 7199, 7200, 86_400].map(waitInWords), [
      '1 minute',
      '1 minute',
      '2 minutes',
      '2 hours',
      '2 hours',
      '24 hours',
    ]);
  });
});
