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
  // The service looks for the records by itself.
  refetchInterval: ({ state }) => (state.data?.domain && !isReady(state.data.domain) ? WAITING_MS : false),
});

function isReady({ status, hasAddress }: Domain): boolean {
  return status === 'verified' && hasAddress;
}

/** What a change answered is what the page shows. */
export function setDomain(domain: OwnDomain): void {
  queryClient.setQueryData(domainQuery.queryKey, domain);
}

/** The address at which the clients of the agency log in: on its own domain while that is served and has an address, as in their invitations. */
export function clientLoginUrl({ domain }: OwnDomain): string {
  return domain?.isServed && domain.hasAddress ? `https://${domain.host}/login` : `${location.origin}/login`;
}
