import { defineHandlers } from '#platform/http/context.ts';
import { CSV_PAGE, csvOfList } from '#platform/http/csv-list.ts';
import type { Cursors } from '#platform/http/cursor.ts';
import { changeClient, moveClient, removeClientUser } from './change-client.ts';
import { type ClientsDeps, createClient } from './create-client.ts';
import { CLIENT_USER_COLUMNS, readClientUsers } from './read-client-users.ts';
import { CLIENT_COLUMNS, readClient, readClients, readOwnClient } from './read-clients.ts';

export function clientHandlers(deps: ClientsDeps & { cursors: Cursors }) {
  return defineHandlers({
    listClients: ({ query }, { actor }) => readClients(deps, actor, query),
    exportClients: ({ query }, { actor, now }) =>
      csvOfList({ name: 'clients', now }, CLIENT_COLUMNS, (cursor) => readClients(deps, actor, { ...query, limit: CSV_PAGE, cursor })),
    createClient: ({ body }, context) => createClient(deps, context, body),
    getClient: ({ params }, { actor }) => readClient(deps, actor, params.id),
    updateClient: ({ params, body }, context) => changeClient(deps, context, params.id, body),
    suspendClient: ({ params, body }, context) =>
      moveClient(deps, context, params.id, { to: 'suspended', from: ['active'], action: 'client.suspended', reason: body.reason }),
    resumeClient: ({ params, body }, context) =>
      moveClient(deps, context, params.id, { to: 'active', from: ['suspended'], action: 'client.resumed', reason: body?.reason }),
    archiveClient: ({ params, body }, context) =>
      moveClient(deps, context, params.id, {
        to: 'archived',
        from: ['active', 'suspended'],
        action: 'client.archived',
        reason: body?.reason,
      }),
    listClientUsers: ({ params, query }, { actor }) => readClientUsers(deps, actor, params.id, query),
    exportClientUsers: ({ params }, { actor, now }) =>
      csvOfList({ name: 'client-users', now }, CLIENT_USER_COLUMNS, (cursor) =>
        readClientUsers(deps, actor, params.id, { limit: CSV_PAGE, cursor }),
      ),
    removeClientUser: async ({ params }, context) => void (await removeClientUser(deps, context, params.id, params.userId)),
    getMyClient: (_input, { actor }) => readOwnClient(deps, actor),
    updateMyClient: ({ body }, context) => changeClient(deps, context, context.actor.clientId ?? '', body),
  });
}
