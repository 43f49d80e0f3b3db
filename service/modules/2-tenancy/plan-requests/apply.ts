import { NEWSLETTER_CONSENT } from '@partner-portal/contract/newsletter-consent.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { newId } from '#platform/ids.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import { mayMailAddress, requestSubscription } from '#modules/2-tenancy/newsletter/index.ts';
import { refuseBusinessName, refusePersonName } from '#modules/2-tenancy/identity/index.ts';
import type { PlanRequestDeps } from './deps.ts';
import { insertPlanRequest, findApplicant, type NewPlanRequest } from './store.ts';

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
 * Stores an application as a plan request and queues a mail; no user and no session. An address that is known or has already applied gets
 * the same response by the same steps and learns the rest by mail, so the form reveals no accounts.
 */
export async function applyForWorkspace(
  { db, mail, limits }: PlanRequestDeps,
  caller: Omit<RequestContext, 'actor'>,
  kind: 'signup' | 'trial',
  given: Application,
) {
  refusePersonName('fullName', given.fullName);
  refuseBusinessName('companyName', given.companyName);
  const id = newId();
  const mayMail = given.newsletter === true && (await mayMailAddress({ limits }, given.email));
  await db.asSystem('application', async (tx) => {
    const { isKnown, housePartnerId, planId } = await findApplicant(tx, given.email, given.planId ?? null);
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
    // Written for every application, so that response times reveal no accounts.
    await recordAudit(tx, {
      partnerId: housePartnerId,
      actor: { kind: 'system' },
      action: 'plan_request.submitted',
      target: { type: 'plan_request', id: isNew ? id : null, label: given.companyName },
      ...(isNew ? {} : { result: 'refused' as const, changes: { refusal: [null, isKnown ? 'email_in_use' : 'already_pending'] } }),
      origin: originOf(caller),
    });
    // One mail a day, so that the form cannot be used to flood a mailbox.
    const dedupeKey = `application:${caller.now.toISOString().slice(0, 10)}`;
    const envelope = { partnerId: housePartnerId, to: given.email, dedupeKey, askedFrom: caller.address };
    if (isKnown) await mail.queueMail(tx, { ...envelope, kind: 'application_known_address', data: {} });
    else await mail.queueMail(tx, { ...envelope, kind: 'application_received', data: { applicationKind: kind } });
    if (given.newsletter === true) {
      const consent = { email: given.email, source: 'signup', textVersion: NEWSLETTER_CONSENT.version, at: caller.now };
      await requestSubscription({ mail }, tx, { ...consent, origin: originOf(caller) }, { mayMail, askedFrom: caller.address });
    }
  });
  return { planRequest: { id, kind, status: 'pending' as const } };
}
