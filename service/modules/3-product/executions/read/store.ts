import type { QueryOf } from '@partner-portal/contract/define-route.ts';
import type { executionRoutes } from '@partner-portal/contract/routes/executions.ts';
import type { RunTone } from '@partner-portal/contract/vocabulary.ts';
import { KEPT_PAGE_MAX, LAST_ID } from '#platform/db/kept-page.ts';
import { containing } from '#platform/db/like.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { Place } from '#platform/db/place.ts';
import { ERROR_MESSAGE, SHOWN_FROM, SUMMARY } from '#platform/db/run-columns.ts';

/** Lists of executions, and the columns and filters that all reads share. `partnerId` is null only for staff who list those of all partners. */

/** The filters of the list in the contract, but for the text `q`, which `searchExecutionRows` takes. */
export type ExecutionFilters = { partnerId: string | null } & Omit<QueryOf<typeof executionRoutes.exportExecutions>, 'partnerId' | 'q'>;

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
  /** Null once its contents are no longer shown, as is the message of its error. */
  summary: string | null;
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
  stopped: boolean;
  tone: RunTone | null;
};

/** An execution that waits longer than this to be handed over is shown as delayed. */
const DELAYED_AFTER = `interval '10 seconds'`;

export const COLUMNS = `e.id, e.workflow_id, coalesce(w.name, 'Removed agent') as agent_name, w.template_name, e.partner_id, e.client_id,
  (select c.name from client c where c.id = e.client_id) as client_name, e.status, e.source, ${SUMMARY},
  e.started_at, e.finished_at, e.error_code, ${ERROR_MESSAGE}, e.error_step, e.credits_charged, e.rerun_of, e.late, e.template_version,
  case when e.status = 'RUNNING' then (select case when d.held_until > now() then 'first_contacts' when d.attempts = 0 then 'capacity' else 'engine' end from dispatch d
    where d.execution_id = e.id and d.created_at < now() - ${DELAYED_AFTER}) end as waits_for,
  case when e.source = 'chatbot' then (select t.conversation_id from conversation_turn t where t.id = e.id) end as conversation_id,
  e.stopped, e.tone`;
/**
 * The agent by its key, like the name of the client: joined, the planner takes the few agents and clients of an average agency, and reads all of a large one
 * for each run.
 */
export const AGENT = `left join lateral (select w.name, w.template_name, w.provider_flow_id from workflow w where w.id = e.workflow_id offset 0) w on true`;

/**
 * The filters as `valuesOf` numbers them. Each is on a column that an index starts with, or on the id, which is in time order. An index begins with the partner, whom
 * staff do not name with a client. The indexes of causes and sources leave out what is no failure, and ingest. The id is created just before the row, hence the
 * minute of slack; the time decides.
 */
const MATCHING = `($1::uuid is null or e.partner_id = $1) and ($2::uuid is null or e.client_id = $2)
  and ($1::uuid is not null or $2::uuid is null or e.partner_id = (select x.partner_id from client x where x.id = $2))
  and ($3::uuid is null or e.workflow_id = $3) and ($4::text is null or e.status = $4) and ($5::text is null or e.source = $5)
  and ($6::text is null or (e.status = 'FAILED' and e.error_code = $6))
  and ($7::timestamptz is null or (e.id >= uuid_floor($7::timestamptz - interval '1 minute') and e.started_at >= $7))
  and ($8::timestamptz is null or (e.id < uuid_floor($8::timestamptz + interval '1 minute') and e.started_at < $8))
  and ($9::uuid is null or e.id < $9)`;

/** Returns the conditions in SQL, for a statement that is planned at each call. The run of a turn has its id; only a condition of its own is answered by the turns. */
export function matching({ conversationId }: ExecutionFilters): string {
  return conversationId === undefined
    ? `${MATCHING} and $10::uuid is null`
    : `${MATCHING} and e.id in (select t.id from conversation_turn t where t.conversation_id = $10)`;
}

/** Returns the values of `matching`: the first ten of a statement. */
export function valuesOf(filters: ExecutionFilters, before: string | null) {
  const { partnerId, clientId = null, workflowId = null, status = null, source = null, cause = null, from = null, to = null } = filters;
  return [partnerId, clientId, workflowId, status, source, cause, from, to, before, filters.conversationId ?? null] as const;
}

