import type { DispatchOutcome } from '@partner-portal/core/execution/dispatch.ts';
import { IDEMPOTENCY_HEADER } from '@partner-portal/engine/protocol.ts';
import { z } from 'zod';
import { EngineError, isEngineError } from './engine-error.ts';
import type { EngineHttp } from './engine-http.ts';

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
    if (/^text\/html/i.test(answer.headers['content-type'] ?? '')) return 'unreachable';
    if (answer.status < 300) return 'accepted';
    if (answer.status === 404) return 'not_found';
    if (answer.status === 410) return 'gone';
    if (answer.status === 429 || answer.status === 503) return 'unreachable';
    if (answer.status < 500) return 'refused';
    // Its database could not be reached, so it stored nothing.
    return codeOf(answer.text) === 'ECONNREFUSED' ? 'unreachable' : 'ambiguous';
  } catch (error) {
    if (isEngineError(error, 'timeout')) return 'ambiguous';
    if (error instanceof EngineError) return 'unreachable';
    throw error;
  }
}

function codeOf(text: string): string | null {
  try {
    return plainError.parse(JSON.parse(text)).code ?? null;
  } catch {
    return null;
  }
}
