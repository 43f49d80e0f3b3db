import type { Actor } from '../actor.ts';
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
