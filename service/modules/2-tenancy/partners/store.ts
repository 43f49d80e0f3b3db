import type { SuspensionCause } from '@partner-portal/contract/vocabulary.ts';
import { periodBoundary } from '@partner-portal/core/billing/period.ts';
import { changedColumns } from '#platform/db/changed-columns.ts';
import { containing } from '#platform/db/like.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx, TenantTx, Tx } from '#platform/db/tx.ts';

/** The columns of a partner that the partner itself reads. */
export type OwnFacts = {
  id: string;
  name: string;
  slug: string;
  status: string;
  automationProvider: string | null;
  logoUrl: string | null;
  logoMediaId: string | null;
  brandColor: string | null;
  supportEmail: string | null;
  website: string | null;
  timezone: string;
  planId: string | null;
  trialEndsAt: Date | null;
  suspendedAt: Date | null;
  suspensionReason: string | null;
  clients: number;
  agents: number;
  seatsUsed: number;
  createdAt: Date;
  updatedAt: Date;
};

/** Additional columns that staff read. */
export type PartnerFacts = OwnFacts & {
  internalNotes: string | null;
  planName: string | null;
  automationStatus: string;
  runs7d: number;
  failures7d: number;
  usagePercent: number;
  ssoEnforced: boolean;
};

const OWN = `p.id, p.name, p.slug, p.status, p.automation_provider, p.logo_url, p.logo_media_id, p.brand_color, p.support_email, p.website, p.timezone, s.plan_id, s.trial_ends_at,
  p.suspended_at, p.suspension_reason, p.created_at, p.updated_at,
  (select count(*)::int from client c where c.partner_id = p.id and c.status in ('active', 'suspended')) as clients,
  (select count(*)::int from workflow w where w.partner_id = p.id) as agents,
  (select z.members + z.pending_invites from seats_of(p.id, now()) z) as seats_used`;
/** The seven days of the staff overview: today, in UTC, and the six before. */
const WEEK_FROM = `date_trunc('day', now(), 'UTC') - interval '6 days'`;
const STAFF = `${OWN}, p.internal_notes, g.name as plan_name, coalesce(a.status, 'unprovisioned') as automation_status, coalesce(h.runs, 0)::int as runs_7d,
  coalesce(h.failed, 0)::int as failures_7d, coalesce(trunc(q.used * 100.0 / nullif(q.monthly_credits + q.purchased_credits, 0), 1), 0)::float8 as usage_percent,
  exists (select from sso_connection x where x.partner_id = p.id and x.enforced) as sso_enforced`;
const STAFF_TABLES = `partner p left join subscription s on s.partner_id = p.id left join plan g on g.id = s.plan_id left join automation_instance a on a.partner_id = p.id
  left join partner_quota q on q.partner_id = p.id
  left join lateral (select sum(x.succeeded + x.failed) as runs, sum(x.failed) as failed from usage_of(p.id, ${WEEK_FROM}, 'infinity') x
    where x.counter = 'ended_runs') h on true`;

/** Returns the partner as its own team sees it. */
export async function findOwnPartner(tx: TenantTx, id: string): Promise<OwnFacts | undefined> {
  const [row] = await runStatement<'partner_own', OwnFacts>(tx, {
    name: 'partner_own',
    text: `select ${OWN} from partner p left join subscription s on s.partner_id = p.id where p.id = $1`,
    values: [id],
  });
  return row;
}

/** Returns the partner as staff see it; never the house partner. */
export async function findPartner(tx: SystemTx, id: string): Promise<PartnerFacts | undefined> {
  const [row] = await runStatement<'partner_by_staff', PartnerFacts>(tx, {
    name: 'partner_by_staff',
    text: `select ${STAFF} from ${STAFF_TABLES} where p.id = $1 and not p.is_house`,
    values: [id],
  });
  return row;
}

export type PartnerFilters = {
  q?: string | undefined;
  status?: string | undefined;
  planId?: string | undefined;
  automationStatus?: string | undefined;
};

