import type { LookKind } from '@partner-portal/contract/vocabulary.ts';
import type { Actor } from '#platform/actor.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx, Tx } from '#platform/db/tx.ts';

/**
 * Records that someone outside a client opened a part of its data; `clientId: null` means every client of the partner, `partnerId: null` the partner of
 * the client, or every one for staff. Once per person, part and day, so that
 * reading costs a look into an index and no write. A view-as session is recorded by itself, when it starts.
 */
export async function recordLook(
  tx: Tx,
  actor: Pick<Actor, 'userId' | 'role'>,
  kind: LookKind,
  of: { partnerId: string | null; clientId: string | null },
): Promise<void> {
  if (actor.role === 'CLIENT') return;
  await runStatement(tx, {
    name: 'audit_record_look',
    text: `insert into client_look (partner_id, client_id, user_id, user_name, is_staff, kind, day)
      select c.partner_id, c.id, $3, (select nullif(u.full_name, '') from app_user u where u.id = $3 and u.role <> 'ADMIN'), is_staff($3), $4, current_date
      from client c where ($1::uuid is null or c.partner_id = $1) and ($2::uuid is null or c.id = $2) and c.status <> 'deleted'
        and not exists (select from client_look l where l.client_id = c.id and l.user_id = $3 and l.kind = $4 and l.day = current_date)
      on conflict (client_id, user_id, kind, day) do nothing`,
    values: [of.partnerId, of.clientId, actor.userId, kind],
  });
}

const KEEP_DAYS = 400;
const BATCH = 5_000;

export async function deleteOldLooks(tx: SystemTx): Promise<boolean> {
  const rows = await runStatement<'audit_forget_looks', { id: string }>(tx, {
    name: 'audit_forget_looks',
    text: `delete from client_look where id in (select l.id from client_look l where l.at < now() - make_interval(days => $1) order by l.at limit $2) returning id`,
    values: [KEEP_DAYS, BATCH],
  });
  return rows.length === BATCH;
}
