import type { AuditAction } from '@partner-portal/contract/audit-actions.ts';
import { sql } from 'kysely';
import type { Actor } from '#platform/actor.ts';
import type { Tx } from '#platform/db/tx.ts';

/** From where a call came; the HTTP edge knows it, jobs have none. */
export type Origin = { ip: string | null; userAgent: string | null; requestId: string | null };

/** What the audit log keeps of a request. */
export function originOf(request: { address: string; userAgent: string; requestId: string }): Origin {
  return { ip: request.address, userAgent: request.userAgent || null, requestId: request.requestId };
}

/** One line of the audit log. `changes` holds [before, after] per field; a secret is written as ['changed', 'changed'] and never as a value. */
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

/** Writes the audit line in the transaction of the change it speaks of, so that both stand or neither does. */
export async function recordAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  const user = entry.actor.kind === 'user' ? entry.actor : undefined;
  const via = user?.authMethod === 'view_as' ? user.actingUserId : null;
  // A view-as session carries the role of whom it looks at; the entry says what the person at the keyboard is.
  const type =
    via !== null
      ? sql`case when is_staff(${via}::uuid) then 'staff' else 'user' end`
      : sql.val(!user ? 'system' : user.role === 'ADMIN' ? 'staff' : 'user');
  await sql`insert into audit_entry (partner_id, client_id, actor_type, actor_id, actor_email, actor_via, action, target_type, target_id, target_label, result, changes, ip, user_agent, request_id)
    values (${entry.partnerId}, ${entry.clientId ?? null}, ${type}, ${user?.userId ?? null}, ${user?.email ?? null},
      ${via}, ${entry.action}, ${entry.target?.type ?? null}, ${entry.target?.id ?? null}, ${entry.target?.label ?? null},
      ${entry.result ?? 'ok'}, ${JSON.stringify(entry.changes ?? {})}, ${entry.origin?.ip ?? null}, ${entry.origin?.userAgent ?? null}, ${entry.origin?.requestId ?? null})`.execute(
    tx,
  );
}

/** [before, after] of every listed field that differs; undefined in `after` means "not touched". */
export function changesBetween<T extends Record<string, unknown>>(
  before: T,
  after: { [Field in keyof T]?: T[Field] | undefined },
): Record<string, [unknown, unknown]> {
  const changed = Object.entries(after).filter(
    ([field, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(before[field]),
  );
  return Object.fromEntries(changed.map(([field, value]) => [field, [before[field] ?? null, value]]));
}
