import { createBatcher } from './batcher.ts';
import { createExecution, type ExecutionEnd, type Task } from './execution.ts';
import { timeOfId } from './ids.ts';
import type { Log } from './log.ts';
import { messageOf } from './log.ts';
import { type Budgets, createRooms, heapOfRun } from './memory.ts';
import type { Trigger } from './protocol.ts';
import { createScheduler } from './scheduler.ts';
import type { Effects } from './steps/perform.ts';
import type { WebhookReply } from './steps/respond.ts';
import { createTimers } from './timers.ts';
import type { WriteSpan } from './traces.ts';
import { isRefusedData, LostExecutor } from './store/runs.ts';
import type { JournalEntry, RunStore, RunTicket } from './store/runs.ts';

/** Tickets kept in memory; beyond it runs wait in the database and are fetched in batches. */
const TICKETS_MAX = 50_000;
const JOURNAL_BYTES = 4 * 1024 * 1024;
const FAULT_RETRIES_MAX = 5;
/** Runs that wait without a place for the next try of a step; more keep their place, so that no more begin. */
const RETRYING_MAX = 10_000;
/** Above this many active runs, group commits: an eighth of them share a commit or a read when they arrive within this time. */
const MANY_ACTIVE = 64;
const GATHER_MS = 10;

type WorkerDeps = {
  runs: RunStore;
  effects: Effects;
  findTrigger: (versionId: string) => Promise<Trigger | undefined>;
  budgets: Budgets;
  log: Log;
  now: () => number;
  concurrency: number;
  runLimitMs: number;
  retryWaitMs: number;
  stopLimitMs: number;
  /** Left out: no traces. */
  writeSpan?: WriteSpan | undefined;
};

export type Worker = {
  /** Called when this process becomes the executor: resumes everything unfinished. */
  begin: () => Promise<void>;
  /** Called when it no longer is: stops what runs, forgets what waits. Nothing is lost; the next holder finds it. */
  halt: () => void;
  /** Hands over a run that is stored already. `input` spares reading it back; `fresh` says that no step is stored. */
  accept: (ticket: RunTicket, input: string | undefined, fresh: boolean) => void;
  /** Resolves with the reply of a Return-Response step, or undefined when the run ends without one. */
  awaitReply: (runId: string) => Promise<WebhookReply | undefined>;
  /** Ends the wait for the reply of a run that has ended already. */
  endReply: (runId: string) => void;
  startedAt: (runId: string) => Date | undefined;
  /** Stops runs of a deleted flow. */
  abortFlow: (flowId: string) => void;
  close: () => Promise<void>;
};

/**
 * Executes stored runs. A run is accepted (stored) → scheduled → for each step: perform it, store the result → finished
 * (stored with the last result). A process that dies leaves its runs unfinished in the database; the next executor
 * replays the stored results and performs the first step without one. A step that was running at the crash may happen
 * twice; a stored one never does. A run whose results no longer fit into memory leaves it and continues, the same way, when they do.
 */
