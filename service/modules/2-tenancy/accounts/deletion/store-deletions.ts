import type { AccountScope, DeletionRequestStatus, Role } from '@partner-portal/contract/vocabulary.ts';
import type { AccountKey, AccountStatus } from '@partner-portal/core/account/account.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { Tx } from '#platform/db/tx.ts';
import { LISTED, listedBy, type RequestFilters } from '../store-requests.ts';
import type { PeopleColumns } from '../store-people.ts';

export type DeletionRow = PeopleColumns & {
  id: string;
  scope: AccountScope;
  partnerId: string;
  clientId: string | null;
  accountName: string;
  reason: string;
  status: DeletionRequestStatus;
  previousStatus: AccountStatus | null;
  decisionNote: string | null;
  purgeAfter: Date | null;
  createdAt: Date;
  decidedAt: Date | null;
  completedAt: Date | null;
};
/** Columns whose values are those of a check. */
type Checked = Record<'scope' | 'status' | 'previousStatus' | 'requesterRole' | 'deciderRole', never>;

const COLUMNS = `r.id, r.scope, r.partner_id, r.client_id, r.account_name, p.name as partner_name, r.reason, r.status, r.previous_status,
  r.requested_by, r.requester_role, coalesce(nullif(q.full_name, ''), q.email) as requester_name, q.email as requester_email,
  r.decided_by, r.decider_role, coalesce(nullif(d.full_name, ''), d.email) as decider_name, d.email as decider_email,
  r.decision_note, r.purge_after, r.created_at, r.decided_at, r.completed_at`;
const TABLES = `deletion_request r join partner p on p.id = r.partner_id
  left join app_user q on q.id = r.requested_by left join app_user d on d.id = r.decided_by`;

export type NewDeletion = AccountKey & {
  id: string;
  accountName: string;
  reason: string;
  requestedBy: string;
  requesterRole: Role;
  at: Date;
};

/** Returns false when a request about this account is pending or approved, also one that commits at the same time. */
export async function insertDeletion(tx: Tx, request: NewDeletion): Promise<boolean> {
  const rows = await runStatement<'accounts_insert_deletion', { id: string }>(tx, {
    name: 'accounts_insert_deletion',
    text: `insert into deletion_request (id, partner_id, client_id, scope, account_name, reason, requested_by, requester_role, created_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing returning id`,
    values: [
      request.id,
      request.partnerId,
      request.clientId,
      request.scope,
      request.accountName,
      request.reason,
      request.requestedBy,
      request.requesterRole,
      request.at,
    ],
  });
  return rows.length === 1;
}

export async function findDeletion(tx: Tx, id: string): Promise<DeletionRow | undefined> {
  const [row] = await runStatement<'accounts_find_deletion', DeletionRow & Checked>(tx, {
    name: 'accounts_find_deletion',
    text: `select ${COLUMNS} from ${TABLES} where r.id = $1`,
    values: [id],
  });
  return row;
}

/** Locks the request: a second decision waits and sees the first. Taken before the lock of its account. */
export async function lockDeletion(tx: Tx, id: string): Promise<DeletionRow | undefined> {
  const [row] = await runStatement<'accounts_lock_deletion', DeletionRow & Checked>(tx, {
    name: 'accounts_lock_deletion',
    text: `select ${COLUMNS} from ${TABLES} where r.id = $1 for update of r`,
    values: [id],
  });
  return row;
}

/** Locks the request of this account that is pending or approved, if there is one. */
export async function lockOpenDeletion(tx: Tx, { partnerId, clientId }: AccountKey): Promise<DeletionRow | undefined> {
  const [row] = await runStatement<'accounts_lock_open_deletion', DeletionRow & Checked>(tx, {
    name: 'accounts_lock_open_deletion',
    text: `select ${COLUMNS} from ${TABLES}
      where r.partner_id = $1 and r.client_id is not distinct from $2::uuid and r.status in ('pending', 'approved') for update of r`,
    values: [partnerId, clientId],
  });
  return row;
}

/** Newest first. */
export async function listDeletions(
  tx: Tx,
  filters: RequestFilters<DeletionRequestStatus>,
  before: string | null,
  limit: number,
): Promise<DeletionRow[]> {
  return runStatement<'accounts_list_deletions', DeletionRow & Checked>(tx, {
    name: 'accounts_list_deletions',
    prepare: false,
    text: `select ${COLUMNS} from ${TABLES} ${LISTED}`,
    values: listedBy(filters, before, limit),
  });
}

