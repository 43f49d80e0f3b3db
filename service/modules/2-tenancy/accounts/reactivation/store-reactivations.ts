import type { AccountScope, ReactivationRequestStatus, Role } from '@partner-portal/contract/vocabulary.ts';
import type { AccountKey, AccountStatus } from '@partner-portal/core/account/account.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx, Tx } from '#platform/db/tx.ts';
import { LISTED, listedBy, type RequestFilters } from '../store-requests.ts';
import type { PeopleColumns } from '../store-people.ts';

export type ReactivationRow = PeopleColumns & {
  id: string;
  scope: AccountScope;
  partnerId: string;
  clientId: string | null;
  accountName: string;
  message: string;
  status: ReactivationRequestStatus;
  decisionNote: string | null;
  /** Those of the approved deletion of the account; null without one. */
  purgeAfter: Date | null;
  previousStatus: AccountStatus | null;
  createdAt: Date;
  decidedAt: Date | null;
};
/** Columns whose values are those of a check. */
type Checked = Record<'scope' | 'status' | 'previousStatus' | 'requesterRole' | 'deciderRole', never>;

const COLUMNS = `r.id, r.scope, r.partner_id, r.client_id, coalesce(c.name, p.name) as account_name, p.name as partner_name, r.message, r.status,
  r.requested_by, r.requester_role, coalesce(nullif(q.full_name, ''), q.email) as requester_name, q.email as requester_email,
  r.decided_by, r.decider_role, coalesce(nullif(d.full_name, ''), d.email) as decider_name, d.email as decider_email,
  r.decision_note, x.purge_after, x.previous_status, r.created_at, r.decided_at`;
const TABLES = `reactivation_request r join partner p on p.id = r.partner_id left join client c on c.id = r.client_id
  left join deletion_request x on x.partner_id = r.partner_id and x.client_id is not distinct from r.client_id and x.status = 'approved'
  left join app_user q on q.id = r.requested_by left join app_user d on d.id = r.decided_by`;

export type NewReactivation = AccountKey & { id: string; message: string; requestedBy: string; requesterRole: Role; at: Date };

/** Returns false when a request about this account is pending, also one that commits at the same time. */
export async function insertReactivation(tx: Tx, request: NewReactivation): Promise<boolean> {
  const rows = await runStatement<'accounts_insert_reactivation', { id: string }>(tx, {
    name: 'accounts_insert_reactivation',
    text: `insert into reactivation_request (id, partner_id, client_id, scope, message, requested_by, requester_role, created_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing returning id`,
    values: [
      request.id,
      request.partnerId,
      request.clientId,
      request.scope,
      request.message,
      request.requestedBy,
      request.requesterRole,
      request.at,
    ],
  });
  return rows.length === 1;
}

export async function findReactivation(tx: Tx, id: string): Promise<ReactivationRow | undefined> {
  const [row] = await runStatement<'accounts_find_reactivation', ReactivationRow & Checked>(tx, {
    name: 'accounts_find_reactivation',
    text: `select ${COLUMNS} from ${TABLES} where r.id = $1`,
    values: [id],
  });
  return row;
}

/** Locks the request: a second decision waits and sees the first. Taken before the locks of the deletion and of the account. */
export async function lockReactivation(tx: Tx, id: string): Promise<ReactivationRow | undefined> {
  const [row] = await runStatement<'accounts_lock_reactivation', ReactivationRow & Checked>(tx, {
    name: 'accounts_lock_reactivation',
    text: `select ${COLUMNS} from ${TABLES} where r.id = $1 for update of r`,
    values: [id],
  });
  return row;
}

export type WaitingRow = {
  id: string;
  partnerId: string;
  clientId: string | null;
  accountName: string;
  /** Whether the agency can decide: a suspended one cannot. */
  isPartnerActive: boolean;
  /** The agency’s. */
  timezone: string;
  createdAt: Date;
  purgeAfter: Date;
};

/** Returns pending reactivations whose account is removed from `until` on or before, in the order of their ids; none of which the removal began. */
export async function listWaitingReactivations(tx: SystemTx, until: Date, after: string | null, limit: number): Promise<WaitingRow[]> {
  return runStatement<'accounts_waiting_reactivations', WaitingRow & Record<'purgeAfter', never>>(tx, {
    name: 'accounts_waiting_reactivations',
    text: `select q.id, q.partner_id, q.client_id, coalesce(c.name, p.name) as account_name, p.status = 'active' as is_partner_active, p.timezone, q.created_at, x.purge_after
      from deletion_request x
        join reactivation_request q on q.partner_id = x.partner_id and q.client_id is not distinct from x.client_id and q.status = 'pending'
        join partner p on p.id = q.partner_id left join client c on c.id = q.client_id
      where x.status = 'approved' and x.purge_after <= $1 and p.status <> 'deleted' and ($2::uuid is null or q.id > $2)
        and not exists (select from purge d where d.deletion_request_id = x.id)
      order by q.id limit $3`,
    values: [until, after, limit],
  });
}

/** Newest first. */
export async function listReactivations(
  tx: Tx,
  filters: RequestFilters<ReactivationRequestStatus>,
  before: string | null,
  limit: number,
): Promise<ReactivationRow[]> {
  return runStatement<'accounts_list_reactivations', ReactivationRow & Checked>(tx, {
    name: 'accounts_list_reactivations',
    prepare: false,
    text: `select ${COLUMNS} from ${TABLES} ${LISTED}`,
    values: listedBy(filters, before, limit),
  });
}

export type ReactivationDecision = { status: 'approved' | 'rejected'; at: Date; by: string; role: Role; note: string | null };

export async function writeReactivationDecision(tx: Tx, id: string, { status, at, by, role, note }: ReactivationDecision): Promise<void> {
  await runStatement(tx, {
    name: 'accounts_decide_reactivation',
    text: `update reactivation_request set status = $2, decided_at = $3, decided_by = $4, decider_role = $5, decision_note = $6 where id = $1`,
    values: [id, status, at, by, role, note],
  });
}

/**
 * Ends the pending request of an account that was resumed or archived without it; returns its id. A request that is being decided is left to its
 * decision: the decision locks the request and waits for the account, which is locked here.
 */
export async function settlePending(
  tx: Tx,
  { partnerId, clientId }: Omit<AccountKey, 'scope'>,
  { status, at }: Pick<ReactivationDecision, 'status' | 'at'>,
): Promise<string[]> {
  const rows = await runStatement<'accounts_settle_pending', { id: string }>(tx, {
    name: 'accounts_settle_pending',
    text: `update reactivation_request set status = $4, decided_at = $3
      where id in (select id from reactivation_request
        where partner_id = $1 and client_id is not distinct from $2::uuid and status = 'pending' for update skip locked) returning id`,
    values: [partnerId, clientId, at, status],
  });
  return rows.map(({ id }) => id);
}
