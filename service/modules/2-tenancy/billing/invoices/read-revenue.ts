import type { Actor } from '#platform/actor.ts';
import type { BillingDeps } from '../deps.ts';
import { sumRevenue } from './store-change.ts';

/** Returns what was invoiced and paid in the last `months` months (UTC), this one included, newest first. */
export async function readRevenue({ db }: BillingDeps, actor: Actor, now: Date, months: number) {
  const since = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months + 1, 1));
  return db.asStaff(actor, (tx) => sumRevenue(tx, since));
}
