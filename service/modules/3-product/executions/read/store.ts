import { RUN_CONTENT_DAYS } from '@partner-portal/core/trust/retention.ts';
import { type RawBuilder, sql } from 'kysely';
import { keptPageSize, PLANNED_ANEW } from '#platform/db/statement-names.ts';
import { query } from '#platform/db/statements.ts';
import type { Tx } from '#platform/db/tx.ts';

/** Lists of executions, and the columns and filters that all reads share. `partnerId` is null only for staff who list those of all partners. */

export type ExecutionFilters = {
  partnerId: string | null;
  clientId?: string | undefined;
  workflowId?: string | undefined;
  status?: string | undefined;
  source?: string | undefined;
  conversationId?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  cause?: string | undefined;
};

export type ExecutionRow = {
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
  waitsFor: 'capacity' | 'engine' | 'first_contacts' | null;
  conversationId: string | null;
};

/** An execution that waits longer than this to be handed over is shown as delayed. */
const DELAYED_AFTER = sql`interval '10 seconds'`;

export const COLUMNS = sql`e.id, e.workflow_id, coalesce(w.name, 'Removed agent') as agent_name, w.template_name, e.partner_id, e.client_id,
  (select c.name from client c where c.id = e.client_id) as client_name, e.status, e.source, e.summary,
  e.started_at, e.finished_at, e.error_code, e.error_message, e.error_step, e.credits_charged, e.rerun_of, e.late, e.template_version,
  case when e.status = 'RUNNING' then (select case when d.held_until > now() then 'first_contacts' when d.attempts = 0 then 'capacity' else 'engine' end from dispatch d
    where d.execution_id = e.id and d.created_at < now() - ${DELAYED_AFTER}) end as waits_for,
  case when e.source = 'chatbot' then (select t.conversation_id from conversation_turn t where t.id = e.id) end as conversation_id`;
/**
 * The agent by its key, like the name of the client: joined, the planner takes the few agents and clients of an average agency, and reads all of a large one
 * for each run.
 */
export const AGENT = sql`left join lateral (select w.name, w.template_name, w.provider_flow_id from workflow w where w.id = e.workflow_id offset 0) w on true`;

/** Returns the conditions in SQL. Each is on a column that an index starts with, or on the id, which is in time order. */
export function conditions(filters: ExecutionFilters, before: string | null): RawBuilder<unknown> {
  const all: RawBuilder<unknown>[] = [sql`true`];
  if (filters.partnerId !== null) all.push(sql`e.partner_id = ${filters.partnerId}::uuid`);
  if (filters.clientId !== undefined) all.push(sql`e.client_id = ${filters.clientId}::uuid`);
  // An index begins with the partner. Staff name none.
  if (filters.clientId !== undefined && filters.partnerId === null)
    all.push(sql`e.partner_id = (select x.partner_id from client x where x.id = ${filters.clientId}::uuid)`);
  if (filters.workflowId !== undefined) all.push(sql`e.workflow_id = ${filters.workflowId}::uuid`);
  // Literals, so that the partial indexes of RUNNING and FAILED executions can serve.
  if (filters.status === 'FAILED' || filters.cause !== undefined) all.push(sql`e.status = 'FAILED'`);
  if (filters.status === 'RUNNING') all.push(sql`e.status = 'RUNNING'`);
  if (filters.status === 'SUCCEEDED') all.push(sql`e.status = 'SUCCEEDED'`);
  if (filters.source !== undefined) all.push(sql`e.source = ${filters.source}`);
  // Most are of this source, so the index of sources leaves them out.
  if (filters.source !== undefined && filters.source !== 'ingest') all.push(sql`e.source <> 'ingest'`);
  // The run of a turn has its id.
  if (filters.conversationId !== undefined)
    all.push(sql`e.id in (select t.id from conversation_turn t where t.conversation_id = ${filters.conversationId}::uuid)`);
  if (filters.cause !== undefined) all.push(sql`e.error_code = ${filters.cause}`);
  // The id is created just before the row, hence the minute of slack; the time decides.
  if (filters.from !== undefined)
    all.push(sql`e.id >= uuid_floor(${filters.from}::timestamptz - interval '1 minute') and e.started_at >= ${filters.from}::timestamptz`);
  if (filters.to !== undefined)
    all.push(sql`e.id < uuid_floor(${filters.to}::timestamptz + interval '1 minute') and e.started_at < ${filters.to}::timestamptz`);
  if (before !== null) all.push(sql`e.id < ${before}::uuid`);
  return sql.join(all, sql` and `);
}

/** Whether the plan is the same for all values: one index has the rows of an agency, or of one of its clients, in order. */
function isPlain({ partnerId, clientId, ...others }: ExecutionFilters): boolean {
  return (partnerId !== null || clientId === undefined) && Object.values(others).every((one) => one === undefined);
}

/** Returns one page, newest first. */
export async function listExecutionRows(tx: Tx, filters: ExecutionFilters, before: string | null, limit: number): Promise<ExecutionRow[]> {
  const size = keptPageSize(limit);
  if (size !== undefined && isPlain(filters)) return (await listPlain(tx, filters, before, size)).slice(0, limit);
  const { rows } = await query<'executions_list_runs', ExecutionRow>`${PLANNED_ANEW}select ${COLUMNS} from (
      select e.* from execution e where ${conditions(filters, before)} order by e.id desc limit ${limit}
    ) e ${AGENT} order by e.id desc`.execute(tx);
  return rows;
}

