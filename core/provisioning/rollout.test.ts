import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { afterBatch, nextRolloutAction, setRolloutPaused } from './rollout.ts';

const counts = { pending: 0, running: 0, succeeded: 0, failed: 0, skipped: 0 };

describe('a roll-out', () => {
  it('runs while partners are left, and is completed when none is', () => {
    assert.equal(afterBatch('running', { ...counts, pending: 1 }), 'running');
    assert.equal(afterBatch('running', { ...counts, running: 1 }), 'running');
    assert.equal(afterBatch('running', { ...counts, succeeded: 2, failed: 2, skipped: 1 }), 'completed');
  });
  it('stops at the third failure, not at the second, also while paused', () => {
    assert.equal(afterBatch('running', { ...counts, pending: 9, failed: 2 }), 'running');
    assert.equal(afterBatch('running', { ...counts, pending: 9, failed: 3 }), 'stopped');
    assert.equal(afterBatch('paused', { ...counts, pending: 9, failed: 4 }), 'stopped');
  });
  it('stays paused until a user resumes it', () => {
    assert.equal(afterBatch('paused', { ...counts, pending: 1 }), 'paused');
    assert.equal(setRolloutPaused('running', true), 'paused');
    assert.equal(setRolloutPaused('paused', true), 'paused');
    assert.equal(setRolloutPaused('paused', false), 'running');
    assert.equal(setRolloutPaused('stopped', false), 'running');
  });
  it('that ended stays ended', () => {
    assert.equal(setRolloutPaused('completed', false), null);
    assert.equal(setRolloutPaused('completed', true), null);
    assert.equal(setRolloutPaused('stopped', true), null);
    assert.equal(afterBatch('stopped', counts), 'stopped');
  });
  it('repairs ready partners, provisions those it left failed, waits for busy ones, and skips all others', () => {
    const facts = { isOutdated: true, isOwnFailure: false };
    assert.equal(nextRolloutAction({ ...facts, instance: 'ready' }).do, 'repair');
    assert.equal(nextRolloutAction({ ...facts, instance: 'ready', isOutdated: false }).do, 'skip');
    assert.equal(nextRolloutAction({ ...facts, instance: 'provisioning' }).do, 'wait');
    // It may have written the version before it failed.
    assert.equal(nextRolloutAction({ instance: 'failed', isOutdated: false, isOwnFailure: true }).do, 'provision');
    assert.equal(nextRolloutAction({ ...facts, instance: 'failed' }).do, 'skip');
    for (const instance of ['unprovisioned', 'deprovisioning', null] as const)
      assert.equal(nextRolloutAction({ ...facts, instance }).do, 'skip');
  });
});
