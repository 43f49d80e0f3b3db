import { queryOptions } from '@tanstack/react-query';
import { api, type Reply } from '../../app/api.ts';
import { pagedQuery } from '../../app/paged-query.ts';
import { keys } from '../../queries/keys.ts';

export type System = Reply<'getSystem'>;
export type Mail = Reply<'listMail'>['data'][number];
export type MailFilters = { kind?: Mail['kind'] | undefined; status?: Mail['status'] | undefined; partnerId?: string | undefined };

export const systemQuery = queryOptions({
  queryKey: keys.system,
  queryFn: ({ signal }) => api.getSystem({ signal }),
  refetchInterval: 15_000,
});

export const mailsQuery = (filters: MailFilters) =>
  pagedQuery(keys.mail.list(filters), ({ cursor, signal }) => api.listMail({ query: { ...filters, cursor }, signal }), {
    // The newest page looks again by itself; with older pages open the reader is looking at the past.
    refetchInterval: (query) => ((query.state.data?.pages.length ?? 0) > 1 ? false : 10_000),
  });

/** Fetched once per opening, because each read is audited. */
export const mailQuery = (id: string) =>
  queryOptions({
    queryKey: keys.mail.one(id),
    queryFn: ({ signal }) => api.getMail({ params: { id }, signal }),
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
