import type { SystemTx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { MailQueue } from '#modules/1-ledger/mail/index.ts';
import { refuse } from '#platform/refuse.ts';
import { FIRST_ROLE } from './issue-invitation.ts';
import { findAccountOf } from './store.ts';
import { findPendingOfTeam, insertUser, takePending } from './store-redeem.ts';

/**
 * Redeems the pending invitation to the team of an agency for a person whose identity provider proved the address: a user without a password.
 * Safe under concurrent use. Returns the user's id; undefined when there is no such invitation, `has_account` when the address has a user.
 */
export async function acceptBySignIn(
  tx: SystemTx,
  deps: { mail: Pick<MailQueue, 'cancelMail'> },
  caller: Pick<RequestContext, 'address' | 'userAgent' | 'requestId' | 'now'>,
  person: { partnerId: string; email: string },
): Promise<{ userId: string } | 'has_account' | undefined> {
  const found = await findPendingOfTeam(tx, person, caller.now);
  if (!found) return undefined;
  if ((await findAccountOf(tx, person.partnerId, person.email)).hasAccount) return 'has_account';
  // Lock order: mail, then invitation.
  await deps.mail.cancelMail(tx, { partnerId: person.partnerId, invitationId: found.id });
  if (!(await takePending(tx, found.id, caller.now))) return undefined;
  const userId = await insertUser(tx, {
    email: person.email,
    fullName: found.fullName ?? '',
    role: 'PARTNER',
    partnerId: person.partnerId,
    partnerRole: found.partnerRole ?? FIRST_ROLE,
    clientId: null,
    passwordHash: null,
    timezone: found.partnerTimezone,
  });
  // Meanwhile: the invitation stays as it was.
  if (!userId) return refuse('email_in_use');
  await recordAudit(tx, {
    partnerId: person.partnerId,
    actor: { kind: 'system' },
    action: 'invitation.accepted',
    target: { type: 'user', id: userId, label: person.email },
    origin: originOf(caller),
  });
  return { userId };
}
