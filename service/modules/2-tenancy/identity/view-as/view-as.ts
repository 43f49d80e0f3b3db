import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import type { RequestContext } from '#platform/http/context.ts';
import type { Tx } from '#platform/db/tx.ts';
import { refuse, refuseField } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { IdentityDeps } from '../deps.ts';
import { featuresOf, partnerOf } from '../session-answer.ts';
import { endView, findView, findViewed, insertView, type ViewedScope, type ViewRow } from './store-views.ts';

type Input = { partnerId?: string | undefined; clientId?: string | undefined; reason: string };

/**
 * Opens a read-only view-as session of half an hour: staff for any partner or client, a partner for its own clients. It is a separate token
 * whose claims name the viewed scope and, in `sub` and `act`, the viewing user. It ends with the session it was opened from.
 */
export async function viewAs(deps: Pick<IdentityDeps, 'db' | 'sessions'>, caller: RequestContext, input: Input) {
  const { actor } = caller;
  const { clientId = null, reason } = input;
  if (actor.role === 'ADMIN' && !input.partnerId && !clientId)
    return refuseField('partnerId', 'required', 'Choose an agency or a client to view.');
  if (actor.role === 'PARTNER' && !clientId) return refuseField('clientId', 'required', 'Choose a client to view.');
  const open = async (tx: Tx, partnerId: string | null) => {
    const viewed = (await findViewed(tx, partnerId, clientId)) ?? refuse('not_found');
    const issued = issueView(deps, caller, viewed);
    const { jti: id, expiresAt } = issued;
    const { userId: actingUserId, jti: actingJti } = actor;
    const { name, ...scope } = viewed;
    await insertView(tx, { id, ...scope, actingUserId, actingJti, reason, startedAt: caller.now, expiresAt });
    await recordAudit(tx, {
      ...scope,
      actor,
      action: 'view_as.started',
      target: { type: scope.clientId ? 'client' : 'partner', id: scope.clientId ?? scope.partnerId, label: name },
      changes: { reason: [null, reason] },
      origin: originOf(caller),
    });
    const view = (await findView(tx, id)) ?? refuse('not_found');
    return { accessToken: issued.accessToken, expiresAt, user: viewedUserOf(view) };
  };
  if (actor.role === 'ADMIN') return deps.db.asStaff(actor, (tx) => open(tx, input.partnerId ?? null));
  return deps.db.asTenant(actor, (tx) => open(tx, actor.partnerId));
}

/** Expires no later than the session it was opened from. */
function issueView({ sessions }: Pick<IdentityDeps, 'sessions'>, { actor, now }: RequestContext, viewed: ViewedScope) {
  const secondsLeft = Math.floor((actor.expiresAt.getTime() - now.getTime()) / 1000);
  const { userId, email, issuedAt } = actor;
  const { partnerId, clientId } = viewed;
  const of =
    clientId === null ? ({ role: 'PARTNER', partnerRole: 'moderator' } as const) : ({ role: 'CLIENT', partnerRole: null } as const);
  const claims = { userId, email, partnerId, clientId, ...of, authMethod: 'view_as', actingUserId: userId, validFrom: issuedAt } as const;
  return sessions.issue(claims, Math.min(LIMITS.viewAsMinutes * 60, secondsLeft));
}

/** Ends the view-as session. */
export async function endViewAs(deps: Pick<IdentityDeps, 'db'>, caller: RequestContext): Promise<void> {
  const { actor, now } = caller;
  if (!actor.readOnly) return refuse('invalid_state', { detail: 'This is your own session. Log out to end it.' });
  const { partnerId, clientId } = actor;
  await deps.db.asTenant(actor, async (tx) => {
    const view = await findView(tx, actor.jti);
    await endView(tx, actor.jti, now);
    const label = view?.clientName ?? view?.partnerName ?? null;
    const target = { type: clientId ? 'client' : 'partner', id: clientId ?? partnerId, label };
    await recordAudit(tx, { partnerId, clientId, actor, action: 'view_as.ended', target, origin: originOf(caller) });
  });
}

/** The `user` of a view-as session: role and scope of the viewed account, name of the viewing user. */
export function viewedUserOf(view: ViewRow) {
  const isClient = view.clientId !== null;
  return {
    id: view.actingUserId,
    email: view.actingEmail,
    fullName: view.actingName,
    role: isClient ? ('CLIENT' as const) : ('PARTNER' as const),
    partnerId: view.partnerId,
    partnerRole: isClient ? null : ('moderator' as const),
    clientId: view.clientId,
    status: 'active',
    mfaEnabled: false,
    avatarUrl: null,
    locale: 'en-US',
    timezone: view.partnerTimezone,
    theme: 'system',
    lastLoginAt: null,
    createdAt: view.startedAt,
    updatedAt: view.startedAt,
    partner: partnerOf(view),
    client: view.clientId === null ? null : { id: view.clientId, name: view.clientName ?? '' },
    features: featuresOf(view),
    suspension: view.suspension,
    authMethod: 'view_as' as const,
    viewAs: { name: view.actingName, reason: view.reason, expiresAt: view.expiresAt },
  };
}
