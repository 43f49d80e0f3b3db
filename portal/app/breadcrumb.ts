import { useEffect, useSyncExternalStore } from 'react';
import { noteRecent } from './recent.ts';

let current: string | undefined;
const listeners = new Set<() => void>();

/** Shows `name` in the top bar, after the list this page belongs to. */
export function useBreadcrumb(name: string | undefined): void {
  useEffect(() => {
    set(name);
    if (name) noteRecent(location.pathname, name);
    return () => set(undefined);
  }, [name]);
}

export function useCurrentBreadcrumb(): string | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}

function set(name: string | undefined): void {
  current = name;
  for (const listener of listeners) listener();
}
