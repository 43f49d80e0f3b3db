import { runStatement } from '#platform/db/statements.ts';
import type { Tx } from '#platform/db/tx.ts';

/** Inserts into the audit log, which is never changed. */

type Common = {
  partnerId: string;
  actorType: 'user' | 'staff' | 'system';
  actorId: string | null;
  actorEmail: string | null;
  action: string;
  origin: { ip: string | null; userAgent: string | null; requestId: string | null };
};

type NewEntry = Common & {
  clientId: string | null;
  /** The viewing user of a view-as session. */
  via: string | null;
  targetType: string | null;
  targetId: string | null;
  targetLabel: string | null;
  result: 'ok' | 'refused';
  changes: Record<string, [unknown, unknown]>;
};

/** Returns the id of the entry. A view-as session has the role of the viewed account; the type is that of the viewing user. */
export async function insertEntry(tx: Tx, entry: NewEntry): Promise<string> {
  // A tenant may write entries that its role may not read: the id is made first instead of being returned by the insert.
  const [written] = await runStatement<'audit_insert_entry', { id: string }>(tx, {
    name: 'audit_insert_entry',
    text: `with entry as materialized (select uuidv7() as id),
      written as (
        insert into audit_entry (id, partner_id, client_id, actor_type, actor_id, actor_email, actor_via, action, target_type, target_id, target_label, result, changes, ip, user_agent, request_id)
        select id, $1, $2, case when $6::text is null then $3 when is_staff($6::uuid) then 'staff' else 'user' end, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15 from entry)
      select id from entry`,
    values: [
      entry.partnerId,
      entry.clientId,
      entry.actorType,
      entry.actorId,
      entry.actorEmail,
      entry.via,
      entry.action,
      entry.targetType,
      entry.targetId,
      entry.targetLabel,
      entry.result,
      JSON.stringify(entry.changes),
      entry.origin.ip,
      entry.origin.userAgent,
      entry.origin.requestId,
    ],
  });
  if (!written) throw new Error('An audit entry was not written.');
  return written.id;
}

/** Inserts entries of one person that differ in their client, target and changes. */
export async function insertEntries(
  tx: Tx,
  { partnerId, actorType, actorId, actorEmail, action, origin }: Common,
  entries: readonly {
    id: string;
    clientId: string;
    target: { type: string; id: string; label: string };
    changes: Record<string, [unknown, unknown]>;
  }[],
): Promise<void> {
  await runStatement(tx, {
    name: 'audit_insert_entries',
    prepare: false,
    text: `insert into audit_entry (id, partner_id, client_id, actor_type, actor_id, actor_email, action, target_type, target_id, target_label, result, changes, ip, user_agent, request_id)
      select x.id, $1, x.client_id, $2, $3, $4, $5, x.target_type, x.target_id, x.target_label, 'ok', x.changes, $6, $7, $8
      from unnest($9::uuid[], $10::uuid[], $11::text[], $12::text[], $13::text[], $14::jsonb[]) as x(id, client_id, target_type, target_id, target_label, changes)`,
    values: [
      partnerId,
      actorType,
      actorId,
      actorEmail,
      action,
      origin.ip,
      origin.userAgent,
      origin.requestId,
      entries.map(({ id }) => id),
      entries.map(({ clientId }) => clientId),
      entries.map(({ target }) => target.type),
      entries.map(({ target }) => target.id),
      entries.map(({ target }) => target.label),
      entries.map(({ changes }) => JSON.stringify(changes)),
    ],
  });
}
