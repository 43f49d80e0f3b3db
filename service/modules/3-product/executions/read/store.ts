import { query } from '#platform/db/statements.ts';
import { type RawBuilder, sql } from 'kysely';
import { PLANNED_ANEW } from '#platform/db/statement-names.ts';
import type { Tx } from '#platform/db/tx.ts';

/** Reads of runs. Row-level security fences tenants; `partnerId` is null only for staff who look at all agencies. */

export type RunFilters = {
  partnerId: string | null;
  clientId?: string | undefined;
  workflowId?: string | undefined;
  status?: string | undefined;
  source?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  cause?: string | undefined;
};

export type RunRow = {
  id: string;
  workflowId: string;
  agentName: string;
  templateName: string | null;
  partnerId: string;
  clientId: string | null;
  clientName: string | null;
  status: string;
  source: string;
  summary: string;
  startedAt: Date;
  finishedAt: Date | null;
  errorCode: string | null;
  errorMessage: string | null;
  errorStep: string | null;
  creditsCharged: number;
  rerunOf: string | null;
  late: boolean;
  templateVersion: number;
  delayed: boolean;
};

/** A run that waits longer than this for the engine is shown as delayed. */
const DELAYED_AFTER = sql`interval '10 seconds'`;

const COLUMNS = sql`e.id, e.workflow_id, coalesce(w.name, 'Removed agent') as agent_name, w.template_name, e.partner_id, e.client_id, c.name as client_name, e.status, e.source, e.summary,
  e.started_at, e.finished_at, e.error_code, e.error_message, e.error_step, e.credits_charged, e.rerun_of, e.late, e.template_version,
  e.status = 'RUNNING' and exists (select 1 from dispatch d where d.execution_id = e.id and d.created_at < now() - ${DELAYED_AFTER}) as delayed`;
const NAMES = sql`left join workflow w on w.id = e.workflow_id left join client c on c.id = e.client_id`;

/** Every condition stands on a column that an index starts with or on the id, whose order is that of time. */
function conditions(filters: RunFilters, before: string | null): RawBuilder<unknown> {
  const all: RawBuilder<unknown>[] = [sql`true`];
  if (filters.partnerId !== null) all.push(sql`e.partner_id = ${filters.partnerId}::uuid`);
  if (filters.clientId !== undefined) all.push(sql`e.client_id = ${filters.clientId}::uuid`);
  if (filters.workflowId !== undefined) all.push(sql`e.workflow_id = ${filters.workflowId}::uuid`);
  // Written out, so that the partial indexes of RUNNING and FAILED runs can serve.
  if (filters.status === 'FAILED' || filters.cause !== undefined) all.push(sql`e.status = 'FAILED'`);
  if (filters.status === 'RUNNING') all.push(sql`e.status = 'RUNNING'`);
  if (filters.status === 'SUCCEEDED') all.push(sql`e.status = 'SUCCEEDED'`);
  if (filters.source !== undefined) all.push(sql`e.source = ${filters.source}`);
  if (filters.cause !== undefined) all.push(sql`e.error_code = ${filters.cause}`);
  // The id is made a moment before the row, hence the minute of slack; the time itself decides.
  if (filters.from !== undefined)
    all.push(sql`e.id >= uuid_floor(${filters.from}::timestamptz - interval '1 minute') and e.started_at >= ${filters.from}::timestamptz`);
  if (filters.to !== undefined)
    all.push(sql`e.id < uuid_floor(${filters.to}::timestamptz + interval '1 minute') and e.started_at < ${filters.to}::timestamptz`);
  if (before !== null) all.push(sql`e.id < ${before}::uuid`);
  return sql.join(all, sql` and `);
}

