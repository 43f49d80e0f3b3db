import type { JsonObject } from '@partner-portal/core/template/types.ts';
import { KEPT_DAYS } from '@partner-portal/core/trust/retention.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { EventRemark } from '../accept/store-accept.ts';

export type InboundEventRow = {
  id: string;
  workflowId: string;
  receivedAt: Date;
  outcome: string;
  reason: string | null;
  status: number;
  senderAddress: string | null;
  bodyPreview: string | null;
  executionId: string | null;
  templateName: string | null;
  /** Time zone of the client, else of the agency. */
  timezone: string;
  /** The beginning of each value that was normalized, as received. */
  came: JsonObject | null;
  understood: JsonObject | null;
  remarks: EventRemark[] | null;
};

/** Characters of a value that came, of which a record shows fewer. */
const CAME_READ = 400;

/** Days for which senders and previews are shown; their rows are dropped later, with their partition. */
const INBOUND_DAYS = KEPT_DAYS.incoming_calls;

/** Lists calls to an ingest URL: those that became an execution are read from it, the others from the inbound log. */
export async function listInbound(
  tx: Tx,
  workflowId: string,
  outcome: string | undefined,
  before: string | null,
  limit: number,
): Promise<InboundEventRow[]> {
  return runStatement<'executions_list_inbound', InboundEventRow>(tx, {
    name: 'executions_list_inbound',
    prepare: false,
    text: `select calls.*, w.template_name, coalesce(k.timezone, a.timezone) as timezone from (
        (select i.id, i.workflow_id, i.received_at, i.outcome, i.reason, i.status, i.sender_address, i.body_preview, i.execution_id, null::jsonb as came, null::jsonb as understood, i.remarks from inbound_event i
          where i.partner_id = (select partner_id from workflow where id = $1) and i.workflow_id = $1 and ($2::text is null or i.outcome = $2)
            and i.id >= uuid_floor(now() - make_interval(days => ${INBOUND_DAYS})) and ($3::uuid is null or i.id < $3) order by i.id desc limit $4)
        union all
        (select e.id, e.workflow_id, e.started_at, 'accepted', null, 202, p.sender_address, p.body_preview, e.id,
            (select jsonb_object_agg(u.key, left(p.input ->> u.key, ${CAME_READ})) from jsonb_object_keys(p.understood) as u(key)), p.understood, p.remarks
          from execution e left join execution_payload p on p.partner_id = e.partner_id and p.id = e.id
          where e.workflow_id = $1 and e.source = 'ingest' and coalesce($2, 'accepted') = 'accepted'
            and e.id >= uuid_floor(now() - make_interval(days => ${INBOUND_DAYS})) and ($3::uuid is null or e.id < $3) order by e.id desc limit $4)
      ) calls join workflow w on w.id = calls.workflow_id join partner a on a.id = w.partner_id left join client k on k.id = w.client_id order by calls.id desc limit $4`,
    values: [workflowId, outcome ?? null, before, limit],
  });
}

export type DayRow = {
  date: string;
  succeeded: number;
  results: number;
  failed: number;
  credits: number;
  p50Ms: number | null;
  p95Ms: number | null;
};

/** The newest executions of the range, whose durations give the percentiles. */
const DURATION_SAMPLE = 20_000;

/** Returns every day of the range in the client's time zone (the partner's without a client). */
export async function listDays(tx: Tx, workflowId: string, days: number): Promise<DayRow[]> {
  return runStatement<'executions_list_days', DayRow>(tx, {
    name: 'executions_list_days',
    prepare: false,
    text: `with zone as (
        select known_zone(coalesce(c.timezone, p.timezone)) as name from workflow w join partner p on p.id = w.partner_id left join client c on c.id = w.client_id where w.id = $1
      ), day as (
        select ((now() at time zone z.name)::date - n) as date from zone z, generate_series(0, $2::int - 1) n
      ), ended as (
        select (h.hour at time zone z.name)::date as date, sum(h.succeeded)::int as succeeded, sum(h.helped)::int as results, sum(h.failed)::int as failed, sum(h.credits)::int as credits
        from zone z, workflow w join workflow_hour h on h.partner_id = w.partner_id and h.workflow_id = w.id
        where w.id = $1 and h.hour >= now() - make_interval(days => $2::int + 1) group by 1
      ), sample as (
        select e.started_at, e.finished_at from execution e
        where e.workflow_id = $1 and e.id >= uuid_floor(now() - make_interval(days => $2::int + 1)) and e.finished_at is not null order by e.id desc limit ${DURATION_SAMPLE}
      ), took as (
        select (s.started_at at time zone z.name)::date as date,
          percentile_cont(array[0.5, 0.95]) within group (order by extract(epoch from s.finished_at - s.started_at) * 1000) as ms
        from sample s, zone z group by 1
      )
      select to_char(d.date, 'YYYY-MM-DD') as date, coalesce(n.succeeded, 0) as succeeded, coalesce(n.results, 0) as results, coalesce(n.failed, 0) as failed, coalesce(n.credits, 0) as credits,
        round(t.ms[1])::int as p50_ms, round(t.ms[2])::int as p95_ms
      from day d left join ended n on n.date = d.date left join took t on t.date = d.date order by d.date`,
    values: [workflowId, days],
  });
}

