import { freeSlug, slugOf } from '@partner-portal/core/tenancy/slug.ts';
import type { Database, SystemTx } from '#platform/db/tx.ts';
import { recordFact } from '#platform/facts.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import { refuseBusinessName, refusePersonName } from '#modules/2-tenancy/identity/index.ts';
import { type IssueInvitationDeps, issueInvitation } from '#modules/2-tenancy/invitations/index.ts';
import { reviewNames } from '#modules/2-tenancy/name-reviews/index.ts';
import { workspaceOpened } from './facts.ts';
import { findPartner, findPlan, insertPartner, insertTerms, listSlugsLike, type PlanFacts } from './store.ts';
import { toRecord } from './to-record.ts';

export type PartnersDeps = IssueInvitationDeps & { db: Database };
type NewPartner = {
  name: string;
  slug: string;
  ownerEmail: string;
  ownerName: string;
  planId: string;
  overrides?: WorkspaceOrder['overrides'] | undefined;
  trialDays?: number | undefined;
  timezone?: string | undefined;
};

const TRIAL_DAYS = 14;

/** A workspace to create. `overrides` replace terms of the plan. */
export type WorkspaceOrder = {
  name: string;
  slug: string;
  timezone: string;
  website?: string | null;
  ownerEmail: string;
  ownerName: string;
  planId: string;
  overrides?: { monthlyCredits?: number | undefined; [term: string]: unknown } | undefined;
  trialDays?: number | undefined;
  invitedBy: string;
  /** The owner's mail approves an application instead of inviting. */
  answersApplication?: boolean;
  now: Date;
};

/**
 * Creates a workspace in the caller's transaction: partner, subscription, quota and owner invitation. The owner becomes `admin`, because a
 * workspace without one could never act. Refuses `not_found` for an unavailable plan, `already_exists` for a taken slug, `email_in_use` and
 * `already_pending` for the address.
 */
export async function openWorkspace(tx: SystemTx, deps: IssueInvitationDeps, order: WorkspaceOrder) {
  const { now, overrides = {} } = order;
  const plan = await findPlan(tx, order.planId);
  if (!plan) return refuse('not_found', { detail: 'No such plan is available.' });
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
  // Staff saw the name; the row keeps who approved it.
  await reviewNames(tx, partnerId, [{ clientId: null, before: null, name }], { role: 'ADMIN', userId: order.invitedBy });
  const invitation = await issueInvitation(tx, deps, {
    partnerId,
    kind: 'owner',
    email: order.ownerEmail,
    fullName: order.ownerName,
    partnerRole: 'admin',
    invitedBy: order.invitedBy,
    sentAt: now,
    ...(order.answersApplication ? { welcome: { trialEndsAt } } : {}),
  });
  await recordFact(tx, workspaceOpened, { partnerId, at: now });
  return { partnerId, invitation };
}

/** Returns an unused slug derived from a company name. */
export async function suggestSlug(tx: SystemTx, companyName: string): Promise<string> {
  const wanted = slugOf(companyName);
  return freeSlug(wanted, new Set(await listSlugsLike(tx, wanted)));
}

/** Creates a workspace as staff, without an application. */
export async function createPartner(deps: PartnersDeps, caller: RequestContext, input: NewPartner) {
  const { actor, now } = caller;
  refuseBusinessName('name', input.name);
  refusePersonName('ownerName', input.ownerName);
  return deps.db.asStaff(actor, async (tx) => {
    const order = { ...input, timezone: input.timezone ?? 'UTC', invitedBy: actor.userId, now };
    const { partnerId, invitation } = await openWorkspace(tx, deps, order);
    await recordAudit(tx, {
      partnerId,
      actor,
      action: 'partner.created',
      target: { type: 'partner', id: partnerId, label: input.name },
      changes: {
        slug: [null, input.slug],
        planId: [null, input.planId],
        ownerEmail: [null, input.ownerEmail],
        ...(input.overrides ? { overrides: [null, input.overrides] } : {}),
      },
      origin: originOf(caller),
    });
    return { partner: await readPartnerRecord(tx, partnerId), invitation };
  });
}

/** Returns the staff's record of a partner. Refuses `not_found`. */
export async function readPartnerRecord(tx: SystemTx, partnerId: string) {
  const facts = await findPartner(tx, partnerId);
  return facts ? toRecord(facts) : refuse('not_found');
}

/** Returns the end of a trial that starts now; null without a trial. Lengths are in days. */
export function trialEnd(plan: PlanFacts, days: number | undefined, now: Date): Date | null {
  if (!plan.isTrial && days === undefined) return null;
  return new Date(now.getTime() + (days ?? plan.trialDays ?? TRIAL_DAYS) * 86_400_000);
}
