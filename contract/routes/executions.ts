import { z } from 'zod';
import { csvOf } from '../csv-of.ts';
import { defineRoute } from '../define-route.ts';
import { csvText, id, idParams, json, jsonObject, page, pageQuery, searchText, time } from '../primitives.ts';
import { bulkRerun, executionDetail, executionRow } from '../records/execution.ts';
import { EXECUTION_ORDERS, EXECUTION_SOURCES, EXECUTION_STATUSES, LIMITS, PROVIDERS } from '../vocabulary.ts';
import { anyone, byCallbackToken, byCallbackTokenOfBody, staffOrPartner, staffOrPartnerWrite } from './access.ts';
import { accepted } from './workflows.ts';

const filters = {
  clientId: id.optional(),
  workflowId: id.optional(),
  partnerId: id.optional(),
  status: z.enum(EXECUTION_STATUSES).optional(),
  source: z.enum(EXECUTION_SOURCES).optional(),
  /** Runs that the chatbot of a conversation started. */
  conversationId: id.optional(),
  from: time.optional(),
  to: time.optional(),
  q: searchText(120).optional(),
  cause: z.string().max(80).optional(),
};
/** Third-party text: truncated, since refusing the report would leave the execution running until its timeout. */
const said = (max: number) => z.string().transform((value) => value.slice(0, max));
/** The error; a plain text is its message. */
const cause = z.union([
  z
    .string()
    .transform((message) => ({ message: message.slice(0, 4000), code: undefined, stepName: undefined }))
    .describe('The message alone'),
  z.object({ code: said(80).optional(), message: said(4000).default(''), stepName: said(120).nullish() }),
]);
const reportStep = z.object({
  name: z.string().max(80),
  status: z.string().max(20),
  output: json.optional(),
  error: cause.transform(({ message }) => message.slice(0, 2000)).nullish(),
  startedAt: time.nullish(),
  durationMs: z.number().nonnegative().nullish(),
});

const listExecutions = defineRoute({
  method: 'GET',
  path: '/executions',
  tag: 'executions',
  summary: 'List runs in scope, newest first, or with `sort` oldest first. A search for `q` lists the newest first',
  access: anyone,
  query: pageQuery.extend({ ...filters, sort: z.enum(EXECUTION_ORDERS).default('newest') }),
  reply: { 200: page(executionRow) },
  errors: ['invalid_cursor', 'invalid_query', 'scope_forbidden', 'not_found'],
});