/** Of a kept page size; unlike that of a filtered list, the plan never changes, and the server keeps it. */
async function listPlain(tx: Tx, filters: ExecutionFilters, before: string | null, size: number): Promise<ExecutionRow[]> {
  const { rows } = await query<'executions_list_plain_runs', ExecutionRow>`select ${COLUMNS} from (
      select e.* from execution e where ${conditions(filters, before)} order by e.id desc limit ${sql.raw(String(size))}
    ) e ${AGENT} order by e.id desc`.execute(tx);
  return rows;
}

/** How many executions one page of a text search scans. */
export const SEARCH_WINDOW = 2_000;

/**
 * Returns a page of executions whose input contains `text`. Scans the newest SEARCH_WINDOW executions after the marker, so that a rare
 * text costs as much as a common one; `lastSearched` is where the next page starts when the window ended first.
 */
export async function searchExecutionRows(
  tx: Tx,
  filters: ExecutionFilters,
  text: string,
  before: string | null,
  limit: number,
): Promise<{ rows: ExecutionRow[]; lastSearched: string | null }> {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  const { rows } = await query<
    'executions_search_runs',
    ExecutionRow & { lastSearched: string | null }
  >`${PLANNED_ANEW}with scanned as materialized (
      select e.* from execution e where ${conditions(filters, before)} and e.id >= uuid_floor(now() - make_interval(days => ${RUN_CONTENT_DAYS}::int)) order by e.id desc limit ${SEARCH_WINDOW}
    ), marked as (
      select case when count(*) = ${SEARCH_WINDOW} then (select l.id from scanned l order by l.id limit 1) end as last_searched from scanned
    ), found as (
      select l.* from scanned l cross join lateral (select p.input::text ilike ${pattern} as is_hit from execution_payload p where p.partner_id = l.partner_id and p.id = l.id offset 0) p
      where p.is_hit order by l.id desc limit ${limit}
    )
    select ${COLUMNS}, m.last_searched from marked m left join found e on true ${AGENT} order by e.id desc`.execute(tx);
  return { rows: rows.filter((row) => row.id !== null), lastSearched: rows[0]?.lastSearched ?? null };
}

/** Returns executions by their ids, for the stream. */
export async function findExecutionRows(tx: Tx, ids: readonly string[], filters: ExecutionFilters): Promise<ExecutionRow[]> {
  const { rows } = await query<
    'executions_find_runs',
    ExecutionRow
  >`select ${COLUMNS} from execution e ${AGENT} where e.id = any(${[...ids]}::uuid[]) and ${conditions(filters, null)} order by e.id`.execute(
    tx,
  );
  return rows;
}

/** Returns executions that started or ended since `since`, for a stream that resumes. */
export async function listChangedSince(tx: Tx, filters: ExecutionFilters, since: Date, limit: number): Promise<ExecutionRow[]> {
  const { rows } = await query<'executions_list_changed_since', ExecutionRow>`${PLANNED_ANEW}select ${COLUMNS} from execution e ${AGENT}
    where ${conditions(filters, null)} and e.id >= uuid_floor(${since}::timestamptz - interval '1 hour') and greatest(e.started_at, e.finished_at) >= ${since}::timestamptz
    order by e.id desc limit ${limit}`.execute(tx);
  return rows.reverse();
}

export type CauseRow = {
  code: string;
  message: string;
  count: number;
  workflowId: string;
  agentName: string | null;
  clients: (string | null)[];
  lastAt: Date;
  /** Of each failure, the whole days that it came after `from`. */
  days: number[];
  /** The first of these days of which every failure was read. */
  firstDay: number;
};

/** The newest failures, which are grouped. */
const CAUSES_WINDOW = 5_000;

export async function listCauses(tx: Tx, filters: ExecutionFilters & { from: string }): Promise<CauseRow[]> {
  const { rows } = await query<'executions_list_causes', CauseRow>`${PLANNED_ANEW}with newest as materialized (
      select e.id, e.error_code, e.error_message, e.workflow_id, e.client_id, e.started_at, floor(extract(epoch from e.started_at - ${filters.from}::timestamptz) / 86400)::int as day
      from execution e where ${conditions({ ...filters, status: 'FAILED' }, null)} order by e.id desc limit ${CAUSES_WINDOW})
    select g.code, g.message, g.count, g.workflow_id, (select w.name from workflow w where w.id = g.workflow_id) as agent_name,
      array(select distinct (select c.name from client c where c.id = x) from unnest(g.client_ids) x) as clients, g.last_at, g.days,
      (select case when count(*) = ${CAUSES_WINDOW} then min(n.day) + 1 else 0 end from newest n) as first_day
    from (select coalesce(e.error_code, 'unknown') as code, (array_agg(e.error_message order by e.id desc))[1] as message, count(*)::int as count, e.workflow_id,
        array_agg(distinct e.client_id) as client_ids, max(e.started_at) as last_at, array_agg(e.day) as days
      from newest e
      group by e.error_code, e.workflow_id order by count(*) desc, max(e.started_at) desc limit 50) g
    order by g.count desc, g.last_at desc`.execute(tx);
  return rows;
}
