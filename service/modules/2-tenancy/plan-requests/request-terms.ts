import type { RequestContext } from '#platform/http/context.ts';
import { newId } from '#platform/ids.ts';
import { refuse } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { PlanRequestDeps } from './deps.ts';
import { type Desired, findPlanRequest, findRequester, insertPlanRequest, lockPlanRequest, writeDecision } from './store.ts';
import { toRecord } from './to-record.ts';

export type TermsWish = { kind: 'change' | 'custom'; planId?: string | undefined; desired?: Desired | undefined; message: string };

/** An agency asks for another plan or terms of its own. One waits at a time: `already_pending`. */
export async function requestTerms({ db }: PlanRequestDeps, caller: RequestContext, wish: TermsWish) {
  const { actor } = caller;
  const id = newId();
  return db.asTenant(actor, async (tx) => {
    const requester = await findRequester(tx, { userId: actor.userId, planId: wish.planId ?? null });
    if (!requester || (wish.planId !== undefined && requester.planId === null))
      return refuse('not_found', { detail: 'There is no such plan to choose.' });
    const isNew = await insertPlanRequest(tx, {
      id,
      kind: wish.kind,
      partnerId: actor.partnerId,
      applicantEmail: actor.email,
      applicantName: requester.fullName,
      companyName: requester.partnerName,
      website: requester.website,
      country: null,
      planId: requester.planId,
      desired: { ...wish.desired, message: wish.message },
      requestedBy: actor.userId,
    });
    if (!isNew) return refuse('already_pending', { detail: 'A plan request of your agency is waiting. Take it back to send another one.' });
    await recordAudit(tx, entry(caller, { id, companyName: requester.partnerName }, 'plan_request.submitted'));
    const row = await findPlanRequest(tx, id);
    return row ? toRecord(row) : refuse('not_found');
  });
}

/** The agency takes its own request back, as long as nobody has decided. */
export async function cancelRequest({ db }: PlanRequestDeps, caller: RequestContext, id: string) {
  return db.asTenant(caller.actor, async (tx) => {
    const before = await lockPlanRequest(tx, id);
    if (!before) return refuse('not_found');
    if (before.status !== 'pending') return refuse('invalid_state', { detail: `This request is ${before.status} already.` });
    await writeDecision(tx, id, { status: 'cancelled', at: caller.now, decidedBy: caller.actor.userId, note: null });
    await recordAudit(tx, entry(caller, before, 'plan_request.cancelled'));
    const row = await findPlanRequest(tx, id);
    return row ? toRecord(row) : refuse('not_found');
  });
}

function entry(
  caller: RequestContext,
  request: { id: string; companyName: string },
  action: 'plan_request.submitted' | 'plan_request.cancelled',
) {
  const { actor } = caller;
  const target = { type: 'plan_request', id: request.id, label: request.companyName };
  return { partnerId: actor.partnerId, actor, action, target, origin: originOf(caller) };
}
