import type { EventType } from '@partner-portal/contract/vocabulary.ts';
import { z } from 'zod';
import { defineCron, defineJob, handleJob } from '#platform/jobs/define-job.ts';
import type { Reaction } from '#modules/1-ledger/events/index.ts';
import type { AlertsDeps } from './deps.ts';
import { alertHandlers } from './routes.ts';
import { lookAtAlerts, sweepAlerts } from './sweep-alerts.ts';

/** Queued by what alerts are about, in the transaction in which it turns (migration 0085). */
const lookJob = defineJob('alerts.look', z.object({ partnerId: z.uuid() }));
const TELLING = ['usage.threshold_crossed', 'agent_request.provisioning_failed'] as const satisfies readonly EventType[];

/** What needs a person. Alerts open and resolve by themselves: at once where something tells of it, within a minute in any case. */
export function alerts(deps: AlertsDeps) {
  const reaction: Reaction = {
    name: 'alerts',
    types: TELLING,
    run: async (tx, events) => {
      await lookAtAlerts(deps, tx, [...new Set(events.map(({ partnerId }) => partnerId))]);
    },
  };
  const lookAt = (partnerId: string): Promise<number> => deps.db.asSystem('sweep', (tx) => lookAtAlerts(deps, tx, [partnerId]));
  return {
    routes: alertHandlers(deps),
    reaction,
    jobs: [handleJob(lookJob, async ({ partnerId }) => void (await lookAt(partnerId)))],
    crons: [defineCron('alerts.sweep', '* * * * *', (context) => sweepAlerts(deps, context))],
    lookAt,
    sweep: (signal: AbortSignal = new AbortController().signal) => sweepAlerts(deps, { signal }),
  };
}

export type Alerts = ReturnType<typeof alerts>;
