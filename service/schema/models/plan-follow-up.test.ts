import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decideFollowUp, FOLLOW_UPS_MAX, type FollowUp, type FollowUpRequest, type KnownRun } from './plan-follow-up.ts';

const HOUR_MS = 3_600_000;
const NOW = new Date('2026-03-02T12:00:00.000Z');
const inHours = (hours: number): Date => new Date(NOW.getTime() + hours * HOUR_MS);
const NUDGE: FollowUpRequest = {
  kind: 'nudge',
  isAnswered: false,
  isCancelled: false,
  requested: [inHours(72)],
  isPlanned: false,
  isPolled: true,
  now: NOW,
};
const REMINDER: FollowUpRequest = { ...NUDGE, kind: 'reminder', requested: [inHours(24)] };
const WAITING: KnownRun = { status: 'waiting', reason: null, origin: 'run', dueAt: inHours(48), isNewer: false };
const STARTED: KnownRun = { ...WAITING, status: 'started', dueAt: inHours(-48) };
const ANSWERED: KnownRun = { ...WAITING, status: 'cancelled', reason: 'answered', dueAt: inHours(-0.5) };
const many = (count: number): KnownRun[] => Array.from({ length: count }, (_, n) => ({ ...STARTED, dueAt: inHours(-n - 2) }));

const NEWER: KnownRun = { ...WAITING, isNewer: true };

/** Hours from now at which the follow-up is due and too late, and those of later ones; null for none, and the reason of a record of the event for none but that. */
type Case = [
  name: string,
  request: FollowUpRequest,
  known: KnownRun[],
  cancels: string | null,
  plans: [number, number, ...[number, number][]] | FollowUp['records'],
];
const CASES: Case[] = [
  ['a nudge is planned, and may start up to seven days late', NUDGE, [], 'replaced', [72, 240]],
  ['a nudge replaces a waiting one', NUDGE, [WAITING], 'replaced', [72, 240]],
  ['a nudge for the time of a waiting one is planned again', NUDGE, [{ ...WAITING, dueAt: inHours(72) }], 'replaced', [72, 240]],
  [
    'all later nudges are planned with the next one, in their order',
    { ...NUDGE, requested: [inHours(72), inHours(240), inHours(120)] },
    [WAITING, { ...STARTED, dueAt: inHours(-72) }],
    'replaced',
    [72, 240, [120, 288], [240, 408]],
  ],
  [
    'of later nudges those that are past, or have started, are left out',
    { ...NUDGE, requested: [inHours(-1), inHours(120), inHours(240)] },
    [{ ...STARTED, dueAt: inHours(120) }],
    'replaced',
    [240, 408],
  ],
  ['a nudge without a time only replaces', { ...NUDGE, requested: [] }, [WAITING], 'replaced', 'done'],
  ['a nudge in the past is not planned', { ...NUDGE, requested: [inHours(-1)] }, [], 'replaced', 'done'],
  ['a nudge that is due now is not planned', { ...NUDGE, requested: [NOW] }, [], 'replaced', 'done'],
  ['a nudge is planned up to 400 days ahead', { ...NUDGE, requested: [inHours(9600)] }, [], 'replaced', [9600, 9768]],
  ['a nudge is not planned further ahead', { ...NUDGE, requested: [inHours(9601)] }, [], 'replaced', 'done'],
  ['an answer cancels the waiting nudge and plans none', { ...NUDGE, isAnswered: true }, [WAITING], 'answered', 'answered'],
  ['an answer during a nudge prevents the next', NUDGE, [{ ...ANSWERED, isNewer: true }], null, null],
  ['an answer to what was sent before does not', NUDGE, [ANSWERED], 'replaced', [72, 240]],
  ['a nudge is planned below the bound of its subject', NUDGE, many(FOLLOW_UPS_MAX - 1), 'replaced', [72, 240]],
  ['a nudge is not planned at the bound of its subject', NUDGE, many(FOLLOW_UPS_MAX), 'replaced', null],
  ['a time that has started is not planned again', NUDGE, [{ ...STARTED, dueAt: inHours(72) }], 'replaced', null],
  [
    'a reminder may start up to 59 minutes late, and replaces that of a visit that was moved',
    REMINDER,
    [WAITING],
    'replaced',
    [24, 24 + 59 / 60],
  ],
  [
    'a reminder for the time of a waiting one is planned again',
    REMINDER,
    [{ ...WAITING, dueAt: inHours(24) }],
    'replaced',
    [24, 24 + 59 / 60],
  ],
  ['a reminder without a time only replaces', { ...REMINDER, requested: [] }, [WAITING], 'replaced', 'replaced'],
  [
    'a visit that was cancelled ends its reminder and plans none',
    { ...REMINDER, isCancelled: true },
    [WAITING],
    'no_longer_due',
    'no_longer_due',
  ],
  [
    'a cancelled reminder is planned again',
    REMINDER,
    [{ ...WAITING, status: 'cancelled', reason: 'workflow_inactive', dueAt: inHours(24) }],
    'replaced',
    [24, 24 + 59 / 60],
  ],
  ['a reminder is left to the poll of bookings', REMINDER, [{ ...WAITING, origin: 'bookings' }], 'replaced', null],
  [
    'a reminder is planned when no poll does',
    { ...REMINDER, isPolled: false },
    [{ ...STARTED, origin: 'bookings' }],
    'replaced',
    [24, 24 + 59 / 60],
  ],
  ['a planned nudge without a time is recorded as the last', { ...NUDGE, requested: [], isPlanned: true }, [WAITING], 'replaced', 'done'],
  ['a nudge that ends after a later event leaves what that planned', NUDGE, [NEWER], null, null],
  ['an answer that is not understood during a nudge prevents the next', NUDGE, [{ ...NEWER, status: 'cancelled' }], null, null],
  ['an answer leaves what a later event planned', { ...NUDGE, isAnswered: true }, [NEWER], null, null],
  ['the plan of a moved visit stays when an earlier reminder ends after it', REMINDER, [NEWER], null, null],
  [
    'a visit cancelled during a reminder prevents the next',
    REMINDER,
    [{ ...NEWER, status: 'cancelled', reason: 'no_longer_due' }],
    null,
    null,
  ],
  ['a visit that was booked again after it was cancelled keeps its reminder', { ...REMINDER, isCancelled: true }, [NEWER], null, null],
  ['a reminder ignores an answer', { ...REMINDER, isAnswered: true }, [ANSWERED], 'replaced', [24, 24 + 59 / 60]],
];

describe('a follow-up', () => {
  for (const [name, request, known, cancels, plans] of CASES) {
    it(`is decided: ${name}`, () => {
      const [due, last, ...later] = Array.isArray(plans) ? plans : [];
      const times = due === undefined || last === undefined ? [] : [[due, last] as const, ...later];
      const expected = times.map(([dueAt, lastAt]) => ({ dueAt: inHours(dueAt), lastAt: inHours(lastAt) }));
      assert.deepEqual(decideFollowUp(request, known), { cancels, plans: expected, records: Array.isArray(plans) ? null : plans });
    });
  }
});
