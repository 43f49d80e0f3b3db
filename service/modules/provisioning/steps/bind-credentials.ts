import { PROVIDER_RULES } from '@house/core/credential.ts';
import { externalConnectionId } from '@house/core/template.ts';
import type { Step, StepContext } from '../attempt.ts';
import { collectNeeds, type Need, needKey } from '../credential-needs.ts';
import { planInstalls } from '../installs.ts';
import { StepFailed } from '../step-failed.ts';
import { beginBinding, endBinding } from '../store-workflows.ts';
import { missingCredentials } from './resolve-credentials.ts';

/** Longer than the engine client waits for an upsert, so that nobody else writes the same connection meanwhile. */
const LEASE_SECONDS = 90;
const ROUNDS_MAX = 5;
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
  const connections = needs.map((need) => ({ provider: need.provider, clientId: need.clientId, clientName: need.clientName, bound: !missing.includes(need) }));
  const lacking = needs.filter((need) => missing.includes(need));
  if (lacking.length > 0) throw missingCredentials(lacking, 'the saved credential has no usable key', { connections });
  const summary = needs.length === 0 ? 'No connection needed' : `${needs.length} of ${needs.length} connections bound`;
  return { summary, metadata: { connections } };
};

export function projectOf(context: StepContext): string {
  if (context.projectId !== null) return context.projectId;
  throw new StepFailed({ internal: 'The instance has no engine project yet.', public: 'The automation platform is not set up completely yet. Please contact support.' });
}

/** False when there is no key to bind. A key that is replaced meanwhile is bound again, so that the newest one stands at the end. */
async function bind(context: StepContext, projectId: string, need: Need): Promise<boolean> {
  const { deps, attempt } = context;
  const externalId = externalConnectionId(need.partnerId, need.clientId, need.provider);
  const by = attempt.requestedBy === null ? ({ type: 'system', id: null } as const) : ({ type: 'staff', id: attempt.requestedBy } as const);
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const work = await deps.db.asSystem('provisioning', async (tx) => {
      const opened = await deps.credentials.openForBinding(tx, need, by);
      if (!opened) return undefined;
      const { partnerId, clientId, provider } = need;
      const { credentialId, sourceMode } = opened;
      const row = await beginBinding(tx, { partnerId, clientId, provider, externalId, projectId, credentialId, sourceMode }, LEASE_SECONDS);
      return { row, props: opened.props };
    });
    if (!work) return false;
    const displayName = `${PROVIDER_RULES[need.provider].title} · ${need.clientName ?? 'agency'}`;
    const { id } = await deps.engine.upsertConnection({ projectId, externalId, displayName, props: work.props });
    const newest = await deps.db.asSystem('provisioning', (tx) => endBinding(tx, { ...work.row, engineConnectionId: id }));
    if (newest) break;
  }
  context.bound.set(needKey(need), externalId);
  return true;
}