/** One page, newest first. */
export async function listRuns(tx: Tx, filters: RunFilters, before: string | null, limit: number): Promise<RunRow[]> {
  const { rows } = await query<'executions_list_runs', RunRow>`${PLANNED_ANEW}select ${COLUMNS} from (
      select e.* from execution e where ${conditions(filters, before)} order by e.id desc limit ${limit}
    ) e ${NAMES} order by e.id desc`.execute(tx);
  return rows;
}

/** The newest of a partner or one of its clients. Unlike a filtered list it always has the same plan, so the server may keep it. */
export async function listLatestRuns(tx: Tx, scope: { partnerId: string; clientId: string | null }, limit: number): Promise<RunRow[]> {
  const { partnerId, clientId } = scope;
  const { rows } = await query<'executions_list_latest_runs', RunRow>`select ${COLUMNS} from (
      select e.* from execution e where ${conditions({ partnerId, clientId: clientId ?? undefined }, null)} order by e.id desc limit ${limit}
    ) e ${NAMES} order by e.id desc`.execute(tx);
  return rows;
}

/** How many runs one page of a text search looks through. */
export const SEARCH_WINDOW = 5_000;

/**
 * A page of runs whose input holds `text`. Looks through the newest SEARCH_WINDOW runs after the marker, so that a rare
 * word costs what a common one costs; `lastLooked` says where the next page begins when the window ended first.
 */
export async function searchRuns(
  tx: Tx,
  filters: RunFilters,
  text: string,
  before: string | null,
  limit: number,
): Promise<{ rows: RunRow[]; lastLooked: string | null }> {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  const { rows } = await query<
    'executions_search_runs',
    RunRow & { lastLooked: string | null }
  >`${PLANNED_ANEW}with looked as materialized (
      select e.* from execution e where ${conditions(filters, before)} and e.id >= uuid_floor(now() - interval '90 days') order by e.id desc limit ${SEARCH_WINDOW}
    ), marked as (
      select case when count(*) = ${SEARCH_WINDOW} then (select l.id from looked l order by l.id limit 1) end as last_looked from looked
    ), found as (
      select l.* from looked l join execution_payload p on p.partner_id = l.partner_id and p.id = l.id where p.input::text ilike ${pattern} order by l.id desc limit ${limit}
    )
    select ${COLUMNS}, m.last_looked from marked m left join found e on true ${NAMES} order by e.id desc`.execute(tx);
  return { rows: rows.filter((row) => row.id !== null), lastLooked: rows[0]?.lastLooked ?? null };
}

/** Some runs by their ids, for the live stream. */
export async function findRuns(tx: Tx, ids: readonly string[], filters: RunFilters): Promise<RunRow[]> {
  const { rows } = await query<
    'executions_find_runs',
    RunRow
  >`select ${COLUMNS} from execution e ${NAMES} where e.id = any(${[...ids]}::uuid[]) and ${conditions(filters, null)} order by e.id`.execute(
    tx,
  );
  return rows;
}

/** Runs that started or ended since `since`: what a stream missed while it was away. */
export async function listChangedSince(tx: Tx, filters: RunFilters, since: Date, limit: number): Promise<RunRow[]> {
  const { rows } = await query<'executions_list_changed_since', RunRow>`${PLANNED_ANEW}select ${COLUMNS} from execution e ${NAMES}
    where ${conditions(filters, null)} and e.id >= uuid_floor(${since}::timestamptz - interval '1 hour') and greatest(e.started_at, e.finished_at) >= ${since}::timestamptz
    order by e.id desc limit ${limit}`.execute(tx);
  return rows.reverse();
}

export type RunDetailRow = RunRow & {
  input: Record<string, unknown> | null;
  output: unknown;
  steps: unknown[] | null;
  timed: boolean | null;
  hasPayload: boolean;
  providerFlowId: string | null;
  previousId: string | null;
  nextId: string | null;
};

