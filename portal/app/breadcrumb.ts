import { useEffect, useSyncExternalStore } from 'react';

let current: string | undefined;
const listeners = new Set<() => void>();

/** Names the place of a detail page in the top bar; the list it belongs to stands before it. */
export function useCrumb(name: string | undefined): void {
  useEffect(() => {
    set(name);
    return () => set(undefined);
  }, [name]);
}

export function useCurrentCrumb(): string | undefined {
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