const RERUNS = 'from execution r where r.partner_id = e.partner_id and r.rerun_of in (e.id, e.rerun_of) and r.id > e.id';
/**
 * Whether an execution was run again, with any result: a rerun that failed is a failure of its own. So was a rerun whose original was run again after it: the newest
 * rerun stands for both.
 */
export const WAS_RERUN = `exists (select ${RERUNS})`;
/** The newest of those reruns. */
export const NEWEST_RERUN = `(select r.id ${RERUNS} order by r.id desc limit 1)`;

/** Returns one page, newest first. */
export async function listExecutionRows(tx: Tx, filters: ExecutionFilters, before: string | null, limit: number): Promise<ExecutionRow[]> {
  if (limit <= KEPT_PAGE_MAX && isPlain(filters)) return listPlain(tx, filters, before ?? LAST_ID, limit);
  return runStatement<'executions_list_runs', ExecutionRow>(tx, {
    name: 'executions_list_runs',
    prepare: false,
    text: `select ${COLUMNS} from (select e.* from execution e where ${matching(filters)} order by e.id desc limit $11) e ${AGENT} order by e.id desc`,
    values: [...valuesOf(filters, before), limit],
  });
}

/** Returns one page, oldest first: the indexes of `MATCHING` are read backwards. */
export async function listOldestRows(tx: Tx, filters: ExecutionFilters, after: string | null, limit: number): Promise<ExecutionRow[]> {
  return runStatement<'executions_list_oldest', ExecutionRow>(tx, {
    name: 'executions_list_oldest',
    prepare: false,
    text: `select ${COLUMNS} from (
        select e.* from execution e where ${matching(filters)} and ($11::uuid is null or e.id > $11) order by e.id limit $12
      ) e ${AGENT} order by e.id`,
    values: [...valuesOf(filters, null), after, limit],
  });
}

/** Whether the plan is the same for all values: one index has the rows of an agency, or of one of its clients, in order. */
function isPlain({ partnerId, clientId, ...others }: ExecutionFilters): boolean {
  return (partnerId !== null || clientId === undefined) && Object.values(others).every((one) => one === undefined);
}

/** Lists what pages ask for first. Unlike the plan of a filtered list, these plans never change, and the server keeps them. */
async function listPlain(tx: Tx, { partnerId, clientId }: ExecutionFilters, before: string, limit: number): Promise<ExecutionRow[]> {
  if (partnerId === null)
    return runStatement<'executions_page_of_all', ExecutionRow>(tx, {
      name: 'executions_page_of_all',
      text: `select ${COLUMNS} from (select n.* from (
          select e.* from execution e where e.id < $1 order by e.id desc limit ${KEPT_PAGE_MAX}
        ) n limit $2) e ${AGENT} order by e.id desc`,
      values: [before, limit],
    });
  if (clientId === undefined)
    return runStatement<'executions_page_of_agency', ExecutionRow>(tx, {
      name: 'executions_page_of_agency',
      text: `select ${COLUMNS} from (select n.* from (
          select e.* from execution e where e.partner_id = $1 and e.id < $2 order by e.id desc limit ${KEPT_PAGE_MAX}
        ) n limit $3) e ${AGENT} order by e.id desc`,
      values: [partnerId, before, limit],
    });
  return runStatement<'executions_page_of_client', ExecutionRow>(tx, {
    name: 'executions_page_of_client',
    text: `select ${COLUMNS} from (select n.* from (
        select e.* from execution e where e.partner_id = $1 and e.client_id = $2 and e.id < $3 order by e.id desc limit ${KEPT_PAGE_MAX}
      ) n limit $4) e ${AGENT} order by e.id desc`,
    values: [partnerId, clientId, before, limit],
  });
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
  const rows = await runStatement<'executions_search_runs', ExecutionRow & { lastSearched: string | null }>(tx, {
    name: 'executions_search_runs',
    prepare: false,
    text: `with scanned as materialized (
        select e.* from execution e where ${matching(filters)} and e.id >= ${SHOWN_FROM} order by e.id desc limit ${SEARCH_WINDOW}
      ), marked as (
        select case when count(*) = ${SEARCH_WINDOW} then (select l.id from scanned l order by l.id limit 1) end as last_searched from scanned
      ), found as (
        select l.* from scanned l cross join lateral (select p.input::text ilike $11 as is_hit from execution_payload p where p.partner_id = l.partner_id and p.id = l.id offset 0) p
        where p.is_hit order by l.id desc limit $12
      )
      select ${COLUMNS}, m.last_searched from marked m left join found e on true ${AGENT} order by e.id desc`,
    values: [...valuesOf(filters, before), containing(text), limit],
  });
  return { rows: rows.filter((row) => row.id !== null), lastSearched: rows[0]?.lastSearched ?? null };
}

