import { useSyncExternalStore } from 'react';
import { Listeners } from '../hooks/listeners.ts';

/** Modal dialogs that are open, the newest last. Each makes everything outside it inert. */
let open: readonly HTMLDialogElement[] = [];
const listeners = new Listeners();

/** Opens a modal dialog. Returns what to call when it is closed or removed. */
export function openModal(dialog: HTMLDialogElement): () => void {
  if (!dialog.open) dialog.showModal();
  set([...open, dialog]);
  return () => set(open.filter((one) => one !== dialog));
}

/** Returns the modal dialog on top: only what is inside it can be used and is read aloud. */
export function useTopModal(): HTMLDialogElement | undefined {
  return useSyncExternalStore(listeners.subscribe, () => open.at(-1));
}

function set(next: readonly HTMLDialogElement[]): void {
  open = next;
  listeners.notify();
}
