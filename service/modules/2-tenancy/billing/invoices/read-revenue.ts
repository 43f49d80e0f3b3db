import type { Actor } from '#platform/actor.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import type { BillingDeps } from '../deps.ts';
import { type RevenueRow, sumRevenue } from './store-change.ts';

/** Returns what was invoiced and paid in the last `months` months (UTC), this one included, newest first. */
export function readRevenue({ db }: BillingDeps, actor: Actor, now: Date, months: number) {
  return db.asStaff(actor, (tx) => revenueOf(tx, now, months));
}

/** As `readRevenue`, in this transaction. */
export function revenueOf(tx: SystemTx, now: Date, months: number): Promise<RevenueRow[]> {
  return sumRevenue(tx, new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months + 1, 1)));
}
