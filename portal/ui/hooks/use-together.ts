import { useDeferredValue, useEffect, useState } from 'react';

/** How long a list that has come waits for what stands above it. */
const WAIT_MS = 1_000;

type Read = { isPending: boolean; isPlaceholderData: boolean; failureCount: number };

/**
 * Returns whether a list and what stands above it are to be shown: together, so that neither moves the other, or the list alone when the rest
 * fails or takes long. Another `key`, of what both are read for, begins anew.
 */
export function useTogether(key: string, list: Pick<Read, 'isPending'>, above: readonly Read[]): boolean {
  const [shown, setShown] = useState<string>();
  const isThere = above.every((read) => (!read.isPending && !read.isPlaceholderData) || read.failureCount > 0);
  const isWaiting = !list.isPending && shown !== key;
  if (isWaiting && isThere) setShown(key);
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setTimeout(() => setShown(key), WAIT_MS);
    return () => clearTimeout(timer);
  }, [isWaiting, key]);
  return useDeferredValue(shown === key);
}
