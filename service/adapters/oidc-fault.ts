import { isObject } from '@partner-portal/core/json/is-object.ts';
import * as oidc from 'openid-client';
import { RedirectFault } from './follow-redirects.ts';
import { OutboundError } from '#platform/outbound/outbound-error.ts';

/** How an ID token was signed: its algorithm, and the id of its key when it names one. */
export type TokenSignature = { algorithm: string; key: string | null };

/**
 * `refused`: by the provider; `client`: it did not accept our client id and secret; `client_method`: it takes no secret in a way of ours;
 * `unreachable`: it did not respond, or with an error of its own; `clock`: the token is
 * not valid at this time; `key_unknown`, `not_signed`, `algorithm`: of its signature; `invalid`: anything else.
 */
export type OidcFaultKind =
  | 'refused'
  | 'client'
  | 'client_method'
  | 'unreachable'
  | 'clock'
  | 'key_unknown'
  | 'not_signed'
  | 'algorithm'
  | 'invalid';

type Details = {
  cause?: unknown;
  providerSaid?: string | null;
  claims?: Record<string, unknown>;
  signature?: TokenSignature | null;
  status?: number | null;
};

/**
 * `message` is ours; `providerSaid` are words of the provider. `claims`, `signature`: of the ID token, as far as it was read. `status`: of the HTTP
 * response that failed. Claims have an accessor, because the log writes the members of an error, and these are of a person.
 */
export class OidcFault extends Error {
  readonly kind: OidcFaultKind;
  readonly providerSaid: string | null;
  readonly signature: TokenSignature | null;
  readonly status: number | null;
  readonly #claims: Record<string, unknown>;
  constructor(
    kind: OidcFaultKind,
    message: string,
    { cause, providerSaid = null, claims = {}, signature = null, status = null }: Details = {},
  ) {
    super(message, { cause });
    this.name = 'OidcFault';
    this.kind = kind;
    this.providerSaid = providerSaid;
    this.#claims = claims;
    this.signature = signature;
    this.status = status;
  }
  get claims(): Record<string, unknown> {
    return this.#claims;
  }
}

/** Throws what the library threw as a fault that names the one thing to change. `now`: by the clock that judged the token. */
export async function throwFault(error: unknown, now: Date): Promise<never> {
  if (error instanceof OidcFault) throw error;
  const chain = causesOf(error);
  const away = chain.find((one) => one instanceof OutboundError || one instanceof RedirectFault);
  if (away) throw new OidcFault('unreachable', away.message, { cause: error });
  for (const one of chain) {
    if (one instanceof oidc.AuthorizationResponseError)
      throw new OidcFault('refused', 'The provider refused the login.', { cause: error, providerSaid: wordsOf(one) });
    if (one instanceof oidc.WWWAuthenticateChallengeError && one.status === 401) throw clientRefused(error, await wordsIn(one.response));
    if (one instanceof oidc.ResponseBodyError) {
      const details = { cause: error, providerSaid: wordsOf(one), status: one.status };
      if (one.error === 'invalid_client' || one.error === 'unauthorized_client') throw clientRefused(error, details.providerSaid);
      throw new OidcFault('invalid', 'The provider did not accept the code of this login.', details);
    }
    if (one instanceof Response && isUnexpected(chain)) {
      const details = { cause: error, providerSaid: await wordsIn(one), status: one.status };
      throw new OidcFault('unreachable', answered(one), details);
    }
  }
  throw tokenFault(error, chain, now);
}

/** Whether the library got another status, or something else than JSON, where it waited for an answer. */
function isUnexpected(chain: readonly unknown[]): boolean {
  const codes = ['OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON'];
  return chain.some((one) => isObject(one) && typeof one['code'] === 'string' && codes.includes(one['code']));
}

function answered({ url, status, headers }: Response): string {
  const address = url.replace(/\?.*$/, '').slice(0, 300);
  const type = headers.get('content-type')?.slice(0, 60) ?? 'no content type';
  return status === 200 ? `${address} answered with ${type} in place of JSON.` : `${address} answered ${status}.`;
}

/** Returns the words of an error response that the library has not read (RFC 6749, 5.2); null when it has none. */
async function wordsIn(response: Response): Promise<string | null> {
  const body: unknown = response.bodyUsed ? null : await response.json().catch(() => null);
  if (!isObject(body) || typeof body['error'] !== 'string') return null;
  const description = body['error_description'];
  return wordsOf({ error: body['error'], error_description: typeof description === 'string' ? description : undefined });
}

function clientRefused(cause: unknown, providerSaid: string | null): OidcFault {
  return new OidcFault('client', 'The provider did not accept the client ID and the client secret.', { cause, providerSaid });
}

function tokenFault(error: unknown, chain: readonly unknown[], now: Date): OidcFault {
  const facts = chain.map(factsOf).find((one) => one !== null) ?? {};
  const claims = isObject(facts['claims']) ? facts['claims'] : {};
  const details = { cause: error, claims };
  const code = chain.map((one) => (isObject(one) ? one['code'] : undefined)).find((one) => typeof one === 'string');
  if (code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED') return new OidcFault('clock', timeSentence(facts, claims, now), details);
  const { header, attribute, body } = facts;
  if (isObject(header) && 'alg' in header && !('claims' in facts)) {
    const algorithm = String(header['alg']).slice(0, 60);
    const signature = { algorithm, key: null };
    if (algorithm === 'none')
      return new OidcFault('not_signed', 'The ID token is not signed. Have your provider sign it with RS256.', { ...details, signature });
    const message = `The ID token is signed with ${algorithm}, which the provider does not announce. Choose RS256 for this client.`;
    return new OidcFault('algorithm', message, { ...details, signature });
  }
  if (attribute === 'issuer' && isObject(body) && typeof body['issuer'] === 'string')
    return new OidcFault(
      'invalid',
      `The provider calls itself ${body['issuer'].slice(0, 300)}: enter exactly this as the issuer.`,
      details,
    );
  const claim = typeof facts['claim'] === 'string' ? ` The claim ${facts['claim']} is not the expected one.` : '';
  return new OidcFault(
    'invalid',
    `The response of the provider is not valid: ${error instanceof Error ? error.message : 'unknown'}.${claim}`,
    details,
  );
}

function timeSentence(facts: Record<string, unknown>, claims: Record<string, unknown>, now: Date): string {
  const claim = facts['claim'] === 'nbf' ? 'nbf' : 'exp';
  const seconds = claims[claim];
  const at = typeof seconds === 'number' && Math.abs(seconds) < 1e11 ? new Date(seconds * 1_000).toISOString() : 'an unknown time';
  return `The ID token is valid ${claim === 'nbf' ? 'from' : 'until'} ${at}; the clock of the portal says ${now.toISOString()}.`;
}

/** RFC 6749, 4.1.2.1 and 5.2. */
function wordsOf({ error, error_description: description }: { error: string; error_description?: string | undefined }): string {
  return [error, description].filter(Boolean).join(': ').slice(0, 500);
}

function causesOf(error: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let one = error; one !== undefined && chain.length < 5; one = one instanceof Error ? one.cause : undefined) chain.push(one);
  return chain;
}

/** Returns the value that the library found instead of the expected one. */
function factsOf(one: unknown): Record<string, unknown> | null {
  return isObject(one) && !(one instanceof Error) && ('claims' in one || 'header' in one || 'attribute' in one) ? one : null;
}
