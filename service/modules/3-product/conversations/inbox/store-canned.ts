import { runStatement } from '#platform/db/statements.ts';
import type { Tx } from '#platform/db/tx.ts';

export type CannedRow = { id: string; partnerId: string; clientId: string | null; title: string; text: string; createdAt: Date };
const COLUMNS = 'id, partner_id, client_id, title, content as text, created_at';

/** Returns the prepared replies for a client (all when none is named) and those for all clients, by title. */
export async function listCanned(
  tx: Tx,
  scope: { partnerId: string | null; clientId: string | undefined },
  max: number,
): Promise<CannedRow[]> {
  return runStatement<'inbox_canned_list', CannedRow>(tx, {
    name: 'inbox_canned_list',
    prepare: false,
    text: `select ${COLUMNS} from canned_reply
      where ($1::uuid is null or partner_id = $1)
        and ($2::uuid is null or client_id = $2 or (client_id is null and partner_id = (select k.partner_id from client k where k.id = $2)))
      order by lower(title), id limit $3`,
    values: [scope.partnerId, scope.clientId ?? null, max],
  });
}

/** Adds one, unless its owner has `max` already. Additions of one owner wait for each other, so that each counts those before it. */
export async function insertCanned(
  tx: Tx,
  reply: { partnerId: string; clientId: string | null; title: string; text: string; userId: string; max: number },
): Promise<CannedRow | undefined> {
  await runStatement<'inbox_canned_lock'>(tx, {
    name: 'inbox_canned_lock',
    text: "select pg_advisory_xact_lock(hashtextextended('canned_reply:' || $1, 0))",
    values: [reply.clientId ?? reply.partnerId],
  });
  const [row] = await runStatement<'inbox_canned_add', CannedRow>(tx, {
    name: 'inbox_canned_add',
    text: `insert into canned_reply (partner_id, client_id, title, content, created_by)
      select $1, $2, $3, $4, $5 where (select count(*) from canned_reply where partner_id = $1 and client_id is not distinct from $2) < $6
      returning ${COLUMNS}`,
    values: [reply.partnerId, reply.clientId, reply.title, reply.text, reply.userId, reply.max],
  });
  return row;
}

/** Removes one in the caller's scope and returns it. */
export async function deleteCanned(tx: Tx, id: string): Promise<CannedRow | undefined> {
  const [row] = await runStatement<'inbox_canned_delete', CannedRow>(tx, {
    name: 'inbox_canned_delete',
    text: `delete from canned_reply where id = $1 returning ${COLUMNS}`,
    values: [id],
  });
  return row;
}

export async function readCallerName(tx: Tx, userId: string): Promise<string> {
  const [row] = await runStatement<'inbox_caller_name', { name: string }>(tx, {
    name: 'inbox_caller_name',
    text: `select coalesce(full_name, '') as name from app_user where id = $1`,
    values: [userId],
  });
  return row?.name ?? '';
}
