import { ApiError } from '@partner-portal/contract/client.ts';
import { QueryClient, type QueryKey } from '@tanstack/react-query';

/** The cache of everything read from the API, with its retry rules. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // Without a connection a page says so, instead of waiting for one.
      networkMode: 'always',
      refetchOnWindowFocus: true,
      // Only lost connections, overload and gateway errors are retried.
      retry: (count, error) => count < 2 && (!(error instanceof ApiError) || error.status >= 502 || error.status === 429),
      retryDelay: (count, error) =>
        error instanceof ApiError && error.retryAfterSeconds ? error.retryAfterSeconds * 1000 : 800 * 2 ** count,
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

let onSlowedDown = (_seconds: number): void => undefined;
let slowedUntil = 0;

/** Sets what happens when reads are refused as too many: they go on by themselves after `seconds`. Called once for each such wait. */
export function whenSlowedDown(act: (seconds: number) => void): void {
  onSlowedDown = act;
}

function noteWait(error: unknown): void {
  if (!(error instanceof ApiError) || error.status !== 429 || error.retryAfterSeconds === undefined || Date.now() < slowedUntil) return;
  slowedUntil = Date.now() + error.retryAfterSeconds * 1000;
  onSlowedDown(error.retryAfterSeconds);
}

const awaited = new Set<string>();

/** Refetches a query after the fetch in progress, which may have started before the update and would overwrite it. */
export function refetchAfterUpdate(queryKey: QueryKey): void {
  const query = queryClient.getQueryCache().find({ queryKey });
  if (query?.state.fetchStatus !== 'fetching' || awaited.has(query.queryHash)) return;
  awaited.add(query.queryHash);
  const refetch = (): void => {
    awaited.delete(query.queryHash);
    void queryClient.invalidateQueries({ queryKey, exact: true });
  };
  void query.promise?.then(refetch, refetch);
}

// A fetch that started before a save would overwrite the saved record; an invalidation during a first fetch would be answered by that
// same, older fetch. Both are refetched.
queryClient.getQueryCache().subscribe((event) => {
  if (event.type !== 'updated') return;
  const { action, query } = event;
  if (action.type === 'failed') noteWait(action.error);
  const isSaved = action.type === 'success' && action.manual;
  const isInvalidatedEarly = action.type === 'invalidate' && query.state.data === undefined;
  if (isSaved || isInvalidatedEarly) refetchAfterUpdate(query.queryKey);
});
