import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAttempt, type DeliveryStep } from '@partner-portal/core/webhook/delivery.ts';
import { parseTraceparent } from '@partner-portal/core/tracing/trace-context.ts';
import { isKeyDestroyed } from '#modules/1-ledger/data-keys/index.ts';
import { createBatcher, isDataError } from '#platform/batch.ts';
import type { Database } from '#platform/db/tx.ts';
import { createPump } from '#platform/jobs/pump.ts';
import type { Log } from '#platform/log.ts';
import { defineHistogram, WAITED_FOR } from '#platform/measure.ts';
import { SealFault } from '#platform/seal-fault.ts';
import type { Tracer } from '#platform/tracing/tracer.ts';
import { ATTEMPT_MS, type AttemptDeps, type AttemptRecord, makeAttempt } from './attempt.ts';
import { createLanes } from './lanes.ts';
import type { SealedSecret, SecretSeal } from '../endpoints/secret-seal.ts';
import { type ClaimedDelivery, claimDeliveries, settleDeliveries, type Settlement } from '../store-queue.ts';

export type SenderDeps = AttemptDeps & { db: Database; log: Log; seal: SecretSeal; tracer?: Tracer | undefined };

export type Sender = {
  start(): void;
  /** Claims now: something was queued. */
  wake(): void;
  isActive(): boolean;
  /** Waits until attempts in flight have ended and are recorded. */
  stop(): Promise<void>;
  /** Claims one batch and waits for its outcomes. Returns how many were claimed. For tests and for draining. */
  runOnce(): Promise<number>;
};

/**
 * How long a claim is valid without an outcome: one attempt and time to record it. Deliveries of a killed sender are claimed again within
 * LEASE_SECONDS and one POLL_MS.
 */
export const LEASE_SECONDS = ATTEMPT_MS / 1000 + 10;
export const POLL_MS = 500;
const BATCH = 256;
/** Wait when a secret cannot be opened: a missing master key is our fault and costs the endpoint no attempt. */
const UNREADABLE_WAIT_MS = 300_000;
const attempts = defineHistogram('portal_webhook_attempt_duration_seconds', {
  help: 'Attempts to send a webhook by outcome: delivered, or why not. One count is one request to a receiver, each repeat included.',
  labels: ['outcome'],
  buckets: WAITED_FOR,
});
type Claimed = ClaimedDelivery & { worker: string };

const SECRETS_MAX = 2_000;
const RETRY_MS = 100;
const RETRY_MS_MAX = 2_000;
const STOP_GRACE_MS = 5_000;

/**
 * Sends due deliveries: fair between partners and endpoints, bounded per lane (lanes.ts), many per statement. An attempt is recorded before
 * its first byte is sent, and the queue keeps a delivery until its outcome is recorded: after a crash the lease expires, the attempt shows as
 * interrupted and is repeated. Recording an outcome is retried; an unavailable database costs no attempt.
 */
