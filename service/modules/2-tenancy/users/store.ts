import { query } from '#platform/db/statements.ts';
import type { SystemTx } from '#platform/db/tx.ts';

/** A user record, without the password hash. */
const COLUMNS = [
  'u.id',
  'u.email',
  'u.fullName',
  'u.role',
  'u.partnerId',
  'u.partnerRole',
  'u.clientId',
  'u.status',
  'u.mfaEnabled',
  'u.avatarUrl',
  'u.locale',
  'u.timezone',
  'u.theme',
  'u.lastLoginAt',
  'u.createdAt',
  'u.updatedAt',
] as const;

export type UserFilters = {
  q?: string | undefined;
  role?: string | undefined;
  partnerId?: string | undefined;
  status?: string | undefined;
};

/** Returns one page across partners, newest first. */
export async function listUsers(tx: SystemTx, filters: UserFilters, before: string | null, limit: number) {
  let query = tx
    .selectFrom('appUser as u')
    .innerJoin('partner as p', 'p.id', 'u.partnerId')
    .select([...COLUMNS, 'p.name as partnerName']);
  const text = filters.q?.trim();
  if (text)
    query = query.where(({ eb, or }) =>
      // The agencies first: compared beside each user, every user would look up its own.
      or([
        eb('u.email', 'ilike', contains(text)),
        eb('u.fullName', 'ilike', contains(text)),
        eb('u.partnerId', 'in', eb.selectFrom('partner as x').select('x.id').where('x.name', 'ilike', contains(text))),
      ]),
    );
  if (filters.role) query = query.where('u.role', '=', filters.role);
  if (filters.partnerId) query = query.where('u.partnerId', '=', filters.partnerId);
  if (filters.status) query = query.where('u.status', '=', filters.status);
  if (before !== null) query = query.where('u.id', '<', before);
  return query.orderBy('u.id', 'desc').limit(limit).execute();
}

export async function findUser(tx: SystemTx, id: string) {
  return tx.selectFrom('appUser as u').select(COLUMNS).where('u.id', '=', id).executeTakeFirst();
}

export async function lockUser(tx: SystemTx, id: string) {
  return tx
    .selectFrom('appUser')
    .select(['id', 'partnerId', 'clientId', 'email', 'status', 'updatedAt'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

export async function setUserStatus(tx: SystemTx, id: string, status: string): Promise<void> {
  await query<'users_set_user_status'>`update app_user set status = ${status} where id = ${id}`.execute(tx);
}

function contains(text: string): string {
  return `%${text.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
}
