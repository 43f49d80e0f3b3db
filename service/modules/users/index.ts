import type { Database } from '#platform/db/tx.ts';
import { refuseUnknownScope } from '#platform/db/scope.ts';
import { defineHandlers } from '#platform/http/context.ts';
import { type Cursors, toPage } from '#platform/http/cursor.ts';
import { refuse } from '#platform/refuse.ts';
import { changeStatus } from './change-status.ts';
import { findUser, listUsers } from './store.ts';

/** Staff's view of everybody who may come in. */
export function users({ db, cursors }: { db: Database; cursors: Cursors }) {
  return {
    routes: defineHandlers({
      listUsers: ({ query }, { actor }) =>
        db.asStaff(actor, async (tx) => {
          const { limit, cursor, ...filters } = query;
          const bound = { ...filters, list: 'users' };
          const [before = null] = cursors.open(bound, cursor) ?? [];
          const rows = await listUsers(tx, filters, before, limit + 1);
          await refuseUnknownScope(tx, { partnerId: filters.partnerId }, rows.length);
          return toPage(rows, limit, (row) => [row.id], (position) => cursors.seal(bound, position));
        }),
      getUser: ({ params }, { actor }) => db.asStaff(actor, async (tx) => (await findUser(tx, params.id)) ?? refuse('not_found')),
      updateUser: ({ params, body }, context) => changeStatus({ db }, context, params.id, body.status),
    }),
  };
}
