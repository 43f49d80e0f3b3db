import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type AddressAnswer, assessCheck, nextCheck, type TxtAnswer } from './domain-check.ts';

const now = new Date('2026-03-10T10:00:00Z');
const before = (days: number) => new Date(now.getTime() - days * 86_400_000);
const pending = { status: 'pending', token: 'mine', hasAddress: true, missingSince: null, verifiedAt: null } as const;
const verified = { status: 'verified', token: 'mine', hasAddress: true, missingSince: null, verifiedAt: before(100) } as const;
const failing = { ...verified, status: 'failing', missingSince: before(9) } as const;
const found = (...values: string[]): TxtAnswer => ({ kind: 'found', values });
const check = (claim: Parameters<typeof assessCheck>[0], txt: TxtAnswer) => {
  const { status, problem, change } = assessCheck(claim, { txt, address: 'found' }, { now, graceDays: 3 });
  return [status, problem, change];
};

describe('a check', () => {
  it('proves a claim by the value, alone or among others', () => {
    assert.deepEqual(check(pending, found('mine')), ['verified', null, 'verified']);
    assert.deepEqual(check(pending, found('other', 'mine')), ['verified', null, 'verified']);
  });
  it('says what is wrong with a claim', () => {
    assert.deepEqual(check(pending, { kind: 'none' }), ['pending', 'record_missing', null]);
    assert.deepEqual(check(pending, found('other')), ['pending', 'wrong_value', null]);
    assert.deepEqual(check(pending, found('other', 'mine too')), ['pending', 'several_values', null]);
    assert.deepEqual(check(pending, { kind: 'unanswered' }), ['pending', 'no_answer', null]);
  });
  it('warns at the first miss, stops after the days of grace, and brings back what returns', () => {
    assert.deepEqual(check(verified, { kind: 'none' }), ['verified', 'record_missing', 'missed']);
    assert.deepEqual(check({ ...verified, missingSince: before(2.9) }, { kind: 'none' }), ['verified', 'record_missing', null]);
    assert.deepEqual(check({ ...verified, missingSince: before(3) }, found('other')), ['failing', 'wrong_value', 'stopped']);
    assert.deepEqual(check(failing, { kind: 'none' }), ['failing', 'record_missing', null]);
    assert.deepEqual(check(failing, found('mine')), ['verified', null, 'verified']);
    assert.equal(
      assessCheck({ ...verified, missingSince: before(2) }, { txt: found('mine'), address: 'found' }, { now, graceDays: 3 }).missingSince,
      null,
    );
  });
  it('looks for an address, which proves nothing and which silent name servers neither give nor take', () => {
    const addressAfter = (hasAddress: boolean, address: AddressAnswer, txt = found('mine')) => {
      const checked = assessCheck({ ...verified, hasAddress }, { txt, address }, { now, graceDays: 3 });
      return [checked.status, checked.hasAddress, checked.problem];
    };
    assert.deepEqual(addressAfter(false, 'found'), ['verified', true, null]);
    assert.deepEqual(addressAfter(true, 'none'), ['verified', false, 'no_address']);
    assert.deepEqual(addressAfter(true, 'unanswered'), ['verified', true, null]);
    assert.deepEqual(addressAfter(false, 'unanswered'), ['verified', false, 'no_answer']);
    assert.deepEqual(addressAfter(true, 'none', { kind: 'none' }), ['verified', false, 'record_missing']);
    assert.deepEqual(addressAfter(true, 'none', { kind: 'unanswered' }), ['verified', false, 'no_answer']);
  });
  it('lets silent name servers stop nothing', () => {
    assert.deepEqual(check({ ...verified, missingSince: before(30) }, { kind: 'unanswered' }), ['verified', 'no_answer', null]);
  });
});

it('checks new claims hourly, others at the interval, and one about to stop when it does', () => {
  const at = (checked: Omit<Parameters<typeof nextCheck>[0], 'hasAddress'> & { hasAddress?: boolean }, claimedAt = before(1)) =>
    (nextCheck({ hasAddress: true, ...checked }, { now, claimedAt, intervalHours: 24, graceDays: 3 }).getTime() - now.getTime()) /
    3_600_000;
  assert.equal(at({ status: 'pending', missingSince: null }), 1);
  assert.equal(at({ status: 'pending', missingSince: null }, before(15)), 24);
  assert.equal(at({ status: 'verified', missingSince: null }), 24);
  assert.equal(at({ status: 'verified', hasAddress: false, missingSince: null }), 1);
  assert.equal(at({ status: 'verified', hasAddress: false, missingSince: null }, before(15)), 24);
  assert.equal(at({ status: 'verified', missingSince: before(2.5) }), 12);
  assert.equal(at({ status: 'failing', missingSince: before(9) }), 24);
});
