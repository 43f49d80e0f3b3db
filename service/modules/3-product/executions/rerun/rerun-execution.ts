import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import type { Json } from '@partner-portal/core/template/types.ts';
import { inScope } from '#platform/db/scope.ts';
import type { Database } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { readIdempotencyKey } from '#platform/http/idempotency.ts';
import { formatBytes } from '#platform/http/raw-body.ts';
import { AppError, refuse } from '#platform/refuse.ts';
import { type Acceptor, refuseOutcome } from '../accept/accept.ts';
import { auditOf, scopeOf } from '../accept/trigger.ts';
import { findRerunSource } from '../read/store-detail.ts';

export type RerunDeps = { db: Database; acceptor: Acceptor };
export type RerunContext = Pick<RequestContext, 'actor' | 'requestId' | 'address' | 'userAgent' | 'header'>;

type Request = { input?: { [key: string]: Json } | undefined; unlessRerun?: boolean | undefined };

/**
 * Reruns an execution with its original or a changed input. The original must have ended, so that one event is not handled twice at once. With
 * `unlessRerun` one that was run again is left as it is: the reply names the run that repeats it, or the run itself when it timed out and has succeeded since.
 */
export async function rerunExecution(deps: RerunDeps, context: RerunContext, id: string, { input, unlessRerun = false }: Request) {
  const key = readIdempotencyKey(context);
  const source = await inScope(deps.db, context.actor, undefined, (tx) => findRerunSource(tx, id));
  if (!source) return refuse('not_found');
  if (source.status === 'RUNNING') refuse('invalid_state', { detail: 'This run has not ended yet.' });
  if (unlessRerun && source.late && source.status === 'SUCCEEDED')
    return { accepted: true as const, executionId: source.id, wasRerun: true };
  if (unlessRerun && source.newestRerun !== null) return { accepted: true as const, executionId: source.newestRerun, wasRerun: true };
  if (input === undefined && source.isTooLarge) refuseLargeSource();
  if (input === undefined && source.input === null)
    refuse('invalid_state', { detail: 'The original input is no longer stored. Send the input to run with.' });
  const result = await deps.acceptor.accept({
    workflowId: source.workflowId,
    source: sourceOfRerun(source.source),
    body: { input: input ?? (source.input as { [key: string]: Json }) }, // stored as JSON when it was accepted
    rerunOf: source.id,
    // Shared with reruns of many, and by all callers, so that of several at the same time one starts.
    ...(unlessRerun
      ? { idempotencyKey: keyOfRerunOnce(source.id) }
      : { idempotencyKey: key === undefined ? undefined : `one:${source.id}:${key}`, comparesBody: true as const }),
    scope: scopeOf(context.actor),
    audit: auditOf(context, 'execution.rerun', { rerunOf: [null, source.id] }),
  });
  if (result.outcome !== 'accepted' && result.outcome !== 'replayed') refuseOutcome(result);
  return {
    accepted: true as const,
    executionId: result.executionId,
    ...(unlessRerun ? { wasRerun: result.outcome === 'replayed' } : {}),
  };
}

/** Returns the source of a rerun: that of a test is a test, so that it plans no follow-up and is no event of the first steps. */
export function sourceOfRerun(source: string): 'test' | 'rerun' {
  return source === 'test' ? 'test' : 'rerun';
}

/** The Idempotency-Key under which a failed execution is rerun once. */
export function keyOfRerunOnce(id: string): string {
  return `failed:${id}`;
}

/** Refuses an event from before the limit. */
export function refuseLargeSource(): never {
  throw new AppError('too_large', {
    detail: `The stored event is larger than ${formatBytes(LIMITS.eventBytesMax)}, the most a run may have. Rerun it with a smaller input.`,
    limitBytes: LIMITS.eventBytesMax,
  });
}
