import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ROLES, SUSPENSION_CAUSES } from '@partner-portal/contract/vocabulary.ts';
import {
  type AccountState,
  deletionObstacle,
  isPurgeDue,
  manualChangeObstacle,
  mayDecide,
  mayWithdraw,
  purgeAfter,
  reactivatedStatus,
  reactivationObstacle,
  reminderNumber,
  remindsUntil,
} from './account.ts';

describe('a request about an account', () => {
  it('is decided by staff, and about a client by its agency too', () => {
    const deciding = (scope: 'partner' | 'client') => ROLES.filter((role) => mayDecide(role, scope));
    assert.deepEqual([deciding('partner'), deciding('client')], [['ADMIN'], ['ADMIN', 'PARTNER']]);
  });

  it('is withdrawn by the side that made it', () => {
    assert.deepEqual(
      (['PARTNER', 'CLIENT'] as const).map((by) => ROLES.filter((role) => mayWithdraw(role, by))),
      [['PARTNER'], ['CLIENT']],
    );
  });
});

const suspendedBy = (suspensionCause: AccountState['suspensionCause']): AccountState => ({ status: 'suspended', suspensionCause });
const active: AccountState = { status: 'active', suspensionCause: null };

describe('an account', () => {
  const TABLE: [string, AccountState, { delete: boolean; reactivate: boolean; change: boolean }][] = [
    ['active', active, { delete: true, reactivate: false, change: true }],
    ['archived', { status: 'archived', suspensionCause: null }, { delete: true, reactivate: false, change: true }],
    ['suspended by hand', suspendedBy('manual'), { delete: true, reactivate: true, change: true }],
    ['suspended by billing', suspendedBy('billing'), { delete: true, reactivate: true, change: true }],
    ['suspended by policy', suspendedBy('policy'), { delete: true, reactivate: true, change: true }],
    ['whose deletion is approved', suspendedBy('deletion_approved'), { delete: false, reactivate: true, change: false }],
    ['that is deleted', { status: 'deleted', suspensionCause: null }, { delete: false, reactivate: false, change: true }],
  ];
  for (const [name, state, can] of TABLE) {
    it(`${name}: ${Object.entries(can)
      .map(([what, may]) => `${what} ${may}`)
      .join(', ')}`, () => {
      assert.deepEqual(
        {
          delete: deletionObstacle(state) === null,
          reactivate: reactivationObstacle(state) === null,
          change: manualChangeObstacle(state) === null,
        },
        can,
      );
    });
  }

  it('is archived again when it was archived before its deletion was approved, and else active', () => {
    assert.deepEqual((['active', 'suspended', 'archived', null] as const).map(reactivatedStatus), [
      'active',
      'active',
      'archived',
      'active',
    ]);
  });
});

describe('the reminders of a reactivation that waits', () => {
  const DAY_MS = 86_400_000;
  const purgeAfter = new Date('2026-12-22T10:00:00.000Z');
  const at = (days: number) => new Date(purgeAfter.getTime() + days * DAY_MS);
  const numbers = (requestedAt: Date, days: readonly number[]) => days.map((day) => reminderNumber({ purgeAfter, requestedAt }, at(day)));

  it('begin two days before the removal, and go on each week after it', () => {
    assert.deepEqual(numbers(at(-20), [-2.01, -2, 0, 4.99, 5, 12]), [null, 0, 0, 0, 1, 2]);
    assert.deepEqual([remindsUntil(at(-2)), remindsUntil(at(0))], [purgeAfter, at(2)]);
  });

  it('do not come within a day of the request', () => {
    assert.deepEqual(numbers(at(-0.5), [-0.5, 0.49, 0.5, 7.5]), [null, null, 0, 1]);
  });
});

describe('a purge', () => {
  const now = new Date('2026-12-22T10:00:00.000Z');
  const request = { status: 'approved' as const, purgeAfter: now };
  const ended = (state: AccountState) => ({ ...state, isReactivationPending: false });
  const account = ended(suspendedBy('deletion_approved'));

  it('is due from the moment that the days after the approval have passed', () => {
    assert.deepEqual(purgeAfter(new Date('2026-11-22T10:00:00.000Z'), 30), now);
    assert.equal(isPurgeDue(request, account, now), true);
    assert.equal(isPurgeDue(request, account, new Date(now.getTime() - 1)), false);
  });

  it('is due only while the deletion is approved and the account is suspended by it', () => {
    for (const status of ['pending', 'rejected', 'cancelled', 'completed'] as const)
      assert.equal(isPurgeDue({ ...request, status }, account, now), false, status);
    assert.equal(isPurgeDue({ ...request, purgeAfter: null }, account, now), false);
    assert.equal(isPurgeDue(request, ended(active), now), false);
    for (const cause of SUSPENSION_CAUSES)
      assert.equal(isPurgeDue(request, ended(suspendedBy(cause)), now), cause === 'deletion_approved', cause);
  });

  it('waits while a reactivation waits for its decision', () => {
    assert.equal(isPurgeDue(request, { ...account, isReactivationPending: true }, now), false);
    assert.equal(isPurgeDue(request, { ...account, isReactivationPending: false }, now), true);
  });
});
