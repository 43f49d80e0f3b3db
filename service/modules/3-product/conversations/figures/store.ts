import { sql } from 'kysely';
import { PLANNED_ANEW } from '#platform/db/statement-names.ts';
import { query } from '#platform/db/statements.ts';
import type { Tx } from '#platform/db/tx.ts';

export type FigureRow = { day: string; conversations: number; answeredAlone: number; handedOff: number; runs: number; bookings: number };

/** A conversation without a message for so long is over, whether or not it was closed. */
const IDLE_MINUTES = 30;

export type FigureScope = { partnerId: string; clientId: string | undefined };

/** Returns today in the time zone of the client, or of the agency without one. */
export async function readToday(tx: Tx, { partnerId, clientId }: FigureScope): Promise<string | undefined> {
  const { rows } = await query<
    'figures_today',
    { today: string }
  >`select to_char(now() at time zone known_zone(coalesce(c.timezone, p.timezone)), 'YYYY-MM-DD') as today
    from partner p left join client c on c.partner_id = p.id and c.id = ${clientId ?? null}::uuid
    where p.id = ${partnerId}::uuid and (${clientId ?? null}::uuid is null or c.id is not null)`.execute(tx);
  return rows[0]?.today;
}

/** Returns every day from `from` to `to`, by when each conversation or run began. `bookingTemplates` names the agents that book. */
export async function listFigures(
  tx: Tx,
  { partnerId, clientId }: FigureScope,
  range: { from: string; to: string },
  bookingTemplates: readonly string[],
): Promise<FigureRow[]> {
  const own = (table: string) =>
    clientId === undefined
      ? sql`${sql.ref(`${table}.partner_id`)} = ${partnerId}::uuid`
      : sql`${sql.ref(`${table}.partner_id`)} = ${partnerId}::uuid and ${sql.ref(`${table}.client_id`)} = ${clientId}::uuid`;
  const { rows } = await query<'figures_list', FigureRow>`${PLANNED_ANEW}with zone as materialized (
      select known_zone(coalesce(c.timezone, p.timezone)) as name,
        ${range.from}::date::timestamp at time zone known_zone(coalesce(c.timezone, p.timezone)) as starts,
        (${range.to}::date + 1)::timestamp at time zone known_zone(coalesce(c.timezone, p.timezone)) as ends
      from partner p left join client c on c.partner_id = p.id and c.id = ${clientId ?? null}::uuid where p.id = ${partnerId}::uuid
    ), talked as (
      select (v.started_at at time zone z.name)::date as day, count(*)::int as conversations,
        (count(*) filter (where v.was_answered and not v.was_handed_off
          and (v.status = 'closed' or v.last_message_at < now() - make_interval(mins => ${IDLE_MINUTES}::int))))::int as answered_alone,
        (count(*) filter (where v.was_handed_off))::int as handed_off
      from zone z, conversation v where ${own('v')} and v.started_at >= z.starts and v.started_at < z.ends group by 1
    ), ran as (
      select (t.started_at at time zone z.name)::date as day, count(*)::int as runs,
        (count(*) filter (where w.template_name = any(${[...bookingTemplates]}::text[])))::int as bookings
      from zone z, conversation_turn t left join workflow w on w.id = t.workflow_id
      where ${own('t')} and t.execution_id is not null and t.id >= uuid_floor(z.starts - interval '1 minute') and t.id < uuid_floor(z.ends + interval '1 minute')
        and t.started_at >= z.starts and t.started_at < z.ends group by 1
    )
    select to_char(d.day, 'YYYY-MM-DD') as day, coalesce(v.conversations, 0) as conversations, coalesce(v.answered_alone, 0) as answered_alone,
      coalesce(v.handed_off, 0) as handed_off, coalesce(r.runs, 0) as runs, coalesce(r.bookings, 0) as bookings
    from (select generate_series(${range.from}::date, ${range.to}::date, interval '1 day')::date as day) d
    left join talked v on v.day = d.day left join ran r on r.day = d.day order by d.day`.execute(tx);
  return rows;
}
