import type { Actor } from '../actor.ts';
import { refuse } from '../refuse.ts';
import { query } from './statements.ts';
import type { Database, Tx } from './tx.ts';

/**
 * One transaction for a route that staff and tenants share. Staff see every agency, or the one they ask for; everybody
 * else is fenced to their own, whatever they ask for. `partnerId` is null only for staff who named none.
 */
export function inScope<T>(
  db: Database,
  actor: Actor,
  partnerId: string | undefined,
  fn: (tx: Tx, partnerId: string | null) => Promise<T>,
): Promise<T> {
  if (actor.role === 'ADMIN') return db.asStaff(actor, (tx) => fn(tx, partnerId ?? null));
  return db.asTenant(actor, (tx) => fn(tx, actor.partnerId));
}

/** What a filter may name. */
export type NamedScope = { partnerId?: string | null | undefined; clientId?: string | undefined; workflowId?: string | undefined };

/** Whether everything named exists for this caller, and belongs to the named partner. */
export async function scopeExists(tx: Tx, named: NamedScope): Promise<boolean> {
  const { partnerId = null, clientId = null, workflowId = null } = named;
  if (partnerId === null && clientId === null && workflowId === null) return true;
  const { rows } = await query<'scope_is_known', { there: boolean }>`select
      (${partnerId}::uuid is null or exists (select 1 from partner where id = ${partnerId}::uuid))
      and (${clientId}::uuid is null or exists (select 1 from client where id = ${clientId}::uuid and (${partnerId}::uuid is null or partner_id = ${partnerId}::uuid)))
      and (${workflowId}::uuid is null or exists (select 1 from workflow where id = ${workflowId}::uuid and (${partnerId}::uuid is null or partner_id = ${partnerId}::uuid)))
      as there`.execute(tx);
  return rows[0]?.there ?? false;
}

/**
 * Refuses `not_found` when a filter names what does not exist for this caller: a foreign id and an unknown one get the same response. A list
 * with rows needs no check, so a full page costs nothing more.
 */
export async function refuseUnknownScope(tx: Tx, named: NamedScope, rowsFound: number): Promise<void> {
  if (rowsFound === 0 && !(await scopeExists(tx, named))) refuse('not_found');
}
