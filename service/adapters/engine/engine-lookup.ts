import { pageReplySchema, type RunReply, runReplySchema } from '@partner-portal/engine/protocol.ts';
import { OUTCOME_STEP } from '@partner-portal/core/template/template.ts';
import { z } from 'zod';
import { type EngineError, isEngineError } from './engine-error.ts';
import type { EngineSession } from './engine-session.ts';

/** The engine may have the run, or may still store it. */
export type RunUnseen = 'unseen';

/** `sentAt`: nothing of the execution was sent to the engine before it. */
export type WantedRun = { executionId: string; sentAt: Date };

const TIMEOUT_MS = 15_000;
/** Each row of a list carries its whole flow twice, so pages are small. */
const PAGE_ROWS = 20;
const PAGES_MAX = 15;
const KEYS_AT_ONCE = 8;
/** The engine's clock may be behind the database's. */
export const CLOCK_SKEW_MS = 60_000;
/** A claim is sent within some seconds, a call lasts at most ten, and the job of a killed engine worker is back in its queue within a minute. */
const PASSED_BY_MS = 180_000;

const runsPage = pageReplySchema(runReplySchema);
/** The event of a direct call has no executionId: its turn's id is that of the execution. */
const eventShape = z.object({ body: z.union([z.object({ executionId: z.uuidv7() }), z.object({ turnId: z.uuidv7() })]) });
const computedShape = z.object({ report: z.object({ executionId: z.uuidv7() }) });

/** Returns the runs of executions by their idempotency keys, or undefined when this engine knows none. */
export async function findRunsByKey(
  session: EngineSession,
  wanted: readonly WantedRun[],
): Promise<Map<string, RunReply | null | RunUnseen> | undefined> {
  const found = new Map<string, RunReply | null | RunUnseen>();
  for (let at = 0; at < wanted.length; at += KEYS_AT_ONCE) {
    const some = wanted.slice(at, at + KEYS_AT_ONCE);
    const runs = await Promise.all(some.map((one) => findRunByKey(session, one.executionId)));
    for (const [index, run] of runs.entries()) {
      if (run === undefined) return undefined;
      found.set(some[index]?.executionId ?? '', run);
    }
  }
  return found;
}

/**
 * Returns the run of an idempotency key, null when there is certainly none, undefined when this engine knows no such keys: the external one
 * refuses ids of another form than its own before it looks them up (engine API, §1).
 */
async function findRunByKey(session: EngineSession, key: string): Promise<RunReply | null | undefined> {
  try {
    return await session.call({ method: 'GET', path: `/flow-runs/${encodeURIComponent(key)}`, timeoutMs: TIMEOUT_MS }, runReplySchema);
  } catch (error) {
    if (isEngineError(error, 'not_found')) return error.code === 'ENTITY_NOT_FOUND' ? null : undefined;
    if (isBadId(error)) return undefined;
    throw error;
  }
}

function isBadId(error: unknown): error is EngineError {
  return isEngineError(error, 'refused') && error.status === 400;
}

/**
 * Finds the runs of executions of one flow in an engine without idempotency keys. A dispatch returns no run id, so a run is found by the
 * executionId in its trigger's body: runs since the first was sent are listed newest first and searched from the oldest. Null means that
 * there certainly is none: an event waits in the engine's queue before it has a run, so one that is not listed counts as never stored only
 * when the event of every run could be read and an event that was accepted well after it, which the queue would have kept behind it, has a run.
 */
export async function findRunsByEvent(
  session: EngineSession,
  where: { projectId: string; flowId: string; wanted: readonly WantedRun[] },
): Promise<Map<string, RunReply | null | RunUnseen>> {
  const { projectId, flowId, wanted } = where;
  const found = new Map<string, RunReply | null | RunUnseen>();
  const missing = new Map(wanted.map((one) => [one.executionId, one.sentAt]));
  const since = new Date(Math.min(...wanted.map((one) => one.sentAt.getTime())) - CLOCK_SKEW_MS);
  const filters: [string, string][] = [
    ['projectId', projectId],
    ['flowId', flowId],
    ['createdAfter', since.toISOString()],
  ];
  const { runs, isWhole } = await listRuns(session, filters, PAGES_MAX);
  let areRead = isWhole;
  for (const { id } of runs.toReversed()) {
    if (missing.size === 0) break;
    const run = await readRun(session, id);
    const executionId = executionOf(run);
    if (executionId !== null && missing.delete(executionId)) found.set(executionId, run);
    else if (executionId === null && !hasEvent(run)) areRead = false;
  }
  const passedBy = missing.size > 0 && areRead ? await newestAcceptedAt(session, projectId) : null;
  for (const [executionId, sentAt] of missing)
    found.set(executionId, passedBy !== null && passedBy - sentAt.getTime() >= PASSED_BY_MS ? null : 'unseen');
  return found;
}

/** Lists runs, newest first, up to a number of pages. */
export async function listRuns(
  session: EngineSession,
  filters: readonly [string, string][],
  pagesMax: number,
): Promise<{ runs: RunReply[]; isWhole: boolean }> {
  const runs: RunReply[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < pagesMax; page++) {
    const query = new URLSearchParams([...filters, ['limit', String(PAGE_ROWS)], ...(cursor === null ? [] : [['cursor', cursor]])]);
    const answer: z.output<typeof runsPage> = await session.call(
      { method: 'GET', path: `/flow-runs?${query}`, timeoutMs: TIMEOUT_MS },
      runsPage,
    );
    runs.push(...answer.data);
    cursor = answer.next;
    if (cursor === null) return { runs, isWhole: true };
  }
  return { runs, isWhole: false };
}

/** When the service accepted the event of the project's newest run (ms), by its execution's id; null when that run is not one of ours. */
async function newestAcceptedAt(session: EngineSession, projectId: string): Promise<number | null> {
  const query = new URLSearchParams({ projectId, limit: '1' });
  const { data } = await session.call({ method: 'GET', path: `/flow-runs?${query}`, timeoutMs: TIMEOUT_MS }, runsPage);
  const executionId = data[0] === undefined ? null : executionOf(await readRun(session, data[0].id));
  return executionId === null ? null : Number.parseInt(executionId.replaceAll('-', '').slice(0, 12), 16);
}

export function readRun(session: EngineSession, id: string): Promise<RunReply> {
  return session.call({ method: 'GET', path: `/flow-runs/${id}`, timeoutMs: TIMEOUT_MS }, runReplySchema);
}

/** The execution in a run's event, or in the result its flow computed from it; null when there is none. */
export function executionOf(run: RunReply): string | null {
  const event = eventShape.safeParse(run.steps?.['trigger']?.output);
  if (!event.success) return computedShape.safeParse(run.steps?.[OUTCOME_STEP]?.output).data?.report.executionId ?? null;
  const { body } = event.data;
  return 'executionId' in body ? body.executionId : body.turnId;
}

/** Whether a run shows its event. A run that has not begun shows none, and an event over 32 KB is stored apart (engine API, §11). */
function hasEvent(run: RunReply): boolean {
  const output = run.steps?.['trigger']?.output;
  return typeof output === 'object' && output !== null && ('body' in output || 'method' in output);
}
