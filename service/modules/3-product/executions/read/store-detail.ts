import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { PLANNED_ANEW } from '#platform/db/statement-names.ts';
import { sql } from 'kysely';
import { query } from '#platform/db/statements.ts';
import type { Database, Tx } from '#platform/db/tx.ts';
import { COLUMNS, NAMES, type ExecutionRow } from './store.ts';

export type ExecutionDetailRow = ExecutionRow & {
  input: Record<string, unknown> | null;
  output: unknown;
  steps: unknown[] | null;
  timed: boolean | null;
  hasPayload: boolean;
  providerFlowId: string | null;
  previousId: string | null;
  nextId: string | null;
};

export async function findExecutionDetail(tx: Tx, id: string): Promise<ExecutionDetailRow | undefined> {
  const { rows } = await query<
    'executions_find_run',
    ExecutionDetailRow
  >`select ${COLUMNS}, p.input, p.output, p.steps, p.timed, p.id is not null as has_payload, w.provider_flow_id,
      (select o.id from execution o where o.workflow_id = e.workflow_id and o.id < e.id order by o.id desc limit 1) as previous_id,
      (select o.id from execution o where o.workflow_id = e.workflow_id and o.id > e.id order by o.id limit 1) as next_id
    from execution e ${NAMES} left join execution_payload p on p.partner_id = e.partner_id and p.id = e.id where e.id = ${id}::uuid`.execute(
    tx,
  );
  return rows[0];
}

/** `input` is null when it is no longer stored, or `isTooLarge`. */
export type RerunSource = {
  id: string;
  workflowId: string;
  partnerId: string;
  status: string;
  input: Record<string, unknown> | null;
  isTooLarge: boolean;
};

// The text of a jsonb value has blanks that the event had not: twice the limit is beyond what they add. Below it the event is measured exactly
// when it is accepted.
const TOO_LARGE = sql`coalesce(octet_length(p.input::text), 0) > 2 * ${LIMITS.eventBytesMax}::int`;

/** Returns an execution with its stored input. */
export async function findRerunSource(tx: Tx, id: string): Promise<RerunSource | undefined> {
  const { rows } = await query<
    'executions_find_rerun_source',
    RerunSource
  >`select e.id, e.workflow_id, e.partner_id, e.status, case when not ${TOO_LARGE} then p.input end as input, ${TOO_LARGE} as is_too_large
    from execution e left join execution_payload p on p.partner_id = e.partner_id and p.id = e.id where e.id = ${id}::uuid`.execute(tx);
  return rows[0];
}

/** Counts the executions of a workflow since this one, up to `max`: beyond that the engine's run is too old to search for. */
export async function countExecutionsSince(tx: Tx, workflowId: string, id: string, max: number): Promise<number> {
  const { rows } = await query<'executions_count_runs_since', { count: number }>`${PLANNED_ANEW}select count(*)::int as count from (
      select 1 from execution where workflow_id = ${workflowId}::uuid and id >= ${id}::uuid limit ${max}) newer`.execute(tx);
  return rows[0]?.count ?? max;
}

export async function workflowExists(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await query<'executions_workflow_exists'>`select 1 from workflow where id = ${id}::uuid`.execute(tx);
  return rows.length > 0;
}

/** Stores the engine's step times, once per execution. */
export async function storeStepTimes(db: Database, executionId: string, steps: string): Promise<void> {
  await db.call({ name: 'store_step_times', text: 'select store_step_times($1, $2::jsonb)', values: [executionId, steps] });
}
