import * as oidc from 'openid-client';
import { flatten, type SafeFetch } from '#platform/outbound/safe-fetch.ts';
import { OutboundError } from '#platform/outbound/outbound-error.ts';

/** A partner's OpenID Connect provider, as entered by its admin. */
export type OidcProvider = { issuer: string; clientId: string; clientSecret: string };
/** What one login must return; stored by the service, never by the browser. */
export type OidcChecks = { state: string; nonce: string; codeVerifier: string };
/** The claims that are used. */
export type OidcClaims = { subject: string; email: string | null; emailVerified: boolean; name: string | null };

export type OidcClient = {
  /** Reads the provider's configuration; throws `OidcFault` when it is missing or names another issuer. */
  check(provider: OidcProvider): Promise<void>;
  /** Returns where to send the browser: code flow with PKCE, state and nonce (RFC 6749, 7636; OpenID Connect Core 3.1). */
  begin(provider: OidcProvider, redirectUri: string): Promise<{ url: string; checks: OidcChecks }>;
  /** Validates the response at the redirect address. Throws `OidcFault` for any but the expected one. */
  finish(provider: OidcProvider, answerUrl: URL, checks: OidcChecks): Promise<OidcClaims>;
};

/** `refused`: by the provider; `unreachable`: it did not respond; `invalid`: its response is not valid. */
export class OidcFault extends Error {
  readonly kind: 'refused' | 'unreachable' | 'invalid';
  constructor(kind: OidcFault['kind'], message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'OidcFault';
    this.kind = kind;
  }
}

const TIMEOUT_MS = 8_000;
const ANSWER_BYTES_MAX = 512 * 1024;

/**
 * OpenID Connect by openid-client. Issuers are entered by customers: every call uses the safe fetch, which allows plain http only for hosts
 * allowed in development. ID tokens are always verified by the provider's published keys.
 */
export function createOidc(deps: { fetch: SafeFetch; allowsHttp: (url: URL) => boolean }): OidcClient {
  const guarded: oidc.CustomFetch = async (url, options) => {
    const body = options.body === undefined || options.body === null ? undefined : bodyOf(options.body);
    const answer = await deps.fetch.call({
      method: options.method,
      url,
      headers: options.headers,
      ...(body === undefined ? {} : { body }),
      timeoutMs: TIMEOUT_MS,
      answerBytesMax: ANSWER_BYTES_MAX,
    });
    const { status } = answer;
    return new Response(status === 204 || status === 304 ? null : new Uint8Array(answer.body), {
      status,
      headers: flatten(answer.headers),
    });
  };
  const discover = async ({ issuer, clientId, clientSecret }: OidcProvider): Promise<oidc.Configuration> => {
    const url = new URL(issuer);
    const execute = url.protocol === 'http:' && deps.allowsHttp(url) ? [oidc.allowInsecureRequests] : [];
    const config = await oidc.discovery(url, clientId, clientSecret, undefined, { [oidc.customFetch]: guarded, execute });
    // Verifies signatures even though the token is received from the provider directly.
    oidc.enableNonRepudiationChecks(config);
    return config;
  };
  const begin: OidcClient['begin'] = async (provider, redirectUri) => {
    const config = await discover(provider).catch(toFault);
    const checks = { state: oidc.randomState(), nonce: oidc.randomNonce(), codeVerifier: oidc.randomPKCECodeVerifier() };
    const parameters = {
      redirect_uri: redirectUri,
      scope: 'openid email profile',
      state: checks.state,
      nonce: checks.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(checks.codeVerifier),
      code_challenge_method: 'S256',
    };
    try {
      return { url: oidc.buildAuthorizationUrl(config, parameters).href, checks };
    } catch (error) {
      // The provider has no valid authorization endpoint.
      return toFault(error);
    }
  };
  return {
    // The part of a login that needs no user.
    check: async (provider) => void (await begin(provider, provider.issuer)),
    begin,
    async finish(provider, answerUrl, { state, nonce, codeVerifier }) {
      const config = await discover(provider).catch(toFault);
      const tokens = await oidc
        .authorizationCodeGrant(config, answerUrl, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        })
        .catch(toFault);
      const claims = tokens.claims();
      if (!claims) throw new OidcFault('invalid', 'The provider sent no ID token.');
      const { email, name } = claims;
      return {
        subject: claims.sub,
        email: typeof email === 'string' ? email.trim().toLowerCase() : null,
        emailVerified: claims['email_verified'] === true,
        name: typeof name === 'string' ? name : null,
      };
    },
  };
}

function bodyOf(body: oidc.FetchBody): string {
  if (typeof body === 'string') return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new Error('The OpenID Connect client sent a body that is not text.');
}

function toFault(error: unknown): never {
  if (error instanceof OidcFault) throw error;
  const chain = [error, error instanceof Error ? error.cause : undefined];
  const away = chain.find((one) => one instanceof OutboundError);
  if (away) throw new OidcFault('unreachable', away.message, error);
  if (error instanceof oidc.AuthorizationResponseError) throw new OidcFault('refused', error.error_description ?? error.error, error);
  throw new OidcFault('invalid', error instanceof Error ? error.message : 'The answer was not valid.', error);
}
