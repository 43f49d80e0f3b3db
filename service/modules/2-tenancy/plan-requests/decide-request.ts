import type { Overrides } from '@partner-portal/core/billing/terms.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import { approveTerms, readSubscription, withOpenPeriod } from '#modules/2-tenancy/billing/index.ts';
import { findPlan, openWorkspace, readPartnerRecord, suggestSlug, trialEnd } from '#modules/2-tenancy/partners/index.ts';
import type { PlanRequestDeps } from './deps.ts';
import { findPlanRequest, lockPlanRequest, type PlanRequestRow, writeDecision } from './store.ts';
import { toRecord } from './to-record.ts';

export type Approval = {
  planId: string;
  overrides?: Overrides | undefined;
  slug?: string | undefined;
  trialDays?: number | undefined;
  note?: string | undefined;
};

/**
 * Approves a request in one transaction: an application becomes a workspace with subscription, quota and owner invitation, a partner's
 * request its new terms. Less than before holds from the end of the billing period. Refuses `invalid_state` when it was already decided.
 */
export async function approveRequest(deps: PlanRequestDeps, caller: RequestContext, id: string, approval: Approval) {
  const { actor, now } = caller;
  return withOpenPeriod(deps.db, now, () =>
    deps.db.asStaff(actor, async (tx) => {
      const request = await takePending(tx, id);
      const opened = request.partnerId === null ? await openFor(tx, deps, caller, request, approval) : null;
      const partnerId = opened?.partnerId ?? (await applyTerms(tx, caller, request, approval));
      await cancelConfirmation(deps, tx, actor.partnerId, request);
      await writeDecision(tx, id, {
        status: 'approved',
        at: now,
        decidedBy: actor.userId,
        note: approval.note || null,
        planId: approval.planId,
        resultPartnerId: partnerId,
      });
      await recordAudit(tx, {
        partnerId,
        actor,
        action: 'plan_request.approved',
        target: { type: 'plan_request', id, label: request.companyName },
        changes: {
          status: ['pending', 'approved'],
          planId: [request.planId, approval.planId],
          overrides: [null, approval.overrides ?? {}],
        },
        origin: originOf(caller),
      });
      const after = await findPlanRequest(tx, id);
      if (!after) return refuse('not_found');
      return {
        request: toRecord(after, actor),
        partner: await readPartnerRecord(tx, partnerId),
        subscription: await readSubscription(tx, partnerId, deps.collection.suspensionAfterDays, caller),
        invitation: opened?.invitation ?? null,
      };
    }),
  );
}

/** Rejects with a note for the applicant, or for the admin of the agency who asked for other terms: all its admins when that one left. */
export async function rejectRequest(deps: PlanRequestDeps, caller: RequestContext, id: string, note: string) {
  const { actor, now } = caller;
  return deps.db.asStaff(actor, async (tx) => {
    const request = await takePending(tx, id);
    await writeDecision(tx, id, { status: 'rejected', at: now, decidedBy: actor.userId, note });
    const partnerId = request.partnerId ?? actor.partnerId;
    await recordAudit(tx, {
      partnerId,
      actor,
      action: 'plan_request.rejected',
      target: { type: 'plan_request', id, label: request.companyName },
      changes: { status: ['pending', 'rejected'], note: [null, note] },
      origin: originOf(caller),
    });
    const { applicantEmail: to, applicantName: fullName, companyName } = request;
    await cancelConfirmation(deps, tx, actor.partnerId, request);
    const dedupeKey = `rejected:${id}`;
    if (request.partnerId === null) {
      await deps.mail.queueMail(tx, { partnerId, to, dedupeKey, kind: 'application_rejected', data: { fullName, companyName, note } });
    } else {
      const mail = { partnerId, dedupeKey, kind: 'plan_request_rejected' } as const;
      const data = { note, href: '/dashboard/billing/plan' };
      const only = request.requestedBy;
      const isMailed = only !== null && (await deps.mail.queueMailToAdmins(tx, { ...mail, data: { ...data, fullName }, only })) > 0;
      if (!isMailed) await deps.mail.queueMailToAdmins(tx, { ...mail, data: { ...data, fullName: null } });
    }
    const after = await findPlanRequest(tx, id);
    return after ? toRecord(after, actor) : refuse('not_found');
  });
}

/** A confirmation that still waits is not sent after the decision. Staff are in the house partner, whose mail it is. */
async function cancelConfirmation({ mail }: PlanRequestDeps, tx: SystemTx, housePartnerId: string, request: PlanRequestRow): Promise<void> {
  if (request.mailWaits) await mail.cancelHeld(tx, { partnerId: housePartnerId, to: request.applicantEmail, kind: 'application_received' });
}

async function takePending(tx: SystemTx, id: string): Promise<PlanRequestRow> {
  const request = await lockPlanRequest(tx, id);
  if (!request) return refuse('not_found');
  if (request.status !== 'pending') return refuse('invalid_state', { detail: `This request is already ${request.status}.` });
  return request;
}

async function openFor(tx: SystemTx, deps: PlanRequestDeps, caller: RequestContext, request: PlanRequestRow, approval: Approval) {
  const { planId, overrides, trialDays } = approval;
  const slug = approval.slug ?? (await suggestSlug(tx, request.companyName));
  const opened = await openWorkspace(tx, deps, {
    name: request.companyName,
    slug,
    timezone: 'UTC',
    website: request.website,
    ownerEmail: request.applicantEmail,
    ownerName: request.applicantName,
    planId,
    ...(overrides ? { overrides } : {}),
    trialDays,
    invitedBy: caller.actor.userId,
    answersApplication: true,
    now: caller.now,
  });
  await recordAudit(tx, {
    partnerId: opened.partnerId,
    actor: caller.actor,
    action: 'partner.created',
    target: { type: 'partner', id: opened.partnerId, label: request.companyName },
    changes: { slug: [null, slug], planId: [null, planId], ownerEmail: [null, request.applicantEmail] },
    origin: originOf(caller),
  });
  return opened;
}

/** Applies the new terms: more at once, less at the end of the billing period. */
async function applyTerms(tx: SystemTx, caller: RequestContext, request: PlanRequestRow, approval: Approval): Promise<string> {
  const { partnerId } = request;
  const plan = await findPlan(tx, approval.planId);
  if (partnerId === null || !plan) return refuse('not_found', { detail: 'No such plan is available.' });
  const trialEndsAt = trialEnd(plan, approval.trialDays, caller.now);
  await approveTerms(tx, caller, { partnerId, planId: plan.id, overrides: approval.overrides ?? {}, trialEndsAt });
  return partnerId;
}
