import type { Role, PartnerRole } from '@partner-portal/contract/vocabulary.ts';
import type { suspensionRecord } from '@partner-portal/contract/records/account.ts';
import type { z } from 'zod';
import { changedColumns } from '#platform/db/changed-columns.ts';
import { runStatement } from '#platform/db/statements.ts';
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

/** The agency of a session. */
export type PartnerColumns = Pick<
  SessionRow,
  | 'partnerId'
  | 'partnerName'
  | 'partnerSlug'
  | 'partnerLogoUrl'
  | 'partnerLogoAlt'
  | 'partnerBrandColor'
  | 'partnerStatus'
  | 'partnerTimezone'
>;

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
  const [row] = await runStatement<'identity_lock_own_user', Required<ProfileChange> & { updatedAt: Date }>(tx, {
    name: 'identity_lock_own_user',
    prepare: false,
    text: 'select full_name, locale, timezone, theme, avatar_media_id, updated_at from app_user where id = $1 for update',
    values: [userId],
  });
  return row;
}

export async function updateProfile(tx: TenantTx, userId: string, change: ProfileChange & { avatarUrl?: string | null }): Promise<void> {
  await runStatement(tx, {
    name: 'identity_update_profile',
    prepare: false,
    text: `update app_user u set (full_name, locale, timezone, theme, avatar_media_id, avatar_url)
      = (select n.full_name, n.locale, n.timezone, n.theme, n.avatar_media_id, n.avatar_url from jsonb_populate_record(u, $2::jsonb) n) where u.id = $1`,
    values: [userId, changedColumns(change)],
  });
}

/** Revokes the token of this session. */
export async function revokeSession(tx: Tx, jti: string, expiresAt: Date): Promise<void> {
  await runStatement(tx, { name: 'identity_revoke_session', text: 'select revoke_session($1, $2)', values: [jti, expiresAt] });
}

/**
 * Ends every session issued until now. Tokens have whole seconds, so sessions are valid from the next second on. The time always moves
 * forward, so a session opened between two calls within one second ends as well. Returns that time.
 */
export async function endSessions(tx: Tx, userId: string): Promise<Date> {
  const [row] = await runStatement<'identity_end_sessions', { sessionsValidFrom: Date }>(tx, {
    name: 'identity_end_sessions',
    text: `update app_user set sessions_valid_from = date_trunc('second', greatest(clock_timestamp(), sessions_valid_from)) + interval '1 second'
      where id = $1 returning sessions_valid_from`,
    values: [userId],
  });
  return row?.sessionsValidFrom ?? new Date(0);
}

/** Deletes revocations of expired tokens. */
export async function deleteExpiredRevocations(tx: SystemTx): Promise<void> {
  await runStatement(tx, { name: 'identity_delete_expired_revocations', text: 'delete from revoked_session where expires_at < now()' });
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
  const [row] = await runStatement<'identity_house_partner', { id: string }>(tx, {
    name: 'identity_house_partner',
    text: 'select id from partner where is_house',
    values: [],
  });
  if (!row) throw new Error('The partner of staff is missing.');
  return row.id;
}

/** Creates the ADMIN; returns undefined when the address has a user. */
export async function insertAdmin(
  tx: SystemTx,
  admin: { partnerId: string; email: string; passwordHash: string },
): Promise<{ id: string } | undefined> {
  const [row] = await runStatement<'identity_insert_admin', { id: string }>(tx, {
    name: 'identity_insert_admin',
    prepare: false,
    text: `insert into app_user (partner_id, email, password_hash, full_name, role) values ($1, $2, $3, 'Administrator', 'ADMIN')
      on conflict (email) do nothing returning id`,
    values: [admin.partnerId, admin.email, admin.passwordHash],
  });
  return row;
}

/** Staff user on whose behalf a background job runs. */
export type ActingStaff = { userId: string; email: string; partnerId: string };

/** Returns the user who requested a job, or undefined once they are no longer active staff. */
export async function findActingStaff(tx: SystemTx, userId: string): Promise<ActingStaff | undefined> {
  const [row] = await runStatement<'find_acting_staff', ActingStaff>(tx, {
    name: 'find_acting_staff',
    text: "select id as user_id, email, partner_id from app_user where id = $1 and role = 'ADMIN' and status = 'active'",
    values: [userId],
  });
  return row;
}

/** Returns the language that a user chose. */
export async function findLocale(tx: Tx, userId: string): Promise<string | undefined> {
  const [row] = await runStatement<'identity_reader_locale', { locale: string }>(tx, {
    name: 'identity_reader_locale',
    text: 'select locale from app_user where id = $1',
    values: [userId],
  });
  return row?.locale;
}