/** Newest first. Deleted partners are listed only when filtered for. */
export async function listPartners(
  tx: SystemTx,
  filters: PartnerFilters,
  page: { after: string | null; limit: number },
): Promise<PartnerFacts[]> {
  return runStatement<'partners_list_partners', PartnerFacts>(tx, {
    name: 'partners_list_partners',
    prepare: false,
    text: `select ${STAFF} from ${STAFF_TABLES}
      where not p.is_house and ($1::text is null or p.name ilike $1 or p.slug ilike $1) and p.status = any(case when $2::text is null then array['active', 'suspended'] else array[$2] end)
        and ($3::uuid is null or s.plan_id = $3) and ($4::text is null or coalesce(a.status, 'unprovisioned') = $4) and ($5::uuid is null or p.id < $5)
      order by p.id desc limit $6`,
    values: [
      filters.q?.trim() ? containing(filters.q.trim()) : null,
      filters.status ?? null,
      filters.planId ?? null,
      filters.automationStatus ?? null,
      page.after,
      page.limit + 1,
    ],
  });
}

export type PlanFacts = { id: string; isTrial: boolean; trialDays: number | null; monthlyCredits: number };

export async function findPlan(tx: SystemTx, id: string): Promise<PlanFacts | undefined> {
  const [row] = await runStatement<'partners_find_plan', PlanFacts>(tx, {
    name: 'partners_find_plan',
    prepare: false,
    text: 'select id, is_trial, trial_days, monthly_credits from plan where id = $1 and is_active',
    values: [id],
  });
  return row;
}

/** Returns undefined when the slug is taken. */
export async function insertPartner(
  tx: SystemTx,
  partner: { name: string; slug: string; timezone: string; website: string | null },
): Promise<string | undefined> {
  const [row] = await runStatement<'partners_insert_partner', { id: string }>(tx, {
    name: 'partners_insert_partner',
    prepare: false,
    text: 'insert into partner (name, slug, timezone, website) values ($1, $2, $3, $4) on conflict (slug) do nothing returning id',
    values: [partner.name, partner.slug, partner.timezone, partner.website],
  });
  return row?.id;
}

/** Creates subscription and quota, with a first period of one month. */
export async function insertTerms(
  tx: SystemTx,
  terms: { partnerId: string; planId: string; monthlyCredits: number; trialEndsAt: Date | null; overrides: object; start: Date },
): Promise<void> {
  const { partnerId, planId, monthlyCredits, trialEndsAt, overrides, start } = terms;
  const status = trialEndsAt ? 'trialing' : 'active';
  const end = periodBoundary(start, 1);
  await Promise.all([
    runStatement(tx, {
      name: 'partners_insert_subscription',
      prepare: false,
      text: `insert into subscription (partner_id, plan_id, status, current_period_start, current_period_end, period_anchor, currency, trial_ends_at, overrides)
        select $1, p.id, $3, $4, $5, $4, p.currency, $6, $7::jsonb from plan p where p.id = $2`,
      values: [partnerId, planId, status, start, end, trialEndsAt, JSON.stringify(overrides)],
    }),
    runStatement(tx, {
      name: 'partners_insert_quota',
      prepare: false,
      text: 'insert into partner_quota (partner_id, period_start, period_end, period_anchor, monthly_credits) values ($1, $2, $3, $2, $4)',
      values: [partnerId, start, end, monthlyCredits],
    }),
  ]);
}

export type PartnerChange = {
  logoMediaId?: string | null | undefined;
  name?: string | undefined;
  slug?: string | undefined;
  automationProvider?: string | null | undefined;
  supportEmail?: string | null | undefined;
  internalNotes?: string | null | undefined;
  brandColor?: string | null | undefined;
  website?: string | null | undefined;
  timezone?: string | undefined;
};

