import { isObject } from '@partner-portal/core/json/is-object.ts';
import type { JsonObject } from '@partner-portal/core/template/types.ts';
import { AppError } from '#platform/refuse.ts';
import { type Acceptance, refuseOutcome } from '../accept/accept.ts';
import type { AcceptOutcome } from '../accept/store-accept.ts';
import type { DirectRow } from './store-direct.ts';

/** The owner of a turn, and the agent to run for it. */
export type DirectRequest = {
  /** A UUID version 7. It becomes the id of the run: one run per turn, in any process. */
  turnId: string;
  workflowId: string;
  input: JsonObject;
  scope: { partnerId: string; clientId: string | null };
  /** Ends the wait early: the run stays as it is, and a later call of the same turn takes it up. */
  signal?: AbortSignal | undefined;
};

/**
 * - `succeeded`, `failed`: the flow's own result.
 * - `refused`: no run was made; `refusal` is the outcome of accepting it, missing when the agent cannot be run directly.
 * - `unavailable`: the engine did not take it, and nothing was done.
 * - `unknown`: the engine cannot say whether it was done. The same turn may be asked for again; it is never run twice.
 */
export type DirectRun = {
  kind: 'succeeded' | 'failed' | 'refused' | 'unavailable' | 'unknown';
  executionId: string | null;
  summary: string;
  output: JsonObject | null;
  error: { code: string; message: string } | null;
  refusal?: AcceptOutcome;
};

export function refusedRun(error: { code: string; message: string }, refusal?: AcceptOutcome): DirectRun {
  const base = { kind: 'refused' as const, executionId: null, summary: '', output: null, error };
  return refusal === undefined ? base : { ...base, refusal };
}

/** The refusal of an event, with the sentence that every other way in gives. */
export function refusalOf(acceptance: Acceptance): DirectRun {
  try {
    return refuseOutcome(acceptance);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return refusedRun({ code: error.code, message: error.message }, acceptance.outcome);
  }
}

export function unknownRun(executionId: string): DirectRun {
  const error = { code: 'unknown', message: 'The automation platform cannot confirm whether this run completed.' };
  return { kind: 'unknown', executionId, summary: '', output: null, error };
}

/** The run as it ended; undefined while it has not. */
export function endedRun(executionId: string, row: DirectRow): DirectRun | undefined {
  const summary = row.summary ?? '';
  const output = isObject(row.output) ? row.output : null;
  if (row.status === 'SUCCEEDED') return { kind: 'succeeded', executionId, summary, output, error: null };
  if (row.status !== 'FAILED') return undefined;
  const error = { code: row.errorCode ?? 'step_failed', message: row.errorMessage ?? '' };
  return { kind: error.code === 'dispatch_failed' ? 'unavailable' : 'failed', executionId, summary, output, error };
}
