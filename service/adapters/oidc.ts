import * as oidc from 'openid-client';
import { flatten, type SafeFetch } from '#platform/outbound/safe-fetch.ts';
import { OutboundError } from '#platform/outbound/outbound-error.ts';

/** An agency's OpenID Connect provider, as its admin wrote it down. */
export type OidcProvider = { issuer: string; clientId: string; clientSecret: string };
/** What one login must bring back: kept by us, never by the browser. */
export type OidcChecks = { state: string; nonce: string; codeVerifier: string };
/** What the provider says of a person, as far as anything here is built on it. */
export type OidcClaims = { subject: string; email: string | null; emailVerified: boolean; name: string | null };

export type OidcDoor = {
  /** Reads the provider's configuration; throws `OidcFault` when it is not there or says it is somebody else. */
  check(provider: OidcProvider): Promise<void>;
  /** Where the browser goes: code flow with PKCE, state and nonce (RFC 6749, 7636; OpenID Connect Core 3.1). */
  begin(provider: OidcProvider, redirectUri: string): Promise<{ url: string; checks: OidcChecks }>;
  /** Takes the answer at the redirect address. Throws `OidcFault` for everything that is not exactly the answer awaited. */
  finish(provider: OidcProvider, answerUrl: URL, checks: OidcChecks): Promise<OidcClaims>;
};

/** `refused`: the provider said no; `unreachable`: it did not answer; `invalid`: it answered something that must not count. */
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
 * OpenID Connect by openid-client. Issuers are customers' input: every call goes through the guarded fetch, which allows plain
 * http only where development allows the host. ID tokens are verified by the provider's published keys, always.
 */
export function createOidc(deps: { fetch: SafeFetch; allowsHttp: (url: URL) => boolean }): OidcDoor {
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
    // A code flow's token comes from the provider itself, and is verified all the same: unsigned ones never count.
    oidc.enableNonRepudiationChecks(config);
    return config;
  };
  const begin: OidcDoor['begin'] = async (provider, redirectUri) => {
    const config = await discover(provider).catch(toFault);
    const checks = { state: oidc.randomState(), nonce: oidc.randomNonce(), codeVerifier: oidc.randomPKCECodeVerifier() };
    const asked = {
      redirect_uri: redirectUri,
      scope: 'openid email profile',
      state: checks.state,
      nonce: checks.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(checks.codeVerifier),
      code_challenge_method: 'S256',
    };
    try {
      return { url: oidc.buildAuthorizationUrl(config, asked).href, checks };
    } catch (error) {
      // The provider names no address to log in at, or one that is no web address.
      return toFault(error);
    }
  };
  return {
    // As far as a login goes without a person.
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
  throw new Error('The OpenID Connect client sent a body that is no text.');
}

function toFault(error: unknown): never {
  if (error instanceof OidcFault) throw error;
  const chain = [error, error instanceof Error ? error.cause : undefined];
  const away = chain.find((one) => one instanceof OutboundError);
  if (away) throw new OidcFault('unreachable', away.message, error);
  if (error instanceof oidc.AuthorizationResponseError) throw new OidcFault('refused', error.error_description ?? error.error, error);
  throw new OidcFault('invalid', error instanceof Error ? error.message : 'The answer was not valid.', error);
}
