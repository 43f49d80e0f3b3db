import type { Actor } from '#platform/actor.ts';
import { createKeptAnswers } from '#platform/kept-answers.ts';
import type { BillingDeps } from '../deps.ts';
import { type RevenueRow, sumRevenue } from './store-change.ts';

/** Sums of so many invoices may be a minute old. */
const LARGE = 10_000;

/** Returns the read of what was invoiced and paid in the last `months` months (UTC), this one included, newest first. */
export function createRevenueReader({ db, clock }: BillingDeps) {
  const keep = createKeptAnswers<RevenueRow[]>(clock, (rows) => rows.reduce((all, { invoices }) => all + invoices, 0) >= LARGE);
  return async (actor: Actor, now: Date, months: number) => {
    const since = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months + 1, 1));
    const rows = await keep(since.toISOString(), () => db.asStaff(actor, (tx) => sumRevenue(tx, since)));
    return rows.map(({ invoices: _invoices, ...row }) => row);
  };
}
