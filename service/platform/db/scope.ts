import { sql } from 'kysely';
import type { Actor } from '../actor.ts';
import { refuse } from '../refuse.ts';
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

/**
 * Refuses `not_found` when a filter names what is not there for this caller: a foreign id and an unknown one get the
 * same answer (product.md §2.4, Scope). A list with rows needs no asking, so a page that is full costs nothing more.
 */
export async function refuseUnknownScope(tx: Tx, named: NamedScope, rowsFound: number): Promise<void> {
  const { partnerId = null, clientId = null, workflowId = null } = named;
  if (rowsFound > 0 || (partnerId === null && clientId === null && workflowId === null)) return;
  const { rows } = await sql<{ there: boolean }>`select
      (${partnerId}::uuid is null or exists (select 1 from partner where id = ${partnerId}::uuid))
      and (${clientId}::uuid is null or exists (select 1 from client where id = ${clientId}::uuid and (${partnerId}::uuid is null or partner_id = ${partnerId}::uuid)))
      and (${workflowId}::uuid is null or exists (select 1 from workflow where id = ${workflowId}::uuid and (${partnerId}::uuid is null or partner_id = ${partnerId}::uuid)))
      as there`.execute(tx);
  if (!rows[0]?.there) refuse('not_found');
}
