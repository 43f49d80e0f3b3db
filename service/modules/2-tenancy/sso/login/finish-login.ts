import type { SsoProblem } from '@partner-portal/contract/vocabulary.ts';
import { OidcFault } from '#adapters/oidc.ts';
import { SamlFault } from '#adapters/saml.ts';
import type { Answer } from '#platform/http/answer.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { recordAudit } from '#modules/1-ledger/audit/index.ts';
import { hashToken, isSameBrowser, newToken } from './browser.ts';
import { addressesOf } from '../connection/connection-answer.ts';
import type { SsoDeps } from '../deps.ts';
import { type Provider, providerOf } from '../connection/provider.ts';
import { toPortal } from './to-portal.ts';
import { type ConnectionRow, findConnectionBySlug, type LastTest, writeTest } from '../store.ts';
import { findMember, insertCode, type LoginRow, takeLogin } from './store-logins.ts';

type Caller = Omit<RequestContext, 'actor'>;
/** What a provider asserts about a person. `isEmailProved`: whether it vouches for the address. */
type Person = { email: string | null; isEmailProved: boolean; claims: Record<string, string> };
type Outcome =
  | { ok: true; userId: string; person: Person }
  | { ok: false; problem: SsoProblem; detail: string | null; person: Person | null };

/** Parameters at the redirect address (RFC 6749, 9207). */
type OidcAnswer = { state?: string | undefined; [name: string]: string | undefined };

const CODE_MS = 60_000;

/** Finishes a login with the response of an OpenID Connect provider. */
export function finishOidc(deps: SsoDeps, caller: Caller, slug: string, answered: OidcAnswer): Promise<Answer<undefined>> {
  return finish(deps, caller, slug, answered.state ?? '', async (provider, login) => {
    if (provider.protocol !== 'oidc' || !login.nonce || !login.codeVerifier) return null;
    const url = new URL(addressesOf(deps.baseUrl, slug).callbackUrl);
    for (const [name, value] of Object.entries(answered)) if (value !== undefined) url.searchParams.set(name, value);
    const checks = { state: answered.state ?? '', nonce: login.nonce, codeVerifier: login.codeVerifier };
    const { subject, email, emailVerified, name } = await deps.oidc.finish(provider, url, checks);
    return { email, isEmailProved: emailVerified, claims: present({ sub: subject, email, email_verified: String(emailVerified), name }) };
  });
}

/** Finishes a login with the response of a SAML provider. */
export function finishSaml(deps: SsoDeps, caller: Caller, slug: string, posted: Record<string, unknown>): Promise<Answer<undefined>> {
  const { SAMLResponse: response, RelayState: state } = posted;
  return finish(deps, caller, slug, typeof state === 'string' ? state : '', async (provider, login) => {
    if (provider.protocol !== 'saml' || !login.samlRequestId || typeof response !== 'string') return null;
    const { acsUrl, entityId } = addressesOf(deps.baseUrl, slug);
    const { nameId, email, name } = await deps.saml.finish(login.partnerId, provider, { acsUrl, entityId }, response, login.samlRequestId);
    // A SAML provider asserts addresses of its own directory; its signature proves them.
    return { email, isEmailProved: true, claims: present({ nameId, email, name }) };
  });
}

/**
 * Takes the login by its state (once, in the browser and for the connection it started with), gets the person from the provider, and
 * redirects with a one-time code or a problem.
 */
