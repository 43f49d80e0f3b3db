import { inScope } from '#platform/db/scope.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { audit } from './change-agent.ts';
import type { AgentDeps } from './list-agents.ts';
import { REMOVAL_LEASE_SECONDS, type RemovalDeps, removeFromEngine } from './remove-from-engine.ts';
import { type AgentRow, findAgent } from './store.ts';
import { removeAgentRow } from './store-removals.ts';

export type DeleteDeps = AgentDeps &
  RemovalDeps & {
    /** Fails executions that were never dispatched. Returns how many. */
    failQueued: (workflowId: string) => Promise<number>;
  };

/**
 * Deletes an agent with its schedule and planned runs. Its executions stay, and those in progress may still report. From the commit on its
 * ingest URL is unknown. Its flow is deleted at once if the engine responds, else by the sweep. Refuses `provision_in_progress` while a
 * provisioning attempt could recreate the flow. Rules: docs/behaviour/agents.md.
 */
export async function deleteAgent(deps: DeleteDeps, context: RequestContext, id: string): Promise<undefined> {
  await inScope(deps.db, context.actor, undefined, async (tx) => {
    const agent = await findAgent(tx, id);
    if (!agent) return refuse('not_found');
    const busy = 'A setup of this agency is running. Delete the agent when it has ended.';
    if (!(await removeAgent(tx, context, agent, { leaseSeconds: REMOVAL_LEASE_SECONDS, busy }))) return refuse('not_found');
  });
  await deps.failQueued(id);
  await removeFromEngine(deps, id);
  return undefined;
}

/**
 * Deletes the agent in the caller's transaction, audited; false when it is gone already. What it has in the engine is removed by the sweep after
 * `leaseSeconds`. Refuses with `busy` during a provisioning attempt.
 */
export async function removeAgent(
  tx: Tx,
  context: RequestContext,
  agent: AgentRow,
  { leaseSeconds, busy }: { leaseSeconds: number; busy: string },
): Promise<boolean> {
  const result = await removeAgentRow(tx, agent.id, leaseSeconds);
  if (result === null) return false;
  if (result === 'busy') return refuse('provision_in_progress', { detail: busy });
  await audit(tx, context, agent, 'agent.deleted', {
    name: [agent.name, null],
    templateName: [agent.templateName, null],
    runs30d: [agent.runs30d, null],
  });
  return true;
}
