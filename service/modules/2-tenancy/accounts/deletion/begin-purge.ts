import { type AccountKey, isPurgeDue } from '@partner-portal/core/account/account.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import { lockAccount } from '../account.ts';
import { lockDeletion } from './store-deletions.ts';

export type BegunPurge = AccountKey & { requestId: string };

/** Returns approved requests whose time has come and whose purge has not begun, the longest due first. */
export async function listDueDeletions(tx: SystemTx, now: Date, limit: number): Promise<string[]> {
  const rows = await runStatement<'accounts_due_deletions', { id: string }>(tx, {
    name: 'accounts_due_deletions',
    text: `select r.id from deletion_request r where r.status = 'approved' and r.purge_after <= $1
        and not exists (select from purge x where x.deletion_request_id = r.id)
      order by r.purge_after limit $2`,
    values: [now, limit],
  });
  return rows.map(({ id }) => id);
}

/**
 * Marks the purge of a request as begun: from this commit on a reactivation is refused. Undefined when it is not due, was cancelled by a
 * reactivation, or has begun already. Request and account are locked in the order of a reactivation, so only one of both wins.
 */
export async function beginPurge(tx: SystemTx, requestId: string, now: Date): Promise<BegunPurge | undefined> {
  const request = await lockDeletion(tx, requestId);
  if (request?.status !== 'approved') return undefined;
  const account = await lockAccount(tx, request);
  if (!isPurgeDue(request, account, now)) return undefined;
  const { scope, partnerId, clientId } = request;
  const rows = await runStatement<'accounts_begin_purge', { id: string }>(tx, {
    name: 'accounts_begin_purge',
    text: `insert into purge (deletion_request_id, partner_id, client_id, started_at) values ($1, $2, $3, $4)
      on conflict do nothing returning deletion_request_id as id`,
    values: [requestId, partnerId, clientId, now],
  });
  return rows.length === 1 ? { requestId, scope, partnerId, clientId } : undefined;
}

/** Ends a request whose account is purged. Names and reason go with the account; what stays says only that and when it happened. */
export async function completeDeletion(tx: SystemTx, requestId: string, now: Date): Promise<void> {
  await runStatement(tx, {
    name: 'accounts_complete_deletion',
    text: `update deletion_request set status = 'completed', completed_at = $2, account_name = '', reason = '', decision_note = null,
        requested_by = null, decided_by = null where id = $1 and status = 'approved'`,
    values: [requestId, now],
  });
}
