import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { applyDelivery, mergeDeliveries } from './merge-deliveries.ts';
import type { Attempt, Delivery } from './queries.ts';

const attempt = (n: number, durationMs: number | null): Attempt => ({
  n,
  at: '2026-01-05T09:00:00.000Z',
  httpStatus: durationMs === null ? null : 503,
  durationMs,
  error: durationMs === null ? null : 'status',
  explanation: null,
  responsePreview: null,
  signature: null,
});
const delivery = (id: string, status: Delivery['status'], attempts: Attempt[] = []): Delivery => ({
  id,
  endpointId: 'endpoint',
  eventId: 'evt',
  eventType: 'webhook.test',
  status,
  reason: null,
  explanation: null,
  createdAt: '2026-01-05T09:00:00.000Z',
  finishedAt: null,
  nextAttemptAt: null,
  attemptCount: attempts.length,
  maxAttempts: 5,
  attempts,
  requestBody: '{}',
  redeliveryOf: null,
  recoveryId: null,
});
const summaries = (rows: readonly Delivery[]): string[] => rows.map(({ id, status, attempts }) => `${id} ${status} ${attempts.length}`);

describe('out-of-order records of the delivery log', () => {
  it('an older response does not revert a delivery', () => {
    const known = [delivery('b', 'delivered', [attempt(1, 20)]), delivery('a', 'pending', [attempt(1, 20), attempt(2, null)])];
    const late = [delivery('b', 'pending'), delivery('a', 'pending', [attempt(1, 20)])];
    assert.deepEqual(summaries(mergeDeliveries(known, late)), ['b delivered 1', 'a pending 2']);
    assert.deepEqual(summaries(applyDelivery(known, delivery('b', 'pending'))), ['b delivered 1', 'a pending 2']);
  });

  it('a newer response replaces a delivery', () => {
    const known = [delivery('a', 'pending', [attempt(1, null)])];
    assert.deepEqual(mergeDeliveries(known, [delivery('a', 'pending', [attempt(1, 20)])])[0]?.attempts[0]?.durationMs, 20);
    assert.deepEqual(summaries(applyDelivery(known, delivery('a', 'failed', [attempt(1, 20)]))), ['a failed 1']);
  });

  it('keeps a delivery created after the response was read, drops one too old for the list', () => {
    const known = [delivery('c', 'pending'), delivery('a', 'delivered')];
    assert.deepEqual(summaries(mergeDeliveries(known, [delivery('b', 'delivered')])), ['c pending 0', 'b delivered 0']);
  });

  it('keeps the newest fifty', () => {
    const id = (n: number): string => String(n).padStart(3, '0');
    const many = Array.from({ length: 50 }, (_, n) => delivery(id(n), 'delivered'));
    const rows = applyDelivery(many, delivery(id(50), 'pending'));
    assert.deepEqual([rows.length, rows[0]?.id, rows.at(-1)?.id], [50, '050', '001']);
  });
});
