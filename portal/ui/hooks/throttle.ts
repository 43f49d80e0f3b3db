/** Calls `run` immediately and then at most every `ms`. A call during the wait runs at its end, so the last one is never lost. */
export function throttle(run: () => void, ms: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOwed = false;
  const tick = (): void => {
    timer = undefined;
    if (!isOwed) return;
    isOwed = false;
    start();
  };
  const start = (): void => {
    run();
    timer = setTimeout(tick, ms);
  };
  return () => {
    if (timer) isOwed = true;
    else start();
  };
}
