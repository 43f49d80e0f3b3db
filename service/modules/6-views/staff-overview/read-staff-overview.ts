import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { overdueSince } from '@partner-portal/core/billing/invoice.ts';
import { failureOf } from '@partner-portal/core/execution/failures.ts';
import type { Actor } from '#platform/actor.ts';
import type { Database } from '#platform/db/tx.ts';
import { revenueOf } from '#modules/2-tenancy/billing/index.ts';
import { type CauseRow, CAUSES_WINDOW, countChanges, groupFailures, listAtRisk, sumRuns } from './store.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const WEEK_DAYS = 7;

/** Returns what staff look at first. All statements are sent together, so it takes about one round trip. */
export async function readStaffOverview(db: Database, actor: Actor, now: Date) {
  const weekFrom = new Date(new Date(now).setUTCHours(0, 0, 0, 0) - (WEEK_DAYS - 1) * DAY_MS);
  const weekAgo = (at: number): Date => new Date(at - WEEK_DAYS * DAY_MS);
  // Usage is counted by the hour, so the hour that goes on is compared with a whole one.
  const nextHour = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS + HOUR_MS;
  const [revenue, atRisk, causes, runs, changes] = await db.asStaff(actor, (tx) =>
    Promise.all([
      revenueOf(tx, now, 2),
      listAtRisk(tx, { overdueAt: overdueSince(now), trialsUntil: new Date(now.getTime() + LIMITS.trialSoonDays * DAY_MS) }),
      groupFailures(tx, weekFrom),
      sumRuns(tx, { from: weekFrom, before: weekAgo(weekFrom.getTime()), beforeUntil: weekAgo(nextHour) }),
      countChanges(tx, weekFrom),
    ]),
  );
  return {
    now,
    weekFrom,
    revenue: byCurrency(revenue, now),
    atRisk: { total: atRisk[0]?.total ?? 0, agencies: atRisk.map(({ total: _total, ...agency }) => agency) },
    failures: { causes: causes.map(toCause), isWhole: isWhole(causes) },
    week: { ...runs, ...changes },
  };
}

type Month = { month: string; currency: string; invoicedMinor: number; paidMinor: number };

/** This month and the last, by currency. */
function byCurrency(rows: readonly Month[], now: Date) {
  const thisMonth = now.toISOString().slice(0, 7);
  return [...new Set(rows.map(({ currency }) => currency))].toSorted().map((currency) => {
    const own = rows.filter((row) => row.currency === currency);
    const current = own.find(({ month }) => month === thisMonth);
    const last = own.find(({ month }) => month < thisMonth);
    return {
      currency,
      invoicedMinor: current?.invoicedMinor ?? 0,
      paidMinor: current?.paidMinor ?? 0,
      lastInvoicedMinor: last?.invoicedMinor ?? 0,
      lastPaidMinor: last?.paidMinor ?? 0,
    };
  });
}

/** Whether the causes are those of all failed runs. */
function isWhole(causes: readonly CauseRow[]): boolean {
  const grouped = causes[0]?.grouped ?? 0;
  return grouped < CAUSES_WINDOW && causes.reduce((sum, { runs }) => sum + runs, 0) === grouped;
}

function toCause({ message, grouped: _grouped, ...cause }: CauseRow) {
  return { ...cause, cause: failureOf(cause.code).sentence ?? (message || cause.code) };
}
