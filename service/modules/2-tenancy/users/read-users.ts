import type { Actor } from '#platform/actor.ts';
import type { CsvColumns } from '#platform/http/csv-list.ts';
import { toPage } from '#platform/http/cursor.ts';
import { refuse } from '#platform/refuse.ts';
import { refuseUnknownScope } from '#modules/1-ledger/scope/index.ts';
import type { UsersDeps } from './deps.ts';
import { findUser, type ListedUser, listUsers, type UserFilters } from './store.ts';

type UserQuery = UserFilters & { limit: number; cursor?: string | undefined };

export const USER_COLUMNS: CsvColumns<ListedUser> = [
  ['User', (row) => row.id],
  ['Mail', (row) => row.email],
  ['Name', (row) => row.fullName],
  ['Role', (row) => row.role],
  ['Permission', (row) => row.partnerRole],
  ['Agency', (row) => row.partnerName],
  ['Status', (row) => row.status],
  ['Last login', (row) => row.lastLoginAt],
  ['Created', (row) => row.createdAt],
];

/** Returns a page of all users, newest first. */
export function readUsers({ db, cursors }: UsersDeps, actor: Actor, { limit, cursor, ...filters }: UserQuery) {
  return db.asStaff(actor, async (tx) => {
    const bound = { ...filters, list: 'users' };
    const [before = null] = cursors.open(bound, cursor) ?? [];
    const rows = await listUsers(tx, filters, before, limit + 1);
    await refuseUnknownScope(tx, { partnerId: filters.partnerId }, rows.length);
    return toPage(
      rows,
      limit,
      (row) => [row.id],
      (position) => cursors.seal(bound, position),
    );
  });
}

export function readUser({ db }: UsersDeps, actor: Actor, id: string) {
  return db.asStaff(actor, async (tx) => (await findUser(tx, id)) ?? refuse('not_found'));
}
