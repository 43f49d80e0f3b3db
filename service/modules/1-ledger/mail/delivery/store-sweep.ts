import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import { DATA_KEY, type DataKeyRow } from '#schema/data-key-columns.ts';

/** Returns mail due before `before`: its job was lost, or the process that claimed it died. */
export async function listOverdue(tx: SystemTx, before: Date, limit: number): Promise<string[]> {
  const rows = await runStatement<'mail_list_overdue', { id: string }>(tx, {
    name: 'mail_list_overdue',
    prepare: false,
    text: 'select id from mail where due_at <= $1 order by due_at limit $2',
    values: [before, limit],
  });
  return rows.map((row) => row.id);
}

/** Erases expired bodies; mail that was still queued or held fails. */
export async function eraseBodies(tx: SystemTx, now: Date, limit: number): Promise<{ invitationId: string | null; wasQueued: boolean }[]> {
  return runStatement<'mail_erase_bodies', { invitationId: string | null; wasQueued: boolean }>(tx, {
    name: 'mail_erase_bodies',
    prepare: false,
    text: `with old as (
        select id, status in ('queued', 'held') as was_queued from mail
        where body_sealed is not null and body_until <= $1 and (status <> 'queued' or sending_since is null)
        limit $2 for update skip locked
      )
      update mail m set body_sealed = null, body_key_id = null, due_at = null, status = case when old.was_queued then 'failed' else m.status end,
        last_error = case when old.was_queued then 'expired' else m.last_error end
      from old where m.id = old.id returning m.invitation_id, old.was_queued`,
    values: [now, limit],
  });
}

/** Deletes rows past their retention. Returns how many. */
export async function deleteOld(tx: SystemTx, before: Date, limit: number): Promise<number> {
  const rows = await runStatement(tx, {
    name: 'mail_delete_old',
    prepare: false,
    text: `delete from mail where id in (select id from mail where id < uuid_floor($1) and status not in ('queued', 'held') limit $2 for update skip locked) returning id`,
    values: [before, limit],
  });
  return rows.length;
}

/** Bodies of earlier versions, which a master key sealed: its id is shorter than that of a data key. Those under a destroyed key are left. */
const OLD = 'm.body_sealed is not null and length(m.body_key_id) <= 32 and k.destroyed_at is null';
const OLD_TABLES = 'mail m left join partner_data_key k on k.partner_id = m.partner_id';

type SealedRow = { id: string; partnerId: string; sealed: Buffer; keyId: string };

export async function countOldKeys(tx: SystemTx): Promise<number> {
  const [row] = await runStatement<'mail_count_old_keys', { n: number }>(tx, {
    name: 'mail_count_old_keys',
    prepare: false,
    text: `select count(*)::int as n from ${OLD_TABLES} where ${OLD}`,
  });
  return row?.n ?? 0;
}

export async function claimOldKeys(tx: SystemTx, afterId: string, limit: number): Promise<(SealedRow & DataKeyRow)[]> {
  return runStatement<'mail_claim_old_keys', SealedRow & DataKeyRow>(tx, {
    name: 'mail_claim_old_keys',
    prepare: false,
    text: `select m.id, m.partner_id, m.body_sealed as sealed, m.body_key_id as key_id, ${DATA_KEY} from ${OLD_TABLES}
      where ${OLD} and m.id > $1 order by m.id limit $2 for update of m`,
    values: [afterId, limit],
  });
}

export async function replaceBodies(tx: SystemTx, fresh: readonly Omit<SealedRow, 'partnerId'>[]): Promise<void> {
  await runStatement(tx, {
    name: 'mail_replace_bodies',
    prepare: false,
    text: `update mail m set body_sealed = n.sealed, body_key_id = n.key_id
      from unnest($1::uuid[], $2::bytea[], $3::text[]) as n(id, sealed, key_id) where m.id = n.id`,
    values: [fresh.map((one) => one.id), fresh.map((one) => one.sealed), fresh.map((one) => one.keyId)],
  });
}
