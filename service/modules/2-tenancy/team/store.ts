import type { PartnerRole } from '@partner-portal/contract/vocabulary.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { TenantTx } from '#platform/db/tx.ts';

export type MemberRow = {
  id: string;
  email: string;
  fullName: string;
  partnerRole: PartnerRole;
  status: string;
  mfaEnabled: boolean;
  avatarUrl: string | null;
  lastLoginAt: Date | null;
  lastAuthMethod: string | null;
  createdAt: Date;
};

const COLUMNS = 'id, email, full_name, partner_role, status, mfa_enabled, avatar_url, last_login_at, last_auth_method, created_at';

/** Returns the partner's members, newest first. */
export async function listMembers(tx: TenantTx, partnerId: string, after: string | null, limit: number): Promise<MemberRow[]> {
  return runStatement<'team_list', MemberRow>(tx, {
    name: 'team_list',
    text: `select ${COLUMNS} from app_user where partner_id = $1 and role = 'PARTNER' and ($2::uuid is null or id < $2) order by id desc limit $3`,
    values: [partnerId, after, limit],
  });
}

/**
 * Locks the partner row, so that concurrent changes of the team run one after another. Returns whether the caller is an admin after the
 * wait.
 */
export async function lockTeam(tx: TenantTx, partnerId: string, callerId: string): Promise<boolean> {
  await runStatement(tx, {
    name: 'team_lock_team',
    prepare: false,
    text: 'select id from partner where id = $1 for no key update',
    values: [partnerId],
  });
  const [caller] = await runStatement<'team_lock_team_2', { id: string }>(tx, {
    name: 'team_lock_team_2',
    prepare: false,
    text: `select id from app_user where id = $1 and partner_role = 'admin' and status = 'active'`,
    values: [callerId],
  });
  return caller !== undefined;
}

export async function findMember(tx: TenantTx, partnerId: string, userId: string): Promise<MemberRow | undefined> {
  const [row] = await runStatement<'team_find_member', MemberRow>(tx, {
    name: 'team_find_member',
    prepare: false,
    text: `select ${COLUMNS} from app_user where id = $1 and partner_id = $2 and role = 'PARTNER'`,
    values: [userId, partnerId],
  });
  return row;
}

/** Counts other active admins. */
export async function countOtherAdmins(tx: TenantTx, partnerId: string, userId: string): Promise<number> {
  const [row] = await runStatement<'team_count_other_admins', { n: number }>(tx, {
    name: 'team_count_other_admins',
    prepare: false,
    text: `select count(*)::int as n from app_user where partner_id = $1 and partner_role = 'admin' and status = 'active' and id <> $2`,
    values: [partnerId, userId],
  });
  return row?.n ?? 0;
}

export async function setPermission(tx: TenantTx, userId: string, partnerRole: PartnerRole): Promise<void> {
  await runStatement(tx, {
    name: 'team_set_permission',
    prepare: false,
    text: 'update app_user set partner_role = $2 where id = $1',
    values: [userId, partnerRole],
  });
}

/** Deletes the user; what they did remains. */
export async function deleteMember(tx: TenantTx, userId: string): Promise<void> {
  await runStatement(tx, { name: 'team_delete_member', prepare: false, text: 'delete from app_user where id = $1', values: [userId] });
}
