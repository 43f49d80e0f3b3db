import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextMailState, type MailAttempts, type MailAttemptOutcome } from './mail.ts';

const now = new Date('2026-11-21T12:00:00.000Z');
const week = new Date(now.getTime() + 7 * 86_400_000);
const fresh: MailAttempts = { attempts: 0, interrupted: 0, awayCount: 0, bodyUntil: week };

/** Tries until it is over, `outcome` each time; the waits in minutes and how it ended. */
function walk(outcome: MailAttemptOutcome, from: MailAttempts = fresh): { waits: number[]; end: string } {
  const waits: number[] = [];
  let tries = from;
  let at = now;
  for (;;) {
    const result = nextMailState(tries, outcome, at);
    if (result.status !== 'queued') return { waits, end: result.status === 'failed' ? `failed ${result.error}` : result.status };
    waits.push((result.dueAt.getTime() - at.getTime()) / 60_000);
    at = result.dueAt;
    tries = { ...result, bodyUntil: tries.bodyUntil };
  }
}

test('a refusal for now is tried again after 1, 5, 30 minutes, 2 and 12 hours, then given up', () => {
  assert.deepEqual(walk({ kind: 'later', answer: '450' }), { waits: [1, 5, 30, 120, 720], end: 'failed attempts_exhausted' });
});

test('a refusal for good is tried once', () => {
  assert.deepEqual(nextMailState(fresh, { kind: 'refused', answer: '550 unknown user' }, now), {
    status: 'failed',
    error: 'refused',
    answer: '550 unknown user',
  });
});

test('a server that is away spends no try and is waited for as long as the mail is of use', () => {
  const { waits, end } = walk({ kind: 'away', error: 'timeout', answer: null });
  assert.deepEqual(waits.slice(0, 6), [1, 2, 5, 10, 15, 15]);
  assert.ok(waits.reduce((sum, one) => sum + one, 0) > 7 * 24 * 60 - 16);
  assert.equal(end, 'failed timeout');
  const result = nextMailState({ ...fresh, attempts: 4 }, { kind: 'away', error: 'timeout', answer: null }, now);
  assert.ok(result.status === 'queued' && result.attempts === 4);
});

test('a fault of ours costs no try: the mail waits five minutes each time, as long as it is of use', () => {
  const { waits, end } = walk({ kind: 'fault' }, { ...fresh, bodyUntil: new Date(now.getTime() + 16 * 60_000) });
  assert.deepEqual([waits, end], [[5, 5, 5], 'failed fault']);
  const result = nextMailState(fresh, { kind: 'fault' }, now);
  assert.ok(result.status === 'queued' && result.attempts === 0 && result.awayCount === 1);
});

test('an unknown outcome is repeated once and never twice', () => {
  assert.deepEqual(walk({ kind: 'unknown' }), { waits: [5], end: 'failed interrupted' });
  assert.deepEqual(walk({ kind: 'unknown' }, { ...fresh, interrupted: 1 }), { waits: [], end: 'failed interrupted' });
});

test('nothing is planned for a time at which the mail is of no use', () => {
  const soon = { ...fresh, bodyUntil: new Date(now.getTime() + 3 * 60_000) };
  assert.deepEqual(walk({ kind: 'later', answer: '450' }, soon), { waits: [1], end: 'failed refused_for_now' });
  assert.deepEqual(walk({ kind: 'expired' }), { waits: [], end: 'failed expired' });
});
