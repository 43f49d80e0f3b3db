import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { SUSPENSION_CAUSES } from '@partner-portal/contract/vocabulary.ts';
import { collect, type CollectionState, type DueInvoice, pastDueAfterPause, suspensionAt } from './collection.ts';

const DAY_MS = 86_400_000;
const RULES = { reminderDays: [1, 7, 13], pastDueAfterDays: 14, suspensionAfterDays: 14 };
const DUE = new Date('2026-03-10T09:30:00.000Z');
const after = (days: number, ms = 0): Date => new Date(DUE.getTime() + days * DAY_MS + ms);
const OPEN = { clockPausedAt: null, accountStatus: 'active', suspensionCause: null } as const;
const ACTIVE: CollectionState = { ...OPEN, status: 'active', pastDueSince: null };
const pastDue = (since: Date): CollectionState => ({ ...OPEN, status: 'past_due', pastDueSince: since });
const invoice = (remindersSent = 0): DueInvoice => ({ id: 'one', owedMinor: 2_900, dueAt: DUE, remindersSent });
const reminder = (remindersSent: number, isMailed = true) => [{ invoiceId: 'one', remindersSent, isMailed }];
const NOTHING = { reminders: [], becomes: null };

describe('an overdue invoice', () => {
  for (const [what, now, sent, expected] of [
    ['nothing on the day it is due', after(0, 1), 0, NOTHING],
    ['nothing just before a day has passed', after(1, -1), 0, NOTHING],
    ['the first reminder after a day', after(1), 0, { reminders: reminder(1), becomes: null }],
    ['no second one the same week', after(6), 1, NOTHING],
    ['the second after 7 days', after(7), 1, { reminders: reminder(2), becomes: null }],
    ['the third after 13 days', after(13), 2, { reminders: reminder(3), becomes: null }],
    ['only the latest of several that came due', after(8), 0, { reminders: reminder(2), becomes: null }],
    ['past due after 14 days, which replaces a reminder', after(14), 2, { reminders: reminder(3, false), becomes: 'past_due' }],
  ] as const)
    it(`brings ${what}`, () => assert.deepEqual(collect(ACTIVE, [invoice(sent)], RULES, now), expected));

  it('brings the suspension 14 days after past due was noticed, however late that was', () => {
    const state = pastDue(after(20));
    assert.deepEqual(collect(state, [invoice(3)], RULES, after(34, -1)), NOTHING);
    assert.deepEqual(collect(state, [invoice(3)], RULES, after(34)), { reminders: [], becomes: 'suspended' });
    assert.deepEqual(suspensionAt(state, RULES), after(34));
    assert.deepEqual(collect(state, [], RULES, after(34)), NOTHING);
    const dueToday = { ...invoice(), dueAt: after(33, 1) };
    assert.deepEqual(collect(state, [dueToday], RULES, after(34)), NOTHING);
  });

  it('brings nothing while the clock is paused or the account suspended', () => {
    const suspended = SUSPENSION_CAUSES.map((suspensionCause) => ({ accountStatus: 'suspended', suspensionCause }) as const);
    for (const still of [{ clockPausedAt: after(15) }, { status: 'suspended' } as const, ...suspended])
      for (const state of [ACTIVE, pastDue(after(14))]) {
        assert.deepEqual(collect({ ...state, ...still }, [invoice()], RULES, after(90)), NOTHING);
        assert.equal(suspensionAt({ ...state, ...still }, RULES), null);
      }
  });

  it('reminds of the last invoice of an ended subscription, whose account only its end suspended', () => {
    const ended = { ...ACTIVE, status: 'cancelled', accountStatus: 'suspended' } as const;
    const left = { reminders: reminder(3), becomes: null };
    for (const [cause, expected] of [
      ['billing', left],
      ['manual', NOTHING],
      ['deletion_approved', NOTHING],
    ] as const)
      assert.deepEqual(collect({ ...ended, suspensionCause: cause }, [invoice(2)], RULES, after(20)), expected, cause);
  });

  it('reminds of a new invoice while another one is past due', () => {
    const fresh = { id: 'two', owedMinor: 100, dueAt: after(13), remindersSent: 0 };
    const twoReminded = [{ invoiceId: 'two', remindersSent: 1, isMailed: true }];
    assert.deepEqual(collect(ACTIVE, [invoice(3), fresh], RULES, after(14)), { reminders: twoReminded, becomes: 'past_due' });
    assert.deepEqual(collect(pastDue(after(14)), [invoice(3), fresh], RULES, after(14)), { reminders: twoReminded, becomes: null });
  });

  it('is mailed about at most once a reminder, and never after the fact twice, whenever the clock is looked at', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 40 * 24 }), { minLength: 1, maxLength: 30 }), (hours) => {
        let sent = 0;
        let state = ACTIVE;
        const mailed: number[] = [];
        for (const hour of hours.toSorted((a, b) => a - b)) {
          const now = new Date(DUE.getTime() + hour * 3_600_000);
          const step = collect(state, [invoice(sent)], RULES, now);
          for (const one of step.reminders) {
            assert.ok(one.remindersSent > sent);
            sent = one.remindersSent;
            if (one.isMailed) mailed.push(sent);
          }
          if (step.becomes === 'past_due') state = pastDue(now);
          if (step.becomes === 'suspended') {
            assert.ok(state.pastDueSince && now.getTime() - state.pastDueSince.getTime() >= 14 * DAY_MS);
            state = { ...state, status: 'suspended' };
          }
          assert.deepEqual(collect(state, [invoice(sent)], RULES, now), NOTHING);
        }
        assert.deepEqual(mailed, [...new Set(mailed)]);
        assert.equal(state.status === 'active', (hours.toSorted((a, b) => a - b).at(-1) ?? 0) < 14 * 24);
      }),
      { numRuns: 200 },
    );
  });
});

describe('the days of the clock', () => {
  it('do not pass during a pause', () => {
    assert.deepEqual(pastDueAfterPause(after(14), after(20), after(50)), after(44));
    assert.deepEqual(pastDueAfterPause(after(30), after(20), after(50)), after(50));
    assert.equal(pastDueAfterPause(null, after(20), after(50)), null);
  });
});
