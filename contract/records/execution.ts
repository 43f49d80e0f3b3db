import { z } from 'zod';
import { id, jsonObject, time } from '../primitives.ts';
import { EXECUTION_SOURCES, EXECUTION_STATUSES, INBOUND_OUTCOMES, RUN_TONES, STEP_STATUSES } from '../vocabulary.ts';

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
  /** The action of a step that succeeded, or why it ended the run; null when its template has no words for it, and for clients. */
  sentence: z.string().nullable(),
});

/**
 * A value of an event that was normalized to another value. `came`: the value as received, as JSON when it is not a text,
 * cut at 200 characters. `value`: the value that the steps get; null when they get none. `text`: the value for people, such as "9:30 in Chicago".
 * `remark`: the reason why the steps get no value; null otherwise.
 */
export const inputReading = z
  .object({
    key: z.string(),
    label: z.string(),
    came: z.string(),
    value: z.json(),
    text: z.string().nullable(),
    remark: z.string().nullable(),
  })
  .meta({ id: 'InputReading' });

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
    /** Its price, and the AI tokens that it used on a platform key. */
    creditsCharged: z.number().int(),
    rerunOf: id.nullable(),
    late: z.boolean(),
    templateVersion: z.number().int(),
    /** True while the run waits for longer than usual to be handed over to the engine. */
    delayed: z.boolean(),
    /** The resource that such a run waits for: room in the engine (`capacity`), which takes turns between agencies, or the engine itself. */
    waitsFor: z.enum(['capacity', 'engine', 'first_contacts']).nullable(),
    /** The conversation whose chatbot started it; null for every other run, and once the conversation is no longer kept. */
    conversationId: id.nullable(),
    /** Whether it succeeded by ending early on purpose, as for a caller who withheld their number; false once its payload has expired. */
    stopped: z.boolean(),
    /** What a succeeded run means: it did what it is for, there was nothing to do, or a person has to act. Null for every other run. */
    tone: z.enum(RUN_TONES).nullable(),
  })
  .meta({ id: 'Execution' });

export const executionDetail = executionRow
  .extend({
    /** The event as it came. */
    input: jsonObject.nullable(),
    /** Its values that were understood as another one; empty for runs from before values were read, and once the payload has expired. */
    understood: z.array(inputReading),
    output: z.json().nullable(),
    steps: z.array(executionStep),
    payloadExpired: z.boolean(),
    templateName: z.string(),
    /** The newest run that repeats this one. */
    lastRerun: z.object({ id, status: z.enum(EXECUTION_STATUSES) }).nullable(),
    previousId: id.nullable(),
    nextId: id.nullable(),
    /** Its trace, for staff where traces are recorded, also as they view an account; with its address where one is configured. Null otherwise. */
    trace: z.object({ id: z.string(), url: z.url().nullable() }).nullable(),
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

/** An agent's recent activity, counted over a bounded number of its newest runs and calls. */
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
    /** The normalized values of an accepted event; empty for a refused one. */
    understood: z.array(inputReading),
    /** Remarks on the body, such as a duplicate member. */
    remarks: z.array(z.string()),
    executionId: id.nullable(),
  })
  .meta({ id: 'InboundEvent' });
