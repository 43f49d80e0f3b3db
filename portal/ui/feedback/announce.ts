import { useSyncExternalStore } from 'react';
import { uiText } from '../text/reader.ts';
import { Listeners } from '../hooks/listeners.ts';

/** A message about something that happened, as it is shown. */
export type Toast = {
  id: number;
  tone: 'ok' | 'wait' | 'bad';
  /** For `wait` only: its duration. */
  seconds?: number;
  title: string;
  detail?: string;
  requestId?: string | undefined;
  action?: { label: string; run: () => void };
};

export type Failure = { title: string; detail: string; requestId: string | undefined; retry: (() => void) | undefined };

let toasts: readonly Toast[] = [];
let nextId = 1;
const listeners = new Listeners();

/** Shows what was done; with `undo`, it can be undone for eight seconds. */
export function announce(title: string, options: { detail?: string; undo?: () => void } = {}): void {
  push({
    tone: 'ok',
    title,
    ...(options.detail ? { detail: options.detail } : {}),
    ...(options.undo ? { action: { label: uiText('ui.undo'), run: options.undo } } : {}),
  });
}

/** Says what the page waits for, as long as it does. */
export function announceWait(title: string, seconds: number): void {
  push({ tone: 'wait', title, seconds });
}

/** Reports a failure, with the request id that support asks for. The message stays until it is closed. */
export function announceFailure({ title, detail, requestId, retry }: Failure): void {
  push({ tone: 'bad', title, detail, requestId, ...(retry ? { action: { label: uiText('ui.tryAgain'), run: retry } } : {}) });
}

function push(toast: Omit<Toast, 'id'>): void {
  set([...toasts.slice(-2), { ...toast, id: nextId++ }]);
}

function set(next: readonly Toast[]): void {
  toasts = next;
  listeners.notify();
}

export function closeToast(id: number): void {
  set(toasts.filter((toast) => toast.id !== id));
}

export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(listeners.subscribe, () => toasts);
}
