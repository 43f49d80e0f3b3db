import { runStatement } from '#platform/db/statements.ts';
import type { TenantTx } from '#platform/db/tx.ts';

export type ClientDay = { clientId: string; name: string; date: string; runs: number; failed: number; total: number };
export type ActivityOrder = 'runs' | 'failed';

const CLIENTS_MAX = 50;

/** Returns the zone and the date of today of the partner. */
export async function findToday(tx: TenantTx, partnerId: string): Promise<{ timezone: string; today: string } | undefined> {
  const [row] = await runStatement<'activity_today', { timezone: string; today: string }>(tx, {
    name: 'activity_today',
    text: `select tz as timezone, to_char(now() at time zone tz, 'YYYY-MM-DD') as today from partner p, known_zone(p.timezone) as tz where p.id = $1`,
    values: [partnerId],
  });
  return row;
}

/** Returns the days with runs of the clients that have most of what is ordered by, in the last thirty days of the partner's time zone. */
export async function daysOfClients(tx: TenantTx, partnerId: string, order: ActivityOrder): Promise<ClientDay[]> {
  return runStatement<'activity_days', ClientDay>(tx, {
    name: 'activity_days',
    prepare: false,
    text: `with span as materialized (
        select tz, (date_trunc('day', now() at time zone tz) - interval '29 days') at time zone tz as since from partner p, known_zone(p.timezone) as tz where p.id = $1),
      sums as (
        select c.id, c.name, n.runs, n.failed
        from (select u.client_id, sum_bigint(u.succeeded + u.failed) as runs, sum_bigint(u.failed) as failed from span s, usage_of_agents($1, s.since, 'infinity', true) u
          group by 1 having sum_bigint(u.succeeded + u.failed) > 0) n
        join client c on c.id = n.client_id where c.status in ('active', 'suspended')),
      most as (
        select id, name, count(*) over ()::int as total from sums order by case when $2 = 'failed' then failed else runs end desc, runs desc, id limit ${CLIENTS_MAX})
      select m.id as client_id, m.name, to_char(h.hour at time zone s.tz, 'YYYY-MM-DD') as date, sum(h.succeeded + h.failed)::int as runs,
        sum(h.failed)::int as failed, m.total
      from most m join workflow_hour h on h.partner_id = $1 and h.client_id = m.id, span s
      where h.hour >= s.since group by m.id, m.name, m.total, 3`,
    values: [partnerId, order],
  });
}
