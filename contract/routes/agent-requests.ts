import { z } from 'zod';
import { csvOf } from '../csv-of.ts';
import { defineRoute } from '../define-route.ts';
import { csvText, id, idList, idParams, jsonObject, optionalText, page, pageQuery, queryFlag, text } from '../primitives.ts';
import { bulkRequestReply } from '../records/agent-copy.ts';
import { agentRequestRecord, requestReadiness } from '../records/agent-request.ts';
import { AGENT_REQUEST_STATUSES, LIMITS } from '../vocabulary.ts';
import { anyone, partner, partnerOrClientWrite, partnerWrite, staffWrite } from './access.ts';

const tag = 'agent-requests';
const note = optionalText(2000).optional();
const one = { 200: agentRequestRecord };

const filters = {
  status: z.enum(AGENT_REQUEST_STATUSES).optional(),
  open: queryFlag.optional(),
  clientId: id.optional(),
  partnerId: id.optional(),
};

const listAgentRequests = defineRoute({
  method: 'GET',
  path: '/agent-requests',
  tag,
  summary: 'List agent requests in scope, newest first',
  access: anyone,
  query: pageQuery.extend(filters),
  reply: { 200: page(agentRequestRecord) },
  errors: ['invalid_cursor', 'invalid_query', 'scope_forbidden', 'not_found'],
});

export const agentRequestRoutes = {
  createAgentRequest: defineRoute({
    method: 'POST',
    path: '/agent-requests',
    tag,
    summary: 'Request an agent for one or more clients; a client suggests one',
    access: partnerOrClientWrite,
    /** One or more clients; a template or a description. */
    body: z
      .object({
        clientId: id.optional(),
        clientIds: z.array(id).min(1).max(100).optional(),
        templateName: z.string().trim().max(80).optional(),
        title: text(120).optional(),
        description: optionalText(4000).optional(),
        config: jsonObject.optional(),
      })
      .meta({ examples: [{ clientId: '0198c2f4-7a10-7c3e-9b52-4f1d2a6e8c01', templateName: 'missed-call-text-back', config: {} }] }),
    /** One record for `clientId`, a list in the given order for `clientIds`. */
    reply: { 201: z.union([agentRequestRecord, z.array(agentRequestRecord)]) },
    errors: ['validation_failed', 'not_found', 'already_pending', 'already_exists'],
    audit: 'agent_request.created',
    idempotent: true,
  }),
  createAgentRequests: defineRoute({
    method: 'POST',
    path: '/agent-requests/bulk',
    tag,
    summary: 'Request an agent of the catalog for many clients; each has its own result',
    access: partnerWrite,
    body: z
      .object({
        clientIds: z.array(id).min(1).max(LIMITS.bulkRequestMax),
        templateName: text(80),
        description: optionalText(4000).optional(),
        config: jsonObject.optional(),
      })
      .meta({ examples: [{ clientIds: ['0198c2f4-7a10-7c3e-9b52-4f1d2a6e8c01'], templateName: 'missed-call-text-back', config: {} }] }),
    reply: { 201: bulkRequestReply },
    errors: ['validation_failed', 'not_found'],
    audit: 'agent_request.created',
    idempotent: true,
  }),
  getRequestReadiness: defineRoute({
    method: 'GET',
    path: '/agent-requests/readiness',
    tag,
    summary: 'Get what an agent of the catalog would lack for these clients: keys and settings',
    access: partner,
    query: z.object({
      templateName: text(80),
      /** Separated by commas. */
      clientIds: idList(LIMITS.bulkRequestMax),
    }),
    reply: { 200: z.array(requestReadiness) },
    errors: ['invalid_query', 'not_found', 'validation_failed'],
  }),
  listAgentRequests,
  exportAgentRequests: csvOf(listAgentRequests),
  streamAgentRequests: defineRoute({
    method: 'GET',
    path: '/agent-requests/stream',
    tag,
    summary: 'Stream changes to agent requests',
    access: anyone,
    format: 'events',
    query: z.object({ clientId: id.optional(), partnerId: id.optional() }),
    reply: { 200: csvText },
    errors: ['invalid_query', 'scope_forbidden', 'not_found'],
  }),
  getAgentRequest: defineRoute({
    method: 'GET',
    path: '/agent-requests/:id',
    tag,
    summary: 'Get an agent request with its timeline',
    access: anyone,
    params: idParams,
    reply: one,
    errors: ['not_found'],
  }),
  submitAgentRequest: defineRoute({
    method: 'POST',
    path: '/agent-requests/:id/submit',
    tag,
    summary: 'Pass a client’s suggestion on to staff',
    access: partnerWrite,
    params: idParams,
    reply: one,
    errors: ['not_found', 'invalid_state'],
    audit: 'agent_request.submitted',
  }),
  declineAgentRequest: defineRoute({
    method: 'POST',
    path: '/agent-requests/:id/decline',
    tag,
    summary: 'Decline a client’s suggestion',
    access: partnerWrite,
    params: idParams,
    body: z.object({ note }).optional(),
    reply: one,
    errors: ['not_found', 'invalid_state', 'validation_failed'],
    audit: 'agent_request.declined',
  }),
  cancelAgentRequest: defineRoute({
    method: 'POST',
    path: '/agent-requests/:id/cancel',
    tag,
    summary: 'Take a submitted request back',
    access: partnerWrite,
    params: idParams,
    reply: one,
    errors: ['not_found', 'invalid_state'],
    audit: 'agent_request.cancelled',
  }),
  approveAgentRequest: defineRoute({
    method: 'POST',
    path: '/agent-requests/:id/approve',
    tag,
    summary: 'Approve; the agent is installed by the pipeline with the approver as acting user',
    access: staffWrite,
    params: idParams,
    body: z.object({ note, config: jsonObject.optional(), provisionNow: z.boolean().default(true) }),
    reply: one,
    errors: ['not_found', 'invalid_state', 'validation_failed'],
    audit: 'agent_request.approved',
  }),
  rejectAgentRequest: defineRoute({
    method: 'POST',
    path: '/agent-requests/:id/reject',
    tag,
    summary: 'Reject; the note is shown to the agency',
    access: staffWrite,
    params: idParams,
    body: z.object({ note: text(2000) }),
    reply: one,
    errors: ['not_found', 'invalid_state', 'provision_in_progress', 'validation_failed'],
    audit: 'agent_request.rejected',
  }),
  retryAgentRequest: defineRoute({
    method: 'POST',
    path: '/agent-requests/:id/retry',
    tag,
    summary: 'Install again after a failure, or what was approved for later',
    access: staffWrite,
    params: idParams,
    reply: one,
    errors: ['not_found', 'invalid_state'],
    audit: 'agent_request.retried',
  }),
  fulfillAgentRequest: defineRoute({
    method: 'POST',
    path: '/agent-requests/:id/fulfill',
    tag,
    summary: 'Attach the workflow that fulfils a custom request',
    access: staffWrite,
    params: idParams,
    body: z.object({ workflowId: id }),
    reply: one,
    errors: ['not_found', 'invalid_state', 'validation_failed'],
    audit: 'agent_request.fulfilled',
  }),
};
