import type { InvitationKind } from '@partner-portal/contract/vocabulary.ts';
import type { InvitationUse } from '@partner-portal/core/people/invitation-caps.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { TenantTx, Tx } from '#platform/db/tx.ts';

export type InvitationRow = {
  id: string;
  partnerId: string;
  clientId: string | null;
  kind: InvitationKind;
  email: string;
  fullName: string | null;
  partnerRole: 'admin' | 'moderator' | null;
  status: string;
  invitedBy: string | null;
  sentAt: Date;
  expiresAt: Date;
  acceptedAt: Date | null;
  revokedAt: Date | null;
  resendCount: number;
  /** Null until the outcome of the mail is known. */
  emailStatus: string | null;
};

// Row-level security hides staff inviters from partners.
export const COLUMNS = `i.id, i.partner_id, i.client_id, i.kind, i.email, i.full_name, i.partner_role, i.status,
  (select inviter.id from app_user inviter where inviter.id = i.invited_by) as invited_by, i.sent_at, i.expires_at, i.accepted_at,
  i.revoked_at, i.resend_count, i.email_status`;

export type InviteContext = { partnerName: string; client: { id: string; name: string; externalRef: string | null } | null };

/**
 * Locks the partner and returns it with its client; undefined for a client of another partner. Concurrent seat counts wait for this
 * transaction.
 */
export async function lockForInvite(tx: TenantTx, partnerId: string, clientId: string | null): Promise<InviteContext | undefined> {
  const [row] = await runStatement<
    'invitations_lock_for_invite',
    { partnerName: string; id: string | null; name: string | null; externalRef: string | null }
  >(tx, {
    name: 'invitations_lock_for_invite',
    prepare: false,
    text: `select p.name as partner_name, c.id, c.name, c.external_ref from partner p
      left join client c on c.partner_id = p.id and c.id = $2::uuid and c.status <> 'deleted' where p.id = $1 for no key update of p`,
    values: [partnerId, clientId],
  });
  if (!row || (clientId !== null && row.id === null)) return undefined;
  return {
    partnerName: row.partnerName,
    client: row.id === null ? null : { id: row.id, name: row.name ?? '', externalRef: row.externalRef },
  };
}

/** Whether the address has an account, and whether it is one of this agency: only that the inviter may learn. */
export async function findAccountOf(tx: Tx, partnerId: string, email: string): Promise<{ hasAccount: boolean; isOwn: boolean }> {
  const [row] = await runStatement<'invitations_find_account', { hasAccount: boolean; isOwn: boolean }>(tx, {
    name: 'invitations_find_account',
    text: `select email_has_user($2) as has_account, exists (select from app_user u where u.email = lower($2) and u.partner_id = $1) as is_own`,
    values: [partnerId, email],
  });
  return row ?? { hasAccount: false, isOwn: false };
}

/** Revokes expired invitations to this address, so that a new one can be stored. */
export async function retireExpired(tx: Tx, partnerId: string, email: string, now: Date): Promise<void> {
  await runStatement(tx, {
    name: 'invitations_retire_expired',
    text: `update invitation set status = 'revoked', revoked_at = $3 where partner_id = $1 and email = $2 and status = 'pending' and expires_at <= $3`,
    values: [partnerId, email, now],
  });
}

/** Returns the invitation mails of the last hour and day. Locks the partner until the end of the transaction. */
export async function countInvitationMail(tx: Tx, partnerId: string): Promise<InvitationUse> {
  const [row] = await runStatement<'invitations_count_mail', InvitationUse>(tx, {
    name: 'invitations_count_mail',
    text: 'select in_hour, in_day, hour_since, day_since, is_trial from count_invitation_mail($1)',
    values: [partnerId],
  });
  return row ?? { inHour: 0, inDay: 0, hourSince: null, daySince: null, isTrial: false };
}

export type NewInvitation = Pick<
  InvitationRow,
  'partnerId' | 'clientId' | 'kind' | 'email' | 'fullName' | 'partnerRole' | 'invitedBy' | 'sentAt' | 'expiresAt' | 'emailStatus'
> & {
  tokenHash: Buffer;
};

/** Returns undefined when one to this address is already pending. */
export async function insertInvitation(tx: Tx, row: NewInvitation): Promise<InvitationRow | undefined> {
  const [inserted] = await runStatement<'invitations_insert_invitation', InvitationRow>(tx, {
    name: 'invitations_insert_invitation',
    prepare: false,
    text: `insert into invitation as i (partner_id, client_id, kind, email, full_name, partner_role, token_hash, invited_by, sent_at, expires_at, email_status)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict (partner_id, email) where status = 'pending' do nothing returning ${COLUMNS}`,
    values: [
      row.partnerId,
      row.clientId,
      row.kind,
      row.email,
      row.fullName,
      row.partnerRole,
      row.tokenHash,
      row.invitedBy,
      row.sentAt,
      row.expiresAt,
      row.emailStatus,
    ],
  });
  return inserted;
}

