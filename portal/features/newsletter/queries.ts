import type { SubscriberStatus } from '@partner-portal/contract/vocabulary.ts';
import { api, type Reply } from '../../app/api.ts';
import { pagedQuery } from '../../app/paged-query.ts';
import { keys } from '../../queries/keys.ts';

export type Subscriber = Reply<'listSubscribers'>['data'][number];
export type SubscriberFilters = { q?: string | undefined; status?: SubscriberStatus | undefined };

export const subscribersQuery = ({ q, status }: SubscriberFilters) =>
  pagedQuery(keys.subscribers({ q, status }), ({ cursor, signal }) => api.listSubscribers({ query: { q, status, cursor }, signal }));
