import { queryOptions } from '@tanstack/react-query';
import { api, type Reply } from '../app/api.ts';
import { queryClient } from '../app/query-client.ts';
import { keys } from './keys.ts';

export type OwnDomain = Reply<'getMyDomain'>;
export type Domain = NonNullable<OwnDomain['domain']>;

const WAITING_MS = 30_000;

export const domainQuery = queryOptions({
  queryKey: keys.domain,
  queryFn: ({ signal }) => api.getMyDomain({ signal }),
  // The service looks for the record by itself.
  refetchInterval: ({ state }) => (state.data?.domain && state.data.domain.status !== 'verified' ? WAITING_MS : false),
});

/** What a change answered is what the page shows. */
export function setDomain(domain: OwnDomain): void {
  queryClient.setQueryData(domainQuery.queryKey, domain);
}

/** The address at which the clients of the agency log in: on its own domain while that is served, as in their invitations. */
export function clientLoginUrl({ domain }: OwnDomain): string {
  return domain?.isServed ? `https://${domain.host}/login` : `${location.origin}/login`;
}
