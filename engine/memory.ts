import { getHeapStatistics } from 'node:v8';
import { createScheduler } from './scheduler.ts';

/**
 * Limits of the engine's memory, in bytes and shared between fairness keys. Runs and events beyond it wait in the
 * database or at their sender, so that no input, however many, ends the process.
 */
export type Budgets = {
  /** Heap of all runs under way: their event and the results of their steps. One key may hold half of it. */
  runs: number;
  /** Heap for answers of steps that are being parsed and stored. */
  answers: number;
  /** JSON text that one run may hold: its event and the results of its steps. */
  runBytesMax: number;
  /** Size of one answer, and of one request, of an HTTP or code step. */
  answerBytesMax: number;
  /** Size of one event. */
  eventBytesMax: number;
  /** Memory of all events that are being received and stored. One key may hold half of it. */
  intakeBytes: number;
  /** Memory of events that wait for their run to start. */
  inputsKeptBytes: number;
};

const MIB = 1024 * 1024;
/** Heap that a process without work takes: code, caches, connections. */
const IDLE_BYTES = 64 * MIB;
/** Heap per byte of JSON at most: `{},` is 3 bytes and an object of 64; the rest is for texts made of it on the way. */
const HEAP_PER_BYTE = 32;
/** Heap of a run whose event and results are small. It covers results of `SMALL_BYTES`. */
const RUN_BYTES = 128 * 1024;
/** Answers up to this size ask for no room of their own. */
const SMALL_BYTES = 4 * 1024;
/** Memory outside the heap for bodies of HTTP steps over `SMALL_BODY_BYTES`, each counted as the largest request and answer. */
const BODIES_BYTES = 64 * MIB;
const SMALL_BODY_BYTES = 64 * 1024;

/** Returns the budgets of a process whose heap may grow to `heapLimit` bytes. */
export function budgetsOf(heapLimit: number = getHeapStatistics().heap_size_limit): Budgets {
  const free = Math.max(heapLimit - IDLE_BYTES, 32 * MIB);
  const runs = Math.floor(free / 2);
  const answers = Math.floor(free / 4);
  return {
    runs,
    answers,
    runBytesMax: Math.floor((runs / 2 - RUN_BYTES) / HEAP_PER_BYTE),
    answerBytesMax: Math.min(2 * MIB, Math.floor(answers / HEAP_PER_BYTE)),
    eventBytesMax: Math.min(1.25 * MIB, Math.floor(free / 4 / HEAP_PER_BYTE)),
    intakeBytes: Math.floor(free / 16),
    inputsKeptBytes: Math.floor(free / 32),
  };
}

/** Heap of a run whose event and stored results are `bytes` of JSON text. */
export function heapOfRun(bytes: number): number {
  return RUN_BYTES + HEAP_PER_BYTE * bytes;
}

/** Bytes that waiting work takes turns for, fair between keys. */
export type Gate = {
  /** Waits for room; resolves with what gives it back. Rejects with the reason of `signal` when that aborts first. */
  enter: (key: string, bytes: number, signal: AbortSignal) => Promise<() => void>;
};

type Waiter = { key: string; bytes: number; signal: AbortSignal; resolve: (leave: () => void) => void; reject: (error: unknown) => void };

export function createGate(total: number, perKey: number): Gate {
  const line = createScheduler<Waiter>({
    total: Number.POSITIVE_INFINITY,
    perKey: Number.POSITIVE_INFINITY,
    weight: { total, perKey },
  });
  const pump = (): void => {
    for (let next = line.take(); next !== undefined; next = line.take()) {
      const { key, bytes, signal, resolve, reject } = next;
      let isIn = true;
      const leave = (): void => {
        if (!isIn) return;
        isIn = false;
        line.release(key, bytes);
        pump();
      };
      if (signal.aborted) {
        isIn = false;
        line.release(key, bytes);
        reject(signal.reason);
      } else resolve(leave);
    }
  };
  return {
    enter: (key, bytes, signal) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        line.add(key, { key, bytes, signal, resolve, reject }, bytes);
        pump();
      }),
  };
}

/** Room that one step asks for before it holds something large. */
export type StepRoom = {
  /** Before a body of an HTTP step: a request or an answer of `bytes`, unpacked. Asked for once for both. */
  forBody: (bytes: number) => Promise<void>;
  /** Before an answer of `bytes` is parsed. */
  forAnswer: (bytes: number) => Promise<void>;
  answerBytesMax: number;
  /** Gives all of it back. */
  leave: () => void;
};
export type Rooms = { forStep: (key: string, signal: AbortSignal) => StepRoom };

export function createRooms(budgets: Budgets): Rooms {
  const answers = createGate(budgets.answers, budgets.answers);
  const bodies = createGate(BODIES_BYTES, BODIES_BYTES / 2);
  return {
    forStep: (key, signal) => {
      const entered: (() => void)[] = [];
      let hasBody = false;
      return {
        answerBytesMax: budgets.answerBytesMax,
        async forBody(bytes) {
          if (hasBody || bytes <= SMALL_BODY_BYTES) return;
          hasBody = true;
          entered.push(await bodies.enter(key, 2 * budgets.answerBytesMax, signal));
        },
        async forAnswer(bytes) {
          if (bytes <= SMALL_BYTES) return;
          entered.push(await answers.enter(key, heapOfRun(bytes), signal));
        },
        leave: () => {
          for (const leave of entered.splice(0)) leave();
        },
      };
    },
  };
}

/** Counts events that are being received: those beyond the budget are refused, and their sender tries again. */
export function createIntakeRoom(budgets: Budgets): { enter: (key: string, bytes: number) => (() => void) | undefined } {
  const held = new Map<string, number>();
  let total = 0;
  return {
    enter: (key, bytes) => {
      const own = held.get(key) ?? 0;
      if (total + bytes > budgets.intakeBytes || (own > 0 && own + bytes > budgets.intakeBytes / 2)) return undefined;
      held.set(key, own + bytes);
      total += bytes;
      return () => {
        const left = (held.get(key) ?? 0) - bytes;
        if (left > 0) held.set(key, left);
        else held.delete(key);
        total -= bytes;
      };
    },
  };
}
