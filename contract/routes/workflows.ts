import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { id, idParams, jsonObject, nothing, page, pageQuery, time, workflowIdParams } from '../primitives.ts';
import { executionRow, inboundEventRecord, scheduleInput, scheduleRecord, workflowRecord } from '../records.ts';
import { EXECUTION_SOURCES, EXECUTION_STATUSES, INBOUND_OUTCOMES } from '../vocabulary.ts';
import { anyone, anyoneWrite, byIngestToken, staffOrPartner, staffOrPartnerWrite } from './access.ts';

export const accepted = z.object({ accepted: z.literal(true), executionId: id });
/** What the missed-call template reads; the example of the specification. */
const event = jsonObject.meta({ examples: [{ callerNumber: '+13125550121', businessNumber: '+13125550100' }] });
const ingestRefusals = ['account_suspended', 'workflow_inactive', 'quota_exceeded', 'missing_input', 'not_found', 'rate_limited'] as const;

export const workflowRoutes = {
  listWorkflows: defineRoute({
    method: 'GET', path: '/workflows', tag: 'workflows', summary: 'Workflows in scope: the technical view', access: anyone, limit: 'caller',
    query: pageQuery.extend({ clientId: id.optional(), partnerId: id.optional() }), reply: { 200: page(workflowRecord) }, errors: ['invalid_cursor', 'invalid_query', 'scope_forbidden', 'not_found'],
  }),
  getWorkflow: defineRoute({
    method: 'GET', path: '/workflows/:id', tag: 'workflows', summary: 'One workflow with its read-only definition', access: anyone, limit: 'caller', params: idParams,
    reply: { 200: workflowRecord }, errors: ['not_found'],
  }),
  getIngestUrl: defineRoute({
    method: 'GET', path: '/workflows/:workflowId/ingest-url', tag: 'workflows', summary: 'The secret URL that starts runs of this workflow', access: staffOrPartner, limit: 'caller', params: workflowIdParams,
    reply: { 200: z.object({ workflowId: id, url: z.string(), method: z.literal('POST') }) }, errors: ['not_found'], audit: 'workflow.ingest_url_read',
  }),
  triggerWorkflow: defineRoute({
    method: 'POST', path: '/workflows/:workflowId/trigger', tag: 'workflows', summary: 'Start a run', access: anyoneWrite, limit: 'caller', params: workflowIdParams,
    body: z.object({ input: event }), reply: { 202: accepted }, errors: [...ingestRefusals, 'validation_failed'], audit: 'workflow.triggered', idempotent: true,
  }),
  ingestEvent: defineRoute({
    method: 'POST', path: '/webhooks/agents/:workflowId', tag: 'webhooks', summary: 'A business event starts a run', access: byIngestToken, limit: 'ingest', params: z.object({ workflowId: z.string().max(64) }),
    // A token that is no text is a wrong token, not a wrong query.
    query: z.object({ token: z.string().max(256).optional().catch(undefined) }), body: event, formToo: true, reply: { 202: accepted },
    errors: ['invalid_ingest_token', ...ingestRefusals, 'malformed_json', 'too_large', 'unsupported_media_type', 'validation_failed'], idempotent: true,
  }),
  listInboundEvents: defineRoute({
    method: 'GET', path: '/workflows/:id/inbound-events', tag: 'workflows', summary: 'Accepted and refused ingest calls, with reasons', access: staffOrPartner, limit: 'caller', params: idParams,
    query: pageQuery.extend({ outcome: z.enum(INBOUND_OUTCOMES).optional() }), reply: { 200: page(inboundEventRecord) }, errors: ['not_found', 'invalid_cursor', 'invalid_query'],
  }),
  getSchedule: defineRoute({
    method: 'GET', path: '/workflows/:id/schedule', tag: 'workflows', summary: 'When the workflow runs by itself', access: staffOrPartner, limit: 'caller', params: idParams,
    reply: { 200: scheduleRecord }, errors: ['not_found'],
  }),
  putSchedule: defineRoute({
    method: 'PUT', path: '/workflows/:id/schedule', tag: 'workflows', summary: 'Run the workflow every hour, day or week', access: staffOrPartnerWrite, limit: 'caller', params: idParams,
    body: scheduleInput, reply: { 200: scheduleRecord }, errors: ['not_found', 'validation_failed', 'invalid_state', 'stale_record'], audit: 'workflow.schedule_changed',
  }),
  deleteSchedule: defineRoute({
    method: 'DELETE', path: '/workflows/:id/schedule', tag: 'workflows', summary: 'Run the workflow by events only', access: staffOrPartnerWrite, limit: 'caller', params: idParams,
    reply: { 204: nothing }, errors: ['not_found'], audit: 'workflow.schedule_removed',
  }),
  listWorkflowExecutions: defineRoute({
    method: 'GET', path: '/workflows/:id/executions', tag: 'workflow-executions', summary: 'Runs of one workflow', access: anyone, limit: 'caller', params: idParams,
    query: pageQuery.extend({ status: z.enum(EXECUTION_STATUSES).optional(), source: z.enum(EXECUTION_SOURCES).optional(), from: time.optional(), to: time.optional() }),
    reply: { 200: page(executionRow) }, errors: ['not_found', 'invalid_cursor', 'invalid_query'],
  }),
  getWorkflowStats: defineRoute({
    method: 'GET', path: '/workflows/:id/executions/stats', tag: 'workflow-executions', summary: 'Runs per day', access: anyone, limit: 'caller', params: idParams,
    query: z.object({ range: z.enum(['7d', '30d', '90d']).default('30d') }),
    reply: { 200: z.array(z.object({ date: z.string(), succeeded: z.number().int(), failed: z.number().int(), p50Ms: z.number().int().nullable(), p95Ms: z.number().int().nullable(), credits: z.number().int() })) },
    errors: ['not_found', 'invalid_query'],
  }),
};
