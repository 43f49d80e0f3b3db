import { externalConnectionId } from '@house/core/template.ts';
import { demandRunning, type Step, type StepContext } from '../attempt.ts';
import { collectNeeds, type Need } from '../credential-needs.ts';
import { planInstalls } from '../installs.ts';
import { StepFailed } from '../step-failed.ts';
import { missingCredentials } from './resolve-credentials.ts';

const AT_ONCE = 4;

/**
 * One engine connection per client (or agency) and provider, under a name that is the same on every attempt, so that a retry
 * reuses it. All that can be bound are bound; if any cannot, the attempt fails and names the steps that lack their key.
 */
export const bindCredentials: Step = async (context) => {
  const planned = await planInstalls(context);
  const needs = collectNeeds(planned.map(({ target, bundle }) => ({ agent: target, template: bundle.template })));
  const projectId = projectOf(context);
  const missing: Need[] = [];
  const waiting = [...needs];
  const worker = async (): Promise<void> => {
    for (let need = waiting.shift(); need; need = waiting.shift()) {
      if (!(await bind(context, projectId, need))) missing.push(need);
    }
  };
  // All workers end before the step does: a failing one must not leave another writing behind the attempt's back.
  const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, worker));
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed) throw failed.reason;
  const connections = needs.map((need) => ({
    provider: need.provider,
    clientId: need.clientId,
    clientName: need.clientName,
    bound: !missing.includes(need),
  }));
  const lacking = needs.filter((need) => missing.includes(need));
  if (lacking.length > 0) throw missingCredentials(lacking, 'the saved credential has no usable key', { connections });
  const summary = needs.length === 0 ? 'No connection needed' : `${needs.length} of ${needs.length} connections bound`;
  return { summary, metadata: { connections } };
};

export function projectOf(context: StepContext): string {
  if (context.projectId !== null) return context.projectId;
  throw new StepFailed({
    internal: 'The instance has no engine project yet.',
    public: 'The automation platform is not set up completely yet. Please contact support.',
  });
}

/** False when there is no key to bind. The vault writes the connection and keeps it up to date from then on. */
async function bind(context: StepContext, projectId: string, need: Need): Promise<boolean> {
  const { deps, attempt } = context;
  const { partnerId, clientId, provider } = need;
  const externalId = externalConnectionId(partnerId, clientId, provider);
  const by = attempt.requestedBy === null ? ({ type: 'system', id: null } as const) : ({ type: 'staff', id: attempt.requestedBy } as const);
  const target = { slot: { partnerId, clientId, provider }, projectId, externalId };
  return (await deps.credentials.bindConnection(target, by, (tx) => demandRunning(tx, context))) !== undefined;
}
