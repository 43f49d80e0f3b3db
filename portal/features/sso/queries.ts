import { queryOptions } from '@tanstack/react-query';
import { api, type Reply } from '../../app/api.ts';
import { queryClient } from '../../app/query-client.ts';
import { keys } from '../../queries/keys.ts';

export type Connection = Reply<'getSsoConnection'>;
export type Protocol = NonNullable<Connection['protocol']>;

export const ssoQuery = queryOptions({
  queryKey: keys.sso,
  queryFn: ({ signal }) => api.getSsoConnection({ signal }),
});

export const failedLoginsQuery = queryOptions({
  queryKey: keys.ssoFailedLogins,
  queryFn: ({ signal }) => api.listSsoFailedLogins({ signal }),
});

/** The users who would be locked out; refetched each time the confirmation opens. */
export const affectedQuery = queryOptions({
  queryKey: keys.ssoAffected,
  queryFn: ({ signal }) => api.listSsoAffected({ signal }),
  staleTime: 0,
});

/** Shows the connection that a change returned. */
export function setConnection(connection: Connection): void {
  queryClient.setQueryData(ssoQuery.queryKey, connection);
}

export const PROTOCOL: Record<Protocol, string> = { oidc: 'OpenID Connect', saml: 'SAML 2.0' };
