import { type Batcher, createBatcher } from './batcher.ts';
import { interpret } from './interpreter.ts';
import type { DueStep, Outcome, Position, StepResult } from './interpreter.ts';
import { type Log, messageOf } from './log.ts';
import { type Rooms } from './memory.ts';
import type { Action, RunStatus, Trigger } from './protocol.ts';
import type { Effects } from './steps/perform.ts';
import { performStep } from './steps/perform.ts';
import type { WebhookReply } from './steps/respond.ts';
import { restoreInput } from './store/run-log.ts';
import { callerOf, type Place, placeBelow, placeOfRun, type WriteSpan } from './traces.ts';
import { isRefusedData, LostExecutor } from './store/runs.ts';
import type { FinishRecord, JournalEntry, RunStore, RunTicket, StepRecord, StoredRun } from './store/runs.ts';

const TRIES_MAX = 4;
/** First and longest wait before results that the database did not take are written again. */
const STORE_AGAIN_MS = 500;
const STORE_AGAIN_MAX_MS = 8_000;
const LOADED_MAX = 200;
const LOADED_BYTES = 4 * 1024 * 1024;

/** A run that waits or executes here. */
export type Task = RunTicket & {
  /** The event, when it was kept in memory. */
  input: string | undefined;
  /** No step of it is stored. */
  fresh: boolean;
  faults: number;
  /** The step that failed last and is tried again, and how often it was performed. */
  tries: { path: string; count: number } | undefined;
  /** When it first executed in this process. */
  startedAt: Date | undefined;
  /** Who sent its event, when the event is traced. */
  caller: Place | undefined;
  /** Its own place then. */
  place: Place | undefined;
  /** Heap that the scheduler counts for it. */
  heap: number;
};

export type ExecutionDeps = {
  runs: RunStore;
  effects: Effects;
  rooms: Rooms;
  journal: Batcher<JournalEntry, void>;
  /** How many runs that begin share a read. */
  gather: { min: () => number; ms: number };
  findTrigger: (versionId: string) => Promise<Trigger | undefined>;
  log: Log;
  now: () => number;
  runLimitMs: number;
  /** JSON text that one run may hold. */
  runBytesMax: number;
  retryWaitMs: number;
  closing: AbortSignal;
  /** Left out: no traces. */
  writeSpan?: WriteSpan | undefined;
  wait: (ms: number, stop: AbortSignal) => Promise<void>;
  /** Whether a run may give its place up while it waits for the next try of a step. */
  mayLeave: () => boolean;
  onReply: (runId: string, reply: WebhookReply) => void;
  /** Takes what was not stored when its run was stopped. */
  keep: (entry: JournalEntry) => void;
  /** Counts `bytes` of JSON text for a task; false when there is no room for them now. */
  grow: (task: Task, bytes: number) => boolean;
};

/** Its step failed and is to be performed again after this time. */
export type TryAgain = { retryInMs: number };
/** `evicted`: its results are stored, and it continues from them when there is room for `task.bytes`. */
export type ExecutionEnd = 'ended' | 'evicted' | TryAgain;
type Progress = { unwritten: StepRecord[]; seq: number; bytes: number; startedAt: Date };
type Ending = { status: RunStatus; stepsCount: number; failedStep: Extract<Outcome, { kind: 'FAILED' }>['failedStep'] | null };

export type Execution = {
  /** Performs a run from its stored results to its end, storing each result before the next step. */
  execute: (task: Task, signal: AbortSignal, startedAt: Date) => Promise<ExecutionEnd>;
  /** Ends a run that the engine could not execute. */
  giveUp: (task: Task) => Promise<void>;
};

function storesAlone(action: Action): boolean {
  // The decision of a router or loop follows from stored results alone; it may be stored with the step after it.
  return action.type === 'PIECE' || action.type === 'CODE';
}

function retries(action: Action): boolean {
  return (action.type === 'PIECE' || action.type === 'CODE') && action.settings.errorHandlingOptions?.retryOnFailure?.value === true;
}

function endingOf(outcome: Outcome): Ending {
  return outcome.kind === 'SUCCEEDED'
    ? { status: 'SUCCEEDED', stepsCount: outcome.stepsCount, failedStep: null }
    : { status: 'FAILED', stepsCount: outcome.stepsCount, failedStep: outcome.failedStep };
}

