import type { PlanRequestKind, PlanRequestStatus, SuspensionCause } from '@partner-portal/contract/vocabulary.ts';
import type { AccountStatus } from '@partner-portal/core/account/account.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx, TenantTx, Tx } from '#platform/db/tx.ts';

export type Desired = {
  seats?: number | undefined;
  clients?: number | undefined;
  credits?: number | undefined;
  features?: string[] | undefined;
  message?: string | undefined;
  newsletter?: boolean | undefined;
  /** What the requested plan cost a month then. */
  monthlyPriceMinor?: number | undefined;
};
export type PlanRequestRow = {
  id: string;
  kind: PlanRequestKind;
  status: PlanRequestStatus;
  partnerId: string | null;
  applicantEmail: string;
  applicantName: string;
  companyName: string;
  website: string | null;
  country: string | null;
  planId: string | null;
  planName: string | null;
  desired: Desired;
  requestedBy: string | null;
  decidedBy: string | null;
  decisionNote: string | null;
  resultPartnerId: string | null;
  createdAt: Date;
  decidedAt: Date | null;
  /** The confirmation of an application waits for staff. */
  mailWaits: boolean;
};

const COLUMNS = `r.id, r.kind, r.status, r.partner_id, r.applicant_email, r.applicant_name, r.company_name, r.website, r.country, r.plan_id, g.name as plan_name, r.desired,
  r.requested_by, r.decided_by, r.decision_note, r.result_partner_id, r.created_at, r.decided_at,
  r.partner_id is null and r.status = 'pending' and application_mail_waits(r.applicant_email) as mail_waits`;
const TABLES = 'plan_request r left join plan g on g.id = r.plan_id';

/** Returns whether the address has a user, and the requested plan if it is public and active. */
export async function findApplicant(
  tx: SystemTx,
  email: string,
  planId: string | null,
): Promise<{ isKnown: boolean; housePartnerId: string; planId: string | null }> {
  const [row] = await runStatement<'application_look', { isKnown: boolean; housePartnerId: string; planId: string | null }>(tx, {
    name: 'application_look',
    text: `select email_has_user($1) as is_known, (select id from partner where is_house) as house_partner_id,
      (select id from plan where id = $2::uuid and is_public and is_active) as plan_id`,
    values: [email, planId],
  });
  if (!row) throw new Error('The database returned no row.');
  return row;
}

export type NewPlanRequest = Pick<
  PlanRequestRow,
  | 'id'
  | 'kind'
  | 'partnerId'
  | 'applicantEmail'
  | 'applicantName'
  | 'companyName'
  | 'website'
  | 'country'
  | 'planId'
  | 'desired'
  | 'requestedBy'
>;

/**
 * Returns false when one of the same address or partner is already pending. With `when` false it stores nothing, but takes the same time.
 */
export async function insertPlanRequest(tx: Tx, request: NewPlanRequest, when = true): Promise<boolean> {
  const rows = await runStatement<'plan_requests_insert_plan_request', { id: string }>(tx, {
    name: 'plan_requests_insert_plan_request',
    prepare: false,
    text: `insert into plan_request (id, kind, partner_id, applicant_email, applicant_name, company_name, website, country, plan_id, desired, requested_by)
      select $1::uuid, $2, $3::uuid, $4, $5, $6, $7, $8, $9::uuid, $10::jsonb, $11::uuid where $12::boolean on conflict do nothing returning id`,
    values: [
      request.id,
      request.kind,
      request.partnerId,
      request.applicantEmail,
      request.applicantName,
      request.companyName,
      request.website,
      request.country,
      request.planId,
      JSON.stringify(request.desired),
      request.requestedBy,
      when,
    ],
  });
  return rows.length === 1;
}

export type Suspension = { status: AccountStatus; suspensionCause: SuspensionCause | null };

/** Returns whether an agency is suspended, and by what. */
export async function findSuspension(tx: Tx, partnerId: string): Promise<Suspension | undefined> {
  // Columns that a check of the table holds.
  const [row] = await runStatement<'plan_requests_find_suspension', Suspension & Record<keyof Suspension, never>>(tx, {
    name: 'plan_requests_find_suspension',
    text: 'select status, suspension_cause from partner where id = $1',
    values: [partnerId],
  });
  return row;
}

export type Requester = {
  partnerName: string;
  website: string | null;
  fullName: string;
  planId: string | null;
  monthlyPriceMinor: number | null;
};

/** Returns the requesting partner and user, and the requested plan with its price if it is public and active. */
export async function findRequester(tx: TenantTx, requested: { userId: string; planId: string | null }): Promise<Requester | undefined> {
  const [row] = await runStatement<'plan_requests_find_requester', Requester>(tx, {
    name: 'plan_requests_find_requester',
    prepare: false,
    text: `select p.name as partner_name, p.website, u.full_name, g.id as plan_id, g.monthly_price_minor
      from app_user u join partner p on p.id = u.partner_id left join plan g on g.id = $2::uuid and g.is_active and g.is_public where u.id = $1`,
    values: [requested.userId, requested.planId],
  });
  return row;
}

export type PlanRequestFilters = { kind?: PlanRequestKind | undefined; status?: PlanRequestStatus | undefined };

/** Returns one page, newest first; row-level security limits a partner to its own. */
export async function listPlanRequests(
  tx: Tx,
  filters: PlanRequestFilters,
  before: string | null,
  limit: number,
): Promise<PlanRequestRow[]> {
  return runStatement<'plan_requests_list_plan_requests', PlanRequestRow>(tx, {
    name: 'plan_requests_list_plan_requests',
    prepare: false,
    text: `select ${COLUMNS} from ${TABLES}
      where ($1::text is null or r.kind = $1) and ($2::text is null or r.status = $2) and ($3::uuid is null or r.id < $3) order by r.id desc limit $4`,
    values: [filters.kind ?? null, filters.status ?? null, before, limit],
  });
}

export async function findPlanRequest(tx: Tx, id: string): Promise<PlanRequestRow | undefined> {
  const [row] = await runStatement<'plan_requests_find_plan_request', PlanRequestRow>(tx, {
    name: 'plan_requests_find_plan_request',
    prepare: false,
    text: `select ${COLUMNS} from ${TABLES} where r.id = $1`,
    values: [id],
  });
  return row;
}

/** Locks the request, so that a second decision waits and sees the first. */
export async function lockPlanRequest(tx: Tx, id: string): Promise<PlanRequestRow | undefined> {
  const [row] = await runStatement<'plan_requests_lock_plan_request', PlanRequestRow>(tx, {
    name: 'plan_requests_lock_plan_request',
    prepare: false,
    text: `select ${COLUMNS} from ${TABLES} where r.id = $1 for update of r`,
    values: [id],
  });
  return row;
}

export type Decision = {
  status: 'approved' | 'rejected' | 'cancelled';
  at: Date;
  decidedBy: string | null;
  note: string | null;
  planId?: string | null;
  resultPartnerId?: string | null;
};

export async function writeDecision(tx: Tx, id: string, decision: Decision): Promise<void> {
  await runStatement(tx, {
    name: 'plan_requests_write_decision',
    prepare: false,
    text: `update plan_request set status = $2, decided_at = $3, decided_by = $4, decision_note = $5, plan_id = coalesce($6, plan_id), result_partner_id = $7
      where id = $1`,
    values: [
      id,
      decision.status,
      decision.at,
      decision.decidedBy,
      decision.note,
      decision.planId ?? null,
      decision.resultPartnerId ?? null,
    ],
  });
}
