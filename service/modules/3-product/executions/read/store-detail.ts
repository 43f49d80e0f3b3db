import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { Database, Tx } from '#platform/db/tx.ts';
import { SHOWN_FROM } from '#platform/db/run-columns.ts';
import type { EventRemark } from '../accept/store-accept.ts';
import { AGENT, COLUMNS, type ExecutionRow, NEWEST_RERUN } from './store.ts';

export type ExecutionDetailRow = ExecutionRow & {
  input: Record<string, unknown> | null;
  understood: Record<string, unknown> | null;
  remarks: EventRemark[] | null;
  /** Time zone of the client, else of the agency. */
  timezone: string;
  output: unknown;
  steps: unknown[] | null;
  timed: boolean | null;
  hasPayload: boolean;
  providerFlowId: string | null;
  /** Runs of its agent from this one on, as far as they are counted; null of a run whose step times are not asked for. */
  counted: number | null;
  previousId: string | null;
  nextId: string | null;
  /** The newest run that repeats this one. */
  lastRerun: { id: string; status: 'RUNNING' | 'SUCCEEDED' | 'FAILED' } | null;
};

/** Runs of an agent that are counted: the engine lists runs by flow only, newest first, and an older one than this is not searched for. */
export const COUNTED_MAX = 40;

/**
 * Counts the runs since this one up to COUNTED_MAX. The limits are for the planner: a plan for all ids then costs no more than one for this id,
 * and the server keeps it.
 */
export async function findExecutionDetail(tx: Tx, id: string): Promise<ExecutionDetailRow | undefined> {
  const [row] = await runStatement<'executions_find_run', ExecutionDetailRow>(tx, {
    name: 'executions_find_run',
    text: `select ${COLUMNS}, p.input, p.understood, p.remarks, (select coalesce(k.timezone, a.timezone) from partner a left join client k on k.id = e.client_id where a.id = e.partner_id) as timezone, p.output, p.steps, p.timed, p.id is not null as has_payload, w.provider_flow_id,
        case when e.status <> 'RUNNING' and p.timed = false and w.provider_flow_id is not null then (select count(*)::int from (
          select from execution o where o.workflow_id = e.workflow_id and o.id >= e.id limit ${COUNTED_MAX}) x) end as counted,
        (select o.id from execution o where o.workflow_id = e.workflow_id and o.id < e.id order by o.id desc limit 1) as previous_id,
        (select o.id from execution o where o.workflow_id = e.workflow_id and o.id > e.id order by o.id limit 1) as next_id,
        (select json_build_object('id', o.id, 'status', o.status) from execution o where o.partner_id = e.partner_id and o.rerun_of = e.id and o.id > e.id order by o.id desc limit 1) as last_rerun
      from (select x.* from execution x where x.id = $1 limit 1) e ${AGENT} left join lateral (
        select y.* from execution_payload y where y.partner_id = e.partner_id and y.id = e.id and y.id >= ${SHOWN_FROM} limit 1) p on true`,
    values: [id],
  });
  return row;
}

/** `input` is null when it is no longer stored, or `isTooLarge`. */
export type RerunSource = {
  id: string;
  workflowId: string;
  partnerId: string;
  status: string;
  source: string;
  /** Corrected by a late report. */
  late: boolean;
  input: Record<string, unknown> | null;
  isTooLarge: boolean;
  /** The newest run that stands for it, because it was run again. */
  newestRerun: string | null;
};

// The text of a jsonb value has blanks that the event had not: twice the limit is beyond what they add. Below it the event is measured exactly
// when it is accepted.
const TOO_LARGE = `coalesce(octet_length(p.input::text), 0) > 2 * ${LIMITS.eventBytesMax}`;

/** Returns an execution with its stored input. */
export async function findRerunSource(tx: Tx, id: string): Promise<RerunSource | undefined> {
  const [row] = await runStatement<'executions_find_rerun_source', RerunSource>(tx, {
    name: 'executions_find_rerun_source',
    text: `select e.id, e.workflow_id, e.partner_id, e.status, e.source, e.late, case when not ${TOO_LARGE} then p.input end as input, ${TOO_LARGE} as is_too_large, ${NEWEST_RERUN} as newest_rerun
      from execution e left join execution_payload p on p.partner_id = e.partner_id and p.id = e.id and p.id >= ${SHOWN_FROM} where e.id = $1`,
    values: [id],
  });
  return row;
}

export async function workflowExists(tx: Tx, id: string): Promise<boolean> {
  const rows = await runStatement<'executions_workflow_exists'>(tx, {
    name: 'executions_workflow_exists',
    text: 'select 1 from workflow where id = $1',
    values: [id],
  });
  return rows.length > 0;
}

/** Stores the engine's step times, once per execution. */
export async function storeStepTimes(db: Database, executionId: string, steps: string): Promise<void> {
  await db.call({ name: 'store_step_times', text: 'select store_step_times($1, $2::jsonb)', values: [executionId, steps] });
}
