import { query, runStatement } from '#platform/db/statements.ts';
import type { AuditAction } from '@partner-portal/contract/audit-actions.ts';
import { sql } from 'kysely';
import type { Actor } from '#platform/actor.ts';
import type { Tx } from '#platform/db/tx.ts';
import { defineFact, recordFact, recordFacts } from '#platform/facts.ts';
import { newId } from '#platform/ids.ts';

/** Origin of a call; null for jobs. */
export type Origin = { ip: string | null; userAgent: string | null; requestId: string | null };

/** Returns the origin of a request. */
export function originOf(request: { address: string; userAgent: string; requestId: string }): Origin {
  return { ip: request.address, userAgent: request.userAgent || null, requestId: request.requestId };
}

/** An audit entry. `changes` holds [before, after] per field; a secret is ["changed", "changed"], never a value. */
export type AuditEntry = {
  partnerId: string;
  clientId?: string | null;
  actor: Actor | { kind: 'system' };
  action: AuditAction;
  target?: { type: string; id: string | null; label?: string | null };
  result?: 'ok' | 'refused';
  changes?: Record<string, [unknown, unknown]>;
  origin?: Origin | undefined;
};

/** An entry was written by `recordAudit`; entries of accepted events are written by a database function and record no fact. */
export const auditRecorded = defineFact<{ entryId: string; action: AuditAction; result: 'ok' | 'refused' }>('audit_entry.recorded');

/** Writes the audit entry in the transaction of the change, so both commit or neither does. */
export async function recordAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  const user = entry.actor.kind === 'user' ? entry.actor : undefined;
  const via = user?.authMethod === 'view_as' ? user.actingUserId : null;
  // A view-as session has the role of the viewed account; the entry names the viewing user.
  const type =
    via !== null
      ? sql`case when is_staff(${via}::uuid) then 'staff' else 'user' end`
      : sql.val(!user ? 'system' : user.role === 'ADMIN' ? 'staff' : 'user');
  const result = entry.result ?? 'ok';
  // A tenant may write entries that its role may not read: the id is made first instead of being returned by the insert.
  const { rows } = await query<'audit_record_audit', { id: string }>`with entry as materialized (select uuidv7() as id),
    written as (
      insert into audit_entry (id, partner_id, client_id, actor_type, actor_id, actor_email, actor_via, action, target_type, target_id, target_label, result, changes, ip, user_agent, request_id)
      select id, ${entry.partnerId}, ${entry.clientId ?? null}, ${type}, ${user?.userId ?? null}, ${user?.email ?? null},
        ${via}, ${entry.action}, ${entry.target?.type ?? null}, ${entry.target?.id ?? null}, ${entry.target?.label ?? null},
        ${result}, ${JSON.stringify(entry.changes ?? {})}, ${entry.origin?.ip ?? null}, ${entry.origin?.userAgent ?? null}, ${entry.origin?.requestId ?? null} from entry)
    select id from entry`.execute(tx);
  const [written] = rows;
  if (!written) throw new Error('An audit entry was not written.');
  await recordFact(tx, auditRecorded, { entryId: written.id, action: entry.action, result });
}

/** One of many entries that differ in their target and changes only. */
export type AuditItem = {
  clientId: string;
  target: { type: string; id: string; label: string };
  changes: Record<string, [unknown, unknown]>;
};

/** Like `recordAudit` for many changes of one person at once, in one statement. */
export async function recordAudits(
  tx: Tx,
  { partnerId, actor, action, origin }: { partnerId: string; actor: Actor; action: AuditAction; origin: Origin },
  items: readonly AuditItem[],
): Promise<void> {
  if (items.length === 0) return;
  const entries = items.map((item) => ({ ...item, id: newId() }));
  await runStatement(tx, {
    name: 'audit_record_audits',
    prepare: false,
    text: `insert into audit_entry (id, partner_id, client_id, actor_type, actor_id, actor_email, action, target_type, target_id, target_label, result, changes, ip, user_agent, request_id)
      select x.id, $1, x.client_id, $2, $3, $4, $5, x.target_type, x.target_id, x.target_label, 'ok', x.changes, $6, $7, $8
      from unnest($9::uuid[], $10::uuid[], $11::text[], $12::text[], $13::text[], $14::jsonb[]) as x(id, client_id, target_type, target_id, target_label, changes)`,
    values: [
      partnerId,
      actor.role === 'ADMIN' ? 'staff' : 'user',
      actor.userId,
      actor.email,
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
  await recordFacts(
    tx,
    auditRecorded,
    entries.map(({ id }) => ({ entryId: id, action, result: 'ok' as const })),
  );
}

/** Returns [before, after] of every given field that differs. */
export function changesBetween<T extends Record<string, unknown>>(
  before: T,
  after: { [Field in keyof T]?: T[Field] | undefined },
): Record<string, [unknown, unknown]> {
  const changed = Object.entries(after).filter(
    ([field, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(before[field]),
  );
  return Object.fromEntries(changed.map(([field, value]) => [field, [before[field] ?? null, value]]));
}
