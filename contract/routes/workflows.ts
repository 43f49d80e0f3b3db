import { INGEST_PATH } from '../ingest-path.ts';
import { z } from 'zod';
import { csvOf } from '../csv-of.ts';
import { defineRoute } from '../define-route.ts';
import { id, idParams, jsonObject, nothing, page, pageQuery, time, workflowIdParams } from '../primitives.ts';
import { executionRow, inboundEventRecord, workflowCounts } from '../records/execution.ts';
import { scheduleInput, scheduleRecord } from '../records/schedule.ts';
import { workflowRecord } from '../records/workflow.ts';
import { EXECUTION_SOURCES, EXECUTION_STATUSES, INBOUND_OUTCOMES, LIMITS } from '../vocabulary.ts';
import { anyone, anyoneWrite, byIngestToken, staffOrPartner, staffOrPartnerWrite } from './access.ts';

export const accepted = z.object({ accepted: z.literal(true), executionId: id });
/** The answer to a list of events: how many were accepted, and the result of each, in their order. */
const acceptedList = z
  .object({
    accepted: z.number().int(),
    results: z.array(
      z.discriminatedUnion('accepted', [
        accepted,
        z.object({
          accepted: z.literal(false),
          error: z.object({
            code: z.string(),
            status: z.number().int(),
            title: z.string(),
            detail: z.string(),
            errors: z.array(z.object({ field: z.string(), code: z.string(), message: z.string() })).optional(),
          }),
        }),
      ]),
    ),
  })
  .meta({ id: 'AcceptedList' });
/** Input of the missed-call template, as an example. */
const missedCall = { callerNumber: '+13125550121', businessNumber: '+13125550100' };
const event = jsonObject.meta({ examples: [missedCall] });
const ingestRefusals = [
  'account_suspended',
  'workflow_inactive',
  'quota_exceeded',
  'missing_input',
  'invalid_input',
  'not_found',
  'rate_limited',
] as const;

const inboundFilters = { outcome: z.enum(INBOUND_OUTCOMES).optional() };
const runFilters = {
  status: z.enum(EXECUTION_STATUSES).optional(),
  source: z.enum(EXECUTION_SOURCES).optional(),
  from: time.optional(),
  to: time.optional(),
};

const listWorkflows = defineRoute({
  method: 'GET',
  path: '/workflows',
  tag: 'workflows',
  summary: 'List workflows in scope: the technical view',
  access: anyone,
  query: pageQuery.extend({ clientId: id.optional(), partnerId: id.optional() }),
  reply: { 200: page(workflowRecord) },
  errors: ['invalid_cursor', 'invalid_query', 'scope_forbidden', 'not_found'],
});

const listInboundEvents = defineRoute({
  method: 'GET',
  path: '/workflows/:id/inbound-events',
  tag: 'workflows',
  summary: 'List accepted and refused ingest calls, with reasons',
  access: staffOrPartner,
  params: idParams,
  query: pageQuery.extend(inboundFilters),
  reply: { 200: page(inboundEventRecord) },
  errors: ['not_found', 'invalid_cursor', 'invalid_query'],
});

const listWorkflowExecutions = defineRoute({
  method: 'GET',
  path: '/workflows/:id/executions',
  tag: 'workflow-executions',
  summary: 'List runs of one workflow',
  access: anyone,
  params: idParams,
  query: pageQuery.extend(runFilters),
  reply: { 200: page(executionRow) },
  errors: ['not_found', 'invalid_cursor', 'invalid_query'],
});

