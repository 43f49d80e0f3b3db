import { hashToken, newToken } from '#platform/one-time-token.ts';
import { returnPath } from '@partner-portal/core/sso/return-path.ts';
import { OidcFault } from '#adapters/oidc.ts';
import { SamlFault } from '#adapters/saml.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { answer, type Answer } from '#platform/http/answer.ts';
import { refuse } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import { LOGIN_MS, markCookie, readMark } from './browser.ts';
import { addressesOf, labelOf } from '../connection/connection-answer.ts';
import type { SsoDeps } from '../deps.ts';
import { requirePlan } from '../require-plan.ts';
import { providerOf, serviceOf } from '../connection/provider.ts';
import { toPortal } from '../to-portal.ts';
import { type ConnectionRow, findConnection, findConnectionBySlug, findSsoContext } from '../store.ts';
import { NOTHING } from './read-answer.ts';
import { recordOutcome } from './record-outcome.ts';
import { insertTestRun } from '../store-attempts.ts';
import { insertLogin, insertTest, takeTest } from './store-logins.ts';

/**
 * Redirects the browser to the partner's identity provider. A slug without a verified connection gets the same redirect as an unknown one.
 */
export async function beginLogin(
  deps: SsoDeps,
  caller: Omit<RequestContext, 'actor'>,
  slug: string,
  query: { returnTo?: string | undefined; test?: string | undefined },
): Promise<Answer<undefined>> {
  const { now } = caller;
  const found = await deps.db.asSystem('login', async (tx) => {
    const connection = await findConnectionBySlug(tx, slug);
    const test = query.test === undefined ? null : await takeTest(tx, hashToken(query.test), now);
    return { connection, test };
  });
  const { connection, test } = found;
  const isTest = query.test !== undefined;
  if (isTest && (!test || !connection || test.partnerId !== connection.partnerId)) return toPortal(deps.baseUrl, { problem: 'expired' });
  // Without its data key the partner is being purged.
  if (!connection || connection.dataKeyDestroyedAt || (!isTest && connection.status !== 'verified'))
    return toPortal(deps.baseUrl, { problem: 'not_available' });

  const mark = readMark(caller.header('cookie')) ?? newToken();
  const redirect = await prepareRedirect(deps, connection, slug, isTest).catch((error: unknown) => {
    if (!(error instanceof OidcFault) && !(error instanceof SamlFault)) throw error;
    caller.log.warn({ err: error, partnerId: connection.partnerId }, 'identity provider unavailable');
    return error.message;
  });
  if (typeof redirect === 'string') {
    const failure = { ok: false, email: null, problem: 'provider_unreachable', detail: redirect, shown: NOTHING } as const;
    await recordOutcome(deps, caller, connection, { purpose: isTest ? 'test' : 'login', attemptId: test?.attemptId ?? null }, failure);
    return toPortal(deps.baseUrl, { problem: 'provider_unreachable', isTest });
  }
  const { url, state, ...checks } = redirect;
  await deps.db.asSystem('login', (tx) =>
    insertLogin(tx, hashToken(state), {
      nonce: null,
      codeVerifier: null,
      samlRequestId: null,
      ...checks,
      partnerId: connection.partnerId,
      purpose: isTest ? 'test' : 'login',
      testUserId: test?.userId ?? null,
      attemptId: test?.attemptId ?? null,
      browserHash: hashToken(mark),
      configuredAt: connection.configuredAt,
      returnTo: returnPath(deps.baseUrl, query.returnTo),
      expiresAt: new Date(now.getTime() + LOGIN_MS),
    }),
  );
  return answer(302, undefined, { location: url, 'set-cookie': markCookie(mark, deps.baseUrl, connection.protocol) });
}

/** Returns the provider's login page and what its response must match. */
async function prepareRedirect(
  deps: SsoDeps,
  connection: ConnectionRow,
  slug: string,
  isTest: boolean,
): Promise<{ url: string; state: string; nonce?: string; codeVerifier?: string; samlRequestId?: string }> {
  const addresses = addressesOf(deps.baseUrl, slug);
  const provider = providerOf(deps.dataKeys, connection);
  // An admin tests for people with other accounts, and may be logged in with a wrong one.
  const options = { asksAccount: isTest };
  if (provider.protocol === 'oidc') {
    const { url, checks } = await deps.oidc.begin(provider, addresses.callbackUrl, options);
    return { url, ...checks };
  }
  const state = newToken();
  const { url, requestId } = await deps.saml.begin(provider, serviceOf(deps.dataKeys, connection, addresses), state, options);
  return { url, state, samlRequestId: requestId };
}

/** Returns a single-use link that runs a real login and shows its result. */
export async function startTest(deps: SsoDeps, caller: RequestContext): Promise<{ url: string }> {
  const { actor, now } = caller;
  const token = newToken();
  const slug = await deps.db.asTenant(actor, async (tx) => {
    const context = requirePlan(await findSsoContext(tx, actor));
    const row = await findConnection(tx, actor.partnerId);
    if (!row) return refuse('invalid_state', { detail: 'Save a connection first.' });
    const attemptId = await insertTestRun(tx, { partnerId: actor.partnerId, userId: actor.userId, at: now });
    await insertTest(tx, {
      tokenHash: hashToken(token),
      partnerId: actor.partnerId,
      userId: actor.userId,
      attemptId,
      expiresAt: new Date(now.getTime() + LOGIN_MS),
    });
    await recordAudit(tx, {
      partnerId: actor.partnerId,
      actor,
      action: 'sso.test_started',
      target: { type: 'sso_connection', id: actor.partnerId, label: labelOf(row) },
      origin: originOf(caller),
    });
    return context.slug;
  });
  return { url: `${deps.baseUrl}/sso/${slug}/start?test=${token}` };
}
