import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAttempt, type DeliveryStep } from '@partner-portal/core/webhook/delivery.ts';
import { createBatcher, isDataError } from '#platform/batch.ts';
import type { Database } from '#platform/db/tx.ts';
import type { Log } from '#platform/log.ts';
import { ATTEMPT_MS, type AttemptDeps, type AttemptRecord, makeAttempt } from './attempt.ts';
import { createLanes } from './lanes.ts';
import { SecretSealFault, type SecretSeal } from '../endpoints/secret-seal.ts';
import { type ClaimedDelivery, claimDeliveries, settleDeliveries, type Settlement } from './store-queue.ts';

export type SenderDeps = AttemptDeps & { db: Database; log: Log; seal: SecretSeal };

export type Sender = {
  start(): void;
  /** Something was queued. */
  wake(): void;
  isActive(): boolean;
  /** Lets attempts under way end and be recorded. */
  stop(): Promise<void>;
  /** One round at once, to its end. Answers how many deliveries were taken. For tests and for a worker that is asked to drain. */
  runOnce(): Promise<number>;
};

/**
 * How long a claim stands without its outcome: an attempt and time to record it. A killed sender's deliveries are taken over by the next
 * look after that, so all is under way again within LEASE_SECONDS and one POLL_MS.
 */
export const LEASE_SECONDS = ATTEMPT_MS / 1000 + 10;
export const POLL_MS = 500;
const BATCH = 256;
/** While our own key for a secret is missing, nothing can be sent and nothing is held against the endpoint. */
const UNREADABLE_WAIT_MS = 300_000;
type Claimed = ClaimedDelivery & { worker: string };

const SECRETS_MAX = 2_000;
const RETRY_MS = 100;
const RETRY_MS_MAX = 2_000;
const STOP_GRACE_MS = 5_000;

/**
 * Sends due deliveries: fair between agencies and endpoints, bounded for each (lanes.ts), many per statement. The attempt is on record
 * before its first byte leaves, and the queue keeps a delivery until its outcome is recorded: a crash leaves a claim that lapses, shown
 * as an interrupted attempt and made again. An outcome that cannot be recorded is told again until it is; a database that is away
 * costs no attempt.
 */
export function createSender(deps: SenderDeps): Sender {
  const { db, log } = deps;
  let worker = newName();
  const lanes = createLanes();
  const running = new Set<Promise<void>>();
  /** Opened once as long as they stay as they are: opening costs as much as sending. */
  const secrets = new Map<string, { sealed: Buffer; secret: string }>();
  let active = false;
  let claiming: Promise<number> | undefined;
  let again = false;
  let poll: NodeJS.Timeout | undefined;
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
        // Given up only when the process ends: the lease then tells the next one.
        if (stoppingAt !== undefined && performance.now() - stoppingAt > STOP_GRACE_MS) {
          log.error({ err: error, deliveryId, n }, 'the outcome of a delivery was not recorded');
          return;
        }
        log.warn({ err: error, deliveryId, n, waitMs }, 'the outcome of a delivery is told again');
        await delay(waitMs);
      }
    }
  };
  const openSecret = (one: Claimed, sealed: Buffer): string | null => {
    const known = secrets.get(one.endpointId);
    if (known?.sealed.equals(sealed)) return known.secret;
    try {
      const secret = deps.seal.open({ id: one.endpointId, partnerId: one.partnerId }, sealed);
      if (secrets.size >= SECRETS_MAX) secrets.clear();
      secrets.set(one.endpointId, { sealed, secret });
      return secret;
    } catch (error) {
      if (!(error instanceof SecretSealFault)) throw error;
      log.error({ err: error, endpointId: one.endpointId }, 'a signing secret does not open: its deliveries wait');
      return null;
    }
  };
  const work = async (one: Claimed): Promise<number | null> => {
    if (one.kind === 'lapsed') {
      await record(settlementOf(one, afterAttempt({ kind: 'interrupted' }, one, deps.clock.now())));
      return null;
    }
    if (one.kind === 'inactive' || one.body === null || one.url === null || one.secretSealed === null || one.eventType === null) {
      await record(settlementOf(one, { error: null, counts: false, next: 'failed', reason: 'endpoint_inactive' }));
      return null;
    }
    const secret = openSecret(one, one.secretSealed);
    if (secret === null) {
      await record(settlementOf(one, { error: 'interrupted', counts: false, next: 'again', waitMs: UNREADABLE_WAIT_MS }));
      return null;
    }
    const made = await makeAttempt(deps, { url: one.url, eventType: one.eventType, body: one.body, secret });
    const step = afterAttempt(made.outcome, one, deps.clock.now());
    await record(settlementOf(one, step, made));
    log.debug(
      { deliveryId: one.deliveryId, n: one.n, status: made.httpStatus, error: step.error, ms: made.durationMs },
      'delivery attempted',
    );
    return made.durationMs;
  };
  const begin = (one: Claimed): void => {
    const task = work(one)
      .catch((error: unknown) => {
        log.error({ err: error, deliveryId: one.deliveryId }, 'a delivery was left to its lease');
        return null;
      })
      .then((durationMs) => {
        if (lanes.end(one, durationMs)) pump();
      });
    running.add(task);
    void task.finally(() => running.delete(task));
  };
  const claim = async (): Promise<number> => {
    const batch = Math.min(BATCH, lanes.free());
    if (batch <= 0) return 0;
    const rooms = lanes.rooms();
    const name = worker;
    const claimed = await claimDeliveries(db, name, { batch, leaseSeconds: LEASE_SECONDS, rooms }).catch((error: unknown) => {
      // It may have been committed without our hearing of it: under a new name we take it over like anybody else's when its lease is over.
      worker = newName();
      throw error;
    });
    lanes.begin(claimed, rooms);
    for (const one of claimed) begin({ ...one, worker: name });
    if (claimed.length === batch) again = true;
    return claimed.length;
  };
  /** One claim at a time; a wake-up meanwhile means one more. */
  const pump = (): void => {
    if (!active) return;
    if (claiming) {
      again = true;
      return;
    }
    again = false;
    claiming = claim()
      .catch((error: unknown) => {
        log.warn({ err: error }, 'no delivery could be claimed');
        return 0;
      })
      .finally(() => {
        claiming = undefined;
        if (again && lanes.free() > 0) setImmediate(pump);
      });
  };
  return {
    start() {
      active = true;
      poll = setInterval(pump, POLL_MS);
      pump();
    },
    wake: pump,
    isActive: () => active,
    async stop() {
      active = false;
      stoppingAt = performance.now();
      clearInterval(poll);
      await claiming;
      await Promise.all(running);
    },
    async runOnce() {
      const count = await claim();
      await Promise.all(running);
      return count;
    },
  };
}

function newName(): string {
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
    spent: step.counts,
    interrupted: one.kind === 'lapsed',
    httpStatus: made?.httpStatus ?? null,
    durationMs: made?.durationMs ?? null,
    error: step.error,
    preview: made?.preview ?? null,
  };
}
