import type { RequestContext } from '#platform/http/context.ts';
import { newId } from '#platform/ids.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { PlanRequestDeps } from './deps.ts';
import { insertPlanRequest, lookAtApplicant, type NewPlanRequest } from './store.ts';

export type Application = {
  email: string;
  fullName: string;
  companyName: string;
  website?: string | undefined;
  country?: string | undefined;
  planId?: string | undefined;
  expectedClients?: number | undefined;
  message?: string | undefined;
  newsletter?: boolean | undefined;
};

/**
 * Takes an application: a plan request and a mail, no user and no session (product.md §9, 1). Whoever has a user already, or
 * applied before, gets the same answer by the same steps and learns the rest by mail: the form tells nobody who is here.
 */
export async function applyForWorkspace(
  { db, mail }: PlanRequestDeps,
  caller: Omit<RequestContext, 'actor'>,
  kind: 'signup' | 'trial',
  given: Application,
) {
  const id = newId();
  await db.asSystem('application', async (tx) => {
    const { isKnown, housePartnerId, planId } = await lookAtApplicant(tx, given.email, given.planId ?? null);
    const request: NewPlanRequest = {
      id,
      kind,
      partnerId: null,
      applicantEmail: given.email,
      applicantName: given.fullName,
      companyName: given.companyName,
      website: given.website ?? null,
      country: given.country || null,
      planId,
      desired: { clients: given.expectedClients, message: given.message || undefined, newsletter: given.newsletter },
      requestedBy: null,
    };
    const isNew = await insertPlanRequest(tx, request, !isKnown);
    // Written for each application, as a failed sign-in is: an answer that came sooner would say who is here.
    await recordAudit(tx, {
      partnerId: housePartnerId,
      actor: { kind: 'system' },
      action: 'plan_request.submitted',
      target: { type: 'plan_request', id: isNew ? id : null, label: given.companyName },
      ...(isNew ? {} : { result: 'refused' as const, changes: { refusal: [null, isKnown ? 'email_in_use' : 'already_pending'] } }),
      origin: originOf(caller),
    });
    // One mail a day whatever is sent in, so that the form is no way to fill somebody's mailbox.
    const dedupeKey = `application:${caller.now.toISOString().slice(0, 10)}`;
    const envelope = { partnerId: housePartnerId, to: given.email, dedupeKey };
    if (isKnown) await mail.queueMail(tx, { ...envelope, kind: 'application_known_address', data: {} });
    else await mail.queueMail(tx, { ...envelope, kind: 'application_received', data: { applicationKind: kind } });
  });
  return { planRequest: { id, kind, status: 'pending' as const } };
}
