import { useEffect, useSyncExternalStore } from 'react';
import { noteRecent } from './recent.ts';
import { Listeners } from '../ui/hooks/listeners.ts';

let current: string | undefined;
const listeners = new Listeners();

/** Shows `name` in the top bar, after the list this page belongs to. */
export function useBreadcrumb(name: string | undefined): void {
  useEffect(() => {
    set(name);
    if (name) noteRecent(location.pathname, name);
    return () => set(undefined);
  }, [name]);
}

export function useCurrentBreadcrumb(): string | undefined {
  return useSyncExternalStore(listeners.subscribe, () => current);
}

function set(name: string | undefined): void {
  current = name;
  listeners.notify();
}
