import type { AuditAction } from '@partner-portal/contract/audit-actions.ts';
import type { Actor } from '#platform/actor.ts';
import type { Tx } from '#platform/db/tx.ts';
import { defineFact, recordFact, recordFacts } from '#platform/facts.ts';
import { newId } from '#platform/ids.ts';
import { insertEntries, insertEntry } from './store-entries.ts';

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
  const result = entry.result ?? 'ok';
  const entryId = await insertEntry(tx, {
    partnerId: entry.partnerId,
    clientId: entry.clientId ?? null,
    actorType: !user ? 'system' : user.role === 'ADMIN' ? 'staff' : 'user',
    actorId: user?.userId ?? null,
    actorEmail: user?.email ?? null,
    via,
    action: entry.action,
    targetType: entry.target?.type ?? null,
    targetId: entry.target?.id ?? null,
    targetLabel: entry.target?.label ?? null,
    result,
    changes: entry.changes ?? {},
    origin: entry.origin ?? NO_ORIGIN,
  });
  await recordFact(tx, auditRecorded, { entryId, action: entry.action, result });
}

const NO_ORIGIN: Origin = { ip: null, userAgent: null, requestId: null };

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
  const actorType = actor.role === 'ADMIN' ? 'staff' : 'user';
  await insertEntries(tx, { partnerId, actorType, actorId: actor.userId, actorEmail: actor.email, action, origin }, entries);
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
