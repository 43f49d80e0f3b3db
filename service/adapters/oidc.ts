import { normalizeEmail } from '@partner-portal/contract/email-address.ts';
import { CLOCK_SKEW_MS } from '@partner-portal/core/sso/assertion.ts';
import * as oidc from 'openid-client';
import type { Clock } from '#platform/clock.ts';
import { flatten, type SafeFetch } from '#platform/outbound/safe-fetch.ts';
import { authenticationsOf } from './oidc-client-auth.ts';
import { getFollowing } from './follow-redirects.ts';
import { OidcFault, throwFault, type TokenSignature } from './oidc-fault.ts';
import { verifyToken } from './oidc-signature.ts';

export { OidcFault } from './oidc-fault.ts';

/** A partner's OpenID Connect provider, as entered by its admin. */
export type OidcProvider = { issuer: string; clientId: string; clientSecret: string };
/** Values that one login must return; stored by the service, never by the browser. */
export type OidcChecks = { state: string; nonce: string; codeVerifier: string };
/** Whether the provider vouches for the address: `yes` by the claim true, `no` by a false one, `other` by another value, `missing` not at all. */
export type Vouching = 'yes' | 'no' | 'other' | 'missing';
/** The result of a login. `claims` are those of the ID token and of userinfo, where it was asked; an address is normalized. */
export type OidcClaims = {
  email: string | null;
  vouching: Vouching;
  claims: Record<string, unknown>;
  signature: TokenSignature;
  /** By the provider's clock. */
  issuedAt: Date | null;
  /** The data that ends the session at the provider; null when it offers none. */
  logout: OidcLogout | null;
};
/** Where the provider ends its session, and the ID token that names it; null where that is too long for an address. */
export type OidcLogout = { url: string; idToken: string | null };

export type OidcClient = {
  /**
   * Reads the provider's configuration and keys; throws `OidcFault` when they are missing or of another issuer. Returns where it ends its sessions
   * (`end_session_endpoint`); null when it does not offer that.
   */
  check(provider: OidcProvider): Promise<{ logoutUrl: string | null }>;
  /**
   * Checks that the provider accepts the client secret, without a login: a made-up code is refused for the client or for the code. `refused`: the
   * secret is wrong; `unclear`: the provider judges a wrong secret alike. Throws `OidcFault` when it cannot be asked.
   */
  checkSecret(provider: OidcProvider, redirectUri: string): Promise<'accepted' | 'refused' | 'unclear'>;
  /**
   * Returns where to send the browser: code flow with PKCE, state and nonce (RFC 6749, 7636; OpenID Connect Core 3.1). `asksAccount`: the provider
   * asks which account to use, where it can, instead of taking the one that is logged in.
   */
  begin(provider: OidcProvider, redirectUri: string, options: { asksAccount: boolean }): Promise<{ url: string; checks: OidcChecks }>;
  /** Validates the response at the redirect address. Throws `OidcFault` for any but the expected one. */
  finish(provider: OidcProvider, answerUrl: URL, checks: OidcChecks): Promise<OidcClaims>;
  /** Returns where to send the browser, so that the provider ends its session and comes back (OpenID Connect RP-Initiated Logout 1.0). */
  logOut(provider: OidcProvider, logout: OidcLogout, returnUri: string): string;
};

const TIMEOUT_MS = 8_000;
const ANSWER_BYTES_MAX = 512 * 1024;
/** The longest ID token that is sent in an address; servers take addresses of 8 KiB. */
const HINT_CHARS_MAX = 4_096;

/**
 * OpenID Connect by openid-client. Issuers are entered by customers: every call uses the safe fetch, which allows plain http only for hosts
 * allowed in development. Configuration and keys are read again at each login, so that a changed key counts at once.
 */
