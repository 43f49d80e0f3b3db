import { useSyncExternalStore } from 'react';
import { Listeners } from '../ui/hooks/listeners.ts';

/** What Chromium offers when a page can be installed. It comes once, perhaps before the page that shows it. */
type InstallPrompt = Event & { prompt: () => Promise<unknown> };

let offered: InstallPrompt | undefined;
let isKept = false;
const listeners = new Listeners();
const change = (next: InstallPrompt | undefined): void => {
  offered = next;
  listeners.notify();
};

/** Keeps the browser's offer for a button of ours, instead of a bar of its own. */
export function keepInstallOffer(): void {
  if (isKept) return;
  isKept = true;
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    change(event as InstallPrompt); // not in the DOM types
  });
  addEventListener('appinstalled', () => change(undefined));
}

/** Returns what opens the browser's own question, while it offers one. */
export function useInstallOffer(): (() => Promise<void>) | undefined {
  const offer = useSyncExternalStore(listeners.subscribe, () => offered);
  if (offer === undefined) return undefined;
  return async () => {
    change(undefined);
    await offer.prompt();
  };
}

export const isInstalled = (): boolean => matchMedia('(display-mode: standalone)').matches;