export function createSender(deps: SenderDeps): Sender {
  const { db, log } = deps;
  let worker = newWorkerName();
  const lanes = createLanes();
  /** Cache of opened secrets by endpoint: opening costs as much as sending. */
  const secrets = new Map<string, { sealed: Buffer; secret: string }>();
  let stoppingAt: number | undefined;
  const settler = createBatcher<Settlement, null>({
    run: async (settlements) => {
      await settleDeliveries(db, settlements);
      return settlements.map(() => null);
    },
    itemsMax: 500,
    inFlightMax: 1,
    isPoison: isDataError,
  });

  const record = async (settlement: Settlement): Promise<void> => {
    for (let waitMs = RETRY_MS; ; waitMs = Math.min(2 * waitMs, RETRY_MS_MAX)) {
      try {
        await settler.add(settlement);
        return;
      } catch (error) {
        const { deliveryId, n } = settlement;
        // Given up only when the process stops; the next sender finds the expired lease.
        if (stoppingAt !== undefined && performance.now() - stoppingAt > STOP_GRACE_MS) {
          log.error({ err: error, deliveryId, n }, 'delivery outcome not recorded');
          return;
        }
        log.warn({ err: error, deliveryId, n, waitMs }, 'recording a delivery outcome failed, retrying');
        await delay(waitMs);
      }
    }
  };
  const openSecret = (one: Claimed, sealed: SealedSecret): { secret: string } | 'destroyed' | 'unreadable' => {
    const known = secrets.get(one.endpointId);
    // Only while the claim found the data key: a destroyed one ends the use of what it had opened.
    if (one.dataKeySealed && known?.sealed.equals(sealed.secretSealed)) return known;
    secrets.delete(one.endpointId);
    try {
      const secret = deps.seal.open({ id: one.endpointId, partnerId: one.partnerId }, { ...one, ...sealed });
      if (secrets.size >= SECRETS_MAX) secrets.clear();
      secrets.set(one.endpointId, { sealed: sealed.secretSealed, secret });
      return { secret };
    } catch (error) {
      if (isKeyDestroyed(error)) return 'destroyed';
      if (!(error instanceof SealFault)) throw error;
      log.error({ err: error, endpointId: one.endpointId }, 'signing secret cannot be opened, deliveries postponed');
      return 'unreadable';
    }
  };
  const work = async (one: Claimed): Promise<number | null> => {
    if (one.kind === 'lapsed') {
      await record(settlementOf(one, afterAttempt({ kind: 'interrupted' }, one)));
      return null;
    }
    const { body, url, secretSealed, secretKeyId, eventType } = one;
    if (one.kind === 'inactive' || body === null || url === null || secretSealed === null || secretKeyId === null || eventType === null) {
      await record(settlementOf(one, { error: null, counts: false, next: 'failed', reason: 'endpoint_inactive' }));
      return null;
    }
    const opened = openSecret(one, { secretSealed, secretKeyId });
    if (opened === 'destroyed') {
      // The agency is being purged: its endpoints receive nothing more.
      await record(settlementOf(one, { error: null, counts: false, next: 'failed', reason: 'endpoint_inactive' }));
      return null;
    }
    if (opened === 'unreadable') {
      await record(settlementOf(one, { error: 'interrupted', counts: false, next: 'again', waitMs: UNREADABLE_WAIT_MS }));
      return null;
    }
    const span = deps.tracer?.start({ parent: parseTraceparent(one.traceparent) });
    const made = await makeAttempt(deps, { url, eventType, body, secret: opened.secret });
    const step = afterAttempt(made.outcome, one);
    const outcome = step.next === 'delivered' ? 'delivered' : (step.error ?? 'status');
    attempts.observe({ outcome }, made.durationMs, span?.context.traceId);
    span?.end({
      name: 'attempt webhook',
      kind: 'client',
      attributes: {
        'portal.agency.id': one.partnerId,
        'portal.webhook.endpoint.id': one.endpointId,
        'portal.webhook.delivery.id': one.deliveryId,
        'portal.webhook.attempt': one.n,
        'portal.event.type': eventType,
        'http.request.method': 'POST',
        'http.response.status_code': made.httpStatus,
      },
      error: step.error,
    });
    await record(settlementOf(one, step, made));
    log.debug(
      {
        deliveryId: one.deliveryId,
        n: one.n,
        status: made.httpStatus,
        error: step.error,
        ms: made.durationMs,
        ...(span && { trace_id: span.context.traceId, span_id: span.context.spanId }),
      },
      'delivery attempted',
    );
    return made.durationMs;
  };
  const start = (one: Claimed): void => {
    const task = work(one)
      .catch((error: unknown) => {
        log.error({ err: error, deliveryId: one.deliveryId }, 'delivery failed unexpectedly, left to its lease');
        return null;
      })
      .then((durationMs) => {
        if (lanes.release(one, durationMs)) pump.wake();
      });
    void pump.track(task);
  };
  const claim = async (): Promise<{ count: number; batch: number }> => {
    const batch = Math.min(BATCH, lanes.free());
    if (batch <= 0) return { count: 0, batch: 0 };
    const capacity = lanes.capacity();
    const name = worker;
    const claimed = await claimDeliveries(db, name, { batch, leaseSeconds: LEASE_SECONDS, capacity }).catch((error: unknown) => {
      // The claim may have committed although its response was lost: under a new name its lease expires like any other's.
      worker = newWorkerName();
      throw error;
    });
    lanes.occupy(claimed, capacity);
    for (const one of claimed) start({ ...one, worker: name });
    return { count: claimed.length, batch };
  };
  const pump = createPump({
    round: async () => {
      const { count, batch } = await claim();
      return batch > 0 && count === batch;
    },
    pollMs: POLL_MS,
    hasCapacity: () => lanes.free() > 0,
    log,
    what: 'webhook deliveries',
  });
  return {
    start: pump.start,
    wake: pump.wake,
    isActive: pump.isActive,
    stop() {
      stoppingAt = performance.now();
      return pump.stop();
    },
    async runOnce() {
      const { count } = await claim();
      await pump.settled();
      return count;
    },
  };
}

function newWorkerName(): string {
  return `send-${randomUUID()}`;
}

function settlementOf(one: Claimed, step: DeliveryStep, made?: AttemptRecord): Settlement {
  return {
    worker: one.worker,
    deliveryId: one.deliveryId,
    partnerId: one.partnerId,
    endpointId: one.endpointId,
    n: one.n,
    next: step.next,
    reason: step.next === 'failed' ? step.reason : null,
    waitMs: step.next === 'again' ? step.waitMs : 0,
    counts: step.counts,
    interrupted: one.kind === 'lapsed',
    httpStatus: made?.httpStatus ?? null,
    durationMs: made?.durationMs ?? null,
    error: step.error,
    preview: made?.preview ?? null,
    signature: made?.signature ?? null,
  };
}
