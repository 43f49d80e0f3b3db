import { useMemo, useSyncExternalStore } from 'react';
import { Listeners } from '../../ui/hooks/listeners.ts';

/** What this page wrote: without storage it lasts as long as the page. */
const written = new Map<string, string>();
const listeners = new Listeners();

/**
 * State kept in session storage: survives a reload, ends with the tab. A page that came as HTML is taken over with `initial`, as it was rendered, and shows what is stored right
 * after that; a change before then adds to what is stored.
 */
export function useSessionState<T>(key: string, initial: T): [T, (next: T | ((before: T) => T)) => void] {
  const text = useSyncExternalStore(
    listeners.subscribe,
    () => read(key),
    () => null,
  );
  const value = useMemo(() => parse(text, initial), [text, initial]);
  return [
    value,
    (next) => write(key, JSON.stringify(typeof next === 'function' ? (next as (before: T) => T)(parse(read(key), initial)) : next)), // T is no function
  ];
}

function parse<T>(text: string | null, initial: T): T {
  try {
    return text === null ? initial : (JSON.parse(text) as T); // written by this page
  } catch {
    return initial;
  }
}

function read(key: string): string | null {
  try {
    return written.get(key) ?? sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key: string, text: string): void {
  written.set(key, text);
  try {
    sessionStorage.setItem(key, text);
  } catch {
    // Storage can be forbidden or full.
  }
  listeners.notify();
}
