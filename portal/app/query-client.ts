import { ApiError } from '@partner-portal/contract/client.ts';
import { QueryClient, type QueryKey } from '@tanstack/react-query';

/** What the pages know of the server, and how they ask again. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      refetchOnWindowFocus: true,
      // A refusal is an answer: only a lost connection or a server in trouble is worth asking again.
      retry: (count, error) => count < 2 && (!(error instanceof ApiError) || error.status >= 502 || error.status === 429),
      retryDelay: (count, error) =>
        error instanceof ApiError && error.retryAfterSeconds ? error.retryAfterSeconds * 1000 : 800 * 2 ** count,
    },
    mutations: { retry: false },
  },
});

const awaited = new Set<string>();

/** News that come while a list is being read may be missing in it, or be put back by it: it is read once more when it is there. */
export function readAgainAfterNews(queryKey: QueryKey): void {
  const query = queryClient.getQueryCache().find({ queryKey });
  if (query?.state.fetchStatus !== 'fetching' || awaited.has(query.queryHash)) return;
  awaited.add(query.queryHash);
  const readAgain = (): void => {
    awaited.delete(query.queryHash);
    void queryClient.invalidateQueries({ queryKey, exact: true });
  };
  void query.promise?.then(readAgain, readAgain);
}

// What a save answered is put in place by hand. A reading that began before the save would put the old back. And whoever asks for a list
// anew while it is read for the first time is given that very reading, which began before what they heard of.
queryClient.getQueryCache().subscribe((event) => {
  if (event.type !== 'updated') return;
  const { action, query } = event;
  const isSaved = action.type === 'success' && action.manual;
  const isAskedEarly = action.type === 'invalidate' && query.state.data === undefined;
  if (isSaved || isAskedEarly) readAgainAfterNews(query.queryKey);
});
