import { LOGOUT_REMEMBERED_MS } from '@partner-portal/core/sso/logout.ts';
import { SamlFault, type SamlLogout } from '#adapters/saml.ts';
import { recordAudit } from '#modules/1-ledger/audit/index.ts';
import { revokeSession } from '#modules/2-tenancy/identity/index.ts';
import { type Answer, answer } from '#platform/http/answer.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { addressesOf } from '../connection/connection-answer.ts';
import { providerOf, serviceOf } from '../connection/provider.ts';
import type { SsoDeps } from '../deps.ts';
import { toPortal } from '../to-portal.ts';
import { type ConnectionRow, findConnectionBySlug } from '../store.ts';
import { hashName } from './keep-session.ts';
import { takeLogoutRequest, takeProviderSessions } from '../store-provider-sessions.ts';

type Caller = Omit<RequestContext, 'actor'>;
type Asked = { RelayState?: string | undefined };

/**
 * Takes a browser that comes back from a log-out at the provider to the login page: the session here ended before, so nothing of what the provider says
 * about it is read. A request of the provider to log a person out is followed when it is signed by its keys.
 */
export async function answerProvider(deps: SsoDeps, caller: Caller, slug: string, asked: Asked): Promise<Answer<undefined>> {
  const toLogin = answer(302, undefined, { location: `${deps.baseUrl}/login` });
  // Also one that is too long or comes twice, which the parser leaves out.
  if (!/(?:^|&)SAMLRequest=/.test(caller.rawQuery)) return toLogin;
  const connection = await deps.db.asSystem('login', (tx) => findConnectionBySlug(tx, slug));
  const { idpLogoutUrl } = connection ?? {};
  if (!connection?.logsOut || connection.dataKeyDestroyedAt || connection.protocol !== 'saml' || !idpLogoutUrl)
    return toPortal(deps.baseUrl, { problem: 'logout_refused' });
  const addresses = addressesOf(deps.baseUrl, slug);
  const service = { ...serviceOf(deps.dataKeys, connection, addresses), logoutUrl: addresses.logoutUrl };
  let request: SamlLogout;
  try {
    const provider = providerOf(deps.dataKeys, connection);
    if (provider.protocol !== 'saml') throw new Error(`The connection of partner ${connection.partnerId} is incomplete.`);
    request = await deps.saml.readLogout(connection.partnerId, provider, service, caller.rawQuery);
  } catch (error) {
    if (!(error instanceof SamlFault)) throw error;
    caller.log.warn({ err: error, partnerId: connection.partnerId }, 'log-out by an identity provider rejected');
    return toPortal(deps.baseUrl, { problem: error.kind === 'busy' ? 'too_busy' : 'logout_refused' });
  }
  if (!(await endSessionsOf(deps, caller, connection, request))) return toLogin;
  const answerUrl = connection.idpLogoutResponseUrl ?? idpLogoutUrl;
  const location = await deps.saml.answerLogout(answerUrl, service, request.requestId, asked.RelayState ?? '');
  return answer(302, undefined, { location });
}

/** Ends the sessions that a request names; false when it was followed before, so that a copy of it ends no later session. */
async function endSessionsOf(
  deps: SsoDeps,
  { now }: Caller,
  { partnerId, idpEntityId }: ConnectionRow,
  { requestId, nameId, sessionIndexes }: SamlLogout,
): Promise<boolean> {
  const hash = (name: string): Buffer => hashName(idpEntityId ?? '', name);
  return deps.db.asSystem('login', async (tx) => {
    const rememberedUntil = new Date(now.getTime() + LOGOUT_REMEMBERED_MS);
    if (!(await takeLogoutRequest(tx, partnerId, hash(requestId), rememberedUntil))) return false;
    const ended = await takeProviderSessions(tx, partnerId, hash(nameId), sessionIndexes.map(hash));
    for (const { jti, expiresAt } of ended) if (jti !== null) await revokeSession(tx, jti, expiresAt);
    for (const [userId, email] of new Map(ended.map((one) => [one.userId, one.email])))
      await recordAudit(tx, {
        partnerId,
        actor: { kind: 'system' },
        action: 'session.ended_by_provider',
        target: { type: 'user', id: userId, label: email },
      });
    return true;
  });
}
