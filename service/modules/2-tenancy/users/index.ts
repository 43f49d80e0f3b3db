import type { Actor } from '#platform/actor.ts';
import { refuseUnknownScope } from '#modules/1-ledger/scope/index.ts';
import { defineHandlers } from '#platform/http/context.ts';
import { CSV_PAGE, csvOfList, type CsvColumns } from '#platform/http/csv-list.ts';
import { toPage } from '#platform/http/cursor.ts';
import { refuse } from '#platform/refuse.ts';
import { changeStatus } from './change-status.ts';
import type { UsersDeps } from './deps.ts';
import { resetMfa, signOutUser } from './help-user.ts';
import { findUser, type ListedUser, listUsers, type UserFilters } from './store.ts';

type UserQuery = UserFilters & { limit: number; cursor?: string | undefined };

const COLUMNS: CsvColumns<ListedUser> = [
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

/** Staff's list of all users, with support actions. */
export function users(deps: UsersDeps) {
  const { db, cursors } = deps;
  const read = (actor: Actor, { limit, cursor, ...filters }: UserQuery) =>
    db.asStaff(actor, async (tx) => {
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
  return {
    routes: defineHandlers({
      listUsers: ({ query }, { actor }) => read(actor, query),
      exportUsers: ({ query }, { actor, now }) =>
        csvOfList({ name: 'users', now }, COLUMNS, (cursor) => read(actor, { ...query, limit: CSV_PAGE, cursor })),
      getUser: ({ params }, { actor }) => db.asStaff(actor, async (tx) => (await findUser(tx, params.id)) ?? refuse('not_found')),
      resetUserMfa: async ({ params, body }, context) => void (await resetMfa(deps, context, params.id, body.reason)),
      signOutUser: async ({ params, body }, context) => void (await signOutUser(deps, context, params.id, body.reason)),
      updateUser: ({ params, body }, context) => changeStatus({ db }, context, params.id, body.status),
    }),
  };
}
