import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { queryClient } from '../app/query-client.ts';
import { ErrorBlock } from './error-block.tsx';

/** Error page of a route whose data could not be loaded. */
export function RouteError({ error, reset }: { error: unknown; reset: () => void }) {
  return <ErrorBlock error={error} onRetry={useRetry(reset)} />;
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
