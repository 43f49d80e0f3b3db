import { connectionPrefix, externalConnectionId } from '@partner-portal/core/template/template.ts';
import { demandRunning, type Step, type StepContext } from '../attempts/attempt.ts';
import { collectNeeds, type Need } from '../attempts/credential-needs.ts';
import { planInstalls } from '../attempts/installs.ts';
import { StepFailed } from '../attempts/step-failed.ts';
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
  const bound: Bound = new Map();
  const waiting = [...needs];
  const worker = async (): Promise<void> => {
    for (let need = waiting.shift(); need; need = waiting.shift()) {
      if (!(await bind(context, projectId, need, bound))) missing.push(need);
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
  const warnings = needs.length === 0 ? [] : await removeDuplicates(context, projectId, bound);
  const summary = needs.length === 0 ? 'No connection needed' : `${needs.length} of ${needs.length} connections bound`;
  return { summary, warnings, metadata: { connections } };
};

export function projectOf(context: StepContext): string {
  if (context.projectId !== null) return context.projectId;
  throw new StepFailed({
    internal: 'The instance has no engine project yet.',
    public: 'The automation platform is not set up completely yet. Please contact support.',
  });
}

/** Engine id of each connection by external id. */
type Bound = Map<string, string>;

/** False when there is no credential to bind. The credentials module writes the connection and keeps it in sync. */
async function bind(context: StepContext, projectId: string, need: Need, bound: Bound): Promise<boolean> {
  const { deps, attempt } = context;
  const { partnerId, clientId, provider } = need;
  const externalId = externalConnectionId(partnerId, clientId, provider);
  const by = attempt.requestedBy === null ? ({ type: 'system', id: null } as const) : ({ type: 'staff', id: attempt.requestedBy } as const);
  const target = { slot: { partnerId, clientId, provider }, projectId, externalId };
  const found = await deps.credentials.bindConnection(target, by, (tx) => demandRunning(tx, context));
  if (found) bound.set(externalId, found.engineConnectionId);
  return found !== undefined;
}

/**
 * Removes duplicate connections and keeps the one just written: the engine's upsert is not atomic, so concurrent writers can leave two. Returns
 * warnings for staff.
 */
async function removeDuplicates(context: StepContext, projectId: string, bound: Bound): Promise<string[]> {
  const { deps, attempt } = context;
  const warnings: string[] = [];
  for (const { id, externalId } of await deps.engine.listConnections(projectId, connectionPrefix(attempt.partnerId))) {
    if (!bound.has(externalId) || bound.get(externalId) === id) continue;
    await deps.db.asSystem('provisioning', (tx) => demandRunning(tx, context));
    if (await deps.engine.deleteConnection(id)) warnings.push(`The connection ${externalId} was in the engine twice. One was removed.`);
  }
  return warnings;
}
