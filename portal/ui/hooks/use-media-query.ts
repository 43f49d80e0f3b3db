import { useCallback, useSyncExternalStore } from 'react';

/** There is room for more than a phone shows: the breakpoint md of tokens.css, as tokens.test.ts compares. */
export const WIDER_THAN_PHONE = '(min-width: 768px)';
/** A list has room for the open item next to it: the breakpoint lg. */
export const TWO_COLUMNS = '(min-width: 1024px)';
/** The sidebar has room for its labels: the breakpoint rail. */
export const WIDER_THAN_TABLET = '(min-width: 1100px)';

/** Asked at every rendering of every part that uses it; making a list costs more than all the rest. */
const lists = new Map<string, MediaQueryList>();

/** Whether a media query holds now. */
export function useMediaQuery(query: string): boolean {
  const list = listOf(query);
  const subscribe = useCallback(
    (listener: () => void) => {
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    [list],
  );
  return useSyncExternalStore(subscribe, () => list.matches);
}

function listOf(query: string): MediaQueryList {
  const known = lists.get(query) ?? matchMedia(query);
  lists.set(query, known);
  return known;
}
