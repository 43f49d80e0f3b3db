import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx } from '#platform/db/tx.ts';

/** An export that one attempt holds until its lease ends. */
export type ClaimedExport = {
  id: string;
  partnerId: string;
  clientId: string | null;
  audience: 'agency' | 'client';
  tries: number;
  claim: string;
};

/** After this many attempts an export fails. */
export const TRIES_MAX = 3;

/**
 * Claims the next export that is due: never begun, or interrupted. An export whose last attempt was interrupted too is left to the sweep. The agency whose last export began longest ago is first, so that an agency with
 * many clients does not hold up the others.
 */
export async function claimExport(tx: SystemTx, claim: string, now: Date, leaseUntil: Date): Promise<ClaimedExport | undefined> {
  const [row] = await runStatement<'export_claim', ClaimedExport>(tx, {
    name: 'export_claim',
    prepare: false,
    text: `with next as (
        select e.id from account_export e
        where (e.status = 'pending' and e.due_at <= $2) or (e.status = 'running' and e.lease_until <= $2 and e.tries < $4)
        order by (select max(o.started_at) from account_export o where o.partner_id = e.partner_id) nulls first, e.created_at, e.id
        limit 1 for no key update of e skip locked)
      update account_export e set status = 'running', claimed_by = $1::uuid, lease_until = $3, started_at = $2, tries = e.tries + 1, updated_at = $2
      from next where e.id = next.id
      returning e.id, e.partner_id, e.client_id, e.audience, e.tries, $1::uuid::text as claim`,
    values: [claim, now, leaseUntil, TRIES_MAX],
  });
  return row;
}

/** Whether an export waits for an attempt now. */
export async function isExportDue(tx: SystemTx, now: Date): Promise<boolean> {
  const rows = await runStatement(tx, {
    name: 'export_is_due',
    prepare: false,
    text: `select 1 as due from account_export where (status = 'pending' and due_at <= $1) or (status = 'running' and lease_until <= $1 and tries < $2) limit 1`,
    values: [now, TRIES_MAX],
  });
  return rows.length > 0;
}

/** Extends the lease and records how far it is. False when the export is no longer held. */
export async function keepExport(
  tx: SystemTx,
  { id, claim }: Pick<ClaimedExport, 'id' | 'claim'>,
  at: { percent: number; now: Date; leaseUntil: Date },
): Promise<boolean> {
  const rows = await runStatement(tx, {
    name: 'export_keep',
    text: `update account_export set percent = greatest(percent, $3), lease_until = $5, updated_at = $4
      where id = $1 and claimed_by = $2 and status = 'running' returning id`,
    values: [id, claim, at.percent, at.now, at.leaseUntil],
  });
  return rows.length > 0;
}

export type ReadyExport = {
  accountName: string;
  requestedBy: string | null;
  requesterRole: string | null;
  /** The agency’s. */
  timezone: string;
};

/** Makes the file the result. Undefined when the export is no longer held: its file must go. */
export async function completeExport(
  tx: SystemTx,
  { id, claim }: Pick<ClaimedExport, 'id' | 'claim'>,
  file: { id: string; sizeBytes: number },
  now: Date,
  expiresAt: Date,
): Promise<ReadyExport | undefined> {
  const [row] = await runStatement<'export_complete', ReadyExport>(tx, {
    name: 'export_complete',
    prepare: false,
    text: `with done as (
        update account_export set status = 'ready', percent = 100, claimed_by = null, lease_until = null, error = null, file_id = $3, size_bytes = $4,
          finished_at = $5, updated_at = $5, expires_at = $6
        where id = $1 and claimed_by = $2 and status = 'running' returning partner_id, client_id, requested_by)
      select coalesce(c.name, p.name) as account_name, u.id as requested_by, u.role as requester_role, p.timezone
      from done d join partner p on p.id = d.partner_id left join client c on c.id = d.client_id left join app_user u on u.id = d.requested_by`,
    values: [id, claim, file.id, file.sizeBytes, now, expiresAt],
  });
  return row;
}

/** Lets another attempt begin at `dueAt`. `interrupted`: this one does not count. */
export async function returnExport(
  tx: SystemTx,
  { id, claim }: Pick<ClaimedExport, 'id' | 'claim'>,
  at: { now: Date; dueAt: Date; interrupted: boolean },
): Promise<boolean> {
  const rows = await runStatement(tx, {
    name: 'export_return',
    prepare: false,
    text: `update account_export set status = 'pending', percent = 0, claimed_by = null, lease_until = null, due_at = $4, updated_at = $3,
        tries = tries - case when $5::boolean then 1 else 0 end
      where id = $1 and claimed_by = $2 and status = 'running' returning id`,
    values: [id, claim, at.now, at.dueAt, at.interrupted],
  });
  return rows.length > 0;
}

export async function failExport(
  tx: SystemTx,
  { id, claim }: Pick<ClaimedExport, 'id' | 'claim'>,
  error: string,
  now: Date,
): Promise<boolean> {
  const rows = await runStatement(tx, {
    name: 'export_fail',
    prepare: false,
    text: `update account_export set status = 'failed', claimed_by = null, lease_until = null, error = $3, finished_at = $4, updated_at = $4
      where id = $1 and claimed_by = $2 and status = 'running' returning id`,
    values: [id, claim, error, now],
  });
  return rows.length > 0;
}

/** Fails exports whose process ended at each attempt: another one might end with them. */
export async function failInterrupted(tx: SystemTx, error: string, now: Date): Promise<{ id: string; partnerId: string }[]> {
  return runStatement<'export_fail_interrupted', { id: string; partnerId: string }>(tx, {
    name: 'export_fail_interrupted',
    prepare: false,
    text: `update account_export set status = 'failed', claimed_by = null, lease_until = null, error = $1, finished_at = $2, updated_at = $2
      where status = 'running' and lease_until <= $2 and tries >= $3 returning id, partner_id`,
    values: [error, now, TRIES_MAX],
  });
}

/** Whether an export has this file as its result. */
export async function isResult(tx: SystemTx, fileId: string): Promise<boolean> {
  const rows = await runStatement(tx, {
    name: 'export_is_result',
    text: 'select 1 as found from account_export where file_id = $1',
    values: [fileId],
  });
  return rows.length > 0;
}

export type ExpiredExport = { id: string; partnerId: string; fileId: string | null };

/** Expires exports whose days are over, at most `limit`. Their files have to be removed in the same transaction. */
export async function expireExports(tx: SystemTx, now: Date, limit: number): Promise<ExpiredExport[]> {
  return runStatement<'export_expire', ExpiredExport>(tx, {
    name: 'export_expire',
    prepare: false,
    text: `with due as (
        select id, file_id from account_export where status = 'ready' and expires_at <= $1 order by expires_at limit $2 for no key update skip locked)
      update account_export e set status = 'expired', file_id = null, updated_at = $1 from due where e.id = due.id
      returning e.id, e.partner_id, due.file_id`,
    values: [now, limit],
  });
}
