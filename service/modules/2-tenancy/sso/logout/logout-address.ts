import type { RequestContext } from '#platform/http/context.ts';
import { addressesOf } from '../connection/connection-answer.ts';
import { providerOf, serviceOf } from '../connection/provider.ts';
import type { SsoDeps } from '../deps.ts';
import { findConnection, findSsoContext } from '../store.ts';
import { openProof } from './keep-session.ts';
import { findProviderSession } from '../store-provider-sessions.ts';

/**
 * Returns where to send the browser once the caller's session has ended, so that the one at the provider ends, too: null unless the connection asks for
 * it and the session is one of this provider. The provider is not asked: whether it is there is for the browser to find out.
 */
export async function readLogoutAddress(deps: SsoDeps, { actor }: Pick<RequestContext, 'actor'>): Promise<{ url: string | null }> {
  if (actor.authMethod !== 'saml' && actor.authMethod !== 'oidc') return { url: null };
  const found = await deps.db.asTenant(actor, async (tx) => {
    const session = await findProviderSession(tx, actor.partnerId, actor.jti);
    if (!session) return null;
    const connection = await findConnection(tx, actor.partnerId);
    const context = await findSsoContext(tx, actor);
    return connection && context ? { session, connection, slug: context.slug } : null;
  });
  if (!found?.connection.logsOut) return { url: null };
  const { connection, session, slug } = found;
  const proof = openProof(deps.dataKeys, connection, session);
  const addresses = addressesOf(deps.baseUrl, slug);
  const provider = providerOf(deps.dataKeys, connection);
  if (proof?.protocol === 'oidc' && provider.protocol === 'oidc')
    return { url: deps.oidc.logOut(provider, proof.logout, addresses.logoutUrl) };
  if (proof?.protocol !== 'saml' || connection.idpLogoutUrl === null) return { url: null };
  const service = serviceOf(deps.dataKeys, connection, addresses);
  return { url: await deps.saml.logOut(connection.idpLogoutUrl, service, proof.subject) };
}
