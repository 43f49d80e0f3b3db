import type { JsonObject } from '@partner-portal/core/template/types.ts';
import { defineHandlers } from '#platform/http/context.ts';
import { createAgent, switchAgent, updateAgent } from './change-agent.ts';
import { type DeleteDeps, deleteAgent } from './delete-agent.ts';
import { exportAgents } from './export-agents.ts';
import { getAgent, listAgents } from './list-agents.ts';
import { previewAgent, type PreviewDeps } from './preview-agent.ts';
import { switchAgents } from './switch-agents.ts';

export function agentHandlers(deps: PreviewDeps & DeleteDeps) {
  return defineHandlers({
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
  });
}
