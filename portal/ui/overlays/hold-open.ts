import { createContext, use, useLayoutEffect } from 'react';

type Holds = { isHeld: boolean; /** Holds the dialog open until what it returns is called. */ hold: () => () => void };

/** The dialog around. */
export const DialogHolds = createContext<Holds>({ isHeld: false, hold: () => () => undefined });

/** Whether the actions around are those of a dialog that is held open: all of them wait. */
export const HeldActions = createContext(false);

/**
 * Keeps the dialog around open while an answer is awaited: Esc, the backdrop and its actions do not close it, since the answer may hold a secret, a link
 * or the reason of a refusal that is shown once. A busy button does this by itself.
 */
export function useHoldOpen(isWaiting: boolean): void {
  const { hold } = use(DialogHolds);
  useLayoutEffect(() => (isWaiting ? hold() : undefined), [isWaiting, hold]);
}
