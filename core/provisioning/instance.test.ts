import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ATTEMPT_MODES, INSTANCE_STATUSES, type InstanceStatus } from '@partner-portal/contract/vocabulary.ts';
import { type InstanceTrigger, isHeld, transitionInstance, statesThatAllow } from './instance.ts';

const TRIGGERS: InstanceTrigger[] = [...ATTEMPT_MODES, 'completed', 'failed', 'timed_out', 'refused'];

/** All allowed transitions; every other pair must be refused. */
const ALLOWED: { [from in InstanceStatus]: { [trigger in InstanceTrigger]?: InstanceStatus } } = {
  unprovisioned: { provision: 'provisioning', refused: 'failed' },
  provisioning: { completed: 'ready', failed: 'failed', timed_out: 'failed' },
  ready: { repair: 'provisioning', recreate: 'provisioning', deprovision: 'deprovisioning', refused: 'failed' },
  failed: { provision: 'provisioning', deprovision: 'deprovisioning', refused: 'failed' },
  deprovisioning: { completed: 'unprovisioned', failed: 'failed', timed_out: 'failed' },
};

/** The states in which an attempt holds the row. */
const HELD: readonly InstanceStatus[] = ['provisioning', 'deprovisioning'];

for (const from of INSTANCE_STATUSES) {
  test(`${from} is ${HELD.includes(from) ? 'held by its attempt' : 'held by no attempt'}`, () =>
    assert.equal(isHeld(from), HELD.includes(from)));
  for (const trigger of TRIGGERS) {
    const to = ALLOWED[from][trigger];
    test(`${from} + ${trigger} ${to === undefined ? 'changes nothing' : `leads to ${to}`}`, () => {
      const move = transitionInstance(from, trigger);
      if (to !== undefined) assert.deepEqual({ ok: move.ok, to: move.ok && move.to }, { ok: true, to });
      else assert.deepEqual(move, { ok: false, code: HELD.includes(from) ? 'provision_in_progress' : 'invalid_state' });
    });
  }
}

test('a repair may be repeated after one that failed, and after no other attempt', () => {
  for (const mode of ATTEMPT_MODES) {
    const move = transitionInstance('failed', 'repair', mode);
    if (mode === 'repair') assert.deepEqual(move, { ok: true, to: 'provisioning', stampsProvisionedAt: false });
    else assert.deepEqual(move, { ok: false, code: 'invalid_state' });
  }
  assert.deepEqual(transitionInstance('unprovisioned', 'repair', 'repair'), { ok: false, code: 'invalid_state' });
  assert.deepEqual(statesThatAllow('repair', 'repair'), ['ready', 'failed']);
  assert.deepEqual(statesThatAllow('recreate', 'repair'), ['ready']);
});

test('provisionedAt is stamped by provision and recreate, never by a repair or a teardown', () => {
  const stamps = (from: InstanceStatus, mode: (typeof ATTEMPT_MODES)[number]) => {
    const move = transitionInstance(from, 'completed', mode);
    return move.ok && move.stampsProvisionedAt;
  };
  assert.equal(stamps('provisioning', 'provision'), true);
  assert.equal(stamps('provisioning', 'recreate'), true);
  assert.equal(stamps('provisioning', 'repair'), false);
  assert.equal(stamps('deprovisioning', 'deprovision'), false);
});

test('the guard of a claim names exactly the states the table allows', () => {
  for (const trigger of TRIGGERS) {
    assert.deepEqual(
      statesThatAllow(trigger),
      INSTANCE_STATUSES.filter((from) => ALLOWED[from][trigger] !== undefined),
    );
  }
});

test('no sequence of triggers leaves the five states, and a held row is left only by its own outcome', () => {
  let seed = 7;
  const next = (max: number) => (seed = (seed * 1103515245 + 12345) % 2147483648) % max;
  let state: InstanceStatus = 'unprovisioned';
  for (let step = 0; step < 2000; step++) {
    const trigger = TRIGGERS[next(TRIGGERS.length)] ?? 'provision';
    const before: InstanceStatus = state;
    const move = transitionInstance(before, trigger);
    if (move.ok) state = move.to;
    assert.ok(INSTANCE_STATUSES.includes(state));
    if (HELD.includes(before) && state !== before) assert.ok(['completed', 'failed', 'timed_out'].includes(trigger));
  }
});
