import type { RequestContext } from '#platform/http/context.ts';
import { requireMatch } from '#platform/http/preconditions.ts';
import { refuse } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { SsoRequirement } from '#modules/2-tenancy/identity/index.ts';
import { hasSignedIn, labelOf, toRecord } from './connection-answer.ts';
import type { SsoDeps } from '../deps.ts';
import { requirePlan } from '../require-plan.ts';
import { listAffected } from './store-affected.ts';
import { findConnection, findEnforcement, findSsoContext, lockConnection, setEnforced } from '../store.ts';

/**
 * Enforces single sign-on for the team, or lifts it. Enforcing needs a verified connection through which the enforcing admin has logged in,
 * so that no team is locked out by an untested one.
 */
export async function enforceSso(deps: SsoDeps, caller: RequestContext, enforced: boolean) {
  const { actor } = caller;
  return deps.db.asTenant(actor, async (tx) => {
    const context = await findSsoContext(tx, actor);
    const row = await lockConnection(tx, actor.partnerId);
    if (!context) return refuse('not_found');
    requireMatch(caller.header('if-match'), row?.updatedAt ?? new Date(0));
    if (enforced) requirePlan(context);
    if (enforced && row?.status !== 'verified')
      return refuse('sso_not_verified', { detail: 'Run the test login first: it verifies the connection.' });
    if (enforced && row && !hasSignedIn(context.lastSsoLoginAt, row))
      return refuse('sso_not_verified', { detail: 'Log in through your provider yourself before you enforce single sign-on.' });
    if (row && row.enforced !== enforced) {
      await setEnforced(tx, actor.partnerId, enforced);
      await recordAudit(tx, {
        partnerId: actor.partnerId,
        actor,
        action: 'sso.enforcement_changed',
        target: { type: 'sso_connection', id: actor.partnerId, label: labelOf(row) },
        changes: { enforced: [row.enforced, enforced] },
        origin: originOf(caller),
      });
    }
    return toRecord(deps, context, await findConnection(tx, actor.partnerId));
  });
}

/** Lists the people whom enforcing would shut out, or may shut out. */
export async function readAffected({ db }: Pick<SsoDeps, 'db'>, { actor }: Pick<RequestContext, 'actor'>) {
  return { people: await db.asTenant(actor, (tx) => listAffected(tx, actor.partnerId)) };
}

/** Break-glass by staff for a team that cannot log in: audited, and every admin gets a mail. */
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
      target: { type: 'sso_connection', id: partnerId, label: labelOf(row) },
      changes: { enforced: [true, false], reason: [null, reason] },
      origin: originOf(caller),
    });
    await deps.mail.queueMailToAdmins(tx, { partnerId, kind: 'sso_released', data: { at: now, reason } });
  });
}

/** Returns where a team member must log in instead of by password. Does not apply to client users and staff. */
export function ssoRequirement(baseUrl: string): SsoRequirement {
  return async (tx, { role, partnerId }) => {
    const enforced = role === 'PARTNER' ? await findEnforcement(tx, partnerId) : undefined;
    return enforced ? { ssoUrl: `${baseUrl}/login?sso=${enforced.slug}` } : null;
  };
}
