import { hashToken, newToken } from '#platform/one-time-token.ts';
import { invitationExpiry, invitationStatus } from '@partner-portal/core/people/invitation.ts';
import type { InvitationCaps } from '@partner-portal/core/people/invitation-caps.ts';
import type { InvitationKind } from '@partner-portal/contract/vocabulary.ts';
import type { Actor } from '#platform/actor.ts';
import type { SystemTx, Tx } from '#platform/db/tx.ts';
import type { RateLimits } from '#platform/http/rate-limit.ts';
import { refuse } from '#platform/refuse.ts';
import { publishEvent } from '#modules/1-ledger/events/index.ts';
import { type InvitationMailStatus, type MailQueue, portalBaseUrlOf } from '#modules/1-ledger/mail/index.ts';
import { allowInvitationMail } from './allow-mail.ts';
import { findAccountOf, insertInvitation, type InvitationRow, namesFor, retireExpired, setEmailStatus } from './store.ts';

/** Returns a new link, for a client on the domain of its agency. Only the hash of its token is stored. */
export async function newLink(
  tx: Tx,
  { baseUrl, mail }: IssueInvitationDeps,
  { kind, partnerId }: { kind: InvitationKind; partnerId: string },
  sentAt: Date,
) {
  const token = newToken();
  return {
    acceptUrl: `${kind === 'client_user' ? await portalBaseUrlOf(tx, baseUrl, partnerId) : baseUrl}/invite/${token}`,
    tokenHash: hashToken(token),
    sentAt,
    expiresAt: invitationExpiry(sentAt),
    // Unknown until the mail server accepts or rejects it.
    emailStatus: mail.isConfigured ? null : 'not_configured',
  };
}

/** The record of the API: `expired` is derived, the hash is not included. */
export function toRecord(row: InvitationRow, now: Date) {
  return { ...row, status: invitationStatus(row, now) };
}

/** As which a new member of a team begins; pages say so in words. */
export const FIRST_ROLE = 'moderator';

export type InvitationOrder = {
  partnerId: string;
  kind: InvitationKind;
  email: string;
  fullName?: string | null | undefined;
  partnerRole?: 'admin' | 'moderator' | null;
  clientId?: string | null;
  invitedBy: string;
  sentAt: Date;
  /** The mail approves an application instead of inviting. */
  welcome?: { trialEndsAt: Date | null };
};

/** Dependencies of issuing an invitation. */
export type IssueInvitationDeps = {
  /** PUBLIC_BASE_URL. */
  baseUrl: string;
  mail: MailQueue;
  limits: Pick<RateLimits<'invitationMail'>, 'require'>;
  /** Caps on the invitation mails of one partner. */
  invitationCaps: InvitationCaps;
};

/**
 * Stores an invitation, queues its mail in the caller's transaction and returns it with its link, which is shown only once. Refuses
 * `email_in_use` for a user of the same partner (and for the owner of a workspace, any user), `already_pending`, and `rate_limited` beyond the
 * caps of the partner. One address is one user across all partners: a user of another one learns it when accepting, the inviter does not
 * (ADR 0064). The caller checks seats.
 */
export async function issueInvitation(tx: Tx, deps: IssueInvitationDeps, order: InvitationOrder) {
  // Lock order: partner, mail, invitation.
  await allowInvitationMail(tx, deps.invitationCaps, order.partnerId, order.sentAt);
  return issueAllowed(tx, deps, order);
}

/** Like `issueInvitation`, for a caller that has counted the mail by `allowInvitationMail`. */
export async function issueAllowed(tx: Tx, deps: IssueInvitationDeps, order: InvitationOrder) {
  const account = await findAccountOf(tx, order.partnerId, order.email);
  // Staff open workspaces; an inviter only learns of people of the own agency. Anyone else learns it from the mail and at the acceptance.
  if (account.isOwn || (account.hasAccount && order.kind === 'owner'))
    return refuse('email_in_use', { detail: `"${order.email}" already has a user. One address is one user.` });
  await retireExpired(tx, order.partnerId, order.email, order.sentAt);
  const { acceptUrl, ...link } = await newLink(tx, deps, order, order.sentAt);
  const row = await insertInvitation(tx, {
    ...link,
    partnerId: order.partnerId,
    clientId: order.clientId ?? null,
    kind: order.kind,
    email: order.email,
    fullName: order.fullName ?? null,
    partnerRole: order.partnerRole ?? null,
    invitedBy: order.invitedBy,
  });
  if (!row) return refuse('already_pending', { detail: `An invitation to "${order.email}" is already pending. Resend that one.` });
  const mailed = await mailInvitation(tx, deps, {
    row,
    acceptUrl,
    hasAccount: account.hasAccount,
    ...(order.welcome ? { welcome: order.welcome } : {}),
  });
  return { ...toRecord(mailed, order.sentAt), acceptUrl };
}

/**
 * Queues the mail with the link, and returns the invitation with what became of the mail. Refuses `rate_limited` when the address got too many
 * from this partner within the hour.
 */
export async function mailInvitation(
  tx: Tx,
  { mail, limits }: IssueInvitationDeps,
  {
    row,
    acceptUrl,
    hasAccount,
    welcome,
  }: { row: InvitationRow; acceptUrl: string; hasAccount: boolean; welcome?: { trialEndsAt: Date | null } },
): Promise<InvitationRow> {
  const { partnerId, email: to, fullName, expiresAt } = row;
  await limits.require('invitationMail', `${partnerId}/${to}`);
  const about = { partnerId, to, aboutInvitationId: row.id };
  if (welcome) {
    await mail.queueMail(tx, { ...about, kind: 'application_approved', data: { acceptUrl, expiresAt, fullName, ...welcome } });
    return row;
  }
  const { clientLocale, ...names } = await namesFor(tx, row);
  const { isHeld } = await mail.queueMail(tx, {
    ...about,
    about: { partnerId, clientId: row.clientId },
    kind: 'invitation',
    locale: clientLocale,
    data: { invitationKind: row.kind, acceptUrl, expiresAt, fullName, hasAccount, ...names },
  });
  if (!isHeld) return row;
  await setEmailStatus(tx, row.id, 'held');
  return { ...row, emailStatus: 'held' };
}

/** Stores how the mail about each invitation ended; null while it is queued. */
export async function saveMailStatus(tx: SystemTx, changes: readonly InvitationMailStatus[]): Promise<void> {
  for (const { invitationId, status } of changes) await setEmailStatus(tx, invitationId, status === 'queued' ? null : status);
}

/** Publishes `client_user.invited`, never with the link. */
export async function publishClientUserInvited(
  tx: Tx,
  baseUrl: string,
  invited: {
    actor: Actor;
    partner: { id: string; name: string };
    client: { id: string; name: string; externalRef: string | null };
    invitation: { id: string; email: string; expiresAt: Date };
  },
): Promise<void> {
  const { actor, partner, client, invitation } = invited;
  await publishEvent(tx, {
    partnerId: partner.id,
    clientId: client.id,
    type: 'client_user.invited',
    data: {
      partnerId: partner.id,
      partnerName: partner.name,
      actor: { type: 'user', id: actor.userId, email: actor.email },
      portalUrl: `${baseUrl}/dashboard/clients/${client.id}`,
      invitation: { id: invitation.id, email: invitation.email, expiresAt: invitation.expiresAt.toISOString() },
      client: { id: client.id, name: client.name, externalRef: client.externalRef },
    },
  });
}