export const executionRoutes = {
  listExecutions,
  listFailureCauses: defineRoute({
    method: 'GET',
    path: '/executions/causes',
    tag: 'executions',
    summary: 'List failed runs, grouped by cause',
    access: anyone,
    query: z.object({
      clientId: id.optional(),
      workflowId: id.optional(),
      partnerId: id.optional(),
      from: time.optional(),
      to: time.optional(),
    }),
    reply: {
      200: z.array(
        z.object({
          code: z.string(),
          message: z.string(),
          count: z.number().int(),
          /** Those that were not run again: what a rerun of many starts, as far as their input is stored. */
          notRerun: z.number().int(),
          workflowId: id.nullable(),
          agentName: z.string().nullable(),
          clients: z.array(z.string()),
          lastAt: time,
          /** Failures in each 24 hours from `from` on, oldest first; of a longer time the newest 31. The newest 5,000 failures are read: days that they do not cover whole are left out. */
          byDay: z.array(z.number().int()),
        }),
      ),
    },
    errors: ['invalid_query', 'scope_forbidden', 'not_found'],
  }),
  // Newest first, in each order of the list.
  exportExecutions: defineRoute({ ...csvOf(listExecutions), query: z.object(filters) }),
  streamExecutions: defineRoute({
    method: 'GET',
    path: '/executions/stream',
    tag: 'executions',
    summary: 'Stream the start and end of runs',
    access: anyone,
    format: 'events',
    query: z.object({ clientId: id.optional(), workflowId: id.optional(), partnerId: id.optional() }),
    reply: { 200: csvText },
    errors: ['invalid_query', 'scope_forbidden', 'not_found'],
  }),
  getExecution: defineRoute({
    method: 'GET',
    path: '/executions/:id',
    tag: 'executions',
    summary: 'Get a run with its step timeline',
    access: anyone,
    params: idParams,
    reply: { 200: executionDetail },
    errors: ['not_found'],
  }),
  rerunExecution: defineRoute({
    method: 'POST',
    path: '/executions/:id/rerun',
    tag: 'executions',
    summary: 'Run again, with the original or a changed input',
    access: staffOrPartnerWrite,
    params: idParams,
    bodyLimit: LIMITS.eventBytesMax,
    idempotent: true,
    body: z
      .object({
        input: jsonObject.optional(),
        /** Starts nothing where the run was run again, is being run again with others, or has succeeded after its timeout. */
        unlessRerun: z.boolean().optional(),
      })
      .meta({ examples: [{ input: { callerNumber: '+13125550121', businessNumber: '+13125550100' } }] })
      .optional(),
    /** `wasRerun`: nothing was started, and `executionId` is the run that repeats it, or the run itself when it has succeeded after its timeout; only with `unlessRerun`. */
    reply: { 202: accepted.extend({ wasRerun: z.boolean().optional() }) },
    errors: [
      'not_found',
      'account_suspended',
      'workflow_inactive',
      'quota_exceeded',
      'missing_input',
      'invalid_input',
      'validation_failed',
      'invalid_state',
      'too_large',
      'rate_limited',
    ],
    audit: 'execution.rerun',
  }),
  listReruns: defineRoute({
    method: 'GET',
    path: '/executions/reruns',
    tag: 'executions',
    summary: 'List the bulk reruns of the last day with their progress, newest first',
    access: staffOrPartner,
    query: z.object({ partnerId: id.optional() }),
    reply: { 200: z.array(bulkRerun) },
    errors: ['invalid_query', 'scope_forbidden', 'not_found'],
  }),
  rerunFailed: defineRoute({
    method: 'POST',
    path: '/executions/rerun',
    tag: 'executions',
    summary: `Run failed runs of a window again (at most ${LIMITS.bulkRerunMax}), all or those with one error code (cause)`,
    access: staffOrPartnerWrite,
    body: z
      .object({ workflowId: id, status: z.literal('FAILED'), from: time, to: time, cause: z.string().min(1).max(80).optional() })
      .meta({
        examples: [
          {
            workflowId: '0198c2f4-7a10-7c3e-9b52-4f1d2a6e8c01',
            status: 'FAILED',
            from: '2026-01-05T00:00:00.000Z',
            to: '2026-01-06T00:00:00.000Z',
          },
        ],
      }),
    reply: { 202: z.object({ count: z.number().int() }) },
    errors: ['not_found', 'account_suspended', 'workflow_inactive', 'quota_exceeded', 'validation_failed', 'too_large', 'rate_limited'],
    audit: 'execution.rerun_many',
  }),
  queryForExecution: defineRoute({
    method: 'POST',
    path: '/executions/:executionId/query',
    tag: 'executions',
    summary: 'Query the SQL database of a run, on behalf of its flow',
    access: byCallbackToken,
    limit: 'none',
    params: z.object({ executionId: id }),
    bodyLimit: LIMITS.queryBodyBytesMax,
    body: z.object({ query: z.string().trim().max(20_000), params: z.array(json).max(50).optional() }),
    reply: { 200: z.object({ columns: z.array(z.string()), rows: z.array(z.record(z.string(), json)), truncated: z.boolean() }) },
    errors: ['invalid_callback_token', 'validation_failed', 'invalid_state', 'private_address', 'not_found', 'rate_limited'],
  }),
  reportExecution: defineRoute({
    method: 'POST',
    path: '/executions/webhook',
    tag: 'executions',
    summary: 'Report the result of a run',
    access: byCallbackTokenOfBody,
    limit: 'none',
    body: z.object({
      executionId: id,
      workflowId: id,
      status: z.enum(['SUCCEEDED', 'FAILED']),
      output: json.nullish(),
      error: cause.nullish(),
      steps: z.array(reportStep).max(200).nullish(),
      usage: z
        .object({
          /** Provider of the key that was used; without it, the tokens cost nothing. */
          provider: z.enum(PROVIDERS).optional(),
          model: said(120).optional(),
          inputTokens: z.number().int().nonnegative().default(0),
          outputTokens: z.number().int().nonnegative().default(0),
        })
        .nullish(),
    }),
    reply: { 200: z.object({ applied: z.boolean() }) },
    errors: ['invalid_callback_token', 'validation_failed', 'malformed_json', 'not_found', 'rate_limited'],
  }),
};
