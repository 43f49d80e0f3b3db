export type RepeaterOptions = {
  everyMs: number;
  /** One round. Resolves to the time (ms) until the next one, or null when the regular one suffices. */
  round: () => Promise<number | null>;
  onError: (error: unknown) => void;
};

/** Repeats rounds at a regular interval and sooner on request, never two at once. */
export type Repeater = {
  start(): void;
  /** Requests a round within `ms`; an earlier request stays. */
  soon(ms: number): void;
  /** Starts no further round; resolves when the current one has settled. */
  stop(): Promise<void>;
};

/** Creates a repeater; it does nothing until `start`. A round that fails is repeated at the next regular time. */
export function createRepeater({ everyMs, round, onError }: RepeaterOptions): Repeater {
  let active = false;
  let dueAt = 0;
  let timer: NodeJS.Timeout | undefined;
  let current: Promise<void> | undefined;

  const schedule = (ms: number): void => {
    const at = performance.now() + ms;
    if (current) {
      // The round in progress may have missed what this request is about: one more follows it.
      dueAt = Math.min(dueAt, at);
      return;
    }
    if (!active || (timer && dueAt <= at)) return;
    clearTimeout(timer);
    dueAt = at;
    timer = setTimeout(run, ms);
  };
  const run = (): void => {
    timer = undefined;
    dueAt = Infinity;
    current = round()
      .then((next) => (dueAt = Math.min(dueAt, performance.now() + (next ?? everyMs))))
      .catch((error: unknown) => {
        dueAt = Math.min(dueAt, performance.now() + everyMs);
        onError(error);
      })
      .then(() => {
        current = undefined;
        schedule(Math.max(0, dueAt - performance.now()));
      });
  };
  return {
    start() {
      active = true;
      schedule(everyMs);
    },
    soon: schedule,
    async stop() {
      active = false;
      clearTimeout(timer);
      await current;
    },
  };
}
