import { runStatement } from '#platform/db/statements.ts';
import type { Tx } from '#platform/db/tx.ts';

export type DeliveryDay = { date: string; delivered: number; failed: number; pending: number };

const DAYS = 14;
const COUNTED_MAX = 10_000;

/**
 * Returns each of the last days in the partner's time zone, oldest first, with how many deliveries of the endpoint were made on it and how they stand.
 * Counts the newest `countedMax` only, so that a busy endpoint costs no more than any other. Where there are as many, the day of the oldest one and all
 * before it are left out, since they were not counted whole.
 */
export async function deliveryDays(tx: Tx, partnerId: string, endpointId: string, countedMax = COUNTED_MAX): Promise<DeliveryDay[]> {
  return runStatement<'webhook_days', DeliveryDay>(tx, {
    name: 'webhook_days',
    prepare: false,
    text: `with span as materialized (
        select tz, date_trunc('day', now() at time zone tz) as today, (date_trunc('day', now() at time zone tz) - make_interval(days => ${DAYS - 1})) at time zone tz as since
        from partner p, known_zone(p.timezone) as tz where p.id = $1),
      days as materialized (
        select date_trunc('day', n.created_at at time zone s.tz) as day, count(*) as deliveries, count(*) filter (where n.status = 'delivered') as delivered,
          count(*) filter (where n.status = 'failed') as failed, count(*) filter (where n.status = 'pending') as pending
        from (select d.created_at, d.status from delivery d
          where d.partner_id = $1 and d.endpoint_id = $2 and d.id >= (select uuid_floor(s.since) from span s) order by d.id desc limit $3) n, span s group by 1),
      counted as (select case when sum(d.deliveries) >= $3 then min(d.day) end as partly from days d)
      select to_char(at, 'YYYY-MM-DD') as date, coalesce(d.delivered, 0)::int as delivered, coalesce(d.failed, 0)::int as failed, coalesce(d.pending, 0)::int as pending
      from span s cross join counted c cross join generate_series(s.today - make_interval(days => ${DAYS - 1}), s.today, interval '1 day') as at
      left join days d on d.day = at where c.partly is null or at > c.partly order by at`,
    values: [partnerId, endpointId, countedMax],
  });
}
