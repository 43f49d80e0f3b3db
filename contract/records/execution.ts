import { z } from 'zod';
import { id, jsonObject, time } from '../primitives.ts';
import { EXECUTION_SOURCES, EXECUTION_STATUSES, INBOUND_OUTCOMES, STEP_STATUSES } from '../vocabulary.ts';

export const executionError = z.object({ code: z.string(), message: z.string(), stepName: z.string().nullable() });

export const executionStep = z.object({
  name: z.string(),
  label: z.string(),
  status: z.enum(STEP_STATUSES),
  startedAt: time.nullable(),
  durationMs: z.number().nullable(),
  input: z.json().optional(),
  output: z.json().optional(),
  error: z.string().nullable(),
  /** What a step that succeeded did, or why it ended the run; null where its template has no words for it, and for clients. */
  sentence: z.string().nullable(),
});

export const executionRow = z
  .object({
    id,
    workflowId: id,
    agentName: z.string(),
    partnerId: id,
    clientId: id.nullable(),
    clientName: z.string().nullable(),
    status: z.enum(EXECUTION_STATUSES),
    source: z.enum(EXECUTION_SOURCES),
    summary: z.string(),
    startedAt: time,
    finishedAt: time.nullable(),
    durationMs: z.number().int().nullable(),
    error: executionError.nullable(),
    creditsCharged: z.number().int(),
    rerunOf: id.nullable(),
    late: z.boolean(),
    templateVersion: z.number().int(),
    /** True while the run waits for longer than usual to be handed over to the engine. */
    delayed: z.boolean(),
    /** What such a run waits for: room in the engine (`capacity`), which takes turns between agencies, or the engine itself. */
    waitsFor: z.enum(['capacity', 'engine', 'first_contacts']).nullable(),
    /** The conversation whose chatbot started it; null for every other run, and once the conversation is no longer kept. */
    conversationId: id.nullable(),
  })
  .meta({ id: 'Execution' });

export const executionDetail = executionRow
  .extend({
    input: jsonObject.nullable(),
    output: z.json().nullable(),
    steps: z.array(executionStep),
    payloadExpired: z.boolean(),
    templateName: z.string(),
    previousId: id.nullable(),
    nextId: id.nullable(),
  })
  .meta({ id: 'ExecutionDetail' });

/** A rerun of many failed runs. Those neither started nor refused wait their turn. */
export const bulkRerun = z
  .object({
    id,
    workflowId: id,
    agentName: z.string(),
    total: z.number().int(),
    started: z.number().int(),
    refused: z.number().int(),
    /** Why those that were refused did not start: an outcome of accepting an event. */
    refusal: z.string().nullable(),
    createdAt: time,
    finishedAt: time.nullable(),
  })
  .meta({ id: 'BulkRerun' });

const stepCount = z.object({ name: z.string(), succeeded: z.number().int(), failed: z.number().int(), skipped: z.number().int() });

/** What an agent did lately, counted over a bounded number of its newest runs and calls. */
export const workflowCounts = z
  .object({
    /** The newest runs that ended, of the last 30 days: at most 200. */
    runs: z.number().int(),
    failed: z.number().int(),
    /** Each step of those among them that reported their steps. */
    steps: z.array(stepCount),
    /** The newest calls to the ingest URL, of the last 14 days; `isMore` when there are more than were counted. */
    inbound: z.object({ accepted: z.number().int(), refused: z.number().int(), isMore: z.boolean() }),
  })
  .meta({ id: 'WorkflowCounts' });

export const inboundEventRecord = z
  .object({
    id,
    workflowId: id,
    receivedAt: time,
    outcome: z.enum(INBOUND_OUTCOMES),
    reason: z.string().nullable(),
    status: z.number().int(),
    senderAddress: z.string().nullable(),
    bodyPreview: z.string().nullable(),
    executionId: id.nullable(),
  })
  .meta({ id: 'InboundEvent' });
