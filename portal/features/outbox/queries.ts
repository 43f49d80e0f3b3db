import { api, type Reply } from '../../app/api.ts';
import { pagedQuery } from '../../app/paged-query.ts';
import { keys } from '../../queries/keys.ts';

export type Call = Reply<'listOutbox'>['data'][number];
export type OutboxFilters = { provider?: string | undefined; q?: string | undefined };

export const outboxQuery = ({ provider, q }: OutboxFilters) =>
  pagedQuery(keys.outbox(provider, q), ({ cursor, signal }) => api.listOutbox({ query: { provider, q, cursor }, signal }), {
    // The newest page looks again by itself; with older pages open the reader is looking at the past.
    refetchInterval: (query) => ((query.state.data?.pages.length ?? 0) > 1 ? false : 5000),
  });