/** Returns the agency of an invitation, before anything is locked. */
export async function findPartnerOf(tx: Tx, id: string): Promise<string | undefined> {
  const [row] = await runStatement<'invitations_partner_of', { partnerId: string }>(tx, {
    name: 'invitations_partner_of',
    text: 'select partner_id from invitation where id = $1',
    values: [id],
  });
  return row?.partnerId;
}

/** Whether another invitation of an owner of the agency is open or was accepted. Lock the partner first. */
export async function hasOtherOwner(tx: Tx, { partnerId, id }: { partnerId: string; id: string }): Promise<boolean> {
  const [row] = await runStatement<'invitations_has_other_owner', { hasOther: boolean }>(tx, {
    name: 'invitations_has_other_owner',
    text: `select exists (select from invitation where partner_id = $1 and id <> $2 and kind = 'owner' and status <> 'revoked') as has_other`,
    values: [partnerId, id],
  });
  return row?.hasOther ?? false;
}

export async function lockInvitation(tx: Tx, id: string): Promise<InvitationRow | undefined> {
  const [row] = await runStatement<'invitations_lock_invitation', InvitationRow>(tx, {
    name: 'invitations_lock_invitation',
    prepare: false,
    text: `select ${COLUMNS} from invitation i where i.id = $1 for update`,
    values: [id],
  });
  return row;
}

/** Replaces the link; the hash of the old one is kept, so it can be recognised as replaced. */
export async function renewInvitation(
  tx: Tx,
  id: string,
  link: { tokenHash: Buffer; sentAt: Date; expiresAt: Date; emailStatus: string | null },
): Promise<InvitationRow | undefined> {
  const [row] = await runStatement<'invitations_renew_invitation', InvitationRow>(tx, {
    name: 'invitations_renew_invitation',
    prepare: false,
    text: `update invitation i set token_hash = $2, former_token_hashes = i.former_token_hashes || i.token_hash, sent_at = $3, expires_at = $4, email_status = $5,
        resend_count = i.resend_count + 1
      where i.id = $1 returning ${COLUMNS}`,
    values: [id, link.tokenHash, link.sentAt, link.expiresAt, link.emailStatus],
  });
  return row;
}

export async function revoke(tx: Tx, id: string, at: Date): Promise<InvitationRow | undefined> {
  const [row] = await runStatement<'invitations_revoke', InvitationRow>(tx, {
    name: 'invitations_revoke',
    prepare: false,
    text: `update invitation i set status = 'revoked', revoked_at = coalesce(i.revoked_at, $2) where i.id = $1 returning ${COLUMNS}`,
    values: [id, at],
  });
  return row;
}

type InvitationNames = { inviterName: string | null; clientName: string | null; clientLocale: string | null };

/** Returns the names for the mail: the inviter, unless staff, and the client. */
export async function namesFor(
  tx: Tx,
  { invitedBy, clientId }: { invitedBy: string | null; clientId: string | null },
): Promise<InvitationNames> {
  const [row] = await runStatement<'invitation_names', InvitationNames>(tx, {
    name: 'invitation_names',
    text: `select (select coalesce(nullif(full_name, ''), email) from app_user where id = $1 and role <> 'ADMIN') as inviter_name,
      (select name from client where id = $2) as client_name, (select locale from client where id = $2) as client_locale`,
    values: [invitedBy, clientId],
  });
  return row ?? { inviterName: null, clientName: null, clientLocale: null };
}

/** Stores the mail status of an invitation. */
export async function setEmailStatus(tx: Tx, id: string, emailStatus: string | null): Promise<void> {
  await runStatement(tx, {
    name: 'invitations_set_email_status',
    prepare: false,
    text: 'update invitation set email_status = $2 where id = $1',
    values: [id, emailStatus],
  });
}

export type InvitationFilters = {
  partnerId: string | null;
  status?: string | undefined;
  kind?: string | undefined;
  clientId?: string | undefined;
};

/** Newest first. `status` may be `expired`, which is derived. */
export async function listInvitations(
  tx: Tx,
  filters: InvitationFilters,
  page: { after: string | null; limit: number; now: Date },
): Promise<InvitationRow[]> {
  return runStatement<'invitations_list_invitations', InvitationRow>(tx, {
    name: 'invitations_list_invitations',
    prepare: false,
    text: `select ${COLUMNS} from invitation i
      where ($1::uuid is null or i.partner_id = $1) and ($2::text is null or i.kind = $2) and ($3::uuid is null or i.client_id = $3) and ($4::uuid is null or i.id < $4)
        and ($5::text is null or $5 = case when i.status = 'pending' and i.expires_at <= $6 then 'expired' else i.status end)
      order by i.id desc limit $7`,
    values: [
      filters.partnerId,
      filters.kind ?? null,
      filters.clientId ?? null,
      page.after,
      filters.status ?? null,
      page.now,
      page.limit + 1,
    ],
  });
}
