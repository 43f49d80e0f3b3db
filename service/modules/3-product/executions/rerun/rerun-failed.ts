import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { refuseUnknownScope } from '#modules/1-ledger/scope/index.ts';
import type { Actor } from '#platform/actor.ts';
import { inScope } from '#platform/db/scope.ts';
import { refuse, refuseField } from '#platform/refuse.ts';
import { refuseOutcome } from '../accept/accept.ts';
import { auditOf } from '../accept/trigger.ts';
import { refuseLargeSource, type RerunContext } from './rerun-execution.ts';
import { type PortionDeps, rerunPortion } from './rerun-portion.ts';
import { addFailed, deleteRequest, findWorkflowPartner, insertRequest, listRequests } from './store-reruns.ts';

const LISTED = 20;

/**
 * Reruns the failed executions of a time window, oldest first: records which, starts the first portion and leaves the rest to the job. An execution
 * that was run again, alone or with others, is left out, so no person is contacted twice; a rerun that fails is an execution of its own and is
 * included the next time. Returns how many start. Refuses when none of them may, with the reason.
 */
export async function rerunFailed(
  deps: PortionDeps,
  context: RerunContext,
  window: { workflowId: string; from: string; to: string; cause?: string | undefined },
): Promise<{ count: number }> {
  if (new Date(window.from) >= new Date(window.to)) refuseField('to', 'out_of_range', 'The end of the window must come after its start.');
  const request = await inScope(deps.db, context.actor, undefined, async (tx) => {
    const partnerId = await findWorkflowPartner(tx, window.workflowId);
    if (partnerId === undefined) return refuse('not_found');
    const audit = auditOf(context, 'execution.rerun_many', {});
    const id = await insertRequest(tx, { partnerId, workflowId: window.workflowId, audit });
    const added = await addFailed(tx, { id, partnerId, ...window }, LIMITS.bulkRerunMax);
    if (added === 0) await deleteRequest(tx, id);
    return added === 0 ? undefined : { id, partnerId };
  });
  if (request === undefined) return { count: 0 };
  const { started, refused, waiting } = await rerunPortion(deps, request.partnerId, request.id);
  const [first] = refused;
  if (started === 0 && waiting === 0 && first !== undefined) {
    await inScope(deps.db, context.actor, undefined, (tx) => deleteRequest(tx, request.id));
    if (first.refusal) refuseOutcome(first.refusal);
    if (first.reason === 'too_large') refuseLargeSource();
  }
  return { count: started + waiting };
}

/** Lists the newest reruns of many of the last day, with their progress. */
export function listReruns(deps: Pick<PortionDeps, 'db'>, actor: Actor, query: { partnerId?: string | undefined }) {
  return inScope(deps.db, actor, query.partnerId, async (tx, partnerId) => {
    const requests = await listRequests(tx, partnerId, LISTED);
    await refuseUnknownScope(tx, { partnerId }, requests.length);
    return requests;
  });
}
