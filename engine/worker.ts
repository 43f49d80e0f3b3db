import { createBatcher } from './batcher.ts';
import { timeOfId } from './ids.ts';
import { interpret } from './interpreter.ts';
import type { DueStep, Outcome, Position, StepResult } from './interpreter.ts';
import type { Log } from './log.ts';
import { messageOf } from './log.ts';
import type { Action, RunStatus, Trigger } from './protocol.ts';
import { createScheduler } from './scheduler.ts';
import type { Effects } from './steps/perform.ts';
import { performStep } from './steps/perform.ts';
import type { WebhookReply } from './steps/respond.ts';
import { LostExecutor } from './store/runs.ts';
import type { JournalEntry, RunStore, RunTicket, StepRecord } from './store/runs.ts';
import { restoreInput } from './store/run-log.ts';

/** Tickets kept in memory; beyond it runs wait in the database and are fetched in batches. */
const TICKETS_MAX = 50_000;
/** While fewer wait than this, a new run's input stays in memory until it starts, which saves reading it back. */
const INPUTS_KEPT_MAX = 1_000;
const LOG_BYTES_MAX = 16 * 1024 * 1024;
const TRIES_MAX = 4;
const FAULT_RETRIES_MAX = 5;

type Task = RunTicket & { input: string | undefined; fresh: boolean; faults: number };
type WorkerDeps = {
  runs: RunStore;
  effects: Effects;
  findTrigger: (versionId: string) => Promise<Trigger | undefined>;
  log: Log;
  now: () => number;
  concurrency: number;
  runLimitMs: number;
  retryWaitMs: number;
  stopLimitMs: number;
};
type Progress = { unwritten: StepRecord[]; seq: number; bytes: number; startedAt: Date };
type Ending = { status: RunStatus; stepsCount: number; failedStep: Extract<Outcome, { kind: 'FAILED' }>['failedStep'] | null };

export type Worker = {
  /** Called when this process becomes the executor: resumes everything unfinished. */
  begin: () => Promise<void>;
  /** Called when it no longer is: stops what runs, forgets what waits. Nothing is lost; the next holder finds it. */
  halt: () => void;
  /** Hands over a run that is stored already. `input` spares reading it back; `fresh` says that no step is stored. */
  accept: (ticket: RunTicket, input: string | undefined, fresh: boolean) => void;
  /** Resolves with the reply of a Return-Response step, or undefined when the run ends without one. */
  awaitReply: (runId: string) => Promise<WebhookReply | undefined>;
  startedAt: (runId: string) => Date | undefined;
  /** Stops runs of a deleted flow. */
  abortFlow: (flowId: string) => void;
  close: () => Promise<void>;
};

