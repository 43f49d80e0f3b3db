import { useEffect } from 'react';

/** The window's title: the page, then whose portal it is. */
export function useTitle(page: string | undefined, owner = 'Portal'): void {
  useEffect(() => {
    document.title = page ? `${page} · ${owner}` : owner;
  }, [page, owner]);
}
