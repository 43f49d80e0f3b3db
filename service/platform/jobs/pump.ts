import { hold } from '../held.ts';
import type { Log } from '../log.ts';
import { createRest, type RestOptions } from '../rest.ts';

export type PumpOptions = {
  /** One round: claims what is due and starts it. Resolves to true when more may be waiting. */
  round: () => Promise<boolean>;
  pollMs: number;
  /** Whether a further round can start anything; always when left out. */
  hasCapacity?: () => boolean;
  /** Rest after each round; wake-ups meanwhile start one round when it is over. None when left out. */
  rest?: RestOptions;
  /** Cheap check that saves an idle poll its round; without it each poll starts one. */
  isDue?: () => Promise<boolean>;
  log: Log;
  /** Names the work in log lines. */
  what: string;
};

/** Drives a queue table: rounds on wake-up and by polling, never two at once. The tasks that rounds start run in parallel with them. */
export type Pump = {
  start(): void;
  /** Starts a round now, or one more after the round in progress. */
  wake(): void;
  isActive(): boolean;
  /** Requests one more round as soon as capacity allows. */
  requestRound(): void;
  /** Starts the round that was requested while there was no capacity, if any. */
  resume(): void;
  /** Counts a task as in flight until it settles. It must not reject. */
  track(task: Promise<void>): Promise<void>;
  inFlight(): number;
  /** Resolves when all tasks in flight have settled. */
  settled(): Promise<void>;
  /** Starts no further round; resolves when the current one and all tasks have settled. */
  stop(): Promise<void>;
};

/** Creates a pump; it does nothing until `start`. */
export function createPump(options: PumpOptions): Pump {
  const { log, what, hasCapacity = () => true, isDue } = options;
  const tasks = new Set<Promise<void>>();
  let active = false;
  let current: Promise<void> | undefined;
  let again = false;
  let timer: NodeJS.Timeout | undefined;
  const rest = options.rest && createRest(options.rest);

  const wake = (): void => {
    if (!active) return;
    if (current || rest?.isResting()) {
      again = true;
      return;
    }
    again = false;
    const beganAt = performance.now();
    current = options
      .round()
      .then((hasMore) => {
        if (hasMore) again = true;
      })
      .catch((error: unknown) => log.warn({ err: error, what }, 'round failed, retried by the next poll'))
      .finally(() => {
        current = undefined;
        if (rest && active) rest.begin(performance.now() - beganAt, goOn);
        else goOn();
      });
  };
  const goOn = (): void => {
    if (again && hasCapacity()) setImmediate(wake);
  };
  const poll = (): void => {
    if (!isDue) return wake();
    isDue().then(
      (due) => due && wake(),
      (error: unknown) => log.warn({ err: error, what }, 'poll failed'),
    );
  };
  const settled = async (): Promise<void> => void (await Promise.all(tasks));

  return {
    start() {
      active = true;
      timer = setInterval(poll, options.pollMs);
      wake();
    },
    wake,
    isActive: () => active,
    requestRound: () => {
      again = true;
    },
    resume: () => {
      if (again) wake();
    },
    async track(task) {
      using _claim = hold('claims');
      tasks.add(task);
      try {
        await task;
      } finally {
        tasks.delete(task);
      }
    },
    inFlight: () => tasks.size,
    settled,
    async stop() {
      active = false;
      clearInterval(timer);
      rest?.cancel();
      await current;
      await settled();
    },
  };
}
