import { infiniteQueryOptions, type InfiniteData, type QueryKey, type UseInfiniteQueryOptions } from '@tanstack/react-query';

type Page = { nextCursor: string | null };
type Read<Answer> = (page: { cursor: string | undefined; signal: AbortSignal }) => Promise<Answer>;
type Options<Answer, Key extends QueryKey> = UseInfiniteQueryOptions<Answer, Error, InfiniteData<Answer, string>, Key, string>;
type Extra<Answer, Key extends QueryKey> = Pick<Options<Answer, Key>, 'enabled' | 'gcTime' | 'placeholderData' | 'refetchInterval'>;

/** The query of a list that is read page by page: `read` gets the cursor of a page, none for the first. */
export function pagedQuery<Answer extends Page, Key extends QueryKey>(queryKey: Key, read: Read<Answer>, extra: Extra<Answer, Key> = {}) {
  return infiniteQueryOptions<Answer, Error, InfiniteData<Answer, string>, Key, string>({
    queryKey,
    queryFn: ({ pageParam, signal }) => read({ cursor: pageParam || undefined, signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    ...extra,
  });
}
