import type { EventType } from '@partner-portal/contract/vocabulary.ts';
import { defineCron, handleJob } from '#platform/jobs/define-job.ts';
import type { Reaction } from '#modules/1-ledger/events/index.ts';
import type { AlertsDeps } from './deps.ts';
import { evaluateAlerts, evaluateService, sweepAlerts } from './evaluate-alerts.ts';
import { evaluateJob } from './queue-evaluation.ts';
import { alertHandlers } from './routes.ts';

export { alertChanged, type AlertMuted, type AlertOpened, type AlertResolved } from './facts.ts';
export { queueEvaluation, queueEvaluationOfInstances } from './queue-evaluation.ts';

const EVENTS = ['usage.threshold_crossed', 'agent_request.provisioning_failed'] as const satisfies readonly EventType[];

/** Conditions that need a person. Alerts open and resolve by themselves: at once where a fact or an event says so, else within a minute. */
export function alerts(deps: AlertsDeps) {
  const reaction: Reaction = {
    name: 'alerts',
    types: EVENTS,
    run: async (tx, events) => {
      await evaluateAlerts(tx, [...new Set(events.map(({ partnerId }) => partnerId))]);
    },
  };
  const evaluate = (partnerId: string): Promise<number> => deps.db.asSystem('sweep', (tx) => evaluateAlerts(tx, [partnerId]));
  return {
    routes: alertHandlers(deps),
    reaction,
    jobs: [handleJob(evaluateJob, async ({ partnerId }) => void (await evaluate(partnerId)))],
    crons: [defineCron('alerts.sweep', '* * * * *', (context) => sweepAlerts(deps, context))],
    evaluate,
    /** Evaluates the alerts of the service itself, such as that no worker runs. */
    evaluateService: () => evaluateService(deps),
    sweep: (signal: AbortSignal = new AbortController().signal) => sweepAlerts(deps, { signal }),
  };
}

export type Alerts = ReturnType<typeof alerts>;
