import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import { COLUMNS, type InvitationRow } from './store.ts';

export type RedeemableRow = InvitationRow & {
  /** Found by a link that a newer one replaced. */
  isReplaced: boolean;
  partnerName: string;
  partnerTimezone: string;
  logoUrl: string | null;
  brandColor: string | null;
  clientName: string | null;
  clientTimezone: string | null;
  clientLocale: string | null;
  invitedByName: string | null;
};

export async function findByToken(tx: SystemTx, tokenHash: Buffer): Promise<RedeemableRow | undefined> {
  const [row] = await runStatement<'invitation_by_token', RedeemableRow>(tx, {
    name: 'invitation_by_token',
    text: `select ${COLUMNS}, i.token_hash <> $1 as is_replaced, p.name as partner_name, p.timezone as partner_timezone, p.logo_url, p.brand_color,
        c.name as client_name, c.timezone as client_timezone, c.locale as client_locale,
        case when u.role = 'ADMIN' then null else coalesce(nullif(u.full_name, ''), u.email) end as invited_by_name
      from invitation i join partner p on p.id = i.partner_id left join client c on c.id = i.client_id left join app_user u on u.id = i.invited_by
      where (i.token_hash = $1 or i.former_token_hashes @> array[$1::bytea]) and p.status <> 'deleted' and coalesce(c.status, 'active') <> 'deleted'`,
    values: [tokenHash],
  });
  return row;
}

/** Marks the invitation as accepted; only one of concurrent calls succeeds. */
export async function takeInvitation(tx: SystemTx, id: string, tokenHash: Buffer, at: Date): Promise<boolean> {
  const rows = await runStatement<'invitations_take_invitation'>(tx, {
    name: 'invitations_take_invitation',
    prepare: false,
    text: `update invitation set status = 'accepted', accepted_at = $3
      where id = $1 and token_hash = $2 and status = 'pending' and expires_at > $3 returning id`,
    values: [id, tokenHash, at],
  });
  return rows.length === 1;
}

export type PendingOfTeam = { id: string; fullName: string | null; partnerRole: string | null; partnerTimezone: string };

/** Returns the pending invitation of this address to the team of an agency. There is at most one. */
export async function findPendingOfTeam(
  tx: SystemTx,
  { partnerId, email }: { partnerId: string; email: string },
  at: Date,
): Promise<PendingOfTeam | undefined> {
  const [row] = await runStatement<'invitation_pending_of_team', PendingOfTeam>(tx, {
    name: 'invitation_pending_of_team',
    prepare: false,
    text: `select i.id, i.full_name, coalesce(i.partner_role, case when i.kind = 'owner' then 'admin' end) as partner_role, p.timezone as partner_timezone
      from invitation i join partner p on p.id = i.partner_id
      where i.partner_id = $1 and i.email = $2 and i.status = 'pending' and i.expires_at > $3 and i.kind <> 'client_user'`,
    values: [partnerId, email, at],
  });
  return row;
}

/** Marks a pending invitation as accepted; only one of concurrent calls succeeds. */
export async function takePending(tx: SystemTx, id: string, at: Date): Promise<boolean> {
  const rows = await runStatement<'invitation_take_pending', { id: string }>(tx, {
    name: 'invitation_take_pending',
    prepare: false,
    text: `update invitation set status = 'accepted', accepted_at = $2 where id = $1 and status = 'pending' and expires_at > $2 returning id`,
    values: [id, at],
  });
  return rows.length === 1;
}

export type NewUser = {
  email: string;
  fullName: string;
  role: 'PARTNER' | 'CLIENT';
  partnerId: string;
  partnerRole: string | null;
  clientId: string | null;
  /** Null of a person who logs in through an identity provider. */
  passwordHash: string | null;
  timezone: string;
  locale?: string;
};

/** Returns undefined when the address has a user by now. */
export async function insertUser(tx: SystemTx, user: NewUser): Promise<string | undefined> {
  const [row] = await runStatement<'invitations_insert_user', { id: string }>(tx, {
    name: 'invitations_insert_user',
    prepare: false,
    text: `insert into app_user (email, full_name, role, partner_id, partner_role, client_id, password_hash, timezone, locale)
      values ($1, $2, $3, $4, $5, $6, $7, $8, coalesce($9, 'en-US')) on conflict (email) do nothing returning id`,
    values: [
      user.email,
      user.fullName,
      user.role,
      user.partnerId,
      user.partnerRole,
      user.clientId,
      user.passwordHash,
      user.timezone,
      user.locale ?? null,
    ],
  });
  return row?.id;
}