export function createOidc(deps: { fetch: SafeFetch; clock: Clock; allowsHttp: (url: URL) => boolean }): OidcClient {
  const guarded: oidc.CustomFetch = async (url, options) => {
    const body = options.body === undefined || options.body === null ? undefined : bodyOf(options.body);
    const call = {
      method: options.method,
      url,
      headers: options.headers,
      ...(body === undefined ? {} : { body }),
      timeoutMs: TIMEOUT_MS,
      answerBytesMax: ANSWER_BYTES_MAX,
    };
    // Configuration and keys are public; what is sent with a secret or a token goes to the address that was named.
    const isPublic = options.method === 'GET' && !Object.keys(options.headers).some((name) => name.toLowerCase() === 'authorization');
    const answer = await (isPublic ? getFollowing(deps.fetch, call) : deps.fetch.call(call));
    const { status } = answer;
    const response = new Response(status === 204 || status === 304 ? null : new Uint8Array(answer.body), {
      status,
      headers: flatten(answer.headers),
    });
    // A failure names it.
    return Object.defineProperty(response, 'url', { value: url });
  };
  const fail = async (error: unknown): Promise<never> => throwFault(error, deps.clock.now());
  const allowsHttp = (issuer: string): boolean => issuer.startsWith('http:') && deps.allowsHttp(new URL(issuer));
  const configure = (server: oidc.ServerMetadata, provider: OidcProvider, authenticate: oidc.ClientAuth): oidc.Configuration => {
    const skew = { [oidc.clockSkew]: (deps.clock.now().getTime() - Date.now()) / 1_000, [oidc.clockTolerance]: CLOCK_SKEW_MS / 1_000 };
    const config = new oidc.Configuration(server, provider.clientId, { client_secret: provider.clientSecret, ...skew }, authenticate);
    config[oidc.customFetch] = guarded;
    if (allowsHttp(provider.issuer)) oidc.allowInsecureRequests(config);
    return config;
  };
  const discover = async (provider: OidcProvider): Promise<oidc.ServerMetadata> => {
    const execute = allowsHttp(provider.issuer) ? [oidc.allowInsecureRequests] : [];
    const options = { [oidc.customFetch]: guarded, execute };
    const config = await oidc.discovery(new URL(provider.issuer), provider.clientId, undefined, oidc.None(), options).catch(fail);
    return config.serverMetadata();
  };
  /** An address of another scheme would be opened by the browser, too: as a script, for one. */
  const endSessionOf = ({ end_session_endpoint: text = '' }: oidc.ServerMetadata, { issuer }: OidcProvider): string | null => {
    if (!URL.canParse(text)) return null;
    const url = new URL(text);
    return url.protocol === 'https:' || (url.protocol === 'http:' && allowsHttp(issuer)) ? url.href : null;
  };
  const readKeys = async (server: oidc.ServerMetadata): Promise<unknown> => {
    if (!server.jwks_uri) throw new OidcFault('invalid', 'The provider publishes no keys (jwks_uri).');
    try {
      const answer = await guarded(server.jwks_uri, {
        method: 'GET',
        headers: { accept: 'application/json' },
        body: undefined,
        redirect: 'manual',
      });
      if (answer.status !== 200) throw new OidcFault('unreachable', `${server.jwks_uri} answered ${answer.status}.`);
      return await answer.json();
    } catch (error) {
      if (error instanceof SyntaxError) throw new OidcFault('invalid', 'The provider’s keys are not valid JSON.', { cause: error });
      return fail(error);
    }
  };
  const prepare = async (server: oidc.ServerMetadata, provider: OidcProvider, redirectUri: string, asksAccount: boolean) => {
    const config = configure(server, provider, oidc.None());
    const checks = { state: oidc.randomState(), nonce: oidc.randomNonce(), codeVerifier: oidc.randomPKCECodeVerifier() };
    const parameters = {
      redirect_uri: redirectUri,
      scope: 'openid email profile',
      state: checks.state,
      nonce: checks.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(checks.codeVerifier),
      code_challenge_method: 'S256',
      ...(asksAccount ? promptOf(server) : {}),
    };
    try {
      return { url: oidc.buildAuthorizationUrl(config, parameters).href, checks };
    } catch (error) {
      // The provider has no valid authorization endpoint.
      return fail(error);
    }
  };
  /**
   * Exchanges the code. The next method is tried when the client is refused, since a provider may list more than it takes from this client. What
   * follows a refusal is the failure, but for a code that the refusal has spent.
   */
  const exchange = async (
    server: oidc.ServerMetadata,
    provider: OidcProvider,
    answerUrl: URL,
    { state, nonce, codeVerifier }: OidcChecks,
  ) => {
    const expected = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier, idTokenExpected: true };
    let refusal: unknown;
    for (const authenticate of authenticationsOf(server, provider)) {
      const config = configure(server, provider, authenticate);
      try {
        return { config, tokens: await oidc.authorizationCodeGrant(config, answerUrl, expected).catch(fail) };
      } catch (error) {
        if (!(error instanceof OidcFault)) throw error;
        if (error.kind !== 'client' && (refusal === undefined || !isCodeRefused(error))) throw error;
        refusal ??= error;
      }
    }
    throw refusal;
  };
  /** Whether the client is accepted by any method: its failure is then that of the made-up code. */
  const isClientAccepted = async (server: oidc.ServerMetadata, provider: OidcProvider, redirectUri: string): Promise<boolean> => {
    const state = oidc.randomState();
    const url = new URL(redirectUri);
    for (const [name, value] of [
      ['code', oidc.randomNonce()],
      ['state', state],
      ['iss', provider.issuer],
    ] as const)
      url.searchParams.set(name, value);
    const expected = { expectedState: state, pkceCodeVerifier: oidc.randomPKCECodeVerifier() };
    for (const authenticate of authenticationsOf(server, provider)) {
      try {
        await oidc.authorizationCodeGrant(configure(server, provider, authenticate), url, expected).catch(fail);
        return true;
      } catch (error) {
        if (!(error instanceof OidcFault)) throw error;
        if (error.kind === 'invalid' && error.cause instanceof oidc.ResponseBodyError) return true;
        if (error.kind !== 'client') throw error;
      }
    }
    return false;
  };
  return {
    async checkSecret(provider, redirectUri) {
      const server = await discover(provider);
      if (!(await isClientAccepted(server, provider, redirectUri))) return 'refused';
      const other = { ...provider, clientSecret: oidc.randomPKCECodeVerifier() };
      return (await isClientAccepted(server, other, redirectUri)) ? 'unclear' : 'accepted';
    },
    async check(provider) {
      const server = await discover(provider);
      await prepare(server, provider, provider.issuer, false);
      await readKeys(server);
      return { logoutUrl: endSessionOf(server, provider) };
    },
    begin: async (provider, redirectUri, { asksAccount }) => prepare(await discover(provider), provider, redirectUri, asksAccount),
    async finish(provider, answerUrl, checks) {
      const server = await discover(provider);
      const { config, tokens } = await exchange(server, provider, answerUrl, checks);
      const token = tokens.claims();
      if (!token || !tokens.id_token) throw new OidcFault('invalid', 'The provider sent no ID token.');
      const signature = await verifyToken(tokens.id_token, provider.clientSecret, () => readKeys(server)).catch((error: unknown) => {
        throw error instanceof OidcFault ? new OidcFault(error.kind, error.message, { ...error, cause: error, claims: token }) : error;
      });
      const info =
        isComplete(token) || !server.userinfo_endpoint ? null : await askUserInfo(config, tokens.access_token, token, signature, fail);
      const url = endSessionOf(server, provider);
      const idToken = tokens.id_token.length <= HINT_CHARS_MAX ? tokens.id_token : null;
      return {
        ...addressOf(token, info),
        claims: { ...info, ...token },
        signature,
        issuedAt: new Date(token.iat * 1_000),
        logout: url === null ? null : { url, idToken },
      };
    },
    logOut(provider, { url, idToken }, returnUri) {
      const config = configure({ issuer: provider.issuer, end_session_endpoint: url }, provider, oidc.None());
      return oidc.buildEndSessionUrl(config, {
        ...(idToken === null ? {} : { id_token_hint: idToken }),
        post_logout_redirect_uri: returnUri,
        state: oidc.randomState(),
      }).href;
    },
  };
}

