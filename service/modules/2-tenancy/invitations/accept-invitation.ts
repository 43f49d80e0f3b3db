import { hashToken } from '#platform/one-time-token.ts';
import { invalidLinkCode } from '@partner-portal/core/people/invitation.ts';
import { namesAround, passwordProblem } from '@partner-portal/core/people/password.ts';
import type { Database } from '#platform/db/tx.ts';
import { type Answer, answer } from '#platform/http/answer.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import {
  findUserById,
  type OpenedSession,
  openByPassword,
  type PasswordDeps,
  refusePersonName,
  rememberSignIn,
} from '#modules/2-tenancy/identity/index.ts';
import type { MailQueue } from '#modules/1-ledger/mail/index.ts';
import { FIRST_ROLE } from './issue-invitation.ts';
import { findByToken, insertUser, type RedeemableRow, takeInvitation } from './store-redeem.ts';

export type AcceptDeps = PasswordDeps & {
  db: Database;
  baseUrl: string;
  mail: Pick<MailQueue, 'cancelMail'>;
  hashPassword: (password: string) => Promise<string>;
};
type Caller = Pick<RequestContext, 'address' | 'userAgent' | 'requestId' | 'now' | 'ownHost' | 'header'>;
type Accepted = { email: string; session: OpenedSession | null };

/** Returns what a link invites to, or why it is no longer valid; an unknown token is `not_found`. */
export async function readInvitationByToken(deps: Pick<AcceptDeps, 'db' | 'ssoRequirement'>, caller: Caller, token: string) {
  const { row, ssoUrl = null } = await deps.db.asSystem('invitation', async (tx) => {
    const found = await findByToken(tx, hashToken(token));
    if (!found || found.kind === 'client_user') return { row: found };
    const requirement = await deps.ssoRequirement(tx, { role: 'PARTNER', partnerId: found.partnerId });
    return { row: found, ssoUrl: requirement?.ssoUrl };
  });
  const { email, fullName, kind, partnerName, logoUrl, brandColor, clientName, invitedByName, expiresAt, clientLocale } = refuseInvalidLink(
    row,
    caller,
  );
  return { email, fullName, kind, partnerName, logoUrl, brandColor, clientName, invitedByName, expiresAt, locale: clientLocale, ssoUrl };
}

/** Redeems a link, and returns also the headers by which the browser is known at the next login. */
export async function acceptInvitation(deps: AcceptDeps, caller: Caller, input: AcceptInput): Promise<Answer<Accepted>> {
  const accepted = await redeem(deps, caller, input);
  return answer(201, accepted, accepted.session ? rememberSignIn(deps, caller, accepted.session) : {});
}

type AcceptInput = { token: string; password: string; fullName?: string | undefined };

/**
 * Creates the account and logs it in, as a login with its password would; null where that login opens no session. Safe under concurrent
 * use: the guarded update of the invitation, the new user and the session commit together.
 */
async function redeem(deps: AcceptDeps, caller: Caller, input: AcceptInput): Promise<Accepted> {
  refusePersonName('fullName', input.fullName);
  const tokenHash = hashToken(input.token);
  const invitation = refuseInvalidLink(await deps.db.asSystem('invitation', (tx) => findByToken(tx, tokenHash)), caller);
  const { fullName, partnerName, clientName } = invitation;
  const names = namesAround(deps.baseUrl, [input.fullName ?? fullName, partnerName, clientName]);
  const problem = passwordProblem(input.password, invitation.email, names);
  if (problem) return refuse('weak_password', { detail: problem.message, errors: [{ field: 'password', ...problem }] });
  const passwordHash = await deps.hashPassword(input.password);
  const isClientUser = invitation.kind === 'client_user';
  return deps.db.asSystem('invitation', async (tx) => {
    // Lock order: mail, then invitation.
    await deps.mail.cancelMail(tx, { partnerId: invitation.partnerId, invitationId: invitation.id });
    if (!(await takeInvitation(tx, invitation.id, tokenHash, caller.now))) {
      // Redeemed, replaced or revoked meanwhile.
      refuseInvalidLink(await findByToken(tx, tokenHash), caller);
      return refuse('invitation_used');
    }
    const userId = await insertUser(tx, {
      email: invitation.email,
      fullName: input.fullName ?? invitation.fullName ?? '',
      role: isClientUser ? 'CLIENT' : 'PARTNER',
      partnerId: invitation.partnerId,
      partnerRole: isClientUser ? null : (invitation.partnerRole ?? FIRST_ROLE),
      clientId: invitation.clientId,
      passwordHash,
      timezone: invitation.clientTimezone ?? invitation.partnerTimezone,
      ...(invitation.clientLocale === null ? {} : { locale: invitation.clientLocale }),
    });
    // Not sooner: the inviter has the link too, and would learn by a refused password whether the address has an account elsewhere.
    if (!userId)
      return refuse('email_in_use', {
        detail: `"${invitation.email}" already has an account. Log in with it, or ask for an invitation to another address.`,
      });
    await recordAudit(tx, {
      partnerId: invitation.partnerId,
      clientId: invitation.clientId,
      actor: { kind: 'system' },
      action: 'invitation.accepted',
      target: { type: 'user', id: userId, label: invitation.email },
      origin: originOf(caller),
    });
    const user = await findUserById(tx, userId);
    const opened = user && (await openByPassword(deps, tx, caller, user));
    return { email: invitation.email, session: opened && 'accessToken' in opened ? opened : null };
  });
}

function refuseInvalidLink(row: RedeemableRow | undefined, { now, ownHost }: Pick<Caller, 'now' | 'ownHost'>): RedeemableRow {
  const isForeign = ownHost && (row?.kind !== 'client_user' || row.partnerId !== ownHost.partnerId);
  if (!row || isForeign) return refuse('not_found', { detail: 'No such invitation. Check that you copied the whole link.' });
  const code = invalidLinkCode(row, now);
  if (code)
    return refuse(code, {
      detail: wayOut(row, code),
      invitedByName: row.invitedByName,
      partnerName: row.partnerName,
      expiredAt: row.expiresAt.toISOString(),
    });
  return row;
}

/** What the person who holds a link can do. No one is in the agency before its owner has accepted: staff send that link again (TEN-33). */
function wayOut(row: RedeemableRow, code: ReturnType<typeof invalidLinkCode>): string {
  if (code === 'invitation_used') return 'The account exists. Log in with the address that was invited.';
  if (row.isReplaced && row.status === 'pending') return `A newer link was sent to ${row.email}. Open that one.`;
  if (row.kind === 'owner') return 'Contact us for a new link.';
  return `Ask ${row.invitedByName ?? row.partnerName} for a new invitation.`;
}
