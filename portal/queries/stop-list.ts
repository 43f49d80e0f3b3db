import { infiniteQueryOptions } from '@tanstack/react-query';
import { api, type Reply } from '../app/api.ts';
import { keys } from './keys.ts';

export type StopListEntry = Reply<'listStopList'>['data'][number];

/** The contacts whom no agent of a client writes to; `q`: part of a number or an address. */
export const stopListQuery = (clientId: string, q: string | undefined) =>
  infiniteQueryOptions({
    queryKey: keys.stopList.page(clientId, q),
    queryFn: ({ pageParam, signal }) =>
      api.listStopList({ params: { id: clientId }, query: { q, cursor: pageParam || undefined }, signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });
