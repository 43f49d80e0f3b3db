import type { Role, PartnerRole } from '@partner-portal/contract/vocabulary.ts';
import type { suspensionRecord } from '@partner-portal/contract/records/account.ts';
import type { z } from 'zod';
import { query, runStatement } from '#platform/db/statements.ts';
import type { SystemTx, TenantTx, Tx } from '#platform/db/tx.ts';

/** As the SQL function returns it. */
export type Suspension = z.input<typeof suspensionRecord>;

/** A user with the partner, client and plan data of a session response. */
export type SessionRow = {
  id: string;
  email: string;
  fullName: string;
  role: Role;
  partnerId: string;
  partnerRole: PartnerRole | null;
  clientId: string | null;
  status: string;
  passwordHash: string | null;
  mfaEnabled: boolean;
  avatarUrl: string | null;
  locale: string;
  timezone: string;
  theme: string;
  sessionsValidFrom: Date;
  lastLoginAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
  partnerName: string;
  partnerSlug: string;
  partnerLogoUrl: string | null;
  partnerLogoAlt: string | null;
  partnerBrandColor: string | null;
  partnerStatus: string;
  partnerTimezone: string;
  clientName: string | null;
  clientStatus: string | null;
  features: { [name: string]: unknown } | null;
  suspension: Suspension | null;
  admins: string[];
  recoveryCodesLeft: number;
};

const SESSION_COLUMNS = `u.id, u.email, u.full_name, u.role, u.partner_id, u.partner_role, u.client_id, u.status, u.password_hash, u.mfa_enabled, u.avatar_url,
  u.locale, u.timezone, u.theme, u.sessions_valid_from, u.last_login_at, u.created_at, u.updated_at,
  p.name as partner_name, p.slug as partner_slug, p.logo_url as partner_logo_url, logo_text(p.logo_media_id) as partner_logo_alt,
  p.brand_color as partner_brand_color, p.status as partner_status, p.timezone as partner_timezone, c.name as client_name, c.status as client_status, session_features(u.partner_id) as features,
  case when p.status <> 'active' or c.status <> 'active' then account_suspension(u.partner_id, u.client_id) end as suspension`;
const SESSION_TABLES = `app_user u join partner p on p.id = u.partner_id left join client c on c.id = u.client_id`;

/** Returns the user with this address, of any partner. */
export async function findUserByEmail(tx: SystemTx, email: string): Promise<SessionRow | undefined> {
  const [row] = await runStatement<'identity_by_email', SessionRow>(tx, {
    name: 'identity_by_email',
    text: `select ${SESSION_COLUMNS}, array[]::text[] as admins, 0 as recovery_codes_left from ${SESSION_TABLES} where u.email = $1`,
    values: [email],
  });
  return row;
}

/** Returns the caller with the names of their admins. Clients see no users of their partner. */
export async function findSessionUser(tx: TenantTx, userId: string): Promise<SessionRow | undefined> {
  const [row] = await runStatement<'identity_me', SessionRow>(tx, {
    name: 'identity_me',
    text: `select ${SESSION_COLUMNS},
        array(select coalesce(nullif(a.full_name, ''), a.email) from app_user a
          where a.partner_id = u.partner_id and a.partner_role = 'admin' and a.status = 'active' and u.role = 'PARTNER' order by a.created_at limit 20) as admins,
        (select count(*)::int from mfa_recovery_code r where r.user_id = u.id and r.used_at is null) as recovery_codes_left
      from ${SESSION_TABLES} where u.id = $1`,
    values: [userId],
  });
  return row;
}

/** Returns the user with this id, of any partner. */
export async function findUserById(tx: SystemTx, userId: string): Promise<SessionRow | undefined> {
  const [row] = await runStatement<'identity_by_id', SessionRow>(tx, {
    name: 'identity_by_id',
    text: `select ${SESSION_COLUMNS}, array[]::text[] as admins, 0 as recovery_codes_left from ${SESSION_TABLES} where u.id = $1`,
    values: [userId],
  });
  return row;
}

/**
 * Records the sign-in of a user read before. Returns undefined when password or status changed since; otherwise the current permission and
 * the time from which sessions are valid.
 */
export async function markSignedIn(
  tx: SystemTx,
  user: Pick<SessionRow, 'id' | 'passwordHash'>,
  at: Date,
  authMethod: string,
): Promise<Pick<SessionRow, 'sessionsValidFrom' | 'partnerRole'> | undefined> {
  const [row] = await runStatement<'identity_signed_in', Pick<SessionRow, 'sessionsValidFrom' | 'partnerRole'>>(tx, {
    name: 'identity_signed_in',
    text: `update app_user set last_login_at = $2, last_auth_method = $4 where id = $1 and status = 'active' and password_hash is not distinct from $3
      returning sessions_valid_from, partner_role`,
    values: [user.id, at, user.passwordHash, authMethod],
  });
  return row;
}

/** Locks the user. Taken before anything that belongs to a user (app, recovery codes, challenges, reset links), to avoid deadlocks. */
export async function lockUser(tx: Tx, userId: string): Promise<void> {
  await runStatement(tx, { name: 'identity_hold', text: 'select from app_user where id = $1 for no key update', values: [userId] });
}

export type ProfileChange = { fullName?: string; locale?: string; timezone?: string; theme?: string; avatarMediaId?: string | null };

export async function lockOwnUser(tx: TenantTx, userId: string): Promise<(Required<ProfileChange> & { updatedAt: Date }) | undefined> {
  return tx
    .selectFrom('appUser')
    .select(['fullName', 'locale', 'timezone', 'theme', 'avatarMediaId', 'updatedAt'])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
}

export async function updateProfile(tx: TenantTx, userId: string, change: ProfileChange & { avatarUrl?: string | null }): Promise<void> {
  await tx.updateTable('appUser').set(change).where('id', '=', userId).execute();
}

/** Revokes the token of this session. */
export async function revokeSession(tx: Tx, jti: string, expiresAt: Date): Promise<void> {
  await query<'identity_revoke_session'>`select revoke_session(${jti}, ${expiresAt})`.execute(tx);
}

/**
 * Ends every session issued until now. Tokens have whole seconds, so sessions are valid from the next second on. The time always moves
 * forward, so a session opened between two calls within one second ends as well. Returns that time.
 */
export async function endSessions(tx: Tx, userId: string): Promise<Date> {
  const { rows } = await query<
    'identity_end_sessions',
    { sessionsValidFrom: Date }
  >`update app_user set sessions_valid_from = date_trunc('second', greatest(clock_timestamp(), sessions_valid_from)) + interval '1 second' where id = ${userId} returning sessions_valid_from`.execute(
    tx,
  );
  return rows[0]?.sessionsValidFrom ?? new Date(0);
}

/** Deletes revocations of expired tokens. */
export async function deleteExpiredRevocations(tx: SystemTx): Promise<void> {
  await query<'identity_delete_expired_revocations'>`delete from revoked_session where expires_at < now()`.execute(tx);
}

/** Counts staff who can log in, and those of them without a second step. */
export async function countStaff(tx: SystemTx): Promise<{ active: number; withoutSecondStep: number }> {
  const [row] = await runStatement<'identity_count_staff', { active: number; withoutSecondStep: number }>(tx, {
    name: 'identity_count_staff',
    text: `select count(*)::int as active, (count(*) filter (where not mfa_enabled))::int as without_second_step
      from app_user where role = 'ADMIN' and status = 'active'`,
    values: [],
  });
  return row ?? { active: 0, withoutSecondStep: 0 };
}

export async function findHousePartner(tx: Tx): Promise<string> {
  return (await tx.selectFrom('partner').select('id').where('isHouse', '=', true).executeTakeFirstOrThrow()).id;
}

/** Creates the ADMIN; returns undefined when the address has a user. */
export async function insertAdmin(
  tx: SystemTx,
  admin: { partnerId: string; email: string; passwordHash: string },
): Promise<{ id: string } | undefined> {
  return tx
    .insertInto('appUser')
    .values({ ...admin, fullName: 'Administrator', role: 'ADMIN' })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst();
}
