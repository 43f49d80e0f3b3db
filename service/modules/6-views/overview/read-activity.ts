import type { Database } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { type ActivityOrder, type ClientDay, daysOfClients, findToday } from './store-activity.ts';
import { daysOfChosenAgents, daysOfChosenClients } from './store-days.ts';

const DAYS = 30;

/** Returns runs and failures by day of the clients with most of them. Clients without a run in these days are left out. */
export async function readClientsActivity({ db }: { db: Database }, { actor }: RequestContext, order: ActivityOrder) {
  const { zone, rows } = await db.asTenant(actor, async (tx) => {
    const [zone, rows] = await Promise.all([findToday(tx, actor.partnerId), daysOfClients(tx, actor.partnerId, order)]);
    return { zone, rows };
  });
  if (!zone) return refuse('not_found');
  const days = daysUntil(zone.today);
  const clients = [...Map.groupBy(rows, (row) => row.clientId)].map(([id, own]) => describe(id, own, days));
  return {
    timezone: zone.timezone,
    days,
    clients: clients.toSorted((a, b) => b[order] - a[order] || b.runs - a.runs || (a.id < b.id ? -1 : 1)),
    total: rows[0]?.total ?? 0,
  };
}

/** Returns runs and failures by day of some clients or agents. Those without a run in these days, and those of others, are left out. */
export async function readActivity(
  { db }: { db: Database },
  { actor }: RequestContext,
  { of, ids }: { of: 'clients' | 'agents'; ids: readonly string[] },
) {
  const { zone, rows } = await db.asTenant(actor, async (tx) => {
    const read = of === 'clients' ? daysOfChosenClients : daysOfChosenAgents;
    const [zone, rows] = await Promise.all([findToday(tx, actor.partnerId), read(tx, actor.partnerId, ids)]);
    return { zone, rows };
  });
  if (!zone) return refuse('not_found');
  const days = daysUntil(zone.today);
  const byRow = [...Map.groupBy(rows, (row) => row.id)];
  return { timezone: zone.timezone, days, rows: byRow.map(([id, own]) => ({ id, byDay: spread(own, days) })) };
}

type Figures = { date: string; runs: number; failed: number };

function spread(own: readonly Figures[], days: readonly string[]) {
  const byDate = new Map(own.map((row) => [row.date, row]));
  return days.map((day) => ({ runs: byDate.get(day)?.runs ?? 0, failed: byDate.get(day)?.failed ?? 0 }));
}

function daysUntil(today: string): string[] {
  return Array.from({ length: DAYS }, (_, at) => dayBefore(today, DAYS - 1 - at));
}

function describe(id: string, own: readonly ClientDay[], days: readonly string[]) {
  return {
    id,
    name: own[0]?.name ?? '',
    runs: own.reduce((sum, row) => sum + row.runs, 0),
    failed: own.reduce((sum, row) => sum + row.failed, 0),
    byDay: spread(own, days),
  };
}

function dayBefore(date: string, count: number): string {
  const at = new Date(`${date}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() - count);
  return at.toISOString().slice(0, 10);
}
