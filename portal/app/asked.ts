import { useEffect } from 'react';
import { Listeners } from '../ui/hooks/listeners.ts';

/** Dialogs that can be asked for from anywhere. */
export type Asked = 'client' | 'invitation' | 'request';

let asked: Asked | undefined;
const listeners = new Listeners();

/** Asks for a dialog. Returns whether a part of this page opened it; otherwise the next page that has it does. */
export function askFor(what: Asked): boolean {
  asked = what;
  listeners.notify();
  return asked === undefined;
}

/** Forgets a dialog that no part of the page it was asked for on has opened. */
export function forgetAsked(what: Asked): void {
  if (asked === what) asked = undefined;
}

/**
 * Calls `open` when this dialog is asked for, also when that was before this part of a page was shown. `open` stays the same function; a part
 * that is not meant when the dialog is asked for passes undefined.
 */
export function useAsked(what: Asked | undefined, open: (isOpen: true) => void): void {
  useEffect(() => {
    if (what === undefined) return;
    const look = (): void => {
      if (asked !== what) return;
      asked = undefined;
      open(true);
    };
    look();
    listeners.add(look);
    return () => void listeners.delete(look);
  }, [what, open]);
}
