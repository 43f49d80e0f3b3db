import type { JsonObject } from '@partner-portal/core/template/types.ts';
import { defineHandlers } from '#platform/http/context.ts';
import { defineCron } from '#platform/jobs/define-job.ts';
import { createAgent, switchAgent, updateAgent } from './change-agent.ts';
import { type DeleteDeps, deleteAgent } from './delete-agent.ts';
import { exportAgents } from './export-agents.ts';
import { getAgent, listAgents } from './list-agents.ts';
import { previewAgent, type PreviewDeps } from './preview-agent.ts';
import { sweepRemovals } from './remove-from-engine.ts';
import { switchAgents } from './switch-agents.ts';

export { lockAndFind as lockAgent, refuseBadConfig, saveChange as saveAgentChange } from './change-agent.ts';
export { ensureAgent } from './ensure-agent.ts';
export { type AgentDeps, listAgents } from './list-agents.ts';
export { type AgentRow, findAgent } from './store.ts';

/** Agents: the business view of workflows (same row, same id). */
export function agents(deps: PreviewDeps & DeleteDeps) {
  return {
    routes: defineHandlers({
      listAgents: ({ query }, { actor }) => listAgents(deps, actor, query),
      exportAgents: ({ query }, context) => exportAgents(deps, context, query),
      getAgent: ({ params }, { actor }) => getAgent(deps, actor, params.id),
      createAgent: ({ body }, context) => createAgent(deps, context, body),
      updateAgent: ({ params, body }, context) => updateAgent(deps, context, params.id, body),
      deleteAgent: ({ params }, context) => deleteAgent(deps, context, params.id),
      pauseAgent: ({ params }, context) => switchAgent(deps, context, params.id, false),
      resumeAgent: ({ params }, context) => switchAgent(deps, context, params.id, true),
      switchAgents: ({ body }, context) => switchAgents(deps, context, body.ids, body.isActive),
      testAgent: ({ params, body }, context) =>
        previewAgent(deps, context, params.id, { input: body.input as JsonObject | undefined, config: body.config }), // parsed as JSON
    }),
    crons: [defineCron('agents.sweep-removals', '* * * * *', async () => void (await sweepRemovals(deps)))],
    sweepRemovals: () => sweepRemovals(deps),
  };
}

export type Agents = ReturnType<typeof agents>;
