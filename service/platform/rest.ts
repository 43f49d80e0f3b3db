/** How long to rest between two statements: `times` as long as the last one took, and at least `leastMs`. */
export type RestOptions = { leastMs: number; times: number };

/**
 * For work that may wait (ADR 0072). What arrives meanwhile shares the next statement, and a statement that took long because the machine is full
 * is followed by a longer rest, which leaves the processors to what people and senders wait for.
 */
export const BACKGROUND: RestOptions = { leastMs: 20, times: 2 };

/** Work never starves. */
const REST_MS_MAX = 500;

export type Rest = {
  isResting(): boolean;
  /** Rests after work that took `tookMs`, then calls `onEnd`. */
  begin(tookMs: number, onEnd: () => void): void;
  /** Ends the rest without a call. */
  cancel(): void;
};

export function createRest({ leastMs, times }: RestOptions): Rest {
  let timer: NodeJS.Timeout | undefined;
  const cancel = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  return {
    isResting: () => timer !== undefined,
    begin(tookMs, onEnd) {
      cancel();
      const end = (): void => {
        timer = undefined;
        onEnd();
      };
      timer = setTimeout(end, Math.min(REST_MS_MAX, Math.max(leastMs, tookMs * times)));
    },
    cancel,
  };
}
