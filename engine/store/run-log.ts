import type { Pool } from 'pg';
import { EngineError, notFound } from '../errors.ts';
import { timedIdFloor } from '../ids.ts';
import { nestSteps } from '../interpreter.ts';
import type { FailedStep } from '../interpreter.ts';
import type { RunStatus } from '../protocol.ts';
import { versionReply } from './flow-rows.ts';
import type { VersionRow } from './flow-rows.ts';
import { readPage } from './page.ts';
import type { Page } from './page.ts';
import type { Platform } from './platform.ts';
import { STORED_BYTES, ticketOf } from './runs.ts';
import type { RunStore, RunTicket, TicketRow } from './runs.ts';

export type RunRow = {
  id: string;
  project_id: string;
  flow_id: string;
  flow_version_id: string;
  environment: string;
  fairness_key: string;
  input: string;
  status: RunStatus;
  created: Date;
  updated: Date;
  start_time: Date | null;
  finish_time: Date | null;
  failed_step: FailedStep | null;
  steps_count: number | null;
  version: VersionRow | null;
};
export type RunFilter = {
  projectId: string;
  flowIds?: string[] | undefined;
  statuses?: RunStatus[] | undefined;
  createdAfter?: Date | undefined;
  createdBefore?: Date | undefined;
  limit: number;
  cursor?: string | undefined;
};
/** When a run that is under way in this process was started; the database learns it only at the end. */
export type StartedAt = (runId: string) => Date | undefined;

function toReply(row: RunRow, startedAt: StartedAt) {
  const started = row.finish_time === null ? startedAt(row.id) : undefined;
  return {
    id: row.id,
    created: row.created.toISOString(),
    updated: row.updated.toISOString(),
    projectId: row.project_id,
    flowId: row.flow_id,
    flowVersionId: row.flow_version_id,
    environment: row.environment,
    logsFileId: null,
    parentRunId: null,
    failParentOnFailure: false,
    status: row.finish_time === null && started ? ('RUNNING' as const) : row.status,
    tags: [],
    startTime: (started ?? row.start_time)?.toISOString() ?? null,
    triggeredBy: null,
    finishTime: row.finish_time?.toISOString() ?? null,
    failedStep: row.failed_step,
    archivedAt: null,
    stepNameToTest: null,
    stepsCount: row.steps_count ?? 0,
    pauseMetadata: null,
  };
}

function versionOf(row: RunRow, platform: Platform) {
  const { version } = row;
  return version === null
    ? null
    : versionReply({ ...version, created: new Date(version.created), updated: new Date(version.updated) }, platform);
}

/** The list row repeats the version, field by field; clients of the recorded engine know it so. */
function toListReply(row: RunRow, platform: Platform, startedAt: StartedAt) {
  const version = versionOf(row, platform);
  const repeated = Object.fromEntries(Object.entries(version ?? {}).map(([key, value]) => [`flowVersion_${key}`, value]));
  return { ...toReply(row, startedAt), flowVersion: version, ...repeated, displayName: version?.displayName ?? null };
}

const FROM = 'from engine.run r left join engine.flow_version v on v.id = r.flow_version_id';
const WITH_VERSION = `select r.*, to_json(v) as version ${FROM}`;
/** A list shows no events, and a page of large ones would not fit into memory. */
const LISTED = `select r.id, r.id as key_0, r.project_id, r.flow_id, r.flow_version_id, r.environment, r.fairness_key, '' as input, r.status, r.created,
  r.updated, r.start_time, r.finish_time, r.failed_step, r.steps_count, to_json(v) as version ${FROM}`;

export type RunLog = ReturnType<typeof createRunLog>;

