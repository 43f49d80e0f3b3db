import { hashToken, newToken } from '#platform/one-time-token.ts';
import type { SsoProblem } from '@partner-portal/contract/vocabulary.ts';
import { chooseAddress, isInside } from '@partner-portal/core/sso/person.ts';
import { answer, type Answer } from '#platform/http/answer.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { AppError } from '#platform/refuse.ts';
import { acceptBySignIn } from '#modules/2-tenancy/invitations/index.ts';
import { cameByTile, endTileCookie, isSameBrowser, tileCookie } from './browser.ts';
import { addressesOf } from '../connection/connection-answer.ts';
import type { SsoDeps } from '../deps.ts';
import { keepSession } from '../logout/keep-session.ts';
import { failureOf, NOTHING, type Outcome, type Person, readOidc, readSaml } from './read-answer.ts';
import { recordOutcome } from './record-outcome.ts';
import { toPortal } from '../to-portal.ts';
import { type ConnectionRow, findConnectionBySlug } from '../store.ts';
import { findMember, insertCode, listMemberAddresses, type LoginRow, type MemberRow, takeLogin } from './store-logins.ts';

type Caller = Omit<RequestContext, 'actor'>;

/** Parameters at the redirect address (RFC 6749, 9207). */
type OidcAnswer = { state?: string | undefined; error?: string | undefined; [name: string]: string | undefined };
/** Gets the person from the response; null when it does not fit the login. */
type Ask = (connection: ConnectionRow, login: LoginRow) => Promise<Person | null>;

const CODE_MS = 60_000;

/** Finishes a login with the response of an OpenID Connect provider. */
export async function finishOidc(deps: SsoDeps, caller: Caller, slug: string, answered: OidcAnswer): Promise<Answer<undefined>> {
  const { state, error } = answered;
  // Bound to no login, so anyone may have written it: its words are not shown.
  if (state === undefined) return toPortal(deps.baseUrl, { problem: error === undefined ? 'answer_not_readable' : 'provider_refused' });
  const url = new URL(addressesOf(deps.baseUrl, slug).callbackUrl);
  for (const [name, value] of Object.entries(answered)) if (value !== undefined) url.searchParams.set(name, value);
  const finished = await finish(deps, caller, slug, state, (connection, login) => readOidc(deps, connection, login, url));
  return finished ?? toPortal(deps.baseUrl, { problem: 'expired' });
}

/** Finishes a login with the response of a SAML provider. A response that answers no request of ours begins a login instead. */
export async function finishSaml(deps: SsoDeps, caller: Caller, slug: string): Promise<Answer<undefined>> {
  const posted = await readPosted(caller);
  if (posted === null) return toPortal(deps.baseUrl, { problem: 'answer_not_readable' });
  const addresses = addressesOf(deps.baseUrl, slug);
  const finished = await finish(deps, caller, slug, posted.state, (connection, login) =>
    readSaml(deps, connection, login, posted.response, addresses),
  );
  if (finished) return answer(finished.status, undefined, { ...finished.headers, 'set-cookie': endTileCookie(deps.baseUrl) });
  if (!isUnsolicited(posted.response)) return toPortal(deps.baseUrl, { problem: 'expired' });
  // A click on the provider's tile. Its response is not looked at: a login of ours brings one that is bound to this browser.
  if (cameByTile(caller.header('cookie'))) return toPortal(deps.baseUrl, { problem: 'tile_loop' });
  const location = `${deps.baseUrl}/sso/${encodeURIComponent(slug)}/start`;
  return answer(302, undefined, { location, 'set-cookie': tileCookie(deps.baseUrl) });
}