export type DeletionDecision = {
  status: 'approved' | 'rejected' | 'cancelled';
  at: Date;
  by: string | null;
  role: Role | null;
  note: string | null;
  purgeAfter?: Date;
  previousStatus?: AccountStatus;
};

export async function writeDeletionDecision(tx: Tx, id: string, decision: DeletionDecision): Promise<void> {
  const { status, at, by, role, note, purgeAfter = null, previousStatus = null } = decision;
  await runStatement(tx, {
    name: 'accounts_decide_deletion',
    text: `update deletion_request set status = $2, decided_at = $3, decided_by = $4, decider_role = $5, decision_note = $6,
        purge_after = coalesce($7, purge_after), previous_status = coalesce($8, previous_status) where id = $1`,
    values: [id, status, at, by, role, note, purgeAfter, previousStatus],
  });
}

/** Ends an approved request whose account is reactivated; who approved the deletion stays on record. */
export async function cancelApproved(tx: Tx, id: string): Promise<void> {
  await runStatement(tx, {
    name: 'accounts_cancel_approved',
    text: `update deletion_request set status = 'cancelled' where id = $1 and status = 'approved'`,
    values: [id],
  });
}

/** Returns whether the purge of this request has begun. Read it with the request locked. */
export async function hasPurgeBegun(tx: Tx, requestId: string): Promise<boolean> {
  const [row] = await runStatement<'accounts_purge_begun', { begun: boolean }>(tx, {
    name: 'accounts_purge_begun',
    text: 'select exists (select from purge where deletion_request_id = $1) as begun',
    values: [requestId],
  });
  return row?.begun ?? false;
}

/**
 * Returns approved requests whose time has come and whose purge has not begun, the longest due first; without those whose account waits for the decision
 * about a reactivation.
 */
export async function listDueDeletions(tx: Tx, now: Date, limit: number): Promise<string[]> {
  const rows = await runStatement<'accounts_due_deletions', { id: string }>(tx, {
    name: 'accounts_due_deletions',
    text: `select r.id from deletion_request r where r.status = 'approved' and r.purge_after <= $1
        and not exists (select from purge x where x.deletion_request_id = r.id)
        and not exists (select from reactivation_request q
          where q.partner_id = r.partner_id and q.client_id is not distinct from r.client_id and q.status = 'pending')
      order by r.purge_after limit $2`,
    values: [now, limit],
  });
  return rows.map(({ id }) => id);
}

/** Returns whether a reactivation of this account waits for its decision. Read it with the account locked. */
export async function hasPendingReactivation(tx: Tx, { partnerId, clientId }: Omit<AccountKey, 'scope'>): Promise<boolean> {
  const [row] = await runStatement<'accounts_reactivation_pending', { pending: boolean }>(tx, {
    name: 'accounts_reactivation_pending',
    text: `select exists (select from reactivation_request
      where partner_id = $1 and client_id is not distinct from $2::uuid and status = 'pending') as pending`,
    values: [partnerId, clientId],
  });
  return row?.pending ?? false;
}

/** Stores that the purge of a request has begun; false when it had begun before. */
export async function insertPurge(
  tx: Tx,
  { requestId, partnerId, clientId }: { requestId: string; partnerId: string; clientId: string | null },
  now: Date,
): Promise<boolean> {
  const rows = await runStatement<'accounts_begin_purge', { id: string }>(tx, {
    name: 'accounts_begin_purge',
    text: `insert into purge (deletion_request_id, partner_id, client_id, started_at) values ($1, $2, $3, $4)
      on conflict do nothing returning deletion_request_id as id`,
    values: [requestId, partnerId, clientId, now],
  });
  return rows.length === 1;
}

/** Ends a request whose account is purged. Names and reason go with the account; what stays says only that and when it happened. */
export async function completeDeletion(tx: Tx, requestId: string, now: Date): Promise<void> {
  await runStatement(tx, {
    name: 'accounts_complete_deletion',
    text: `update deletion_request set status = 'completed', completed_at = $2, account_name = '', reason = '', decision_note = null,
        requested_by = null, decided_by = null where id = $1 and status = 'approved'`,
    values: [requestId, now],
  });
}
