import { ApiError } from '@partner-portal/contract/client.ts';
import { type QueryKey, type UseSuspenseQueryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { notFound } from '@tanstack/react-router';
import { isLost } from './errors.ts';
import { queryClient } from './query-client.ts';
import { getSession } from './session.ts';

/** A query as `queryOptions` makes it. */
type Loadable = { queryKey: QueryKey };
type Ensured = Parameters<typeof queryClient.ensureQueryData>[0];
type Paged = Parameters<typeof queryClient.prefetchInfiniteQuery>[0];

/**
 * For a route's `loader`: resolves when the page can be rendered. A missing record shows the route's "not found" page, any other failure
 * its error page. Hovering over a link preloads the page's code but not its data, because requests are rate-limited.
 */
export async function loadQueries(preload: boolean, ...queries: readonly Loadable[]): Promise<void> {
  if (preload) return;
  const loading = queries.map(loadQuery);
  startWaiting?.();
  await Promise.all(loading);
}

/** How long a page waits for optional data. */
const OPTIONAL_MS = 1_000;

/** For a route's `loader`: resolves when the queries have ended in any way, or after a second. The page shows what has come. */
export async function awaitQueries(preload: boolean, ...queries: readonly Loadable[]): Promise<void> {
  if (preload) return;
  const ended = Promise.all(queries.map((query) => queryClient.prefetchQuery(query as Ensured)));
  startWaiting?.();
  await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, OPTIONAL_MS))]);
}

/** For the `loader` of a list: starts loading its first page without waiting for it. */
export function startQueries(preload: boolean, ...queries: readonly Loadable[]): void {
  if (preload) return;
  for (const query of queries) prefetch(query);
  startWaiting?.();
}

/**
 * For a route's `loader`, before it starts the page's main queries: begins loading the other queries in the same request. Cached queries are refetched by the
 * part that shows it.
 */
export function startMissing(preload: boolean, ...queries: readonly Loadable[]): void {
  if (!preload) fetchMissing(queries);
}

function fetchMissing(queries: readonly Loadable[]): void {
  for (const query of queries) {
    if (queryClient.getQueryState(query.queryKey) === undefined) prefetch(query);
  }
}

function prefetch(query: Loadable): void {
  if ('getNextPageParam' in query) void queryClient.prefetchInfiniteQuery(query as unknown as Paged);
  else void queryClient.prefetchQuery(query as Ensured);
}

/** A frame's reads wait this long for those of its page, whose code may come later. */
const FRAME_MS = 250;
let startWaiting: (() => void) | undefined;

/** For the `loader` of a frame: loads what it has not yet, with one request together with the first reads of its page. Resolves when it has begun. */
export async function startFrame(preload: boolean, ...queries: readonly Loadable[]): Promise<void> {
  if (preload || getSession()?.user.suspension) return;
  await new Promise<void>((resolve) => {
    startWaiting = resolve;
    setTimeout(resolve, FRAME_MS);
  });
  startWaiting = undefined;
  fetchMissing(queries);
}

/**
 * Returns what the route has loaded. A failed refetch leaves the page and its input as they are; a record that was removed or is no
 * longer accessible throws to the route's error page.
 */
export function useLoaded<Data, Key extends QueryKey>(options: UseSuspenseQueryOptions<Data, Error, Data, Key>): Data {
  const result = useSuspenseQuery(options);
  if (isLost(result)) throw result.error;
  return result.data;
}

async function loadQuery(query: Loadable): Promise<void> {
  const options = query as Ensured; // its key decides what it returns
  try {
    // A query that failed is fetched again: the cache may still hold its earlier data.
    const hasFailed = queryClient.getQueryState(query.queryKey)?.status === 'error';
    await (hasFailed ? queryClient.fetchQuery(options) : queryClient.ensureQueryData(options));
  } catch (error) {
    throw error instanceof ApiError && error.problem?.code === 'not_found' ? notFound() : error;
  }
}
