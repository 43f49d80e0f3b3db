import { runStatement } from '#platform/db/statements.ts';
import type { TenantTx } from '#platform/db/tx.ts';

export type Day = { id: string; date: string; runs: number; failed: number };

const SINCE = `(date_trunc('day', now() at time zone tz) - interval '29 days') at time zone tz as since from partner p, known_zone(p.timezone) as tz where p.id = $1`;

/** Returns the days with runs of these clients, in the last thirty days of the partner's time zone. */
export async function daysOfChosenClients(tx: TenantTx, partnerId: string, ids: readonly string[]): Promise<Day[]> {
  return runStatement<'activity_chosen_clients', Day>(tx, {
    name: 'activity_chosen_clients',
    prepare: false,
    text: `with span as materialized (select tz, ${SINCE})
      select h.client_id as id, to_char(h.hour at time zone s.tz, 'YYYY-MM-DD') as date, sum(h.succeeded + h.failed)::int as runs, sum(h.failed)::int as failed
      from span s join workflow_hour h on h.partner_id = $1 and h.client_id = any($2) and h.hour >= s.since group by 1, 2`,
    values: [partnerId, ids],
  });
}

/** Returns the days with runs of these agents, in the same days. */
export async function daysOfChosenAgents(tx: TenantTx, partnerId: string, ids: readonly string[]): Promise<Day[]> {
  return runStatement<'activity_chosen_agents', Day>(tx, {
    name: 'activity_chosen_agents',
    prepare: false,
    text: `with span as materialized (select tz, ${SINCE})
      select h.workflow_id as id, to_char(h.hour at time zone s.tz, 'YYYY-MM-DD') as date, sum(h.succeeded + h.failed)::int as runs, sum(h.failed)::int as failed
      from span s join workflow_hour h on h.partner_id = $1 and h.workflow_id = any($2) and h.hour >= s.since group by 1, 2`,
    values: [partnerId, ids],
  });
}
