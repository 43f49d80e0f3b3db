import type { AccountScope } from '@partner-portal/contract/vocabulary.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { Place } from '#platform/db/place.ts';
import type { ExportScope } from './kinds/kind.ts';

export type ExportRecordRow = {
  id: string;
  scope: string;
  partnerId: string;
  clientId: string | null;
  partnerName: string;
  clientName: string | null;
  status: string;
  percent: number;
  requestedBy: string | null;
  requesterName: string | null;
  requesterEmail: string | null;
  sizeBytes: number | null;
  error: string | null;
  fileId: string | null;
  createdAt: Date;
  updatedAt: Date;
  finishedAt: Date | null;
  expiresAt: Date | null;
};

const COLUMNS = `e.id, e.scope, e.partner_id, e.client_id, p.name as partner_name, c.name as client_name, e.status, e.percent, e.requested_by,
  coalesce(nullif(u.full_name, ''), u.email) as requester_name, u.email as requester_email, e.size_bytes, e.error, e.file_id, e.created_at, e.updated_at, e.finished_at, e.expires_at`;
const FROM = `from account_export e join partner p on p.id = e.partner_id left join client c on c.id = e.client_id left join app_user u on u.id = e.requested_by`;

export async function findExport(tx: Tx, id: string): Promise<ExportRecordRow | undefined> {
  const [row] = await runStatement<'export_find', ExportRecordRow>(tx, {
    name: 'export_find',
    text: `select ${COLUMNS} ${FROM} where e.id = $1`,
    values: [id],
  });
  return row;
}

export type ExportFilters = { partnerId: string | null; clientId?: string | undefined; status?: string | undefined };

export async function listExports(tx: Tx, filters: ExportFilters, before: string | null, limit: number): Promise<ExportRecordRow[]> {
  return runStatement<'export_list', ExportRecordRow>(tx, {
    name: 'export_list',
    text: `select ${COLUMNS} ${FROM} where ($1::uuid is null or e.partner_id = $1) and ($2::uuid is null or e.client_id = $2)
        and ($3::text is null or e.status = $3) and ($4::uuid is null or e.id < $4)
      order by e.id desc limit $5`,
    values: [filters.partnerId, filters.clientId ?? null, filters.status ?? null, before, limit],
  });
}

export async function findExportsInScope(tx: Tx, partnerId: string | null, ids: readonly string[]): Promise<ExportRecordRow[]> {
  return runStatement<'export_find_in_scope', ExportRecordRow>(tx, {
    name: 'export_find_in_scope',
    text: `select ${COLUMNS} ${FROM} where e.id = any($2) and ($1::uuid is null or e.partner_id = $1) order by e.updated_at, e.id`,
    values: [partnerId, ids],
  });
}

/** Exports changed after a place. */
export async function listExportsAfter(tx: Tx, partnerId: string | null, after: Place, limit: number): Promise<ExportRecordRow[]> {
  return runStatement<'export_list_after', ExportRecordRow>(tx, {
    name: 'export_list_after',
    text: `select ${COLUMNS} ${FROM} where (e.updated_at, e.id) > ($2, $3::uuid) and ($1::uuid is null or e.partner_id = $1) order by e.updated_at, e.id limit $4`,
    values: [partnerId, after.time, after.id, limit],
  });
}

/** The account that an export is requested for; undefined when it does not exist for the caller. */
export async function findAccount(
  tx: Tx,
  scope: AccountScope,
  partnerId: string | null,
  clientId: string | null,
): Promise<{ partnerId: string; name: string } | undefined> {
  const [row] = await runStatement<'export_find_account', { partnerId: string; name: string }>(tx, {
    name: 'export_find_account',
    prepare: false,
    text: `select p.id as partner_id, coalesce(c.name, p.name) as name from partner p left join client c on c.partner_id = p.id and c.id = $3 and c.status <> 'deleted'
      where not p.is_house and p.status <> 'deleted' and (case $1 when 'client' then c.id is not null and ($2::uuid is null or p.id = $2) else p.id = $2 end)`,
    values: [scope, partnerId, clientId],
  });
  return row;
}

/** Whether the account was exported `max` times since then. Exports that failed do not count. */
export async function hasUsedUp(tx: Tx, of: ExportScope, since: Date, max: number): Promise<boolean> {
  const [row] = await runStatement<'export_used_up', { usedUp: boolean }>(tx, {
    name: 'export_used_up',
    prepare: false,
    text: `select count(*) >= $5 as used_up from account_export
      where partner_id = $1 and client_id is not distinct from $2 and audience = $3 and created_at > $4 and status <> 'failed'`,
    values: [of.partnerId, of.clientId, of.audience, since, max],
  });
  return row?.usedUp ?? false;
}

/** Returns the id; null when one of this account is pending or running, also when both are requested at once. */
export async function insertExport(tx: Tx, of: ExportScope, requestedBy: string, now: Date): Promise<string | null> {
  const [row] = await runStatement<'export_insert', { id: string }>(tx, {
    name: 'export_insert',
    prepare: false,
    text: `insert into account_export (partner_id, client_id, scope, audience, requested_by, created_at, due_at, updated_at)
      values ($1, $2, case when $2::uuid is null then 'partner' else 'client' end, $3, $4, $5, $5, $5)
      on conflict (partner_id, client_id, audience) where status in ('pending', 'running') do nothing returning id`,
    values: [of.partnerId, of.clientId, of.audience, requestedBy, now],
  });
  return row?.id ?? null;
}

export type ExportSubject = { accountName: string; partnerName: string; snapshotAt: Date };

/** Returns the names of an account and the time of the transaction's snapshot; undefined when the account is gone. */
export async function findSubject(
  tx: Tx,
  { partnerId, clientId }: Pick<ExportScope, 'partnerId' | 'clientId'>,
): Promise<ExportSubject | undefined> {
  const [row] = await runStatement<'export_subject', ExportSubject>(tx, {
    name: 'export_subject',
    prepare: false,
    text: `select p.name as partner_name, coalesce(c.name, p.name) as account_name, now() as snapshot_at
      from partner p left join client c on c.id = $2 and c.partner_id = p.id where p.id = $1`,
    values: [partnerId, clientId],
  });
  return row;
}
