import { inScope } from '#platform/db/scope.ts';
import { defineHandlers } from '#platform/http/context.ts';
import { type Cursors, toPage } from '#platform/http/cursor.ts';
import { type AcceptDeps, acceptInvitation, lookAtInvitation } from './accept-invitation.ts';
import { type InvitationDeps, invitePerson } from './invite-person.ts';
import { toRecord } from './issue-invitation.ts';
import { resendInvitation, revokeInvitation } from './manage-invitation.ts';
import { listInvitations } from './store.ts';

export function invitationHandlers(deps: InvitationDeps & AcceptDeps & { cursors: Cursors }) {
  return defineHandlers({
    createInvitation: ({ body }, context) => invitePerson(deps, context, body),
    listInvitations: async ({ query }, { actor, now }) => {
      const filters = { ...query, route: 'invitations', scope: actor.partnerId };
      const [after = null] = deps.cursors.open(filters, query.cursor) ?? [];
      const rows = await inScope(deps.db, actor, query.partnerId, (tx, partnerId) =>
        listInvitations(tx, { ...query, partnerId }, { after, limit: query.limit, now }),
      );
      const page = toPage(rows, query.limit, (row) => [row.id], (position) => deps.cursors.seal(filters, position));
      return { ...page, data: page.data.map((row) => toRecord(row, now)) };
    },
    resendInvitation: ({ params }, context) => resendInvitation(deps, context, params.id),
    revokeInvitation: ({ params }, context) => revokeInvitation(deps, context, params.id),
    getInvitationByToken: ({ params }, context) => lookAtInvitation(deps, context, params.token),
    acceptInvitation: ({ body }, context) => acceptInvitation(deps, context, body),
  });
}
