import type { RefObject } from 'react';
import { useKeys } from './key-bindings.ts';

/** Moves through the rows of a list (not a table) with J and K; each row handles Enter itself. */
export function useRowNavigation(list: RefObject<HTMLElement | null>, selector: string): void {
  const move = (step: 1 | -1): void => {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>(selector) ?? [])];
    const at = rows.findIndex((row) => row === document.activeElement || row.closest('li')?.contains(document.activeElement));
    const next = rows[at < 0 ? 0 : Math.min(Math.max(at + step, 0), rows.length - 1)];
    next?.focus({ preventScroll: true });
    next?.scrollIntoView({ block: 'nearest' });
  };
  useKeys([
    { keys: 'j', label: 'Next row', group: 'Lists', run: () => move(1) },
    { keys: 'k', label: 'Previous row', group: 'Lists', run: () => move(-1) },
  ]);
}
