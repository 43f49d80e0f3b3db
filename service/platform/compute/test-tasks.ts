import { threadId } from 'node:worker_threads';

/** Returns the number of the thread, 0 for the main one. */
export function whereAmI(): number {
  return threadId;
}

/** Holds its thread until the first number is not 0. `started` counts up when it begins. */
export function hold({ until, started }: { until: Int32Array; started: Int32Array }): number {
  Atomics.add(started, 0, 1);
  while (Atomics.load(until, 0) === 0);
  return threadId;
}

/** Needs more memory than any thread has. */
export function hoard(): number {
  const kept: string[][] = [];
  for (;;) kept.push(Array.from({ length: 100_000 }, (_, at) => `${kept.length} ${at}`));
}

export function fail(message: string): never {
  throw new Error(message);
}
