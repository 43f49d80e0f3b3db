import { PRODUCT_NAME } from '@partner-portal/contract/product.ts';
import { useEffect } from 'react';

/** Sets the window title: the page, then the owner of the portal. */
export function useTitle(page: string | undefined, owner: string = PRODUCT_NAME): void {
  useEffect(() => {
    document.title = page ? `${page} · ${owner}` : owner;
  }, [page, owner]);
}