/** Returns the posted form; null for anything else, since a person reads what follows. */
async function readPosted(caller: Caller): Promise<{ response: string; state: string } | null> {
  try {
    const { value } = await caller.rawBody.read();
    if (Array.isArray(value)) return null;
    const { SAMLResponse: response, RelayState: state } = value;
    return typeof response === 'string' && response !== '' ? { response, state: typeof state === 'string' ? state : '' } : null;
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** Whether a response names no request. Only its first tag is looked at, and nothing of it is believed. */
function isUnsolicited(response: string): boolean {
  const start = Buffer.from(response.slice(0, 8_000), 'base64').toString('utf8');
  const [tag] = /<(?:[\w-]+:)?Response\s[^<>]*>/.exec(start) ?? [];
  return tag !== undefined && !/\sInResponseTo\s*=/.test(tag);
}

/**
 * Takes the login by its state (once, in the browser and for the connection it started with), gets the person from the provider, and
 * redirects with a one-time code or a problem. Returns null when there is no such login.
 */
async function finish(deps: SsoDeps, caller: Caller, slug: string, state: string, ask: Ask): Promise<Answer<undefined> | null> {
  const { login, connection } = await deps.db.asSystem('login', async (tx) => ({
    login: state === '' ? undefined : await takeLogin(tx, hashToken(state), caller.now),
    connection: await findConnectionBySlug(tx, slug),
  }));
  if (!login) return null;
  const isSame = connection?.partnerId === login.partnerId && connection.configuredAt.getTime() === login.configuredAt.getTime();
  if (!connection || connection.dataKeyDestroyedAt || !isSame || !isSameBrowser(caller.header('cookie'), login.browserHash))
    return toPortal(deps.baseUrl, { problem: 'answer_not_valid' });

  const outcome = await decideOutcome(deps, caller, connection, login, ask);
  if (login.purpose === 'test' || !outcome.ok) await recordOutcome(deps, caller, connection, login, outcome);
  if (!outcome.ok) {
    const { problem, email, shown } = outcome;
    return toPortal(deps.baseUrl, { problem, email, providerSaid: shown.providerSaid, isTest: login.purpose === 'test' });
  }
  if (login.purpose === 'test') return toPortal(deps.baseUrl, { tested: true });
  const code = newToken();
  const { userId, person } = outcome;
  const expiresAt = new Date(caller.now.getTime() + CODE_MS);
  await deps.db.asSystem('login', async (tx) => {
    const { logoutProof: proof } = person;
    const providerSessionId = proof && (await keepSession(deps.dataKeys, tx, connection, proof, { userId, expiresAt }));
    const given = {
      partnerId: connection.partnerId,
      userId,
      authMethod: connection.protocol,
      browserHash: login.browserHash,
      sessionUntil: person.sessionUntil,
      providerSessionId,
      expiresAt,
    };
    await insertCode(tx, hashToken(code), given, login);
  });
  return toPortal(deps.baseUrl, { code, returnTo: login.returnTo });
}

/** Decides whether the person may log in: an existing member of this team with an address the provider vouches for. */
async function decideOutcome(deps: SsoDeps, caller: Caller, connection: ConnectionRow, login: LoginRow, ask: Ask): Promise<Outcome> {
  let person: Person | null;
  try {
    person = await ask(connection, login);
  } catch (error) {
    const failure = failureOf(error);
    if (!failure) throw error;
    caller.log.warn({ err: error, partnerId: connection.partnerId }, 'login through an identity provider rejected');
    return { ok: false, email: null, ...failure };
  }
  if (!person)
    return { ok: false, email: null, problem: 'answer_not_valid', detail: 'The response uses a different protocol.', shown: NOTHING };
  const { doubt, shown } = person;
  const email = await addressOf(deps, connection, person);
  const no = (problem: SsoProblem, detail: string | null = null): Outcome => ({ ok: false, email, problem, detail, shown });
  if (email === null) return no('email_missing');
  if (doubt !== null) return no('email_not_verified', doubt);
  if (!isInside(email, connection.emailDomains)) return no('email_outside_domains');
  const found = await deps.db.asSystem('login', (tx) => findMember(tx, connection.partnerId, email));
  const member = found ?? (await acceptInvited(deps, caller, connection, login, email));
  if (!member) return no('no_member');
  if (member === 'has_account') return no('account_elsewhere');
  return member.status === 'active' ? { ok: true, userId: member.id, person: { ...person, email } } : no('user_disabled');
}

/** Returns the member's address when a person has several addresses inside the domains and exactly one is a member's. */
async function addressOf(deps: SsoDeps, { partnerId }: ConnectionRow, { email, addresses }: Person): Promise<string | null> {
  if (email === null || addresses.length < 2) return email;
  const members = await deps.db.asSystem('login', (tx) => listMemberAddresses(tx, partnerId, addresses));
  return chooseAddress(email, addresses, members);
}

/**
 * Where the provider is the only way in, a login accepts the pending invitation of the person: no password is asked for. A test accepts none.
 */
async function acceptInvited(
  deps: SsoDeps,
  caller: Caller,
  connection: ConnectionRow,
  login: LoginRow,
  email: string,
): Promise<MemberRow | 'has_account' | undefined> {
  const { partnerId, enforced } = connection;
  if (!enforced || login.purpose === 'test') return undefined;
  const accepted = await deps.db.asSystem('invitation', (tx) => acceptBySignIn(tx, deps, caller, { partnerId, email }));
  if (typeof accepted === 'object') return { id: accepted.userId, status: 'active' };
  // Another login of the same person was faster.
  return (await deps.db.asSystem('login', (tx) => findMember(tx, partnerId, email))) ?? accepted;
}
