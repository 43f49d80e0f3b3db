import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import type { Json } from '@partner-portal/core/template/types.ts';
import { inScope } from '#platform/db/scope.ts';
import type { Database } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { formatBytes } from '#platform/http/raw-body.ts';
import { AppError, refuse, refuseField } from '#platform/refuse.ts';
import { type Acceptance, type Acceptor, refuseOutcome } from './accept.ts';
import { findRerunSource, listFailedForRerun, listRerunSources, type RerunSource, workflowExists } from '../read/store-detail.ts';
import { auditOf, scopeOf } from './trigger.ts';

/** Executions whose inputs are held at the same time: 2 MiB at most. */
const CHUNK = 8;

export type RerunDeps = { db: Database; acceptor: Acceptor };
type Context = Pick<RequestContext, 'actor' | 'requestId' | 'address' | 'userAgent' | 'header'>;

/** Reruns an execution with its original or a changed input. The original must have ended, so that one event is not handled twice at once. */
export async function rerunExecution(deps: RerunDeps, context: Context, id: string, input: { [key: string]: Json } | undefined) {
  const source = await inScope(deps.db, context.actor, undefined, (tx) => findRerunSource(tx, id));
  if (!source) return refuse('not_found');
  if (source.status === 'RUNNING') refuse('invalid_state', { detail: 'This run has not ended yet.' });
  if (input === undefined && source.isTooLarge) refuseLargeSource();
  if (input === undefined && source.input === null)
    refuse('invalid_state', { detail: 'The original input is no longer stored. Send the input to run with.' });
  const result = await acceptAgain(deps, context, source, input, undefined);
  if (result.outcome !== 'accepted' && result.outcome !== 'replayed') refuseOutcome(result);
  return { accepted: true as const, executionId: result.executionId };
}

/**
 * Reruns the failed executions of a time window, oldest first. Each original is rerun once a day at most, so a second click does not
 * contact people twice; a rerun that fails is an execution of its own and is included the next time. Inputs are read and accepted in chunks, so
 * that neither memory nor other requests depend on how large they are.
 */
export async function rerunFailed(
  deps: RerunDeps,
  context: Context,
  window: { workflowId: string; from: string; to: string },
): Promise<{ count: number }> {
  if (new Date(window.from) >= new Date(window.to)) refuseField('to', 'out_of_range', 'The end of the window must come after its start.');
  const ids = await inScope(deps.db, context.actor, undefined, async (tx) => {
    if (!(await workflowExists(tx, window.workflowId))) return refuse('not_found');
    return listFailedForRerun(tx, window.workflowId, window, LIMITS.bulkRerunMax);
  });
  let count = 0;
  let refused: Acceptance | undefined;
  let hasLarge = false;
  for (let at = 0; at < ids.length; at += CHUNK) {
    const chunk = ids.slice(at, at + CHUNK);
    const sources = await inScope(deps.db, context.actor, undefined, (tx) => listRerunSources(tx, chunk));
    const results = await Promise.all(
      sources.flatMap((source) => (source.input === null ? [] : [acceptAgain(deps, context, source, undefined, `failed:${source.id}`)])),
    );
    count += results.filter((one) => one.outcome === 'accepted').length;
    refused ??= results.find((one) => one.outcome !== 'accepted' && one.outcome !== 'replayed');
    hasLarge ||= sources.some((source) => source.isTooLarge);
  }
  if (count === 0 && refused) refuseOutcome(refused);
  if (count === 0 && hasLarge) refuseLargeSource();
  return { count };
}

/** An event from before the limit. */
function refuseLargeSource(): never {
  throw new AppError('too_large', {
    detail: `The stored event is larger than ${formatBytes(LIMITS.eventBytesMax)}, the most a run may have. Rerun it with a smaller input.`,
    limitBytes: LIMITS.eventBytesMax,
  });
}

function acceptAgain(
  deps: RerunDeps,
  context: Context,
  source: RerunSource,
  input: { [key: string]: Json } | undefined,
  key: string | undefined,
): Promise<Acceptance> {
  return deps.acceptor.accept({
    workflowId: source.workflowId,
    source: 'rerun',
    body: { input: input ?? (source.input as { [key: string]: Json }) }, // stored as JSON when it was accepted
    idempotencyKey: key,
    rerunOf: source.id,
    scope: scopeOf(context.actor),
    audit: auditOf(context, key === undefined ? 'execution.rerun' : 'execution.rerun_many', { rerunOf: [null, source.id] }),
  });
}
