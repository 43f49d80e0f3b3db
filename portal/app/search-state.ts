import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { onlySet } from './search-params.ts';

/** Members of an address to change; one without a value leaves it. */
export type SearchChange<Search> = { [Name in keyof Search]?: Search[Name] | undefined };

/** The way through a page's own address: its path, and how its parameters are read. */
type Page<Search> = { fullPath: string; useSearch: () => Search };

/** Returns what the address of a page holds, and the function that changes it. */
export function useSearchState<Search extends object>(page: Page<Search>): [Search, (change: SearchChange<Search>) => void] {
  return [page.useSearch(), useChangeSearch<Search>(page.fullPath)];
}

/**
 * Returns a function that changes the parameters of the page at `path`. The change takes the place of the present entry of the history, and the page stays
 * where its reader is.
 */
export function useChangeSearch<Search extends object>(path: string): (change: SearchChange<Search>) => void {
  const navigate = useNavigate();
  return useCallback(
    (change) => {
      // The router knows the parameters of each path by its type; here it is the page that does.
      const search = ((before: Search) => onlySet({ ...before, ...change })) as never;
      void navigate({ from: path as never, to: '.', search, replace: true, resetScroll: false });
    },
    [navigate, path],
  );
}
