import type { Actor } from '#platform/actor.ts';
import type { Database } from '#platform/db/tx.ts';
import { countForStaff, listWorkItems } from './store.ts';

/** Upper limit of one list; the oldest matter most. */
const ITEMS_MAX = 500;

export function readQueue(db: Database, actor: Actor) {
  return db.asStaff(actor, (tx) => listWorkItems(tx, ITEMS_MAX));
}

/** Returns what the navigation of staff counts. */
export function readStaffCounts(db: Database, actor: Actor) {
  return db.asStaff(actor, countForStaff);
}
