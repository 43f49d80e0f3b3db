import { defineHandlers } from '#platform/http/context.ts';
import { CSV_PAGE, csvOfList } from '#platform/http/csv-list.ts';
import type { Cursors } from '#platform/http/cursor.ts';
import { changeOwnPartner, changePartner } from './change-partner.ts';
import { createPartner, type PartnersDeps } from './create-partner.ts';
import { PARTNER_COLUMNS, readOwnPartner, readPartner, readPartners } from './read-partners.ts';
import { resumePartner, suspendPartner } from './suspend-partner.ts';

export function partnerHandlers(deps: PartnersDeps & { cursors: Cursors }) {
  return defineHandlers({
    listPartners: ({ query }, { actor }) => readPartners(deps, actor, query),
    exportPartners: ({ query }, { actor, now }) =>
      csvOfList({ name: 'agencies', now }, PARTNER_COLUMNS, (cursor) => readPartners(deps, actor, { ...query, limit: CSV_PAGE, cursor })),
    createPartner: ({ body }, context) => createPartner(deps, context, body),
    getPartner: ({ params }, { actor }) => readPartner(deps, actor, params.id),
    updatePartner: ({ params, body }, context) => changePartner(deps, context, params.id, body),
    suspendPartner: ({ params, body }, context) => suspendPartner(deps, context, params.id, body.reason),
    resumePartner: ({ params }, context) => resumePartner(deps, context, params.id),
    getMyPartner: (_input, { actor }) => readOwnPartner(deps, actor),
    updateMyPartner: ({ body }, context) => changeOwnPartner(deps, context, body),
  });
}
