import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Attempt } from './queries.ts';
import { nextAttemptText, shortUrl, endpointStatus, successShare, attemptsText, waitsText } from './labels.ts';

const attempt = (n: number, seconds: number, durationMs: number | null = 200): Attempt => ({
  n,
  at: new Date(Date.UTC(2026, 0, 5, 9, 0, seconds)).toISOString(),
  httpStatus: 503,
  durationMs,
  error: 'status',
  explanation: null,
  responsePreview: null,
  signature: null,
});

describe('endpoint status', () => {
  const at = '2026-01-05T09:00:00.000Z';
  const cases = [
    [{ isActive: false, failureStreak: 9, lastDelivery: null }, 'pause', 'Paused'],
    [{ isActive: true, failureStreak: 0, lastDelivery: null }, 'none', 'No deliveries yet'],
    [{ isActive: true, failureStreak: 1, lastDelivery: { status: 'failed', at } }, 'bad', 'Last delivery failed'],
    [{ isActive: true, failureStreak: 3, lastDelivery: { status: 'pending', at } }, 'bad', 'Failing, 3 in a row'],
    [{ isActive: true, failureStreak: 0, lastDelivery: { status: 'pending', at } }, 'wait', 'Sending'],
    [{ isActive: true, failureStreak: 0, lastDelivery: { status: 'delivered', at } }, 'ok', 'Delivered'],
  ] as const;
  for (const [endpoint, mark, word] of cases)
    it(`says “${word}”`, () => {
      const standing = endpointStatus(endpoint);
      assert.deepEqual([standing.mark, standing.word], [mark, word]);
    });
});

describe('success rate', () => {
  it('counts finished deliveries only', () => {
    assert.equal(successShare([]), null);
    assert.equal(successShare(['pending']), null);
    assert.equal(successShare(['pending', 'delivered']), '100%');
    assert.equal(successShare(['failed']), '0%');
    assert.equal(successShare(['delivered', 'delivered', 'failed', 'pending']), '66.7%');
  });
});

describe('attempts of a delivery', () => {
  it('are shown with their maximum until the delivery succeeds', () => {
    const rest = { maxAttempts: 5 };
    assert.equal(attemptsText({ ...rest, status: 'pending', attemptCount: 0, attempts: [] }), '');
    assert.equal(attemptsText({ ...rest, status: 'pending', attemptCount: 3, attempts: [attempt(1, 0)] }), '3 of 5');
    assert.equal(attemptsText({ ...rest, status: 'delivered', attemptCount: 1, attempts: [attempt(1, 0)] }), '1 try');
  });

  it('are shown with the waits between them, from the end of one to the start of the next', () => {
    assert.equal(waitsText([attempt(1, 0)]), null);
    assert.equal(waitsText([attempt(1, 0), attempt(2, 5)]), 'after a wait of 5 s');
    assert.equal(waitsText([attempt(1, 0), attempt(2, 5), attempt(3, 25, 10_000), attempt(4, 55)]), 'after waits of 5, 20 and 20 s');
  });

  it('count down to the next attempt', () => {
    const due = '2026-01-05T09:00:13.000Z';
    assert.equal(nextAttemptText(null, 0), null);
    assert.equal(nextAttemptText(due, Date.parse('2026-01-05T09:00:00.400Z')), 'Next try in 13 s');
    assert.equal(nextAttemptText(due, Date.parse('2026-01-05T09:00:14.000Z')), 'Next try now');
  });
});

it('shortens a URL to host and path', () => {
  assert.equal(shortUrl('https://crm.example.com/in/agents'), 'crm.example.com/in/agents');
  assert.equal(shortUrl('http://127.0.0.1:8080/'), '127.0.0.1:8080');
});
