import type { SubscriberStatus } from '@partner-portal/contract/vocabulary.ts';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { api, type Reply } from '../../app/api.ts';
import { keys } from '../../queries/keys.ts';

export type Subscriber = Reply<'listSubscribers'>['data'][number];
export type SubscriberFilters = { q?: string | undefined; status?: SubscriberStatus | undefined };

export const subscribersQuery = ({ q, status }: SubscriberFilters) =>
  infiniteQueryOptions({
    queryKey: keys.subscribers({ q, status }),
    queryFn: ({ pageParam, signal }) => api.listSubscribers({ query: { q, status, cursor: pageParam || undefined }, signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });
