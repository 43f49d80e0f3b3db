import type { RequestContext } from '#platform/http/context.ts';
import { audit } from './change-agent.ts';
import type { AgentDeps } from './list-agents.ts';
import { lockAgentsToSwitch, switchAll } from './store-switch.ts';

/** Switches many agents of the partner at once. Skips agents that are not found or already in that state. */
export async function switchAgents(deps: Pick<AgentDeps, 'db'>, context: RequestContext, ids: readonly string[], isActive: boolean) {
  const unique = [...new Set(ids)];
  return deps.db.asTenant(context.actor, async (tx) => {
    const found = new Map((await lockAgentsToSwitch(tx, unique)).map((agent) => [agent.id, agent]));
    const changed = [...found.values()].filter((agent) => agent.isActive !== isActive);
    await switchAll(
      tx,
      changed.map((agent) => agent.id),
      isActive,
    );
    for (const agent of changed) await audit(tx, context, agent, 'agent.switched', { isActive: [agent.isActive, isActive] });
    const results = unique.map((id) => {
      const agent = found.get(id);
      if (!agent) return { id, name: null, result: 'not_found' as const };
      return { id, name: agent.name, result: agent.isActive === isActive ? ('unchanged' as const) : ('changed' as const) };
    });
    return { results };
  });
}