export type CountsRow = {
  runs: number;
  failed: number;
  steps: { name: string; succeeded: number; failed: number; skipped: number }[];
  /** Count among the newest `INBOUND_COUNTED` runs, and as many logged calls. */
  accepted: number;
  loggedAccepted: number;
  refused: number;
  isMore: boolean;
};

/** Enough to see where an agent fails or ends early, and few enough to read their steps at once. */
const RUNS_COUNTED = 200;
/** As stored. Steps with more than this are not read: two hundred of the largest would be hundreds of megabytes. */
const STEPS_BYTES_MAX = 32_768;
const INBOUND_COUNTED = 1_000;

/** Counts what the steps of the newest runs did, and the newest calls; undefined without the workflow. The work is bounded for any agent. */
export async function countWorkflow(tx: Tx, workflowId: string): Promise<CountsRow | undefined> {
  const [row] = await runStatement<'executions_count_workflow', CountsRow>(tx, {
    name: 'executions_count_workflow',
    prepare: false,
    text: `with newest as materialized (
        select e.partner_id, e.id, e.status from execution e
        where e.workflow_id = $1 and e.id >= uuid_floor(now() - interval '30 days') and e.status <> 'RUNNING' order by e.id desc limit ${RUNS_COUNTED}
      ), counted as (
        select s ->> 'name' as name, count(*) filter (where lower(s ->> 'status') = 'succeeded')::int as succeeded, count(*) filter (where lower(s ->> 'status') = 'failed')::int as failed,
          count(*) filter (where lower(s ->> 'status') not in ('succeeded', 'failed'))::int as skipped
        from newest n join execution_payload p on p.partner_id = n.partner_id and p.id = n.id and pg_column_size(p.steps) < ${STEPS_BYTES_MAX}
        cross join lateral jsonb_array_elements(case when jsonb_typeof(p.steps) = 'array' then p.steps end) s where s ->> 'name' is not null group by 1 limit 100
      ), runs as (
        select count(*)::int as accepted from (select from execution e
          where e.workflow_id = $1 and e.source = 'ingest' and e.id >= uuid_floor(now() - make_interval(days => ${INBOUND_DAYS})) order by e.id desc limit ${INBOUND_COUNTED}) r
      ), calls as (
        select count(*)::int as all, count(*) filter (where c.outcome = 'accepted')::int as accepted, count(*) filter (where c.outcome = 'refused')::int as refused from (select i.outcome from inbound_event i
          where i.partner_id = (select partner_id from workflow where id = $1) and i.workflow_id = $1
            and i.id >= uuid_floor(now() - make_interval(days => ${INBOUND_DAYS})) order by i.id desc limit ${INBOUND_COUNTED}) c
      )
      select (select count(*)::int from newest) as runs, (select count(*)::int from newest n where n.status = 'FAILED') as failed,
        coalesce((select jsonb_agg(jsonb_build_object('name', c.name, 'succeeded', c.succeeded, 'failed', c.failed, 'skipped', c.skipped) order by c.name) from counted c), '[]') as steps,
        runs.accepted, calls.accepted as logged_accepted, calls.refused, runs.accepted >= ${INBOUND_COUNTED} or calls.all >= ${INBOUND_COUNTED} as is_more
      from workflow w, runs, calls where w.id = $1`,
    values: [workflowId],
  });
  return row;
}