/** What a stream shows: the executions of all, of an agency, of a client or of one of its agents. */
type StreamScope = Pick<ExecutionFilters, 'partnerId' | 'clientId' | 'workflowId'>;

/** Returns executions by their ids, for the stream. */
export async function findExecutionRows(tx: Tx, ids: readonly string[], scope: StreamScope): Promise<ExecutionRow[]> {
  return runStatement<'executions_find_runs', ExecutionRow>(tx, {
    name: 'executions_find_runs',
    text: `select ${COLUMNS} from execution e ${AGENT} where e.id = any($1::uuid[]) and ($2::uuid is null or e.partner_id = $2)
        and ($3::uuid is null or e.client_id = $3) and ($4::uuid is null or e.workflow_id = $4) order by e.id`,
    values: [ids, scope.partnerId, scope.clientId ?? null, scope.workflowId ?? null],
  });
}

/** Returns executions that started or ended after a place, in the order of these times, for a stream that resumes. Few runs take an hour: an index has them. */
export async function listChangedAfter(tx: Tx, filters: StreamScope, after: Place, limit: number): Promise<ExecutionRow[]> {
  return runStatement<'executions_list_changed_after', ExecutionRow>(tx, {
    name: 'executions_list_changed_after',
    prepare: false,
    text: `with changed as (
        select e.id, greatest(e.started_at, e.finished_at) as at from execution e where ${matching(filters)} and e.id >= uuid_floor($11::timestamptz - interval '1 hour')
        union select e.id, e.finished_at from execution e where ${matching(filters)} and e.finished_at >= $11 and e.finished_at - e.started_at > interval '50 minutes')
      select ${COLUMNS} from (select * from changed c where (c.at, c.id) > ($11, $12::uuid) order by c.at, c.id limit $13) c
        join execution e on e.id = c.id ${AGENT} order by c.at, c.id`,
    values: [...valuesOf(filters, null), after.time, after.id, limit],
  });
}

export type CauseRow = {
  code: string;
  /** That of its newest run, while the contents of the run are shown. */
  message: string | null;
  count: number;
  notRerun: number;
  workflowId: string;
  agentName: string | null;
  clients: (string | null)[];
  lastAt: Date;
  /** For each failure, the whole days between `from` and it. */
  days: number[];
  /** The first of these days of which every failure was read. */
  firstDay: number;
};

/** The newest failures, which are grouped. */
const CAUSES_WINDOW = 5_000;

export async function listCauses(tx: Tx, filters: ExecutionFilters & { from: string }): Promise<CauseRow[]> {
  const failed = { ...filters, status: 'FAILED' } as const;
  return runStatement<'executions_list_causes', CauseRow>(tx, {
    name: 'executions_list_causes',
    prepare: false,
    text: `with newest as materialized (
        select e.id, e.error_code, ${ERROR_MESSAGE}, e.workflow_id, e.client_id, e.started_at, floor(extract(epoch from e.started_at - $7::timestamptz) / 86400)::int as day, ${WAS_RERUN} as was_rerun
        from execution e where ${matching(failed)} order by e.id desc limit ${CAUSES_WINDOW})
      select g.code, g.message, g.count, g.not_rerun, g.workflow_id, (select w.name from workflow w where w.id = g.workflow_id) as agent_name,
        array(select distinct (select c.name from client c where c.id = x) from unnest(g.client_ids) x) as clients, g.last_at, g.days,
        (select case when count(*) = ${CAUSES_WINDOW} then min(n.day) + 1 else 0 end from newest n) as first_day
      from (select coalesce(e.error_code, 'unknown') as code, (array_agg(e.error_message order by e.id desc))[1] as message, count(*)::int as count, count(*) filter (where not e.was_rerun)::int as not_rerun, e.workflow_id,
          array_agg(distinct e.client_id) as client_ids, max(e.started_at) as last_at, array_agg(e.day) as days
        from newest e
        group by e.error_code, e.workflow_id order by count(*) desc, max(e.started_at) desc limit 50) g
      order by g.count desc, g.last_at desc`,
    values: valuesOf(failed, null),
  });
}