export function createWorker(deps: WorkerDeps): Worker {
  const { runs, budgets, log, now } = deps;
  const scheduler = createScheduler<Task>({
    total: deps.concurrency,
    perKey: Math.max(1, Math.ceil(deps.concurrency / 2)),
    weight: { total: budgets.runs, perKey: budgets.runs / 2 },
  });
  const known = new Map<string, Task>();
  /** Retried while their previous execution was still ending here: they are scheduled again after it. */
  const reopened = new Map<string, Task>();
  const started = new Map<string, { at: Date; flowId: string; abort: AbortController }>();
  /** The callers that wait for the reply of a run: a call and, with an idempotency key, its repeats. */
  const replies = new Map<string, ((reply: WebhookReply | undefined) => void)[]>();
  const active = new Set<Promise<void>>();
  const timers = createTimers();
  /** Runs that wait for the next try of a step, without a place. */
  let retrying = 0;
  let epoch = 0;
  let holding = false;
  let spilled = false;
  let refilling = false;
  let lookedAt = 0;
  /** Results that were not stored when the lock was lost. They are, before anything is executed again, unless another process has executed meanwhile. */
  let kept: JournalEntry[] = [];
  /** Bytes of the events that wait in memory. */
  let inputsKept = 0;
  const closing = new AbortController();

  const reply = (runId: string, given: WebhookReply | undefined): void => {
    const waiting = replies.get(runId);
    replies.delete(runId);
    for (const resolve of waiting ?? []) resolve(given);
  };

  const gather = { min: () => (scheduler.active() < MANY_ACTIVE ? 1 : Math.floor(scheduler.active() / 8)), ms: GATHER_MS };
  const journal = createBatcher<JournalEntry, void>({
    itemsMax: 500,
    inFlightMax: 2,
    gather,
    weigh: ({ steps }) => steps.reduce((sum, { input, output }) => sum + input.length + (output?.length ?? 0), 0),
    weightMax: JOURNAL_BYTES,
    write: (entries) => runs.writeJournal(epoch, entries),
    isFatal: (error) => error instanceof LostExecutor || !(error instanceof Error && 'severity' in error),
  });

  const { execute, giveUp } = createExecution({
    ...deps,
    journal,
    gather,
    rooms: createRooms(budgets),
    runBytesMax: budgets.runBytesMax,
    closing: closing.signal,
    wait: (ms, stop) => timers.wait(ms, AbortSignal.any([stop, closing.signal])),
    mayLeave: () => retrying < RETRYING_MAX,
    onReply: reply,
    keep: (entry) => {
      if (!holding) kept.push(entry);
    },
    grow: (task, bytes) => {
      const more = heapOfRun(bytes) - task.heap;
      if (more <= 0) return true;
      if (!scheduler.grow(task.fairnessKey, more)) return false;
      task.heap += more;
      return true;
    },
  });

  /** Schedules a run again, from its stored results. Until then it is known, so that nothing else starts it. */
  const comeBack = (ms: number, task: Task): void =>
    timers.later(ms, () => {
      known.delete(task.id);
      if (holding) enqueue({ ...task, input: undefined, fresh: false });
    });

  const afterFault = (task: Task, error: unknown): void => {
    log('error', 'run.fault', { runId: task.id, faults: task.faults + 1, message: messageOf(error) });
    if (error instanceof LostExecutor) halt();
    if (!holding) return;
    if (task.faults >= FAULT_RETRIES_MAX || isRefusedData(error)) {
      known.delete(task.id);
      void giveUp(task).catch(() => undefined);
      return;
    }
    // A fault of the engine (database away) does not fail the run: it is scheduled again, from its stored results.
    comeBack(500 * 2 ** task.faults, { ...task, faults: task.faults + 1, startedAt: undefined });
  };

  const forgetInput = (task: Task): void => {
    if (task.input !== undefined) inputsKept -= task.input.length;
  };

  const goOn = (task: Task, end: ExecutionEnd): void => {
    if (typeof end === 'object') {
      retrying += 1;
      timers.later(end.retryInMs, () => (retrying -= 1));
      comeBack(end.retryInMs, task);
      return;
    }
    known.delete(task.id);
    const again = end === 'evicted' ? { ...task, fresh: false } : reopened.get(task.id);
    if (again === undefined) return;
    if (end === 'ended') reopened.delete(task.id);
    if (holding) enqueue(again);
  };

  const run = async (task: Task): Promise<void> => {
    const abort = new AbortController();
    const at = task.startedAt ?? new Date(now());
    task.startedAt = at;
    forgetInput(task);
    started.set(task.id, { at, flowId: task.flowId, abort });
    let faulty = false;
    let end: ExecutionEnd = 'ended';
    try {
      end = await execute(task, abort.signal, at);
    } catch (error) {
      faulty = !abort.signal.aborted && error !== closing.signal.reason;
      if (faulty) afterFault(task, error);
    }
    if (started.get(task.id)?.abort === abort) started.delete(task.id);
    // After the lock was lost, the same run may already execute again while this one is still ending.
    const isLast = !faulty && known.get(task.id) === task;
    if (end === 'ended') reply(task.id, undefined);
    scheduler.release(task.fairnessKey, task.heap);
    if (isLast) goOn(task, end);
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
    if (task.input !== undefined) inputsKept += task.input.length;
    task.heap = Math.min(heapOfRun(task.bytes), budgets.runs / 2);
    scheduler.add(task.fairnessKey, task, task.heap);
    pump();
  };

  const refill = async (): Promise<void> => {
    if (refilling) return;
    refilling = true;
    try {
      const tickets = await runs.unfinished(TICKETS_MAX);
      spilled = tickets.length === TICKETS_MAX;
      for (const ticket of tickets) enqueue(taskOf(ticket, undefined, false));
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
    inputsKept = 0;
    timers.clear();
    retrying = 0;
    known.clear();
    reopened.clear();
    for (const { abort } of started.values()) abort.abort(new Error('the executor stopped'));
  };

  return {
    begin: async () => {
      const before = epoch;
      epoch = await runs.nextEpoch();
      if (closing.signal.aborted) return;
      if (epoch === before + 1 && kept.length > 0) await runs.writeJournal(epoch, kept);
      kept = [];
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
      const isKept = isNew && inputsKept + ticket.bytes <= budgets.inputsKeptBytes;
      const task = taskOf(ticket, isKept ? input : undefined, isNew);
      if (!known.has(task.id)) enqueue(task);
      else if (!fresh) reopened.set(task.id, task);
    },
    awaitReply: (runId) =>
      new Promise((resolve) => {
        replies.set(runId, [...(replies.get(runId) ?? []), resolve]);
      }),
    endReply: (runId) => reply(runId, undefined),
    startedAt: (runId) => started.get(runId)?.at ?? known.get(runId)?.startedAt,
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

function taskOf(ticket: RunTicket, input: string | undefined, fresh: boolean): Task {
  return { ...ticket, input, fresh, faults: 0, tries: undefined, startedAt: undefined, caller: undefined, place: undefined, heap: 0 };
}
