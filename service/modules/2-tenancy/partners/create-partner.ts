import { freeSlug, slugOf } from '@partner-portal/core/tenancy/slug.ts';
import type { Database, SystemTx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import { type IssueInvitationDeps, issueInvitation } from '#modules/2-tenancy/invitations/index.ts';
import { findPartner, findPlan, insertPartner, insertTerms, listSlugsLike, type PlanFacts } from './store.ts';
import { toRecord } from './to-record.ts';

export type PartnersDeps = IssueInvitationDeps & { db: Database };
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

/** Who a workspace is for and on which terms. `overrides` is what this agency has otherwise than its plan says. */
export type WorkspaceOrder = {
  name: string;
  slug: string;
  timezone: string;
  website?: string | null;
  ownerEmail: string;
  ownerName: string;
  planId: string;
  overrides?: { monthlyCredits?: number | undefined; [term: string]: unknown };
  trialDays?: number | undefined;
  invitedBy: string;
  /** The owner's mail answers an application instead of merely inviting. */
  answersApplication?: boolean;
  now: Date;
};

/**
 * Opens a workspace in the caller's transaction: agency, subscription, meter and the owner's link stand or fall together.
 * The owner comes in as `admin`, because a workspace without one could never act (product.md §9, 2). Refuses `not_found` for a
 * plan that is not to be chosen, `already_exists` for a taken slug, `email_in_use` and `already_pending` for the address.
 */
export async function openWorkspace(tx: SystemTx, door: IssueInvitationDeps, order: WorkspaceOrder) {
  const { now, overrides = {} } = order;
  const plan = await findPlan(tx, order.planId);
  if (!plan) return refuse('not_found', { detail: 'There is no such plan to choose.' });
  const { name, slug, timezone, website = null } = order;
  const partnerId = await insertPartner(tx, { name, slug, timezone, website });
  if (!partnerId) return refuse('already_exists', { detail: `The slug "${slug}" belongs to another agency.` });
  const trialEndsAt = trialEnd(plan, order.trialDays, now);
  await insertTerms(tx, {
    partnerId,
    planId: plan.id,
    monthlyCredits: overrides.monthlyCredits ?? plan.monthlyCredits,
    trialEndsAt,
    overrides,
    start: now,
  });
  const invitation = await issueInvitation(tx, door, {
    partnerId,
    kind: 'owner',
    email: order.ownerEmail,
    fullName: order.ownerName,
    partnerRole: 'admin',
    invitedBy: order.invitedBy,
    sentAt: now,
    ...(order.answersApplication ? { welcome: { trialEndsAt } } : {}),
  });
  return { partnerId, invitation };
}

/** A slug for a company that staff have chosen none for; many companies have the same name. */
export async function suggestSlug(tx: SystemTx, companyName: string): Promise<string> {
  const wanted = slugOf(companyName);
  return freeSlug(wanted, new Set(await listSlugsLike(tx, wanted)));
}

/** Creates a workspace because staff say so, without an application. */
export async function createPartner(deps: PartnersDeps, caller: RequestContext, input: NewPartner) {
  const { actor, now } = caller;
  return deps.db.asStaff(actor, async (tx) => {
    const order = { ...input, timezone: input.timezone ?? 'UTC', invitedBy: actor.userId, now };
    const { partnerId, invitation } = await openWorkspace(tx, deps, order);
    await recordAudit(tx, {
      partnerId,
      actor,
      action: 'partner.created',
      target: { type: 'partner', id: partnerId, label: input.name },
      changes: { slug: [null, input.slug], planId: [null, input.planId], ownerEmail: [null, input.ownerEmail] },
      origin: originOf(caller),
    });
    return { partner: await readPartnerRecord(tx, partnerId), invitation };
  });
}

/** The agency as staff see it, inside a transaction. Refuses `not_found`. */
export async function readPartnerRecord(tx: SystemTx, partnerId: string) {
  const facts = await findPartner(tx, partnerId);
  return facts ? toRecord(facts) : refuse('not_found');
}

/** The end of a trial that begins now; null when these are no trial terms. `asked` and the plan's own length are days. */
export function trialEnd(plan: PlanFacts, asked: number | undefined, now: Date): Date | null {
  if (!plan.isTrial && asked === undefined) return null;
  return new Date(now.getTime() + (asked ?? plan.trialDays ?? TRIAL_DAYS) * 86_400_000);
}