function recordOf(runId: string, path: string, seq: number, result: StepResult): StepRecord {
  return {
    runId,
    path,
    seq,
    result,
    input: JSON.stringify(result.input ?? {}),
    output: result.output === undefined ? null : JSON.stringify(result.output),
  };
}

function sizeOf({ input, output, result }: StepRecord): number {
  return input.length + (output?.length ?? 0) + (result.errorMessage?.length ?? 0);
}

export function createExecution(deps: ExecutionDeps): Execution {
  const { runs, journal, log, now } = deps;
  /** After a start every run is read back: those that begin at the same time share a read. */
  const loader = createBatcher<Task, StoredRun | undefined>({
    itemsMax: LOADED_MAX,
    inFlightMax: 2,
    gather: deps.gather,
    weigh: ({ bytes }) => bytes,
    weightMax: LOADED_BYTES,
    write: (tasks) => runs.loadRuns(tasks),
    isFatal: (error) => !(error instanceof Error && 'severity' in error),
  });

  /** Performs a step; `keep` receives what the result holds room for. A step that asks to be tried again is, after a wait without a place. */
  const perform = async (
    task: Task,
    due: DueStep,
    signal: AbortSignal,
    keep: (leave: () => void) => void,
  ): Promise<StepResult | TryAgain> => {
    for (;;) {
      const attempt = task.tries?.path === due.path ? task.tries.count + 1 : 1;
      const room = deps.rooms.forStep(task.fairnessKey, signal);
      let isKept = false;
      try {
        const onReply = (reply: WebhookReply): void => deps.onReply(task.id, reply);
        const startedAt = task.place && performance.now();
        const result = await performStep(
          { due, projectId: task.projectId, fairnessKey: task.fairnessKey, signal, room, onReply },
          deps.effects,
        );
        if (startedAt !== undefined) traceStep(task, due, { attempt, startedAt, result });
        if (result.status !== 'FAILED' || attempt === TRIES_MAX || !retries(due.action)) {
          isKept = true;
          keep(room.leave);
          return result;
        }
      } finally {
        if (!isKept) room.leave();
      }
      task.tries = { path: due.path, count: attempt };
      const retryInMs = deps.retryWaitMs * 2 ** (attempt - 1);
      if (deps.mayLeave()) return { retryInMs };
      await deps.wait(retryInMs, signal);
    }
  };

  const traceStep = (
    { place }: Task,
    { action, path }: DueStep,
    { attempt, startedAt, result }: { attempt: number; startedAt: number; result: StepResult },
  ): void => {
    if (place === undefined) return;
    const endedAt = Date.now();
    deps.writeSpan?.({
      context: placeBelow(place),
      parent: place,
      name: `step ${action.name}`,
      startedAt: endedAt - (performance.now() - startedAt),
      endedAt,
      attributes: {
        'portal.step.name': action.name,
        'portal.step.path': path,
        'portal.step.type': action.type,
        'portal.step.attempt': attempt,
        'portal.step.status': result.status,
      },
      error: result.status === 'FAILED' ? 'step_failed' : null,
    });
  };

  const traceRun = ({ id, caller, place }: Task, { startedAt }: Progress, { status, stepsCount }: Ending): void => {
    if (caller === undefined || place === undefined) return;
    deps.writeSpan?.({
      context: place,
      parent: caller,
      name: 'run flow',
      startedAt: startedAt.getTime(),
      endedAt: Math.max(startedAt.getTime(), Date.now()),
      attributes: { 'portal.engine.run.id': id, 'portal.run.status': status, 'portal.run.steps': stepsCount },
      error: status === 'SUCCEEDED' ? null : status.toLowerCase(),
    });
  };

  /** Stores what was performed. What the database does not take is kept and written again: a step that is performed again sends its text again. */
  const store = async (task: Task, entry: JournalEntry, signal: AbortSignal): Promise<void> => {
    for (let ms = STORE_AGAIN_MS; ; ms = Math.min(2 * ms, STORE_AGAIN_MAX_MS)) {
      try {
        await journal.add(entry);
        return;
      } catch (error) {
        if (error instanceof LostExecutor || isRefusedData(error)) throw error;
        log('error', 'run.not_stored', { runId: task.id, message: messageOf(error) });
        await deps.wait(ms, signal).catch((stopped: unknown) => {
          deps.keep(entry);
          throw stopped;
        });
      }
    }
  };

  const finishOf = ({ id }: Task, { startedAt }: Progress, ending: Ending): FinishRecord => {
    return { runId: id, startedAt, finishedAt: new Date(now()), ...ending };
  };

  const end = async (task: Task, progress: Progress, ending: Ending, signal: AbortSignal): Promise<ExecutionEnd> => {
    await store(task, { steps: progress.unwritten, finish: finishOf(task, progress, ending) }, signal);
    traceRun(task, progress, ending);
    return 'ended';
  };

  const limitPassed = (progress: Progress): RunStatus | undefined => {
    if (progress.bytes > deps.runBytesMax) return 'LOG_SIZE_EXCEEDED';
    return now() - progress.startedAt.getTime() > deps.runLimitMs ? 'TIMEOUT' : undefined;
  };

  /** Performs the step that is due and stores its result; the next position, or what the run has to wait for without its place. */
  const advanceOne = async (
    task: Task,
    step: DueStep,
    advance: (result: StepResult) => Position,
    progress: Progress,
    signal: AbortSignal,
  ): Promise<Position | 'evicted' | TryAgain> => {
    let leave = (): void => undefined;
    try {
      const result = await perform(task, step, signal, (kept) => (leave = kept));
      signal.throwIfAborted();
      if ('retryInMs' in result) {
        deps.closing.throwIfAborted();
        if (progress.unwritten.length > 0) await store(task, { steps: progress.unwritten.splice(0), finish: undefined }, signal);
        return result;
      }
      // A failure while everything stops may be the stop's own doing (the target is going down too): not stored, the
      // step is performed at the next start.
      if (result.status === 'FAILED') deps.closing.throwIfAborted();
      const record = recordOf(task.id, step.path, progress.seq, result);
      progress.unwritten.push(record);
      progress.seq += 1;
      progress.bytes += sizeOf(record);
      task.bytes = progress.bytes;
      const next = advance(result);
      if (next.kind !== 'due') return next;
      const fits = progress.bytes > deps.runBytesMax || deps.grow(task, progress.bytes);
      if (storesAlone(step.action) || !fits) await store(task, { steps: progress.unwritten.splice(0), finish: undefined }, signal);
      deps.closing.throwIfAborted();
      return fits ? next : 'evicted';
    } finally {
      leave();
    }
  };

  const performSteps = async (
    task: Task,
    start: Position,
    advance: (result: StepResult) => Position,
    progress: Progress,
    signal: AbortSignal,
  ): Promise<ExecutionEnd> => {
    let position = start;
    while (position.kind === 'due') {
      const { step } = position;
      const passed = limitPassed(progress);
      if (passed !== undefined) {
        const { name, displayName } = step.action;
        return end(
          task,
          progress,
          { status: passed, stepsCount: progress.seq, failedStep: { name, displayName, message: passed } },
          signal,
        );
      }
      const next = await advanceOne(task, step, advance, progress, signal);
      if (next === 'evicted' || 'retryInMs' in next) return next;
      position = next;
    }
    return end(task, progress, endingOf(position.outcome), signal);
  };

  return {
    async execute(task, signal, startedAt) {
      const progress: Progress = { unwritten: [], seq: 0, bytes: task.bytes, startedAt };
      const kept = task.fresh && task.input !== undefined ? { input: task.input, steps: new Map<string, StepResult>() } : undefined;
      const [stored, trigger] = await Promise.all([kept ?? loader.add(task), deps.findTrigger(task.flowVersionId)]);
      // The text is parsed once below and not needed after it.
      task.input = undefined;
      if (stored === undefined) return 'ended';
      if (trigger === undefined) return end(task, progress, { status: 'INTERNAL_ERROR', stepsCount: 0, failedStep: null }, signal);
      const event = restoreInput(stored.input);
      if (deps.writeSpan !== undefined) {
        task.caller = callerOf(event['headers']);
        task.place = task.caller && placeOfRun(task.id, task.caller);
      }
      const { resume, advance } = interpret(trigger, event);
      progress.seq = stored.steps.size;
      return performSteps(task, resume(stored.steps), advance, progress, signal);
    },
    async giveUp(task) {
      const progress: Progress = { unwritten: [], seq: 0, bytes: 0, startedAt: new Date(now()) };
      const ending: Ending = { status: 'INTERNAL_ERROR', stepsCount: 0, failedStep: null };
      await journal.add({ steps: [], finish: finishOf(task, progress, ending) });
      traceRun(task, progress, ending);
    },
  };
}
