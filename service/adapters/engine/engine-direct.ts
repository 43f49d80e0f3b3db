import type { DirectOutcome } from '@partner-portal/core/execution/direct.ts';
import { IDEMPOTENCY_HEADER } from '@partner-portal/engine/protocol.ts';
import { parseJson } from '#platform/parse-json.ts';
import { EngineError, isEngineError } from './engine-error.ts';
import { type EngineHttp, type HttpAnswer, isPage } from './engine-http.ts';
import { readRefusal } from './engine-runs.ts';

/** How a flow that was called directly answered; only `answered` has a body, the flow's JSON. */
export type DirectAnswer = { kind: 'answered'; body: unknown } | { kind: Exclude<DirectOutcome, 'answered'> };

/**
 * Calls a flow at its `/sync` address, once. The engine answers 204 after thirty seconds without an answer of the flow (engine API, §7), so
 * `timeoutMs` should be longer. The embedded engine takes the execution's id as a key, so that a repeat never is a second run.
 */
export async function callFlow(
  http: EngineHttp,
  flowId: string,
  executionId: string,
  body: unknown,
  { timeoutMs, signal, traceparent }: { timeoutMs: number; signal?: AbortSignal | undefined; traceparent?: string | undefined },
): Promise<DirectAnswer> {
  try {
    const answer = await http.raw({
      method: 'POST',
      path: `/webhooks/${encodeURIComponent(flowId)}/sync`,
      headers: { [IDEMPOTENCY_HEADER]: executionId, ...(traceparent === undefined ? {} : { traceparent }) },
      body,
      timeoutMs,
      signal,
      isWaiting: true,
    });
    return readAnswer(answer);
  } catch (error) {
    if (isEngineError(error, 'timeout')) return { kind: 'ambiguous' };
    if (error instanceof EngineError) return { kind: 'unreachable' };
    throw error;
  }
}

function readAnswer(answer: HttpAnswer): DirectAnswer {
  if (answer.status >= 300 || isPage(answer)) return { kind: readRefusal(answer) };
  const body = parseJson(answer.text);
  return body === undefined ? { kind: 'silent' } : { kind: 'answered', body };
}
