import type { DispatchOutcome } from '@partner-portal/core/execution/dispatch.ts';
import { IDEMPOTENCY_HEADER } from '@partner-portal/engine/protocol.ts';
import { z } from 'zod';
import { EngineError, isEngineError } from './engine-error.ts';
import { type EngineHttp, type HttpAnswer, isOfEngine, isPage } from './engine-http.ts';

const DISPATCH_TIMEOUT_MS = 10_000;

const plainError = z.object({ code: z.string().optional() });

/** Posts one event to a flow's webhook: the asynchronous address, since `/sync` always waits thirty seconds (engine API, §0.10). */
export async function dispatchRun(
  http: EngineHttp,
  flowId: string,
  executionId: string,
  body: unknown,
  traceparent?: string,
): Promise<DispatchOutcome> {
  try {
    const answer = await http.raw({
      method: 'POST',
      path: `/webhooks/${encodeURIComponent(flowId)}`,
      headers: { [IDEMPOTENCY_HEADER]: executionId, ...(traceparent === undefined ? {} : { traceparent }) },
      body,
      timeoutMs: DISPATCH_TIMEOUT_MS,
    });
    return answer.status < 300 && !isPage(answer) ? 'accepted' : readRefusal(answer);
  } catch (error) {
    if (isEngineError(error, 'timeout')) return 'ambiguous';
    if (error instanceof EngineError) return 'unreachable';
    throw error;
  }
}

/**
 * What became of an event that a webhook did not take. A proxy's answer says that nothing was stored only when the proxy gave it in the engine's place:
 * its page of 500, 502 or 504 may follow an event that the engine took.
 */
export function readRefusal(answer: HttpAnswer): Exclude<DispatchOutcome, 'accepted'> {
  const { status, text } = answer;
  if (status === 429 || status === 503) return 'unreachable';
  // Its database could not be reached, so it stored nothing.
  if (status >= 500) return codeOf(text) === 'ECONNREFUSED' ? 'unreachable' : 'ambiguous';
  if (isPage(answer)) return 'unreachable';
  if (status === 404 || status === 410) return isOfEngine(answer) ? (status === 404 ? 'not_found' : 'gone') : 'unreachable';
  return 'refused';
}

function codeOf(text: string): string | null {
  try {
    return plainError.parse(JSON.parse(text)).code ?? null;
  } catch {
    return null;
  }
}
