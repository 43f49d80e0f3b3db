import * as oidc from 'openid-client';
import { OidcFault } from './oidc-fault.ts';

/**
 * Returns the ways to prove the client, best first: what the provider lists, and Basic when it lists nothing (OpenID Connect Discovery 3).
 * Throws `OidcFault` when it takes no secret in a way of ours.
 */
export function authenticationsOf(
  { token_endpoint_auth_methods_supported: listed }: oidc.ServerMetadata,
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
): oidc.ClientAuth[] {
  const methods = listed ?? ['client_secret_basic'];
  const encoded = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
  const raw = `${clientId}:${clientSecret}`;
  // A colon ends the id of a provider that does not decode.
  const hasRawForm = raw !== encoded && !clientId.includes(':');
  const usable = [
    ...(methods.includes('client_secret_basic') ? [sendBasic(encoded), ...(hasRawForm ? [sendBasic(raw)] : [])] : []),
    ...(methods.includes('client_secret_post') ? [oidc.ClientSecretPost(clientSecret)] : []),
    ...(methods.includes('client_secret_jwt') ? [oidc.ClientSecretJwt(clientSecret)] : []),
  ];
  if (usable.length > 0) return usable;
  const message = `The provider takes no client secret; it lists ${methods.join(', ').slice(0, 200)}. Allow client_secret_basic for this client.`;
  throw new OidcFault('client_method', message);
}

/**
 * RFC 6749, 2.3.1 has id and secret form-encoded, and many providers do not decode them. What encodeURIComponent leaves alone means the same
 * to both, so that it is sent as it is; the library's own Basic encodes it.
 */
function sendBasic(credentials: string): oidc.ClientAuth {
  return (_server, _client, _body, headers) =>
    void headers.set('authorization', `Basic ${Buffer.from(credentials, 'utf8').toString('base64')}`);
}
