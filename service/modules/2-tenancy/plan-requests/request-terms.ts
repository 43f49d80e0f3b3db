import type { RequestContext } from '#platform/http/context.ts';
import { newId } from '#platform/ids.ts';
import { refuse } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { PlanRequestDeps } from './deps.ts';
import { refuseOtherSuspension } from './refuse-other-suspension.ts';
import { type Desired, findPlanRequest, findRequester, insertPlanRequest, lockPlanRequest, writeDecision } from './store.ts';
import { toRecord } from './to-record.ts';

export type TermsRequest = { kind: 'change' | 'custom'; planId?: string | undefined; desired?: Desired | undefined; message: string };

/**
 * Requests another plan or custom terms. Refuses `already_pending` while another is pending.
 */
export async function requestTerms({ db }: PlanRequestDeps, caller: RequestContext, request: TermsRequest) {
  const { actor } = caller;
  const id = newId();
  return db.asTenant(actor, async (tx) => {
    await refuseOtherSuspension(tx, actor);
    const requester = await findRequester(tx, { userId: actor.userId, planId: request.planId ?? null });
    if (!requester || (request.planId !== undefined && requester.planId === null))
      return refuse('not_found', { detail: 'No such plan is available.' });
    const isNew = await insertPlanRequest(tx, {
      id,
      kind: request.kind,
      partnerId: actor.partnerId,
      applicantEmail: actor.email,
      applicantName: requester.fullName,
      companyName: requester.partnerName,
      website: requester.website,
      country: null,
      planId: requester.planId,
      desired: { ...request.desired, message: request.message, monthlyPriceMinor: requester.monthlyPriceMinor ?? undefined },
      requestedBy: actor.userId,
    });
    if (!isNew)
      return refuse('already_pending', { detail: 'A plan request of your agency is already pending. Cancel it to send another.' });
    await recordAudit(tx, entry(caller, { id, companyName: requester.partnerName }, 'plan_request.submitted'));
    const row = await findPlanRequest(tx, id);
    return row ? toRecord(row, actor) : refuse('not_found');
  });
}

/** Cancels the partner's own request while it is pending. */
export async function cancelRequest({ db }: PlanRequestDeps, caller: RequestContext, id: string, note: string | null) {
  return db.asTenant(caller.actor, async (tx) => {
    await refuseOtherSuspension(tx, caller.actor);
    const before = await lockPlanRequest(tx, id);
    if (!before) return refuse('not_found');
    if (before.status !== 'pending') return refuse('invalid_state', { detail: `This request is already ${before.status}.` });
    await writeDecision(tx, id, { status: 'cancelled', at: caller.now, decidedBy: caller.actor.userId, note });
    await recordAudit(tx, {
      ...entry(caller, before, 'plan_request.cancelled'),
      changes: { status: ['pending', 'cancelled'], ...(note === null ? {} : { note: [null, note] }) },
    });
    const row = await findPlanRequest(tx, id);
    return row ? toRecord(row, caller.actor) : refuse('not_found');
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
