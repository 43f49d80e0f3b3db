import { setTimeout as delay } from 'node:timers/promises';

/** Longest time in which other work of the process waits. */
const SLICE_MS = 5;
const REST_MS_MAX = 20;

export type Pace = {
  /** Call after waiting for something else: others had their turn. */
  resume(): void;
  /** Call between small pieces of work: now and then it rests as long as was worked, so that half of the processor is left to others. */
  rest(): Promise<void> | undefined;
};

/** Creates a pace for long work on the main thread. */
export function createPace(): Pace {
  let since = performance.now();
  const pause = async (worked: number): Promise<void> => {
    await delay(Math.min(worked, REST_MS_MAX));
    since = performance.now();
  };
  return {
    resume: () => {
      since = performance.now();
    },
    rest() {
      const worked = performance.now() - since;
      return worked < SLICE_MS ? undefined : pause(worked);
    },
  };
}
