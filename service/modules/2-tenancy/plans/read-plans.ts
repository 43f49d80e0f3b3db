import type { Actor } from '#platform/actor.ts';
import type { Database } from '#platform/db/tx.ts';
import { listPlans, listPublicPlans } from './store.ts';

/** Returns the plans that anyone may see. */
export function readPublicPlans(db: Database) {
  return db.asSystem('application', listPublicPlans);
}

/** Returns all plans, for staff. */
export function readPlans(db: Database, actor: Actor) {
  return db.asStaff(actor, listPlans);
}
