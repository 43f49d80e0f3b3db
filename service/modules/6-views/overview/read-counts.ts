import type { Actor } from '#platform/actor.ts';
import type { Database } from '#platform/db/tx.ts';
import { countNavigation } from './store.ts';

/** Returns what the navigation of an agency counts. */
export function readNavigationCounts(db: Database, actor: Actor) {
  return db.readAsTenant(actor, (tx) => countNavigation(tx, actor.partnerId));
}
