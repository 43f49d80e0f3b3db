import type { PartnerRole } from '@partner-portal/contract/vocabulary.ts';
import type { UserRow } from '#schema/user-row.ts';
import { containing } from '#platform/db/like.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx } from '#platform/db/tx.ts';

/** A user record, without the password hash. */
const COLUMNS = `u.id, u.email, u.full_name, u.role, u.partner_id, u.partner_role, u.client_id, u.status, u.mfa_enabled, u.avatar_url, u.locale, u.timezone, u.theme,
  u.last_login_at, u.created_at, u.updated_at`;

export type ListedUser = UserRow & { partnerName: string };

export type UserFilters = {
  q?: string | undefined;
  role?: string | undefined;
  partnerId?: string | undefined;
  status?: string | undefined;
};

/** Finds the agencies of a text first, as values for an index: compared per user, each user would look up its own agency. */
const MATCHING = `($1::text is null or u.email ilike $1 or u.full_name ilike $1 or u.partner_id = any(array(select x.id from partner x where x.name ilike $1)))
  and ($2::text is null or u.role = $2) and ($3::uuid is null or u.partner_id = $3) and ($4::text is null or u.status = $4) and ($5::uuid is null or u.id < $5)`;

/** Newest users that a search compares one by one before it asks the indexes of texts, which are read whole and sorted. */
const NEAR = 2_000;

/** Returns one page across partners, newest first. */
export async function listUsers(tx: SystemTx, filters: UserFilters, before: string | null, limit: number): Promise<ListedUser[]> {
  const { q, role = null, partnerId = null, status = null } = filters;
  const text = q?.trim() ? containing(q.trim()) : null;
  const values = [text, role, partnerId, status, before, limit] as const;
  if (text === null)
    return runStatement<'users_list', ListedUser>(tx, {
      name: 'users_list',
      prepare: false,
      text: `select ${COLUMNS}, p.name as partner_name from app_user u join partner p on p.id = u.partner_id where ${MATCHING} order by u.id desc limit $6`,
      values,
    });
  return runStatement<'users_search', ListedUser>(tx, {
    name: 'users_search',
    prepare: false,
    // Left to choose, the planner walks all users for a text that none has.
    text: `with near as materialized (
        select u.* from (select u.* from app_user u where $5::uuid is null or u.id < $5 order by u.id desc limit ${NEAR}) u where ${MATCHING} order by u.id desc limit $6
      ), far as materialized (
        select u.id from app_user u where (select count(*) from near) < $6 and ${MATCHING} offset 0
      )
      select ${COLUMNS}, p.name as partner_name from (
        select n.* from near n where (select count(*) from near) >= $6
        union all select x.* from (select f.id from far f order by f.id desc limit $6) f join app_user x on x.id = f.id
      ) u join partner p on p.id = u.partner_id order by u.id desc`,
    values,
  });
}

export async function findUser(tx: SystemTx, id: string): Promise<UserRow | undefined> {
  const [row] = await runStatement<'users_find', UserRow>(tx, {
    name: 'users_find',
    text: `select ${COLUMNS} from app_user u where u.id = $1::uuid`,
    values: [id],
  });
  return row;
}

type LockedUser = {
  id: string;
  partnerId: string;
  clientId: string | null;
  email: string;
  partnerRole: PartnerRole | null;
  status: string;
  updatedAt: Date;
};

export async function lockUser(tx: SystemTx, id: string): Promise<LockedUser | undefined> {
  const [row] = await runStatement<'users_lock_user', LockedUser>(tx, {
    name: 'users_lock_user',
    prepare: false,
    text: 'select id, partner_id, client_id, email, partner_role, status, updated_at from app_user where id = $1 for update',
    values: [id],
  });
  return row;
}

export async function setUserStatus(tx: SystemTx, id: string, status: string): Promise<void> {
  await runStatement(tx, {
    name: 'users_set_user_status',
    prepare: false,
    text: 'update app_user set status = $2 where id = $1',
    values: [id, status],
  });
}

export async function makeUserAdmin(tx: SystemTx, id: string): Promise<void> {
  await runStatement(tx, {
    name: 'users_make_user_admin',
    prepare: false,
    text: "update app_user set partner_role = 'admin' where id = $1",
    values: [id],
  });
}
