import { emailOf, emailsInside } from '@partner-portal/core/sso/person.ts';
import { storableText } from '@partner-portal/core/text/storable.ts';
import type { SsoProblem } from '@partner-portal/contract/vocabulary.ts';
import { OidcFault, type Vouching } from '#adapters/oidc.ts';
import { SamlFault, type SamlReceived } from '#adapters/saml.ts';
import type { SsoDeps } from '../deps.ts';
import { refreshForLogin } from '../connection/refresh-metadata.ts';
import { providerOf, serviceOf } from '../connection/provider.ts';
import type { LogoutProof } from '../logout/keep-session.ts';
import type { ConnectionRow, LastTest } from '../store.ts';
import type { LoginRow } from './store-logins.ts';

/** A response as a test login shows it: only the provider's data. */
type Shown = Required<Pick<LastTest, 'claims' | 'providerSaid' | 'signatures' | 'isEncrypted' | 'providerTime'>>;
/** A provider's statements about a person. `doubt`: why it does not vouch for the address; null when it does. */
export type Person = {
  email: string | null;
  /** Its addresses inside the domains, `email` among them, where the provider sent several. */
  addresses: readonly string[];
  doubt: string | null;
  /** When the session at the provider ends; null when it names no end. */
  sessionUntil: Date | null;
  /** The data for a log-out at the provider; null where the connection or the provider wants none. */
  logoutProof: LogoutProof | null;
  shown: Shown;
};
/** `detail` is ours, for an admin. */
export type Failure = { problem: SsoProblem; detail: string | null; shown: Shown };
/** How a login ended. */
export type Outcome = { ok: true; userId: string; person: Person } | ({ ok: false; email: string | null } & Failure);

/** When nothing arrived that can be shown. */
export const NOTHING: Shown = { claims: {}, providerSaid: null, signatures: [], isEncrypted: false, providerTime: null };
const CLAIMS_MAX = 60;
const CLAIM_CHARS_MAX = 300;

/** Gets the person from the response of an OpenID Connect provider. Throws `OidcFault`. */
export async function readOidc(deps: SsoDeps, connection: ConnectionRow, login: LoginRow, answerUrl: URL): Promise<Person | null> {
  const provider = providerOf(deps.dataKeys, connection);
  if (provider.protocol !== 'oidc' || !login.nonce || !login.codeVerifier) return null;
  const checks = { state: answerUrl.searchParams.get('state') ?? '', nonce: login.nonce, codeVerifier: login.codeVerifier };
  const { email, vouching, claims, signature, issuedAt, logout } = await deps.oidc.finish(provider, answerUrl, checks);
  return {
    email,
    addresses: [],
    sessionUntil: null,
    logoutProof: connection.logsOut && logout ? { protocol: 'oidc', provider: provider.issuer, logout } : null,
    doubt: doubtOf(vouching, claims['email_verified'], connection.vouchesForEmails),
    shown: {
      ...NOTHING,
      claims: showClaims(claims),
      signatures: [{ over: 'id_token', ...signature, verdict: 'verified' }],
      providerTime: timeOf(issuedAt),
    },
  };
}

/** Gets the person from the response of a SAML provider, by new metadata where its key is unknown. Throws `SamlFault`. */
export async function readSaml(
  deps: SsoDeps,
  connection: ConnectionRow,
  login: LoginRow,
  response: string,
  addresses: { entityId: string; acsUrl: string },
): Promise<Person | null> {
  const { samlRequestId } = login;
  if (connection.protocol !== 'saml' || !samlRequestId) return null;
  const now = deps.clock.now();
  const read = async (row: ConnectionRow): Promise<SamlReceived> => {
    const provider = providerOf(deps.dataKeys, row);
    if (provider.protocol !== 'saml') throw new Error(`The connection of partner ${row.partnerId} is incomplete.`);
    return deps.saml.finish(row.partnerId, provider, serviceOf(deps.dataKeys, row, addresses), response, samlRequestId);
  };
  const hasEnded = ({ metadataValidUntil: end }: ConnectionRow): boolean => end !== null && end <= now;
  const current = hasEnded(connection) ? ((await refreshForLogin(deps, connection, now)) ?? connection) : connection;
  if (hasEnded(current)) {
    const until = current.metadataValidUntil?.toISOString() ?? '';
    throw new SamlFault('unreachable', `The metadata was valid until ${until}, and a newer one could not be read.`);
  }
  const received = await read(current).catch(async (error: unknown) => {
    if (!(error instanceof SamlFault) || (error.kind !== 'key_unknown' && error.kind !== 'encrypted')) throw error;
    const fresh = await refreshForLogin(deps, current, now);
    if (!fresh) throw error;
    return read(fresh);
  });
  // A SAML provider asserts addresses of its own directory; its signature proves them.
  return {
    email: emailOf(received, connection.emailDomains),
    addresses: emailsInside(received, connection.emailDomains),
    doubt: null,
    sessionUntil: received.sessionEndsAt,
    logoutProof: samlProof(connection, received),
    shown: showReceived(received),
  };
}

