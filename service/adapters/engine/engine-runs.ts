import { pageReplySchema, type RunReply, runReplySchema } from '@partner-portal/engine/protocol.ts';
import { z } from 'zod';
import { EngineError, isEngineError } from './engine-error.ts';
import type { EngineHttp } from './engine-http.ts';
import type { EngineSession } from './engine-session.ts';

/**
 * - `accepted`: the engine stored the event and will run the flow.
 * - `not_found`: the flow is not switched on at the moment; a republish shows the same for a moment, so try again shortly.
 * - `refused`: it will never accept this (the flow is deleted, the body too large).
 * - `unreachable`: nothing arrived, or the engine stored nothing; safe to send again.
 * - `ambiguous`: it may be running. There is no idempotency key, so sending again could run it twice.
 */
export type DispatchOutcome = 'accepted' | 'refused' | 'not_found' | 'unreachable' | 'ambiguous';

const DISPATCH_TIMEOUT_MS = 15_000;
const LIST_TIMEOUT_MS = 15_000;
/** Each row of a list carries its whole flow twice, so pages are small. */
const PAGE_ROWS = 20;
const PAGES_MAX = 15;

const runsPage = pageReplySchema(runReplySchema);
const eventShape = z.object({ body: z.object({ executionId: z.string() }) });
const plainError = z.object({ code: z.string().optional() });

/** Posts one event to a flow's webhook: the asynchronous address, since `/sync` always waits thirty seconds (engine API, §0.10). */
export async function dispatchRun(http: EngineHttp, flowId: string, body: unknown): Promise<DispatchOutcome> {
  try {
    const answer = await http.raw({
      method: 'POST',
      path: `/webhooks/${encodeURIComponent(flowId)}`,
      body,
      timeoutMs: DISPATCH_TIMEOUT_MS,
    });
    if (/^text\/html/i.test(answer.headers['content-type'] ?? '')) return 'unreachable';
    if (answer.status < 300) return 'accepted';
    if (answer.status === 404) return 'not_found';
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

/** There are more runs than were searched, and it is not among those. */
export type RunUnseen = 'unseen';

/**
 * Returns the engine's run of an execution, or null when there is certainly none. A dispatch returns no run id, so the run is found by the
 * executionId in its trigger's body: runs since `since` are listed newest first and searched from the oldest.
 */
export async function findRun(
  session: EngineSession,
  where: { projectId: string; flowId: string; executionId: string; since: Date },
): Promise<RunReply | null | RunUnseen> {
  const seen: string[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < PAGES_MAX; page++) {
    const query = new URLSearchParams({
      projectId: where.projectId,
      flowId: where.flowId,
      createdAfter: where.since.toISOString(),
      limit: String(PAGE_ROWS),
      ...(cursor === null ? {} : { cursor }),
    });
    const answer: z.output<typeof runsPage> = await session.call(
      { method: 'GET', path: `/flow-runs?${query}`, timeoutMs: LIST_TIMEOUT_MS },
      runsPage,
    );
    seen.push(...answer.data.map((run) => run.id));
    cursor = answer.next;
    if (cursor === null) break;
  }
  for (const id of seen.toReversed()) {
    const run = await session.call({ method: 'GET', path: `/flow-runs/${id}`, timeoutMs: LIST_TIMEOUT_MS }, runReplySchema);
    const event = eventShape.safeParse(run.steps?.['trigger']?.output);
    if (event.success && event.data.body.executionId === where.executionId) return run;
  }
  return cursor === null ? null : 'unseen';
}

function codeOf(text: string): string | null {
  try {
    return plainError.parse(JSON.parse(text)).code ?? null;
  } catch {
    return null;
  }
}
