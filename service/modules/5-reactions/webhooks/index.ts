import type { DataKeys } from '#modules/1-ledger/data-keys/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/tx.ts';
import type { Cursors } from '#platform/http/cursor.ts';
import { defineCron, handleJob } from '#platform/jobs/define-job.ts';
import type { Log } from '#platform/log.ts';
import { createWaker, type Notices } from '#platform/notify.ts';
import type { SafeFetch } from '#platform/outbound/safe-fetch.ts';
import type { Tracer } from '#platform/tracing/tracer.ts';
import { createFanOut } from './delivery/fan-out.ts';
import { recoverJob } from './recovery/recover-job.ts';
import { webhookHandlers } from './routes.ts';
import { runRecovery, sweepRecoveries } from './recovery/run-recovery.ts';
import { createSecretSeal } from './endpoints/secret-seal.ts';
import { createSender } from './delivery/sender.ts';
import { countQueued } from './store-queue.ts';
import { deliveriesDue } from './topic.ts';

export type WebhooksDeps = {
  db: Database;
  notices: Notices;
  clock: Clock;
  log: Log;
  dataKeys: DataKeys;
  /** Used for deliveries only: a pool of its own, with up to `IN_FLIGHT_MAX` sockets per host. */
  fetch: SafeFetch;
  cursors: Cursors;
  /** Public base address, without a trailing slash. */
  baseUrl: string;
  tracer?: Tracer | undefined;
};

export { IN_FLIGHT_MAX } from './delivery/lanes.ts';
export { resealSecrets } from './endpoints/reseal-secrets.ts';

/** Outbound webhooks: endpoints, deliveries, the sender and recoveries. */
export function webhooks(deps: WebhooksDeps) {
  const seal = createSecretSeal(deps.dataKeys);
  const sender = createSender({ ...deps, seal });
  const waker = createWaker(deps, deliveriesDue, () => (sender.isActive() ? sender.wake : undefined));
  let unsubscribe: (() => void) | undefined;
  return {
    routes: webhookHandlers({ ...deps, seal, outbound: deps.fetch }),
    jobs: [handleJob(recoverJob, (recovery) => runRecovery(deps, recovery))],
    crons: [defineCron('webhooks.recoveries', '* * * * *', (context) => sweepRecoveries(deps, context))],
    /** Reaction that creates deliveries for events. */
    fanOut: createFanOut(waker.wake),
    sender,
    /** Starts sending. Processes that only serve HTTP never call it: they notify the others. */
    start(): void {
      unsubscribe = deps.notices.subscribe(deliveriesDue, sender.wake, sender.wake);
      sender.start();
    },
    /** Waits until attempts in flight have ended and are recorded. */
    async stop(): Promise<void> {
      unsubscribe?.();
      waker.close();
      await sender.stop();
    },
    /** Number of queued deliveries, those in flight included. */
    waiting: () => deps.db.asSystem('sweep', countQueued),
  };
}

export type Webhooks = ReturnType<typeof webhooks>;