const isCodeRefused = ({ cause }: OidcFault): boolean => cause instanceof oidc.ResponseBodyError && cause.error === 'invalid_grant';

/** Providers refuse prompts they do not know. `login` is the one that each has to know (OpenID Connect Core 15.1); it asks for the account, too. */
function promptOf(server: oidc.ServerMetadata): { prompt: string } | Record<string, never> {
  const listed = server['prompt_values_supported'];
  if (!Array.isArray(listed)) return { prompt: 'login' };
  const prompt = ['select_account', 'login'].find((one) => listed.includes(one));
  return prompt === undefined ? {} : { prompt };
}

function isComplete(token: Readonly<Record<string, unknown>>): boolean {
  return token['email'] !== undefined && token['email_verified'] !== undefined;
}

/** OpenID Connect Core 5.3. Another person's claims are a fault; without an answer the ID token has to do, if it names an address. */
async function askUserInfo(
  config: oidc.Configuration,
  accessToken: string,
  token: Readonly<Record<string, unknown>> & { sub: string },
  signature: TokenSignature,
  fail: (error: unknown) => Promise<never>,
): Promise<Record<string, unknown> | null> {
  try {
    return await oidc.fetchUserInfo(config, accessToken, token.sub).catch(fail);
  } catch (error) {
    if (!(error instanceof OidcFault)) throw error;
    const { cause } = error;
    const isOther = cause instanceof oidc.ClientError && cause.code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED';
    if (!isOther && token['email'] !== undefined) return null;
    const message = isOther ? 'Userinfo describes another person than the ID token.' : `Userinfo could not be read: ${error.message}`;
    // It refuses the access token, not our client; and what it answered is no reason to try the login again.
    const kind = isOther || error.kind === 'client' || error.status !== null ? 'invalid' : error.kind;
    throw new OidcFault(kind, message, { cause: error, claims: token, signature, providerSaid: error.providerSaid });
  }
}

type Source = Readonly<Record<string, unknown>>;

/** Returns the address and whether it is vouched for, both from one source or from two that name the same address. */
function addressOf(token: Source, info: Source | null): Pick<OidcClaims, 'email' | 'vouching'> {
  const own = emailIn(token);
  const other = info ? emailIn(info) : null;
  if (own === null) return info ? { email: other, vouching: vouchingIn(info) } : { email: null, vouching: vouchingIn(token) };
  const vouching = vouchingIn(token);
  if (vouching !== 'missing' || !info || (other !== null && other !== own)) return { email: own, vouching };
  return { email: own, vouching: other === own ? vouchingIn(info) : 'missing' };
}

const emailIn = ({ email }: Source): string | null => (typeof email === 'string' ? normalizeEmail(email) : null);

function vouchingIn({ email_verified: claim }: Source): Vouching {
  if (claim === true) return 'yes';
  if (claim === undefined || claim === null) return 'missing';
  return claim === false || claim === 'false' ? 'no' : 'other';
}

function bodyOf(body: oidc.FetchBody): string {
  if (typeof body === 'string') return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new Error('The OpenID Connect client sent a body that is not text.');
}
