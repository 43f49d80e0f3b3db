import { defineHandlers } from '#platform/http/context.ts';
import { copyAgent, createManyRequests, previewCopies } from './copies/copy-agent.ts';
import { createRequests } from './create-requests.ts';
import {
  approveRequest,
  cancelRequest,
  declineRequest,
  fulfillRequest,
  rejectRequest,
  retryRequest,
  submitRequest,
} from './decide-request.ts';
import type { AgentRequestsDeps } from './deps.ts';
import { exportRequests } from './export-requests.ts';
import { readReadiness } from './read-readiness.ts';
import { readRequest, readRequests } from './read-requests.ts';
import { streamRequests } from './stream-requests.ts';

export function agentRequestHandlers(deps: AgentRequestsDeps) {
  return defineHandlers({
    createAgentRequest: async ({ body }, context) => {
      const made = await createRequests(deps, context, body);
      const [first] = made;
      return body.clientIds === undefined && first ? first : made;
    },
    createAgentRequests: ({ body }, context) => createManyRequests(deps, context, body),
    previewCopies: ({ params, body }, context) => previewCopies(deps, context, params.id, body),
    copyAgent: ({ params, body }, context) => copyAgent(deps, context, params.id, body),
    getRequestReadiness: ({ query }, context) => readReadiness(deps, context, query),
    listAgentRequests: ({ query }, { actor }) => readRequests(deps, actor, query),
    exportAgentRequests: ({ query }, context) => exportRequests(deps, context, query),
    streamAgentRequests: ({ query }, { actor }) => streamRequests(deps, actor, query),
    getAgentRequest: ({ params }, { actor }) => readRequest(deps, actor, params.id),
    submitAgentRequest: ({ params }, context) => submitRequest(deps, context, params.id),
    declineAgentRequest: ({ params, body }, context) => declineRequest(deps, context, params.id, body?.note),
    cancelAgentRequest: ({ params }, context) => cancelRequest(deps, context, params.id),
    approveAgentRequest: ({ params, body }, context) => approveRequest(deps, context, params.id, body),
    rejectAgentRequest: ({ params, body }, context) => rejectRequest(deps, context, params.id, body.note),
    retryAgentRequest: ({ params }, context) => retryRequest(deps, context, params.id),
    fulfillAgentRequest: ({ params, body }, context) => fulfillRequest(deps, context, params.id, body.workflowId),
  });
}
