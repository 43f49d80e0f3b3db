let ask: (() => Promise<boolean>) | undefined;
/** Calls that are refused at the same time wait for one answer. */
let asking: Promise<boolean> | undefined;

/** Sets what asks for the password; returns a function that removes it. */
export function whenConfirmationNeeded(open: () => Promise<boolean>): () => void {
  ask = open;
  return () => void (ask = undefined);
}

/** Asks the user to confirm the session; false when they do not. */
export function confirmLogin(): Promise<boolean> {
  asking ??= (ask?.() ?? Promise.resolve(false)).finally(() => (asking = undefined));
  return asking;
}
