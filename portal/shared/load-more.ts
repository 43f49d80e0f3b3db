import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';

type List<Page> = Pick<UseInfiniteQueryResult<InfiniteData<Page>>, 'data' | 'fetchNextPage'>;

/** A list that changes this often while a page is asked for has to be asked again by its reader. */
const TRIES = 3;
/** A page may be empty although older rows match: the service looks at a bounded number of rows for each. This many are passed over at once. */
const EMPTY_PAGES = 5;

/**
 * Loads the next page that has rows, and returns the list with it. A change that is reported meanwhile makes the whole list be read again, which takes
 * the place of the page that was asked for: then it is asked for once more.
 */
export async function loadMore<Page>(list: List<Page>): Promise<Awaited<ReturnType<List<Page>['fetchNextPage']>>> {
  let before = list.data?.pages.length ?? 0;
  let tries = 0;
  let passed = 0;
  for (;;) {
    const result = await list.fetchNextPage();
    const pages = result.data?.pages ?? [];
    if (result.isError || !result.hasNextPage) return result;
    if (pages.length > before) {
      passed += 1;
      if (!isEmpty(pages.at(-1)) || passed === EMPTY_PAGES) return result;
      before = pages.length;
      tries = 0;
    } else {
      tries += 1;
      if (tries === TRIES) return result;
    }
  }
}

function isEmpty(page: unknown): boolean {
  return typeof page === 'object' && page !== null && 'data' in page && Array.isArray(page.data) && page.data.length === 0;
}
