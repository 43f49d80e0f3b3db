import { useDeferredValue, useEffect, useState } from 'react';

/** How long a loaded list waits for the content above it. */
const WAIT_MS = 1_000;

type Read = { isPending: boolean; isPlaceholderData: boolean; failureCount: number };

/**
 * Returns whether to show a list and the content above it: together, so that neither moves the other, or the list alone when the content
 * fails or takes long. `key` identifies the subject of both; another key starts over.
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
