import type { Pool } from 'pg';
import type { FailedStep, StepResult } from '../interpreter.ts';
import type { RunStatus } from '../protocol.ts';

export type Environment = 'PRODUCTION' | 'TESTING';
/** A run as it is accepted; `input` is the trigger output as JSON text. */
export type NewRun = {
  id: string;
  projectId: string;
  flowId: string;
  flowVersionId: string;
  environment: Environment;
  fairnessKey: string;
  input: string;
  at: Date;
};
/** The scheduler's data of a waiting run. */
export type RunTicket = {
  id: string;
  projectId: string;
  flowId: string;
  flowVersionId: string;
  fairnessKey: string;
  /** JSON text of its event and its stored results, about. */
  bytes: number;
};
/** `input` and `output` are those of the result as JSON text. */
export type StepRecord = { runId: string; path: string; seq: number; result: StepResult; input: string; output: string | null };
export type FinishRecord = {
  runId: string;
  status: RunStatus;
  startedAt: Date;
  finishedAt: Date;
  stepsCount: number;
  failedStep: FailedStep | null;
};
/** The state from which a run continues: the trigger output (JSON text) and the stored results by path, in the order in which they were made. */
export type StoredRun = { input: string; steps: Map<string, StepResult> };
export type JournalEntry = { steps: StepRecord[]; finish: FinishRecord | undefined };
type StepRow = {
  path: string;
  type: StepResult['type'];
  status: StepResult['status'];
  input: string;
  output: string | null;
  error_message: string | null;
  duration_ms: number;
};

/** Another process has become the executor; this one must write nothing more. */
export class LostExecutor extends Error {}

/** Whether the database refuses the values themselves (SQLSTATE classes 22 and 54), so that writing them again never succeeds. */
export function isRefusedData(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(?:22|54)/.test(String(error.code));
}

const INSERT_RUNS = {
  name: 'engine-insert-runs',
  text: `insert into engine.run (id, project_id, flow_id, flow_version_id, environment, fairness_key, input, created, updated)
    select u.id, u.project_id, u.flow_id, u.flow_version_id, u.environment, u.fairness_key, u.input, u.at, u.at
    from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::timestamptz[])
      as u (id, project_id, flow_id, flow_version_id, environment, fairness_key, input, at)
    on conflict (id) do nothing returning id`,
};

// Step results and run endings of many runs in one commit. The bounds $16 and $17 let the planner leave out every
// partition the batch does not touch; the fence empties the whole statement for a process that lost the lock.
const WRITE_JOURNAL = {
  name: 'engine-write-journal',
  text: `with fence as (select from engine.executor where epoch = $1),
    steps as (
      insert into engine.run_step (run_id, path, seq, type, status, input, output, error_message, duration_ms)
      select u.* from fence, unnest($2::text[], $3::text[], $4::int[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::float8[]) as u
      on conflict do nothing),
    ends as (
      update engine.run r set status = u.status, start_time = u.start_time, finish_time = u.finish_time, updated = u.finish_time,
        steps_count = u.steps_count, failed_step = u.failed_step
      from fence, unnest($11::text[], $12::text[], $13::timestamptz[], $14::timestamptz[], $15::int[], $18::json[])
        as u (id, status, start_time, finish_time, steps_count, failed_step)
      where r.id = u.id and r.id between $16 and $17 and r.finish_time is null)
    select count(*)::int as held from fence`,
};

const LOAD_INPUTS = { name: 'engine-load-inputs', text: 'select id, input from engine.run where id = any($1) and finish_time is null' };
const LOAD_STEPS = {
  name: 'engine-load-steps',
  text: `select run_id, path, type, status, input, output, error_message, duration_ms from engine.run_step where run_id = any($1) order by run_id, seq`,
};

export type RunStore = ReturnType<typeof createRunStore>;

