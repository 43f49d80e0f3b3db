import { CancelledError, useQueryErrorResetBoundary } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { unlessLoggingOut } from '../app/log-out.ts';
import { queryClient } from '../app/query-client.ts';
import { isFileMissing, reloadOnce } from '../app/reload-once.ts';
import { SkeletonRows } from '../ui/feedback/skeleton.tsx';
import { ErrorBlock } from './error-block.tsx';

/** Error page of a route whose data could not be loaded, or its script: after a new release the page is reloaded. */
export function RouteError({ error, reset }: { error: unknown; reset: () => void }) {
  const retry = useRetry(reset);
  const isMissing = isFileMissing(error);
  useEffect(() => {
    if (isMissing) reloadOnce(error);
  }, [isMissing, error]);
  if (error instanceof CancelledError) return <Cancelled retry={retry} />;
  return <ErrorBlock error={error} onRetry={isMissing ? () => location.reload() : retry} />;
}

/** A load that log-out cancelled: the page keeps loading, and continues only if the log-out fails. */
function Cancelled({ retry }: { retry: () => void }) {
  // oxlint-disable-next-line react/exhaustive-deps -- once: `retry` is a new function with each render
  useEffect(() => void unlessLoggingOut().then(retry), []);
  return <SkeletonRows />;
}

/** Returns a function that refetches what failed, reloads the route and renders it again. */
export function useRetry(reset: () => void): () => void {
  const router = useRouter();
  const boundary = useQueryErrorResetBoundary();
  return () => {
    boundary.reset();
    const outdated = queryClient.refetchQueries({
      type: 'inactive',
      predicate: ({ state }) => state.status === 'error' && state.data !== undefined,
    });
    void outdated.then(() => router.invalidate()).then(reset);
  };
}