export const workflowRoutes = {
  listWorkflows,
  exportWorkflows: csvOf(listWorkflows),
  getWorkflow: defineRoute({
    method: 'GET',
    path: '/workflows/:id',
    tag: 'workflows',
    summary: 'Get a workflow with its read-only definition',
    access: anyone,
    params: idParams,
    reply: { 200: workflowRecord },
    errors: ['not_found'],
  }),
  getIngestUrl: defineRoute({
    method: 'GET',
    path: '/workflows/:workflowId/ingest-url',
    tag: 'workflows',
    summary: 'Get the secret URL that starts runs of this workflow',
    access: { ...staffOrPartner, inViewAs: false },
    params: workflowIdParams,
    reply: { 200: z.object({ workflowId: id, url: z.string(), method: z.literal('POST') }) },
    errors: ['not_found'],
    audit: 'workflow.ingest_url_read',
  }),
  triggerWorkflow: defineRoute({
    method: 'POST',
    path: '/workflows/:workflowId/trigger',
    tag: 'workflows',
    summary: 'Start a run',
    access: anyoneWrite,
    params: workflowIdParams,
    bodyLimit: LIMITS.eventBytesMax,
    /** `isTest`: the run has the source `test`. All rules hold for it, but it is no event of the first steps and plans no follow-up. */
    body: z.object({ input: event, isTest: z.boolean().optional() }),
    reply: { 202: accepted },
    errors: [...ingestRefusals, 'validation_failed'],
    audit: 'workflow.triggered',
    idempotent: true,
  }),
  ingestEvent: defineRoute({
    method: 'POST',
    path: INGEST_PATH,
    tag: 'webhooks',
    summary: 'Start a run with a business event',
    access: byIngestToken,
    limit: 'ingest',
    params: z.object({ workflowId: z.string().max(64) }),
    // Any value is accepted here, so that a malformed token is refused as invalid_ingest_token, not as invalid_query.
    query: z.object({ token: z.string().max(256).optional().catch(undefined) }),
    bodyLimit: LIMITS.eventBytesMax,
    body: z.union([event, z.array(event).min(1).max(LIMITS.eventsOfListMax)]).meta({ examples: [missedCall] }),
    formToo: true,
    reply: { 202: z.union([accepted, acceptedList]) },
    errors: ['invalid_ingest_token', ...ingestRefusals, 'malformed_json', 'too_large', 'unsupported_media_type', 'validation_failed'],
    idempotent: true,
  }),
  listInboundEvents,
  exportInboundEvents: csvOf(listInboundEvents, 'Export accepted and refused ingest calls as CSV, streamed'),
  getSchedule: defineRoute({
    method: 'GET',
    path: '/workflows/:id/schedule',
    tag: 'workflows',
    summary: 'Get the schedule of a workflow',
    access: staffOrPartner,
    params: idParams,
    reply: { 200: scheduleRecord },
    errors: ['not_found'],
  }),
  putSchedule: defineRoute({
    method: 'PUT',
    path: '/workflows/:id/schedule',
    tag: 'workflows',
    summary: 'Run the workflow every hour, day or week',
    access: staffOrPartnerWrite,
    params: idParams,
    body: scheduleInput,
    reply: { 200: scheduleRecord },
    errors: ['not_found', 'validation_failed', 'invalid_state', 'stale_record'],
    audit: 'workflow.schedule_changed',
  }),
  deleteSchedule: defineRoute({
    method: 'DELETE',
    path: '/workflows/:id/schedule',
    tag: 'workflows',
    summary: 'Run the workflow by events only',
    access: staffOrPartnerWrite,
    params: idParams,
    reply: { 204: nothing },
    errors: ['not_found'],
    audit: 'workflow.schedule_removed',
  }),
  listWorkflowExecutions,
  exportWorkflowExecutions: csvOf(listWorkflowExecutions, 'Export the runs of one workflow as CSV, streamed'),
  getWorkflowCounts: defineRoute({
    method: 'GET',
    path: '/workflows/:id/executions/counts',
    tag: 'workflow-executions',
    summary: 'Get what each step did in the newest runs, and how many calls came in',
    access: staffOrPartner,
    params: idParams,
    reply: { 200: workflowCounts },
    errors: ['not_found'],
  }),
  getWorkflowStats: defineRoute({
    method: 'GET',
    path: '/workflows/:id/executions/stats',
    tag: 'workflow-executions',
    summary: 'Count the runs of a workflow per day',
    access: anyone,
    params: idParams,
    query: z.object({ range: z.enum(['7d', '30d', '90d']).default('30d') }),
    reply: {
      200: z.array(
        z.object({
          date: z.string(),
          succeeded: z.number().int(),
          /** Runs that succeeded, without those that ended early or asked no customer. */
          results: z.number().int(),
          failed: z.number().int(),
          p50Ms: z.number().int().nullable(),
          p95Ms: z.number().int().nullable(),
          credits: z.number().int(),
        }),
      ),
    },
    errors: ['not_found', 'invalid_query'],
  }),
};
