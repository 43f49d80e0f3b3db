import { defineHandlers } from '#platform/http/context.ts';
import { applyForWorkspace } from './apply.ts';
import { sendApplicationMail } from './send-application-mail.ts';
import { approveRequest, rejectRequest } from './decide-request.ts';
import type { PlanRequestDeps } from './deps.ts';
import { exportRequests, readRequest, readRequests } from './read-requests.ts';
import { cancelRequest, requestTerms } from './request-terms.ts';

export function planRequestHandlers(deps: PlanRequestDeps) {
  return defineHandlers({
    register: ({ body }, context) => applyForWorkspace(deps, context, 'signup', body),
    registerTrial: ({ body }, context) => applyForWorkspace(deps, context, 'trial', body),
    createPlanRequest: ({ body }, context) => requestTerms(deps, context, body),
    listPlanRequests: ({ query }, { actor }) => readRequests(deps, actor, query),
    exportPlanRequests: ({ query }, { actor, now }) => exportRequests(deps, actor, now, query),
    getPlanRequest: ({ params }, { actor }) => readRequest(deps, actor, params.id),
    sendApplicationMail: ({ params }, context) => sendApplicationMail(deps, context, params.id),
    approvePlanRequest: ({ params, body }, context) => approveRequest(deps, context, params.id, body),
    rejectPlanRequest: ({ params, body }, context) => rejectRequest(deps, context, params.id, body.note),
    cancelPlanRequest: ({ params, body }, context) => cancelRequest(deps, context, params.id, body?.note || null),
  });
}
