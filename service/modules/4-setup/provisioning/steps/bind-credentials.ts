import { connectionPrefix, externalConnectionId } from '@partner-portal/core/template/template.ts';
import type { EngineConnection } from '#adapters/engine-client.ts';
import { forEach } from '#platform/for-each.ts';
import { demandRunning, type Step, type StepContext } from '../attempt.ts';
import { collectNeeds, type Need } from '../credential-needs.ts';
import { planInstalls } from './installs.ts';
import { NOT_SET_UP, StepFailed } from '../step-failed.ts';
import { missingCredentials, NO_USABLE_KEY } from './resolve-credentials.ts';

/** Flows or connections that one attempt works on at a time. */
export const AT_ONCE = 4;

/**
 * One engine connection per client (or agency) and provider, under a name that is the same on every attempt, so that a retry
 * reuses it. All that can be bound are bound; if any cannot, the attempt fails and names the steps that lack their key. A repair writes only those
 * that the engine no longer has as they were written: each write waits for a worker of the engine.
 */
export const bindCredentials: Step = async (context) => {
  const planned = await planInstalls(context);
  const needs = collectNeeds(planned.map(({ target, bundle }) => ({ agent: target, template: bundle.template })));
  const projectId = projectOf(context);
  const missing: Need[] = [];
  const bound: Bound = new Map();
  const present = needs.length > 0 && context.attempt.mode === 'repair' ? await listOwn(context, projectId) : [];
  let unchanged = 0;
  await forEach(needs, AT_ONCE, async (need) => {
    const did = await bind(context, projectId, need, bound, present);
    if (did === 'missing') missing.push(need);
    else if (did === 'unchanged') unchanged += 1;
  });
  const connections = needs.map((need) => ({
    provider: need.provider,
    clientId: need.clientId,
    clientName: need.clientName,
    bound: !missing.includes(need),
  }));
  const lacking = needs.filter((need) => missing.includes(need));
  if (lacking.length > 0) throw missingCredentials(lacking, NO_USABLE_KEY, { connections });
  if (needs.length === 0) return { summary: 'No connection needed', metadata: { connections } };
  const isAllUnchanged = unchanged === needs.length;
  const warnings = await removeDuplicates(context, bound, isAllUnchanged ? present : await listOwn(context, projectId));
  const summary = `${needs.length} of ${needs.length} connections bound${unchanged === 0 ? '' : `, ${unchanged} unchanged`}`;
  return { summary, warnings, metadata: { connections } };
};

export function projectOf(context: StepContext): string {
  if (context.projectId !== null) return context.projectId;
  throw new StepFailed({
    internal: 'The instance has no engine project yet.',
    public: NOT_SET_UP,
  });
}

/** Engine id of each connection by external id. */
type Bound = Map<string, string>;

/** The agency's connections in the engine. */
const listOwn = ({ deps, attempt }: StepContext, projectId: string): Promise<EngineConnection[]> =>
  deps.engine.listConnections(projectId, connectionPrefix(attempt.partnerId));

/** `missing` when there is no credential to bind. The credentials module writes the connection and keeps it in sync. */
async function bind(
  context: StepContext,
  projectId: string,
  need: Need,
  bound: Bound,
  present: readonly EngineConnection[],
): Promise<'missing' | 'unchanged' | 'written'> {
  const { deps, attempt } = context;
  const { partnerId, clientId, provider } = need;
  const externalId = externalConnectionId(partnerId, clientId, provider);
  const by = attempt.requestedBy === null ? ({ type: 'system', id: null } as const) : ({ type: 'staff', id: attempt.requestedBy } as const);
  const target = { slot: { partnerId, clientId, provider }, projectId, externalId };
  const [held, ...others] = present.filter((one) => one.externalId === externalId);
  // The engine may use either of two: one is written then, and the other removed.
  const single = others.length === 0 ? held : undefined;
  const found = await deps.credentials.bindConnection(target, by, (tx) => demandRunning(tx, context), single);
  if (!found) return 'missing';
  bound.set(externalId, found.engineConnectionId);
  return found.isUnchanged ? 'unchanged' : 'written';
}

/**
 * Removes duplicate connections and keeps the one just written: the engine's upsert is not atomic, so concurrent writers can leave two. Returns
 * warnings for staff.
 */
async function removeDuplicates(context: StepContext, bound: Bound, present: readonly EngineConnection[]): Promise<string[]> {
  const { deps } = context;
  const warnings: string[] = [];
  for (const { id, externalId } of present) {
    if (!bound.has(externalId) || bound.get(externalId) === id) continue;
    await deps.db.asSystem('provisioning', (tx) => demandRunning(tx, context));
    if (await deps.engine.deleteConnection(id)) warnings.push(`The connection ${externalId} was in the engine twice. One was removed.`);
  }
  return warnings;
}