export async function findRun(tx: Tx, id: string): Promise<RunDetailRow | undefined> {
  const { rows } = await query<
    'executions_find_run',
    RunDetailRow
  >`select ${COLUMNS}, p.input, p.output, p.steps, p.timed, p.id is not null as has_payload, w.provider_flow_id,
      (select o.id from execution o where o.workflow_id = e.workflow_id and o.id < e.id order by o.id desc limit 1) as previous_id,
      (select o.id from execution o where o.workflow_id = e.workflow_id and o.id > e.id order by o.id limit 1) as next_id
    from execution e ${NAMES} left join execution_payload p on p.partner_id = e.partner_id and p.id = e.id where e.id = ${id}::uuid`.execute(
    tx,
  );
  return rows[0];
}

export type CauseRow = {
  code: string;
  message: string;
  count: number;
  workflowId: string;
  agentName: string | null;
  clients: (string | null)[];
  lastAt: Date;
};

/** Newest failures that the grouping looks at. */
const CAUSES_WINDOW = 5_000;

export async function listCauses(tx: Tx, filters: RunFilters): Promise<CauseRow[]> {
  const { rows } = await query<
    'executions_list_causes',
    CauseRow
  >`${PLANNED_ANEW}select coalesce(e.error_code, 'unknown') as code, (array_agg(e.error_message order by e.id desc))[1] as message, count(*)::int as count, e.workflow_id,
      max(w.name) as agent_name, array_agg(distinct c.name) as clients, max(e.started_at) as last_at
    from (select e.* from execution e where ${conditions({ ...filters, status: 'FAILED' }, null)} order by e.id desc limit ${CAUSES_WINDOW}) e ${NAMES}
    group by e.error_code, e.workflow_id order by count(*) desc, max(e.started_at) desc limit 50`.execute(tx);
  return rows;
}

export type RerunSource = { id: string; workflowId: string; partnerId: string; status: string; input: Record<string, unknown> | null };

export async function findRerunSource(tx: Tx, id: string): Promise<RerunSource | undefined> {
  const { rows } = await query<
    'executions_find_rerun_source',
    RerunSource
  >`select e.id, e.workflow_id, e.partner_id, e.status, p.input from execution e left join execution_payload p on p.partner_id = e.partner_id and p.id = e.id where e.id = ${id}::uuid`.execute(
    tx,
  );
  return rows[0];
}

/** Failed runs of a window whose input is still kept, oldest first. */
export async function listFailedForRerun(
  tx: Tx,
  workflowId: string,
  window: { from: string; to: string },
  limit: number,
): Promise<RerunSource[]> {
  const { rows } = await query<
    'executions_list_failed_for_rerun',
    RerunSource
  >`${PLANNED_ANEW}select e.id, e.workflow_id, e.partner_id, e.status, p.input
    from execution e join execution_payload p on p.partner_id = e.partner_id and p.id = e.id
    where ${conditions({ partnerId: null, workflowId, status: 'FAILED', from: window.from, to: window.to }, null)} order by e.id limit ${limit}`.execute(
    tx,
  );
  return rows;
}

/** Whether the flow has run at most `max` times since this run: beyond that the engine's run is too deep to look for. */
export async function countRunsSince(tx: Tx, workflowId: string, id: string, max: number): Promise<number> {
  const { rows } = await query<'executions_count_runs_since', { count: number }>`${PLANNED_ANEW}select count(*)::int as count from (
      select 1 from execution where workflow_id = ${workflowId}::uuid and id >= ${id}::uuid limit ${max}) newer`.execute(tx);
  return rows[0]?.count ?? max;
}

export type InboundRow = {
  id: string;
  workflowId: string;
  receivedAt: Date;
  outcome: string;
  reason: string | null;
  status: number;
  senderAddress: string | null;
  bodyPreview: string | null;
  executionId: string | null;
};

/** Days that senders and previews are shown; the rows that hold them go later, with their month. */
const INBOUND_DAYS = 14;