export type LockedPartner = Required<{ [Field in keyof PartnerChange]: Exclude<PartnerChange[Field], undefined> }> & {
  id: string;
  status: string;
  suspensionCause: string | null;
  updatedAt: Date;
  /** Its verified connection to an identity provider, which knows the portal by the slug. */
  hasProvider: boolean;
};

export async function lockPartner(tx: Tx, id: string): Promise<LockedPartner | undefined> {
  const [row] = await runStatement<'partners_lock_partner', LockedPartner>(tx, {
    name: 'partners_lock_partner',
    prepare: false,
    text: `select id, name, slug, status, suspension_cause, automation_provider, support_email, internal_notes, brand_color, website, timezone, logo_media_id, updated_at,
        exists (select from sso_connection s where s.partner_id = partner.id and s.status = 'verified') as has_provider
      from partner where id = $1 and not is_house for no key update`,
    values: [id],
  });
  return row;
}

/** Returns slugs with the same beginning, allowing for a numeric suffix within forty characters. */
export async function listSlugsLike(tx: SystemTx, slug: string): Promise<string[]> {
  const rows = await runStatement<'partners_list_slugs_like', { slug: string }>(tx, {
    name: 'partners_list_slugs_like',
    prepare: false,
    text: 'select slug from partner where slug like $1',
    values: [`${slug.slice(0, 35)}%`],
  });
  return rows.map((row) => row.slug);
}

/** Returns false when the slug is taken; the transaction is then aborted. */
export async function updatePartner(
  tx: Tx,
  id: string,
  change: { readonly [Field in keyof PartnerChange | 'logoUrl']?: unknown },
): Promise<boolean> {
  try {
    await runStatement(tx, {
      name: 'partners_update_partner',
      prepare: false,
      text: `update partner p set (name, slug, automation_provider, support_email, internal_notes, brand_color, website, timezone, logo_media_id, logo_url)
        = (select n.name, n.slug, n.automation_provider, n.support_email, n.internal_notes, n.brand_color, n.website, n.timezone, n.logo_media_id, n.logo_url
          from jsonb_populate_record(p, $2::jsonb) n) where p.id = $1`,
      values: [id, changedColumns(change)],
    });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === '23505') return false;
    throw error;
  }
}

export async function markSuspended(
  tx: SystemTx,
  id: string,
  suspension: { reason: string; cause: SuspensionCause; at: Date },
): Promise<void> {
  await runStatement(tx, {
    name: 'partners_mark_suspended',
    prepare: false,
    text: `update partner set status = 'suspended', suspended_at = $2, suspension_reason = $3, suspension_cause = $4 where id = $1`,
    values: [id, suspension.at, suspension.reason, suspension.cause],
  });
}

/** Lifts a suspension. */
export async function markActive(tx: SystemTx, id: string): Promise<void> {
  await runStatement(tx, {
    name: 'partners_mark_active',
    prepare: false,
    text: `update partner set status = 'active', suspended_at = null, suspension_reason = null, suspension_cause = null where id = $1`,
    values: [id],
  });
}

/** Returns partners whose trial has ended, oldest first. */
export async function listEndedTrials(tx: SystemTx, now: Date, limit: number): Promise<string[]> {
  const rows = await runStatement<'trials_ended', { partnerId: string }>(tx, {
    name: 'trials_ended',
    text: `select partner_id from subscription where status = 'trialing' and trial_ends_at <= $1 order by trial_ends_at limit $2`,
    values: [now, limit],
  });
  return rows.map((row) => row.partnerId);
}

/** Ends one trial; false when it was ended or extended meanwhile. */
export async function endTrial(tx: SystemTx, partnerId: string, now: Date): Promise<boolean> {
  const rows = await runStatement<'partners_end_trial', { id: string }>(tx, {
    name: 'partners_end_trial',
    prepare: false,
    text: `update subscription set status = 'expired' where partner_id = $1 and status = 'trialing' and trial_ends_at <= $2 returning id`,
    values: [partnerId, now],
  });
  return rows.length === 1;
}
