import type { Template } from '@house/core/template-types.ts';
import { defineHandlers } from '#platform/http/context.ts';
import { type Cursors, toPage } from '#platform/http/cursor.ts';
import { refuse } from '#platform/refuse.ts';
import { changeOwnPartner, changePartner, suspendPartner } from './change-partner.ts';
import { createPartner, type PartnersDeps } from './create-partner.ts';
import { findOwnPartner, findPartner, listPartners } from './store.ts';
import { summarise } from './summarise.ts';
import { toRecord } from './to-record.ts';

export function partnerHandlers(deps: PartnersDeps & { cursors: Cursors; catalog: readonly Template[] }) {
  const { db, cursors } = deps;
  return defineHandlers({
    listPartners: async ({ query }, { actor }) => {
      const filters = { ...query, route: 'partners' };
      const [after = null] = cursors.open(filters, query.cursor) ?? [];
      const rows = await db.asStaff(actor, (tx) => listPartners(tx, query, { after, limit: query.limit }));
      const page = toPage(rows, query.limit, (row) => [row.id], (position) => cursors.seal(filters, position));
      return { ...page, data: page.data.map(toRecord) };
    },
    createPartner: ({ body }, context) => createPartner(deps, context, body),
    getPartner: async ({ params }, { actor }) => {
      const facts = await db.asStaff(actor, (tx) => findPartner(tx, params.id));
      return facts ? toRecord(facts) : refuse('not_found');
    },
    updatePartner: ({ params, body }, context) => changePartner(deps, context, params.id, body),
    suspendPartner: ({ params, body }, context) => suspendPartner(deps, context, params.id, body.reason),
    getMyPartner: async (_input, { actor }) => {
      const facts = await db.asTenant(actor, (tx) => findOwnPartner(tx, actor.partnerId));
      return facts ? toRecord(facts) : refuse('not_found');
    },
    updateMyPartner: ({ body }, context) => changeOwnPartner(deps, context, body),
    getMySummary: ({ query }, context) => summarise(deps, context, query.clientId),
  });
}
