import { inScope } from '#platform/db/scope.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { audit } from './change-agent.ts';
import type { AgentDeps } from './list-agents.ts';
import { REMOVAL_LEASE_SECONDS, type RemovalDeps, removeFromEngine } from './remove-from-engine.ts';
import { findAgent } from './store.ts';
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
    const result = await removeAgentRow(tx, id, REMOVAL_LEASE_SECONDS);
    if (result === null) return refuse('not_found');
    if (result === 'busy')
      return refuse('provision_in_progress', { detail: 'A setup of this agency is running. Delete the agent when it has ended.' });
    await audit(tx, context, agent, 'agent.deleted', {
      name: [agent.name, null],
      templateName: [agent.templateName, null],
      runs30d: [agent.runs30d, null],
    });
  });
  await deps.failQueued(id);
  await removeFromEngine(deps, id);
  return undefined;
}
