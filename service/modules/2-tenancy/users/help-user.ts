import type { SystemTx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import { endSessions, switchMfaOff } from '#modules/2-tenancy/identity/index.ts';
import type { UsersDeps } from './deps.ts';
import { lockUser } from './store.ts';

/** Disables the second step of another user, who lost phone and codes, ends their sessions and notifies them by mail. */
export async function resetMfa({ db, mail }: UsersDeps, caller: RequestContext, id: string, reason: string): Promise<void> {
  await db.asStaff(caller.actor, async (tx) => {
    const user = await lockUser(tx, id);
    if (!user) return refuse('not_found');
    // Their own is switched off with a code, which a stolen session does not have.
    if (id === caller.actor.userId)
      return refuse('cannot_change_own_permission', {
        detail: 'Turn off two-step login in your own account settings, or ask another staff member to reset it.',
      });
    if (!(await switchMfaOff(tx, id))) return refuse('invalid_state', { detail: `${user.email} has no second step.` });
    await endSessions(tx, id);
    const { partnerId, email: to } = user;
    await mail.queueMail(tx, { partnerId, to, userId: id, kind: 'mfa_reset', data: { at: caller.now, reason } });
    await record(tx, caller, user, 'user.mfa_reset', reason);
  });
}

/** Ends every session of a user and notifies them by mail. */
export async function signOutUser({ db, mail }: UsersDeps, caller: RequestContext, id: string, reason: string): Promise<void> {
  await db.asStaff(caller.actor, async (tx) => {
    const user = await lockUser(tx, id);
    if (!user) return refuse('not_found');
    await endSessions(tx, id);
    const { partnerId, email: to } = user;
    await mail.queueMail(tx, { partnerId, to, userId: id, kind: 'signed_out', data: { at: caller.now, reason } });
    await record(tx, caller, user, 'user.signed_out', reason);
  });
}

type LockedUser = NonNullable<Awaited<ReturnType<typeof lockUser>>>;

async function record(
  tx: SystemTx,
  caller: RequestContext,
  { id, partnerId, clientId, email }: LockedUser,
  action: 'user.mfa_reset' | 'user.signed_out',
  reason: string,
): Promise<void> {
  await recordAudit(tx, {
    partnerId,
    clientId,
    actor: caller.actor,
    action,
    target: { type: 'user', id, label: email },
    changes: { reason: [null, reason] },
    origin: originOf(caller),
  });
}
