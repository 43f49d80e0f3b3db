import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';

type List<Page> = Pick<UseInfiniteQueryResult<InfiniteData<Page>>, 'data' | 'dataUpdatedAt' | 'fetchNextPage'>;

/** A list that changes this often while a page is asked for has to be asked again by its reader. */
const TRIES = 3;
/** A page may be empty although older rows match: the service looks at a bounded number of rows for each. This many are passed over at once. */
const EMPTY_PAGES = 5;

/**
 * Loads the next page that has rows, and returns the list with it. A change that is reported meanwhile makes the whole list be read again, which takes
 * the place of the page that was asked for: it is asked for once more after that. A page that is no longer wanted, because its reader has left, is not.
 */
export async function loadMore<Page>(list: List<Page>): Promise<Awaited<ReturnType<List<Page>['fetchNextPage']>>> {
  let current = list;
  let before = list.data?.pages.length ?? 0;
  let tries = 0;
  let passed = 0;
  for (;;) {
    tries += 1;
    // A list that is being read is waited for.
    const result = await current.fetchNextPage({ cancelRefetch: false });
    const pages = result.data?.pages ?? [];
    if (result.isError || !result.hasNextPage) return result;
    if (pages.length > before) {
      passed += 1;
      if (!isEmpty(pages.at(-1)) || passed === EMPTY_PAGES) return result;
      before = pages.length;
      tries = 0;
    } else if (tries === TRIES || result.dataUpdatedAt === current.dataUpdatedAt) return result;
    current = result;
  }
}

function isEmpty(page: unknown): boolean {
  return typeof page === 'object' && page !== null && 'data' in page && Array.isArray(page.data) && page.data.length === 0;
}