export function createRunLog(pool: Pool, runs: RunStore, platform: Platform, startedAt: StartedAt) {
  const read = async (id: string): Promise<RunRow> => {
    const { rows } = await pool.query<RunRow>(`${WITH_VERSION} where r.id = $1`, [id]);
    const row = rows[0];
    if (row === undefined) throw notFound('flow_run', id);
    return row;
  };
  return {
    read,
    /** Bytes of a run's event and results. Throws 404 for an unknown run. */
    sizeOf: async (id: string): Promise<number> => {
      const { rows } = await pool.query<{ bytes: number }>(
        `select ${STORED_BYTES.replaceAll('RUN', 'r')} as bytes from engine.run r where id = $1`,
        [id],
      );
      if (rows[0] === undefined) throw notFound('flow_run', id);
      return rows[0].bytes;
    },
    get: async (id: string) => {
      const row = await read(id);
      const trigger = { type: 'PIECE_TRIGGER', status: 'SUCCEEDED', input: {}, output: restoreInput(row.input) };
      const steps = { trigger, ...nestSteps(await runs.loadSteps(id)) };
      return { ...toReply(row, startedAt), flowVersion: versionOf(row, platform), steps };
    },
    list: (filter: RunFilter): Promise<Page<ReturnType<typeof toListReply>>> =>
      readPage<RunRow, ReturnType<typeof toListReply>>(
        {
          pool,
          select: `${LISTED}
            where r.project_id = $1 and r.environment = 'PRODUCTION' and ($2::text[] is null or r.flow_id = any ($2))
              and ($3::text[] is null or r.status = any ($3)) and r.id >= $4 and r.id < $5`,
          params: [
            filter.projectId,
            filter.flowIds ?? null,
            filter.statuses ?? null,
            filter.createdAfter === undefined ? '' : timedIdFloor(filter.createdAfter.getTime()),
            filter.createdBefore === undefined ? '~' : timedIdFloor(filter.createdBefore.getTime() + 1),
          ],
          keys: [{ column: 'r.id', cast: 'text' }],
          direction: 'desc',
          limit: filter.limit,
          cursor: filter.cursor,
        },
        (row) => toListReply(row, platform, startedAt),
      ),
    countByStatus: async (projectId: string): Promise<{ data: { status: string; count: number }[] }> => {
      const { rows } = await pool.query<{ status: string; count: number }>(
        'select status, count(*)::int as count from engine.run where project_id = $1 group by status order by status',
        [projectId],
      );
      return { data: rows };
    },
    /**
     * Puts an ended run back to work from its failed step: that step's result is forgotten, earlier ones are kept.
     * Throws 409 for a run that has not ended or has no failed step.
     */
    reopen: async (id: string): Promise<RunTicket> => {
      const { rows } = await pool.query<TicketRow>(
        `with reopened as (update engine.run set status = 'QUEUED', finish_time = null, start_time = now(), updated = now()
           where id = $1 and finish_time is not null and status <> 'SUCCEEDED' returning *),
         forgotten as (delete from engine.run_step s using reopened r
           where s.run_id = r.id and s.status = 'FAILED' and s.seq = (select max(seq) from engine.run_step where run_id = r.id))
         select id, project_id, flow_id, flow_version_id, fairness_key, ${STORED_BYTES.replaceAll('RUN', 'r')} as bytes from reopened r`,
        [id],
      );
      const row = rows[0];
      if (row === undefined)
        throw new EngineError('VALIDATION', { message: 'Only a run that has failed can be retried from its failed step' });
      return ticketOf(row);
    },
  };
}

export type TriggerOutput = {
  method: string;
  headers: Record<string, unknown>;
  body?: unknown;
  queryParams: Record<string, unknown>;
  rawBody: string;
};
/**
 * Trigger output as it was received. `rawBody` is stored only where it is not simply the JSON of `body`: for most
 * events that halves what is kept.
 */
export function storeInput(output: TriggerOutput): string {
  const { rawBody, ...rest } = output;
  return JSON.stringify(rest.body !== undefined && JSON.stringify(rest.body) === rawBody ? rest : output);
}

export function restoreInput(text: string): Record<string, unknown> {
  // Written by `storeInput`.
  const stored = JSON.parse(text) as Record<string, unknown>;
  return 'rawBody' in stored ? stored : { ...stored, rawBody: JSON.stringify(stored['body']) };
}