function storesAlone(action: Action): boolean {
  // What a router or loop decides follows from stored results alone; it may be stored with the step after it.
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

/**
 * Executes stored runs. A run is accepted (stored) → scheduled → for each step: perform it, store the result → finished
 * (stored with the last result). A process that dies leaves its runs unfinished in the database; the next executor
 * replays the stored results and performs the first step without one. A step that was running at the crash may happen
 * twice; a stored one never does.
 */
export function createWorker(deps: WorkerDeps): Worker {
  const { runs, effects, log, now } = deps;
  const scheduler = createScheduler<Task>(deps.concurrency, Math.max(1, Math.ceil(deps.concurrency / 2)));
  const known = new Map<string, Task>();
  /** Retried while their previous execution was still ending here: they are scheduled again after it. */
  const reopened = new Map<string, Task>();
  const started = new Map<string, { at: Date; flowId: string; abort: AbortController }>();
  const replies = new Map<string, (reply: WebhookReply | undefined) => void>();
  const active = new Set<Promise<void>>();
  const timers = new Set<NodeJS.Timeout>();
  let epoch = 0;
  let holding = false;
  let spilled = false;
  let refilling = false;
  let lookedAt = 0;
  const closing = new AbortController();

  const journal = createBatcher<JournalEntry, void>({
    itemsMax: 500,
    inFlightMax: 2,
    write: (entries) => runs.writeJournal(epoch, entries),
    isFatal: (error) => error instanceof LostExecutor || !(error instanceof Error && 'severity' in error),
  });

  const wait = (ms: number, stop: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const signal = AbortSignal.any([stop, closing.signal]);
      if (signal.aborted) return reject(signal.reason);
      const timer = setTimeout(() => {
        timers.delete(timer);
        resolve();
      }, ms);
      timers.add(timer);
      signal.addEventListener(
        'abort',
        () => {
          clearTimeout(timer);
          timers.delete(timer);
          reject(signal.reason);
        },
        { once: true },
      );
    });

  const performWithRetries = async (task: Task, due: DueStep, signal: AbortSignal): Promise<StepResult> => {
    for (let attempt = 1; ; attempt += 1) {
      const onReply = (reply: WebhookReply): void => replies.get(task.id)?.(reply);
      const result = await performStep({ due, projectId: task.projectId, signal, onReply }, effects);
      if (result.status !== 'FAILED' || attempt === TRIES_MAX || !retries(due.action)) return result;
      await wait(deps.retryWaitMs * 2 ** (attempt - 1), signal);
    }
  };

  const end = async (task: Task, progress: Progress, ending: Ending): Promise<void> => {
    const steps = progress.unwritten;
    const finish = { runId: task.id, startedAt: progress.startedAt, finishedAt: new Date(now()), ...ending };
    await journal.add({ steps, finish });
  };

  const limitPassed = (progress: Progress): RunStatus | undefined => {
    if (progress.bytes > LOG_BYTES_MAX) return 'LOG_SIZE_EXCEEDED';
    return now() - progress.startedAt.getTime() > deps.runLimitMs ? 'TIMEOUT' : undefined;
  };

  /** Performs a run from its position to its end, storing each result before the next step. */
  const performSteps = async (
    task: Task,
    start: Position,
    advance: (result: StepResult) => Position,
    progress: Progress,
    signal: AbortSignal,
  ): Promise<void> => {
    let position = start;
    while (position.kind === 'due') {
      const { step } = position;
      const passed = limitPassed(progress);
      if (passed !== undefined) {
        const { name, displayName } = step.action;
        return end(task, progress, { status: passed, stepsCount: progress.seq, failedStep: { name, displayName, message: passed } });
      }
      const result = await performWithRetries(task, step, signal);
      signal.throwIfAborted();
      // A failure while everything stops may be the stop's own doing (the target is going down too): not stored, the
      // step is performed at the next start.
      if (result.status === 'FAILED') closing.signal.throwIfAborted();
      progress.unwritten.push({ runId: task.id, path: step.path, seq: progress.seq, result });
      progress.seq += 1;
      progress.bytes += sizeOf(result);
      const next = advance(result);
      if (next.kind === 'due' && storesAlone(step.action)) await journal.add({ steps: progress.unwritten.splice(0), finish: undefined });
      if (next.kind === 'due') closing.signal.throwIfAborted();
      position = next;
    }
    return end(task, progress, endingOf(position.outcome));
  };

  const execute = async (task: Task, signal: AbortSignal, startedAt: Date): Promise<void> => {
    const progress: Progress = { unwritten: [], seq: 0, bytes: 0, startedAt };
    const [input, trigger, stored] = await Promise.all([
      task.input ?? runs.loadInput(task.id),
      deps.findTrigger(task.flowVersionId),
      task.fresh ? new Map<string, StepResult>() : runs.loadSteps(task.id),
    ]);
    if (input === undefined) return;
    if (trigger === undefined) return end(task, progress, { status: 'INTERNAL_ERROR', stepsCount: 0, failedStep: null });
    const { resume, advance } = interpret(trigger, restoreInput(input));
    progress.seq = stored.size;
    await performSteps(task, resume(stored), advance, progress, signal);
  };

  const afterFault = (task: Task, error: unknown): void => {
    log('error', 'run.fault', { runId: task.id, faults: task.faults + 1, message: messageOf(error) });
    if (error instanceof LostExecutor) halt();
    if (!holding) return;
    if (task.faults >= FAULT_RETRIES_MAX) {
      known.delete(task.id);
      const progress: Progress = { unwritten: [], seq: 0, bytes: 0, startedAt: new Date(now()) };
      void end(task, progress, { status: 'INTERNAL_ERROR', stepsCount: 0, failedStep: null }).catch(() => undefined);
      return;
    }
    // A fault of the engine (database away) does not fail the run: it is scheduled again, from its stored results.
    const timer = setTimeout(
      () => {
        timers.delete(timer);
        known.delete(task.id);
        if (holding) enqueue({ ...task, input: undefined, fresh: false, faults: task.faults + 1 });
      },
      500 * 2 ** task.faults,
    );
    timers.add(timer);
  };

  const run = async (task: Task): Promise<void> => {
    const abort = new AbortController();
    const at = new Date(now());
    started.set(task.id, { at, flowId: task.flowId, abort });
    let faulty = false;
    try {
      await execute(task, abort.signal, at);
    } catch (error) {
      faulty = !abort.signal.aborted && error !== closing.signal.reason;
      if (faulty) afterFault(task, error);
    }
    if (started.get(task.id)?.abort === abort) started.delete(task.id);
    // After the lock was lost, the same run may already execute again while this one is still ending.
    const isLast = !faulty && known.get(task.id) === task;
    if (isLast) known.delete(task.id);
    replies.get(task.id)?.(undefined);
    scheduler.release(task.fairnessKey);
    const again = reopened.get(task.id);
    if (isLast && again !== undefined) {
      reopened.delete(task.id);
      if (holding) enqueue(again);
    }
    pump();
  };

  const pump = (): void => {
    while (holding) {
      const task = scheduler.take();
      if (task === undefined) break;
      const running: Promise<void> = run(task).finally(() => active.delete(running));
      active.add(running);
    }
    if (holding && spilled && scheduler.waiting() < TICKETS_MAX / 4) void refill();
  };

  const enqueue = (task: Task): void => {
    if (known.has(task.id)) return;
    known.set(task.id, task);
    scheduler.add(task.fairnessKey, task);
    pump();
  };

  const refill = async (): Promise<void> => {
    if (refilling) return;
    refilling = true;
    try {
      const tickets = await runs.unfinished(TICKETS_MAX);
      spilled = tickets.length === TICKETS_MAX;
      for (const ticket of tickets) enqueue({ ...ticket, input: undefined, fresh: false, faults: 0 });
      if (tickets.length > 0) log('info', 'executor.resumed', { runs: tickets.length });
    } catch (error) {
      spilled = true;
      log('error', 'executor.refill_failed', { message: messageOf(error) });
    } finally {
      refilling = false;
      lookedAt = now();
    }
  };

  const halt = (): void => {
    holding = false;
    scheduler.clear();
    for (const timer of timers) clearTimeout(timer);
    timers.clear();
    known.clear();
    reopened.clear();
    for (const { abort } of started.values()) abort.abort(new Error('the executor stopped'));
  };

  return {
    begin: async () => {
      epoch = await runs.nextEpoch();
      if (closing.signal.aborted) return;
      holding = true;
      await refill();
    },
    halt,
    accept: (ticket, input, fresh) => {
      if (!holding) return;
      if (scheduler.waiting() >= TICKETS_MAX) {
        spilled = true;
        return;
      }
      // The last poll may have found and executed a run stored before it; then the database knows more.
      const isNew = fresh && !refilling && timeOfId(ticket.id) > lookedAt;
      const task = { ...ticket, input: isNew && scheduler.waiting() < INPUTS_KEPT_MAX ? input : undefined, fresh: isNew, faults: 0 };
      if (!known.has(task.id)) enqueue(task);
      else if (!fresh) reopened.set(task.id, task);
    },
    awaitReply: (runId) =>
      new Promise((resolve) => {
        replies.set(runId, (reply) => {
          replies.delete(runId);
          resolve(reply);
        });
      }),
    startedAt: (runId) => started.get(runId)?.at,
    abortFlow: (flowId) => {
      for (const one of started.values()) if (one.flowId === flowId) one.abort.abort(new Error('the flow was deleted'));
    },
    close: async () => {
      holding = false;
      closing.abort(new Error('the engine is stopping'));
      // A step under way is given time to end and be stored: what was sent is then not sent again at the next start.
      await within(deps.stopLimitMs, Promise.allSettled(active));
      halt();
      await Promise.allSettled(active);
      await journal.idle();
    },
  };
}

async function within(limitMs: number, work: Promise<unknown>): Promise<void> {
  const limit = Promise.withResolvers<void>();
  const timer = setTimeout(limit.resolve, limitMs);
  await Promise.race([work, limit.promise]);
  clearTimeout(timer);
}

function sizeOf(result: StepResult): number {
  return (JSON.stringify(result.output)?.length ?? 0) + (JSON.stringify(result.input)?.length ?? 0);
}
