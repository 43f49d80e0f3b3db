import { runStatement } from '#platform/db/statements.ts';
import type { Tx } from '#platform/db/tx.ts';

export type FigureRow = { day: string; conversations: number; answeredAlone: number; handedOff: number; runs: number; bookings: number };

export type FigureScope = { partnerId: string; clientId: string | undefined };

/** Returns today in the time zone of the client, or of the agency without one. */
export async function readToday(tx: Tx, { partnerId, clientId }: FigureScope): Promise<string | undefined> {
  const [row] = await runStatement<'figures_today', { today: string }>(tx, {
    name: 'figures_today',
    text: `select to_char(now() at time zone known_zone(coalesce(c.timezone, p.timezone)), 'YYYY-MM-DD') as today
      from partner p left join client c on c.partner_id = p.id and c.id = $2
      where p.id = $1 and ($2::uuid is null or c.id is not null)`,
    values: [partnerId, clientId ?? null],
  });
  return row?.today;
}

/** Returns every day from `from` to `to`, by when each conversation or run began. `bookingTemplates` names the agents that book. */
export async function listFigures(
  tx: Tx,
  { partnerId, clientId }: FigureScope,
  range: { from: string; to: string },
  bookingTemplates: readonly string[],
): Promise<FigureRow[]> {
  return runStatement<'figures_list', FigureRow>(tx, {
    name: 'figures_list',
    prepare: false,
    text: `with zone as materialized (
        select known_zone(coalesce(c.timezone, p.timezone)) as name,
          $3::date::timestamp at time zone known_zone(coalesce(c.timezone, p.timezone)) as starts,
          ($4::date + 1)::timestamp at time zone known_zone(coalesce(c.timezone, p.timezone)) as ends
        from partner p left join client c on c.partner_id = p.id and c.id = $2 where p.id = $1
      ), talked as (
        select (v.started_at at time zone z.name)::date as day, count(*)::int as conversations,
          (count(*) filter (where v.was_answered and not v.was_handed_off))::int as answered_alone,
          (count(*) filter (where v.was_handed_off))::int as handed_off
        from zone z, conversation v where v.partner_id = $1 and ($2::uuid is null or v.client_id = $2)
          and v.started_at >= z.starts and v.started_at < z.ends group by 1
      ), ran as (
        select (t.started_at at time zone z.name)::date as day, count(*)::int as runs,
          (count(*) filter (where w.template_name = any($5::text[])))::int as bookings
        from zone z, conversation_turn t left join workflow w on w.id = t.workflow_id
        where t.partner_id = $1 and ($2::uuid is null or t.client_id = $2) and t.execution_id is not null
          and t.id >= uuid_floor(z.starts - interval '1 minute') and t.id < uuid_floor(z.ends + interval '1 minute')
          and t.started_at >= z.starts and t.started_at < z.ends group by 1
      )
      select to_char(d.day, 'YYYY-MM-DD') as day, coalesce(v.conversations, 0) as conversations, coalesce(v.answered_alone, 0) as answered_alone,
        coalesce(v.handed_off, 0) as handed_off, coalesce(r.runs, 0) as runs, coalesce(r.bookings, 0) as bookings
      from (select generate_series($3::date, $4::date, interval '1 day')::date as day) d
      left join talked v on v.day = d.day left join ran r on r.day = d.day order by d.day`,
    values: [partnerId, clientId ?? null, range.from, range.to, bookingTemplates],
  });
}
