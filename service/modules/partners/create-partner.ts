import type { Database } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/audit/index.ts';
import { issueInvitation } from '#modules/invitations/index.ts';
import { findPartner, findPlan, insertPartner, insertTerms, type PlanFacts } from './store.ts';
import { toRecord } from './to-record.ts';

export type PartnersDeps = { db: Database; baseUrl: string };
type NewPartner = {
  name: string;
  slug: string;
  ownerEmail: string;
  ownerName: string;
  planId: string;
  trialDays?: number | undefined;
  timezone?: string | undefined;
};

const TRIAL_DAYS = 14;

/**
 * Creates a workspace: agency, subscription, meter and the owner's link stand or fall together. The owner comes in as `admin`,
 * because a workspace without one could never act (product.md §9, 2).
 */
export async function createPartner(deps: PartnersDeps, caller: RequestContext, input: NewPartner) {
  const { actor, now } = caller;
  return deps.db.asStaff(actor, async (tx) => {
    const plan = await findPlan(tx, input.planId);
    if (!plan) return refuse('not_found', { detail: 'There is no such plan to choose.' });
    const partnerId = await insertPartner(tx, { name: input.name, slug: input.slug, timezone: input.timezone ?? 'UTC' });
    if (!partnerId) return refuse('already_exists', { detail: `The slug "${input.slug}" belongs to another agency.` });
    const trialEndsAt = trialEnd(plan, input.trialDays, now);
    await insertTerms(tx, { partnerId, planId: plan.id, monthlyCredits: plan.monthlyCredits, trialEndsAt, start: now });
    const invitation = await issueInvitation(tx, deps.baseUrl, {
      partnerId,
      kind: 'owner',
      email: input.ownerEmail,
      fullName: input.ownerName,
      partnerRole: 'admin',
      invitedBy: actor.userId,
      sentAt: now,
    });
    await recordAudit(tx, {
      partnerId,
      actor,
      action: 'partner.created',
      target: { type: 'partner', id: partnerId, label: input.name },
      changes: { slug: [null, input.slug], planId: [null, plan.id], ownerEmail: [null, input.ownerEmail] },
      origin: originOf(caller),
    });
    const facts = await findPartner(tx, partnerId);
    return facts ? { partner: toRecord(facts), invitation } : refuse('not_found');
  });
}

function trialEnd(plan: PlanFacts, asked: number | undefined, now: Date): Date | null {
  if (!plan.isTrial && asked === undefined) return null;
  return new Date(now.getTime() + (asked ?? plan.trialDays ?? TRIAL_DAYS) * 86_400_000);
}