/** Null without a name id that can be read: a request could not name the person. */
function samlProof({ logsOut, idpLogoutUrl, idpEntityId }: ConnectionRow, { subject }: SamlReceived): LogoutProof | null {
  return logsOut && idpLogoutUrl && idpEntityId && subject ? { protocol: 'saml', provider: idpEntityId, subject } : null;
}

const OIDC_PROBLEMS = {
  refused: 'provider_refused',
  client: 'client_refused',
  client_method: 'client_method_refused',
  unreachable: 'provider_unreachable',
  clock: 'clock_differs',
  key_unknown: 'key_unknown',
  not_signed: 'not_signed',
  algorithm: 'algorithm_not_accepted',
  invalid: 'answer_not_valid',
} as const satisfies Record<OidcFault['kind'], SsoProblem>;
const SAML_PROBLEMS = {
  refused: 'provider_refused',
  unreachable: 'provider_unreachable',
  clock: 'clock_differs',
  key_unknown: 'key_unknown',
  not_signed: 'not_signed',
  algorithm: 'algorithm_not_accepted',
  encrypted: 'not_decrypted',
  busy: 'too_busy',
  invalid: 'answer_not_valid',
} as const satisfies Record<SamlFault['kind'], SsoProblem>;
const TOKEN_VERDICTS = { key_unknown: 'key_unknown', not_signed: 'malformed', algorithm: 'unsupported' } as const;

/** Returns what a fault of either protocol means, with what arrived; null for any other error. */
export function failureOf(error: unknown): Failure | null {
  if (error instanceof SamlFault) {
    const shown = error.received ? showReceived(error.received) : NOTHING;
    return { problem: SAML_PROBLEMS[error.kind], detail: error.message, shown: { ...shown, providerSaid: error.providerSaid } };
  }
  if (!(error instanceof OidcFault)) return null;
  const { kind, claims, signature, providerSaid } = error;
  const verdict = kind === 'key_unknown' || kind === 'not_signed' || kind === 'algorithm' ? TOKEN_VERDICTS[kind] : 'verified';
  const iat = claims['iat'];
  return {
    problem: OIDC_PROBLEMS[kind],
    detail: error.message,
    shown: {
      ...NOTHING,
      claims: showClaims(claims),
      providerSaid,
      signatures: signature ? [{ over: 'id_token', ...signature, verdict: kind === 'invalid' ? 'altered' : verdict }] : [],
      providerTime: typeof iat === 'number' ? timeOf(new Date(iat * 1_000)) : null,
    },
  };
}

function doubtOf(vouching: Vouching, claim: unknown, isVouchedFor: boolean): string | null {
  if (vouching === 'yes') return null;
  if (vouching === 'no') return 'The provider says that the address is not verified (email_verified).';
  if (isVouchedFor) return null;
  if (vouching === 'missing') return 'Neither the ID token nor userinfo has the claim email_verified.';
  const shown = `${typeof claim === 'string' ? 'text' : 'value'} ${JSON.stringify(claim)?.slice(0, 60)}`;
  return `The claim email_verified is the ${shown} instead of the value true.`;
}

function showClaims(claims: Readonly<Record<string, unknown>>): Record<string, string> {
  const texts = Object.entries(claims)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]): [string, string] => [name, typeof value === 'string' ? value : JSON.stringify(value)]);
  return shorten(texts);
}

function showReceived(received: SamlReceived): Shown {
  const { nameId, nameIdFormat, attributes, signatures, isEncrypted, issuedAt } = received;
  const claims = [['NameID', nameId ?? ''] as const, ['NameID format', nameIdFormat ?? ''] as const].filter(([, value]) => value !== '');
  const texts = Object.entries(attributes).map(([name, values]) => [name, values.join('; ')] as const);
  return {
    claims: shorten([...claims, ...texts]),
    providerSaid: null,
    signatures,
    isEncrypted,
    providerTime: issuedAt === null ? null : timeOf(new Date(issuedAt)),
  };
}

function shorten(texts: readonly (readonly [string, string])[]): Record<string, string> {
  const clean = (text: string): string => storableText(text).slice(0, CLAIM_CHARS_MAX);
  return Object.fromEntries(texts.slice(0, CLAIMS_MAX).map(([name, value]) => [clean(name), clean(value)]));
}

/** The database and the API take years of four digits. */
function timeOf(at: Date | null): string | null {
  return at && at.getTime() > 0 && at.getUTCFullYear() < 10_000 ? at.toISOString() : null;
}
