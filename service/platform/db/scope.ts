import type { Actor } from '../actor.ts';
import type { Database, Tx } from './tx.ts';

/**
 * Runs one transaction for a route that staff and tenants share. Staff see all tenants, or the one they request; other callers see their own,
 * whichever they request. `partnerId` is null only for staff who named none.
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

/** Like `inScope`, in one round trip for tenants: see `readAsTenant`. */
export function readInScope<T>(db: Database, actor: Actor, fn: (tx: Tx) => Promise<T>): Promise<T> {
  return actor.role === 'ADMIN' ? db.asStaff(actor, fn) : db.readAsTenant(actor, fn);
}