async function finish(
  deps: SsoDeps,
  caller: Caller,
  slug: string,
  state: string,
  ask: (provider: Provider, login: LoginRow) => Promise<Person | null>,
): Promise<Answer<undefined>> {
  const { login, connection } = await deps.db.asSystem('login', async (tx) => ({
    login: state === '' ? undefined : await takeLogin(tx, hashToken(state), caller.now),
    connection: await findConnectionBySlug(tx, slug),
  }));
  if (!login) return toPortal(deps.baseUrl, { problem: 'expired' });
  const isSame = connection?.partnerId === login.partnerId && connection.configuredAt.getTime() === login.configuredAt.getTime();
  if (!connection || connection.dataKeyDestroyedAt || !isSame || !isSameBrowser(caller.header('cookie'), login.browserHash))
    return toPortal(deps.baseUrl, { problem: 'answer_not_valid' });

  const outcome = await decideOutcome(deps, caller, connection, login, ask);
  if (login.purpose === 'test') return endTest(deps, caller, connection, login, outcome);
  if (!outcome.ok) return toPortal(deps.baseUrl, { problem: outcome.problem, email: outcome.person?.email });
  const code = newToken();
  await deps.db.asSystem('login', (tx) =>
    insertCode(tx, hashToken(code), {
      partnerId: connection.partnerId,
      userId: outcome.userId,
      authMethod: connection.protocol,
      browserHash: login.browserHash,
      expiresAt: new Date(caller.now.getTime() + CODE_MS),
    }),
  );
  return toPortal(deps.baseUrl, { code, returnTo: login.returnTo });
}

/** Decides whether the person may sign in: an existing member of this team with an address the provider vouches for. */
async function decideOutcome(
  deps: SsoDeps,
  caller: Caller,
  connection: ConnectionRow,
  login: LoginRow,
  ask: (provider: Provider, login: LoginRow) => Promise<Person | null>,
): Promise<Outcome> {
  const no = (problem: SsoProblem, person: Person | null, detail: string | null = null): Outcome => ({
    ok: false,
    problem,
    detail,
    person,
  });
  let person: Person | null;
  try {
    person = await ask(providerOf(deps.dataKeys, connection), login);
  } catch (error) {
    if (!(error instanceof OidcFault) && !(error instanceof SamlFault)) throw error;
    caller.log.warn({ err: error, partnerId: connection.partnerId }, 'login through an identity provider rejected');
    const problems = {
      refused: 'provider_refused',
      unreachable: 'provider_unreachable',
      invalid: 'answer_not_valid',
      busy: 'too_busy',
    } as const;
    return no(problems[error.kind], null, error.message);
  }
  if (!person) return no('answer_not_valid', null);
  const { email } = person;
  if (!email || !person.isEmailProved) return no('email_not_verified', person);
  if (!connection.emailDomains.includes(email.split('@').at(-1) ?? '')) return no('email_outside_domains', person);
  const member = await deps.db.asSystem('login', (tx) => findMember(tx, connection.partnerId, email));
  if (!member) return no('no_member', person);
  return member.status === 'active' ? { ok: true, userId: member.id, person } : no('user_disabled', person);
}

/** Stores the result of a test login, without a session; a successful one verifies the connection. */
async function endTest(
  deps: SsoDeps,
  caller: Caller,
  connection: ConnectionRow,
  login: LoginRow,
  outcome: Outcome,
): Promise<Answer<undefined>> {
  const test: LastTest = {
    at: caller.now.toISOString(),
    ok: outcome.ok,
    problem: outcome.ok ? null : outcome.problem,
    detail: outcome.ok ? null : (outcome.detail?.slice(0, 500) ?? null),
    claims: outcome.person?.claims ?? {},
  };
  await deps.db.asSystem('login', async (tx) => {
    const isWritten = await writeTest(tx, connection.partnerId, login.configuredAt, test);
    if (!isWritten || !outcome.ok || connection.status === 'verified') return;
    await recordAudit(tx, {
      partnerId: connection.partnerId,
      actor: { kind: 'system' },
      action: 'sso.connection_verified',
      target: { type: 'sso_connection', id: connection.partnerId, label: connection.issuer ?? connection.metadataUrl },
      changes: { status: ['draft', 'verified'], testedBy: [null, login.testUserId] },
    });
  });
  if (outcome.ok) return toPortal(deps.baseUrl, { tested: true });
  return toPortal(deps.baseUrl, { problem: outcome.problem, email: outcome.person?.email, isTest: true });
}

function present(claims: Record<string, string | null>): Record<string, string> {
  const entries = Object.entries(claims).filter((entry): entry is [string, string] => entry[1] !== null && entry[1] !== '');
  return Object.fromEntries(entries.map(([name, value]) => [name, value.slice(0, 300)]));
}