/** Calls to an ingest URL in one order: those that became a run of their own are told by the run, the others by the inbound log. */
export async function listInbound(
  tx: Tx,
  workflowId: string,
  outcome: string | undefined,
  before: string | null,
  limit: number,
): Promise<InboundRow[]> {
  const newest = (id: RawBuilder<unknown>) => sql`${id} >= uuid_floor(now() - make_interval(days => ${INBOUND_DAYS}::int))
      ${before === null ? sql`` : sql`and ${id} < ${before}::uuid`} order by ${id} desc limit ${limit}`;
  const { rows } = await query<'executions_list_inbound', InboundRow>`${PLANNED_ANEW}select * from (
      (select i.id, i.workflow_id, i.received_at, i.outcome, i.reason, i.status, i.sender_address, i.body_preview, i.execution_id from inbound_event i
        where i.partner_id = (select partner_id from workflow where id = ${workflowId}::uuid) and i.workflow_id = ${workflowId}::uuid
          ${outcome === undefined ? sql`` : sql`and i.outcome = ${outcome}`} and ${newest(sql`i.id`)})
      union all
      (select e.id, e.workflow_id, e.started_at, 'accepted', null, 202, p.sender_address, p.body_preview, e.id
        from execution e left join execution_payload p on p.partner_id = e.partner_id and p.id = e.id
        where e.workflow_id = ${workflowId}::uuid and e.source = 'ingest' and coalesce(${outcome ?? null}::text, 'accepted') = 'accepted' and ${newest(sql`e.id`)})
    ) calls order by id desc limit ${limit}`.execute(tx);
  return rows;
}

export async function workflowExists(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await query<'executions_workflow_exists'>`select 1 from workflow where id = ${id}::uuid`.execute(tx);
  return rows.length > 0;
}

export type DayRow = { date: string; succeeded: number; failed: number; credits: number; p50Ms: number | null; p95Ms: number | null };

/** Runs whose durations the percentiles of a chart are taken from: the newest of the range. */
const DURATION_SAMPLE = 20_000;

/** Days of the range in the client's time zone (the agency's without a client), those without runs included. */
export async function listDays(tx: Tx, workflowId: string, days: number): Promise<DayRow[]> {
  const { rows } = await query<'executions_list_days', DayRow>`${PLANNED_ANEW}with zone as (
      select known_zone(coalesce(c.timezone, p.timezone)) as name from workflow w join partner p on p.id = w.partner_id left join client c on c.id = w.client_id where w.id = ${workflowId}::uuid
    ), day as (
      select ((now() at time zone z.name)::date - n) as date from zone z, generate_series(0, ${days}::int - 1) n
    ), ended as (
      select (h.hour at time zone z.name)::date as date, sum(h.succeeded)::int as succeeded, sum(h.failed)::int as failed, sum(h.credits)::int as credits
      from zone z, workflow w join workflow_hour h on h.partner_id = w.partner_id and h.workflow_id = w.id
      where w.id = ${workflowId}::uuid and h.hour >= now() - make_interval(days => ${days}::int + 1) group by 1
    ), sample as (
      select e.started_at, e.finished_at from execution e
      where e.workflow_id = ${workflowId}::uuid and e.id >= uuid_floor(now() - make_interval(days => ${days}::int + 1)) and e.finished_at is not null order by e.id desc limit ${DURATION_SAMPLE}
    ), took as (
      select (s.started_at at time zone z.name)::date as date,
        percentile_cont(array[0.5, 0.95]) within group (order by extract(epoch from s.finished_at - s.started_at) * 1000) as ms
      from sample s, zone z group by 1
    )
    select to_char(d.date, 'YYYY-MM-DD') as date, coalesce(n.succeeded, 0) as succeeded, coalesce(n.failed, 0) as failed, coalesce(n.credits, 0) as credits,
      round(t.ms[1])::int as p50_ms, round(t.ms[2])::int as p95_ms
    from day d left join ended n on n.date = d.date left join took t on t.date = d.date order by d.date`.execute(tx);
  return rows;
}