/** `hot` serves the statements of every run, `pool` the rest. */
export function createRunStore(hot: Pool, pool: Pool) {
  return {
    /** Returns for each run whether it was new; one that is stored already is left as it is. */
    insertRuns: async (runs: NewRun[]): Promise<boolean[]> => {
      const { rows } = await hot.query<{ id: string }>(INSERT_RUNS, [
        runs.map(({ id }) => id),
        runs.map(({ projectId }) => projectId),
        runs.map(({ flowId }) => flowId),
        runs.map(({ flowVersionId }) => flowVersionId),
        runs.map(({ environment }) => environment),
        runs.map(({ fairnessKey }) => fairnessKey),
        runs.map(({ input }) => input),
        runs.map(({ at }) => at),
      ]);
      const inserted = new Set(rows.map(({ id }) => id));
      // The first of two repeats in one batch is the new one.
      return runs.map(({ id }) => inserted.delete(id));
    },
    /** Throws LostExecutor when `epoch` is no longer the executor's. */
    writeJournal: async (epoch: number, entries: JournalEntry[]): Promise<void[]> => {
      const steps = entries.flatMap((entry) => entry.steps);
      const ends = entries.flatMap((entry) => (entry.finish === undefined ? [] : [entry.finish]));
      const ids = ends.map(({ runId }) => runId).toSorted();
      const { rows } = await hot.query<{ held: number }>(WRITE_JOURNAL, [
        epoch,
        steps.map(({ runId }) => runId),
        steps.map(({ path }) => path),
        steps.map(({ seq }) => seq),
        steps.map(({ result }) => result.type),
        steps.map(({ result }) => result.status),
        steps.map(({ input }) => input),
        steps.map(({ output }) => output),
        steps.map(({ result }) => result.errorMessage ?? null),
        steps.map(({ result }) => result.durationMs),
        ends.map(({ runId }) => runId),
        ends.map(({ status }) => status),
        ends.map(({ startedAt }) => startedAt),
        ends.map(({ finishedAt }) => finishedAt),
        ends.map(({ stepsCount }) => stepsCount),
        ids[0] ?? '',
        ids.at(-1) ?? '',
        ends.map(({ failedStep }) => (failedStep === null ? null : JSON.stringify(failedStep))),
      ]);
      if (rows[0]?.held !== 1) throw new LostExecutor();
      return entries.map(() => undefined);
    },
    /** Makes this process the executor in the eyes of every journal write; returns its epoch. */
    nextEpoch: async (): Promise<number> => {
      const { rows } = await pool.query<{ epoch: string }>('update engine.executor set epoch = epoch + 1 returning epoch');
      return Number(rows[0]?.epoch);
    },
    /** Unfinished runs, round-robin between fairness keys, oldest first within each. */
    unfinished: async (limit: number): Promise<RunTicket[]> => {
      const { rows } = await pool.query<TicketRow>(
        `select id, project_id, flow_id, flow_version_id, fairness_key, ${STORED_BYTES.replaceAll('RUN', 'r')} as bytes
         from (select *, row_number() over (partition by fairness_key order by id) as turn from engine.run where finish_time is null) r
         order by turn, id limit $1`,
        [limit],
      );
      return rows.map(ticketOf);
    },
    /** The ticket of a stored run; `ended` when there is nothing left to do, undefined when no run has this id. */
    findTicket: async (id: string): Promise<RunTicket | 'ended' | undefined> => {
      const { rows } = await pool.query<TicketRow & { ended: boolean }>(
        `select id, project_id, flow_id, flow_version_id, fairness_key, finish_time is not null as ended, ${STORED_BYTES.replaceAll('RUN', 'r')} as bytes
         from engine.run r where id = $1`,
        [id],
      );
      const [row] = rows;
      return row?.ended ? 'ended' : row && ticketOf(row);
    },
    /** Returns the stored state of unfinished runs, in their order; undefined for a run that ended or was deleted. Steps are read unless the run is `fresh`. */
    loadRuns: async (wanted: readonly { id: string; fresh: boolean }[]): Promise<(StoredRun | undefined)[]> => {
      const begun = wanted.filter(({ fresh }) => !fresh).map(({ id }) => id);
      const [inputs, steps] = await Promise.all([
        hot.query<{ id: string; input: string }>(LOAD_INPUTS, [wanted.map(({ id }) => id)]),
        begun.length === 0 ? { rows: [] } : hot.query<StepRow & { run_id: string }>(LOAD_STEPS, [begun]),
      ]);
      const inputOf = new Map(inputs.rows.map(({ id, input }) => [id, input]));
      const stepsOf = Map.groupBy(steps.rows, (row) => row.run_id);
      return wanted.map(({ id }) => {
        const input = inputOf.get(id);
        return input === undefined ? undefined : { input, steps: resultsOf(stepsOf.get(id) ?? []) };
      });
    },
    /** Stored step results of a run by path, in the order in which they were made. */
    loadSteps: async (id: string): Promise<Map<string, StepResult>> => {
      const { rows } = await pool.query<StepRow>(
        'select path, type, status, input, output, error_message, duration_ms from engine.run_step where run_id = $1 order by seq',
        [id],
      );
      return resultsOf(rows);
    },
  };
}

/** Bytes of a run's event and stored results. Lengths of stored texts are read without the texts. */
export const STORED_BYTES = `(octet_length(RUN.input) + (select coalesce(sum(octet_length(s.input) + coalesce(octet_length(s.output), 0) +
  coalesce(octet_length(s.error_message), 0)), 0) from engine.run_step s where s.run_id = RUN.id))::int`;

export type TicketRow = { id: string; project_id: string; flow_id: string; flow_version_id: string; fairness_key: string; bytes: number };

export function ticketOf(row: TicketRow): RunTicket {
  return {
    id: row.id,
    projectId: row.project_id,
    flowId: row.flow_id,
    flowVersionId: row.flow_version_id,
    fairnessKey: row.fairness_key,
    bytes: row.bytes,
  };
}

function resultsOf(rows: readonly StepRow[]): Map<string, StepResult> {
  return new Map(rows.map((row) => [row.path, resultOf(row)]));
}

function resultOf(row: StepRow): StepResult {
  return {
    type: row.type,
    status: row.status,
    input: JSON.parse(row.input) as unknown,
    ...(row.output === null ? {} : { output: JSON.parse(row.output) as unknown }),
    ...(row.error_message === null ? {} : { errorMessage: row.error_message }),
    durationMs: row.duration_ms,
  };
}
