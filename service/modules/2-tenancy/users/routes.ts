import { defineHandlers } from '#platform/http/context.ts';
import { CSV_PAGE, csvOfList } from '#platform/http/csv-list.ts';
import { changeStatus } from './change-status.ts';
import type { UsersDeps } from './deps.ts';
import { resetMfa, signOutUser } from './help-user.ts';
import { makeAdmin } from './make-admin.ts';
import { readUser, readUsers, USER_COLUMNS } from './read-users.ts';

export function userHandlers(deps: UsersDeps) {
  return defineHandlers({
    listUsers: ({ query }, { actor }) => readUsers(deps, actor, query),
    exportUsers: ({ query }, { actor, now }) =>
      csvOfList({ name: 'users', now }, USER_COLUMNS, (cursor) => readUsers(deps, actor, { ...query, limit: CSV_PAGE, cursor })),
    getUser: ({ params }, { actor }) => readUser(deps, actor, params.id),
    resetUserMfa: async ({ params, body }, context) => void (await resetMfa(deps, context, params.id, body.reason)),
    makeAdmin: async ({ params, body }, context) => void (await makeAdmin(deps, context, params.id, body.reason)),
    signOutUser: async ({ params, body }, context) => void (await signOutUser(deps, context, params.id, body.reason)),
    updateUser: ({ params, body }, context) => changeStatus(deps, context, params.id, body.status),
  });
}
