import { OidcFault } from '#adapters/oidc.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse, refuseField } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { SsoDeps } from '../deps.ts';
import { requirePlan } from '../require-plan.ts';
import { findConnection, findSsoContext, lockConnection, writeClientSecret } from '../store.ts';
import { sealClientSecret } from './client-secret.ts';
import { addressesOf, labelOf, toRecord } from './connection-answer.ts';

/**
 * Replaces the client secret of a connection by one that the provider accepts for the same client, so that it stays verified, and may stay
 * enforced: a wrong secret would lock the team out, and one that has ended already has.
 */
export async function replaceSecret(deps: SsoDeps, caller: RequestContext, clientSecret: string) {
  const { actor } = caller;
  const { slug, row } = await deps.db.asTenant(actor, async (tx) => {
    const context = requirePlan(await findSsoContext(tx, actor));
    return { slug: context.slug, row: await findConnection(tx, actor.partnerId) };
  });
  const { issuer, oidcClientId: clientId } = row ?? {};
  if (!row || !issuer || !clientId) return refuse('invalid_state', { detail: 'Save a connection by OpenID Connect first.' });
  const found = await deps.oidc
    .checkSecret({ issuer, clientId, clientSecret }, addressesOf(deps.baseUrl, slug).callbackUrl)
    .catch((error: unknown) => {
      if (!(error instanceof OidcFault)) throw error;
      return refuseField('clientSecret', 'unreachable', `Your provider could not be asked: ${error.message}`);
    });
  if (found === 'refused') refuseField('clientSecret', 'not_accepted', 'Your provider does not accept this client secret.');
  if (found === 'unclear')
    refuse('invalid_state', {
      detail:
        'Your provider does not say whether a client secret is right, so it cannot be replaced here. Turn off enforcement and change the connection.',
    });
  return deps.db.asTenant(actor, async (tx) => {
    const current = await lockConnection(tx, actor.partnerId);
    if (current?.configuredAt.getTime() !== row.configuredAt.getTime())
      return refuse('invalid_state', { detail: 'The connection was changed meanwhile. Look at it again.' });
    await writeClientSecret(tx, actor.partnerId, await sealClientSecret(deps.dataKeys, tx, actor.partnerId, clientSecret, current));
    await recordAudit(tx, {
      partnerId: actor.partnerId,
      actor,
      action: 'sso.secret_replaced',
      target: { type: 'sso_connection', id: actor.partnerId, label: labelOf(current) },
      changes: { clientSecret: ['changed', 'changed'] },
      origin: originOf(caller),
    });
    const context = await findSsoContext(tx, actor);
    return context ? toRecord(deps, context, await findConnection(tx, actor.partnerId)) : refuse('not_found');
  });
}
