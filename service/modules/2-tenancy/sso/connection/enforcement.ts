import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { SsoRequirement } from '#modules/2-tenancy/identity/index.ts';
import { hasComeIn, toRecord } from './connection-answer.ts';
import type { SsoDeps } from '../deps.ts';
import { findConnection, findEnforcement, findStanding, lockConnection, setEnforced } from '../store.ts';

/**
 * Lets the team in through the provider only, or lifts that. Enforcing needs a verified connection and a sign-in through it by
 * the one who enforces: nobody locks a door whose key they have not tried.
 */
export async function enforceSso(deps: SsoDeps, caller: RequestContext, enforced: boolean) {
  const { actor } = caller;
  return deps.db.asTenant(actor, async (tx) => {
    const standing = await findStanding(tx, actor);
    const row = await lockConnection(tx, actor.partnerId);
    if (!standing) return refuse('not_found');
    if (enforced && !standing.isAvailable) return refuse('plan_feature_required', { detail: 'Your plan does not include single sign-on.' });
    if (enforced && row?.status !== 'verified')
      return refuse('sso_not_verified', { detail: 'Run the test login first: it verifies the connection.' });
    if (enforced && row && !hasComeIn(standing.lastSsoLoginAt, row))
      return refuse('sso_not_verified', { detail: 'Sign in through your provider once yourself before you let nobody in without it.' });
    if (row && row.enforced !== enforced) {
      await setEnforced(tx, actor.partnerId, enforced);
      await recordAudit(tx, {
        partnerId: actor.partnerId,
        actor,
        action: 'sso.enforcement_changed',
        target: { type: 'sso_connection', id: actor.partnerId, label: row.issuer ?? row.metadataUrl },
        changes: { enforced: [row.enforced, enforced] },
        origin: originOf(caller),
      });
    }
    return toRecord(deps.baseUrl, standing, await findConnection(tx, actor.partnerId));
  });
}

/** Break-glass by staff for a team that cannot come in any more (product.md §9, 38): audited, and every admin is told. */
export async function releaseSso(
  deps: SsoDeps,
  caller: RequestContext,
  { partnerId, reason }: { partnerId: string; reason: string },
): Promise<void> {
  const { actor, now } = caller;
  await deps.db.asStaff(actor, async (tx) => {
    const row = await lockConnection(tx, partnerId);
    if (!row) return refuse('not_found');
    if (!row.enforced) return refuse('invalid_state', { detail: 'This agency does not enforce single sign-on.' });
    await setEnforced(tx, partnerId, false);
    await recordAudit(tx, {
      partnerId,
      actor,
      action: 'sso.enforcement_released',
      target: { type: 'sso_connection', id: partnerId, label: row.issuer ?? row.metadataUrl },
      changes: { enforced: [true, false], reason: [null, reason] },
      origin: originOf(caller),
    });
    await deps.mail.queueMailToAdmins(tx, { partnerId, kind: 'sso_released', data: { at: now, reason } });
  });
}

/** Where a member of the team has to sign in instead of by password. Clients' users and staff are not meant (product.md §5.9). */
export function ssoRequirement(baseUrl: string): SsoRequirement {
  return async (tx, user) => {
    if (user.role !== 'PARTNER') return null;
    const enforced = await findEnforcement(tx, user.partnerId);
    return enforced ? { ssoUrl: `${baseUrl}/login?sso=${enforced.slug}` } : null;
  };
}
