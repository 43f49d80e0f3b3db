import { useEffect } from 'react';

/** Sets the window title: the page, then the owner of the portal. */
export function useTitle(page: string | undefined, owner = 'Portal'): void {
  useEffect(() => {
    document.title = page ? `${page} · ${owner}` : owner;
  }, [page, owner]);
}
