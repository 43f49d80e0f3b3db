import { inScope } from '#platform/db/scope.ts';
import { defineHandlers } from '#platform/http/context.ts';
import { type Cursors, toPage } from '#platform/http/cursor.ts';
import { refuse } from '#platform/refuse.ts';
import { changeClient, moveClient, removeClientUser } from './change-client.ts';
import { type ClientsDeps, createClient } from './create-client.ts';
import { type HomeDeps, showHome } from './show-home.ts';
import { clientIsThere, findClient, listClients, listClientUsers } from './store.ts';
import { toRecord } from './to-record.ts';

export function clientHandlers(deps: ClientsDeps & HomeDeps & { cursors: Cursors }) {
  const { db, cursors } = deps;
  return defineHandlers({
    listClients: async ({ query }, { actor }) => {
      const filters = { ...query, route: 'clients', scope: actor.partnerId };
      const [after = null] = cursors.open(filters, query.cursor) ?? [];
      const rows = await inScope(db, actor, query.partnerId, (tx, partnerId) => listClients(tx, { ...query, partnerId }, { after, limit: query.limit }));
      const page = toPage(rows, query.limit, (row) => [row.id], (position) => cursors.seal(filters, position));
      return { ...page, data: page.data.map((row) => toRecord(row, 'agency')) };
    },
    createClient: ({ body }, context) => createClient(deps, context, body),
    getClient: async ({ params }, { actor }) => {
      const facts = await inScope(db, actor, undefined, (tx) => findClient(tx, params.id));
      return facts ? toRecord(facts, 'agency') : refuse('not_found');
    },
    updateClient: ({ params, body }, context) => changeClient(deps, context, params.id, body),
    suspendClient: ({ params, body }, context) => moveClient(deps, context, params.id, { to: 'suspended', from: ['active'], action: 'client.suspended', reason: body.reason }),
    resumeClient: ({ params }, context) => moveClient(deps, context, params.id, { to: 'active', from: ['suspended'], action: 'client.resumed' }),
    archiveClient: ({ params }, context) => moveClient(deps, context, params.id, { to: 'archived', from: ['active', 'suspended'], action: 'client.archived' }),
    listClientUsers: ({ params }, { actor }) =>
      inScope(db, actor, undefined, async (tx) => ((await clientIsThere(tx, params.id)) ? listClientUsers(tx, params.id) : refuse('not_found'))),
    removeClientUser: async ({ params }, context) => void (await removeClientUser(deps, context, params.id, params.userId)),
    getMyClient: async (_input, { actor }) => {
      const facts = await db.asTenant(actor, (tx) => findClient(tx, actor.clientId ?? ''));
      return facts ? toRecord(facts, 'client') : refuse('not_found');
    },
    updateMyClient: ({ body }, context) => changeClient(deps, context, context.actor.clientId ?? '', body),
    getMyClientSummary: (_input, context) => showHome(deps, context),
  });
}
