import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';

type List<Page> = Pick<UseInfiniteQueryResult<InfiniteData<Page>>, 'data' | 'fetchNextPage'>;

/** A list that changes this often while a page is asked for has to be asked again by its reader. */
const TRIES = 3;

/**
 * Loads the next page of a list, and returns the list with it. A change that is reported meanwhile makes the whole list be read again, which takes
 * the place of the page that was asked for: then it is asked for once more.
 */
export async function loadMore<Page>(list: List<Page>): Promise<Awaited<ReturnType<List<Page>['fetchNextPage']>>> {
  const before = list.data?.pages.length ?? 0;
  for (let tries = 1; ; tries += 1) {
    const result = await list.fetchNextPage();
    const isThere = (result.data?.pages.length ?? 0) > before;
    if (isThere || result.isError || !result.hasNextPage || tries === TRIES) return result;
  }
}
