import type { KeyRing } from '@partner-portal/core/credential/vault.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/tx.ts';
import type { Cursors } from '#platform/http/cursor.ts';
import { defineCron, handleJob } from '#platform/jobs/define-job.ts';
import type { Log } from '#platform/log.ts';
import { createWaker, type Notices } from '#platform/notify.ts';
import type { SafeFetch } from '#platform/outbound/safe-fetch.ts';
import { createFanOut } from './delivery/fan-out.ts';
import { recoverJob } from './recovery/recover-job.ts';
import { webhookHandlers } from './routes.ts';
import { runRecovery, sweepRecoveries } from './recovery/run-recovery.ts';
import { createSecretSeal } from './endpoints/secret-seal.ts';
import { createSender } from './delivery/sender.ts';
import { countQueued } from './delivery/store-queue.ts';
import { deliveriesWait } from './delivery/topic.ts';

export type WebhooksDeps = {
  db: Database;
  notices: Notices;
  clock: Clock;
  log: Log;
  ring: KeyRing;
  /** For deliveries alone: sockets of its own, as many to one host as there may be attempts under way (`IN_FLIGHT_MAX`). */
  fetch: SafeFetch;
  cursors: Cursors;
  /** Public base address, without a trailing slash. */
  baseUrl: string;
};

export { IN_FLIGHT_MAX } from './delivery/lanes.ts';
export { rewrapSecrets } from './endpoints/rewrap-secrets.ts';
export { createSecretSeal } from './endpoints/secret-seal.ts';

/** Events out: endpoints, deliveries, and the sender that loses nothing. */
export function webhooks(deps: WebhooksDeps) {
  const seal = createSecretSeal(deps.ring);
  const sender = createSender({ ...deps, seal });
  const waker = createWaker(deps, deliveriesWait, () => (sender.isActive() ? sender.wake : undefined));
  let unsubscribe: (() => void) | undefined;
  return {
    routes: webhookHandlers({ ...deps, seal, outbound: deps.fetch }),
    jobs: [handleJob(recoverJob, (recovery) => runRecovery(deps, recovery))],
    crons: [defineCron('webhooks.recoveries', '* * * * *', (context) => sweepRecoveries(deps, context))],
    /** The reaction that makes deliveries of events. */
    fanOut: createFanOut(waker.wake),
    sender,
    /** Begins sending. Processes that only serve HTTP never call it: they tell the others. */
    start(): void {
      unsubscribe = deps.notices.subscribe(deliveriesWait, sender.wake, sender.wake);
      sender.start();
    },
    /** Lets attempts under way end and be recorded. */
    async stop(): Promise<void> {
      unsubscribe?.();
      waker.close();
      await sender.stop();
    },
    /** Deliveries that wait or are being sent. */
    waiting: () => deps.db.asSystem('sweep', countQueued),
  };
}

export type Webhooks = ReturnType<typeof webhooks>;
