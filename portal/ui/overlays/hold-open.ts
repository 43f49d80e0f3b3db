import { createContext, use, useLayoutEffect } from 'react';

/** How many parts of the dialog around wait for an answer. */
export const DialogHolds = createContext({ current: 0 });

/**
 * Keeps the dialog around open while an answer is awaited: Esc and the backdrop do not close it, since the answer may hold a secret, a link or the
 * reason of a refusal that is shown once.
 */
export function useHoldOpen(isWaiting: boolean): void {
  const holds = use(DialogHolds);
  useLayoutEffect(() => {
    if (!isWaiting) return;
    holds.current += 1;
    return () => void (holds.current -= 1);
  }, [isWaiting, holds]);
}
