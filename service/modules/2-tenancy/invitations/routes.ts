import { defineHandlers } from '#platform/http/context.ts';
import { CSV_PAGE, csvOfList } from '#platform/http/csv-list.ts';
import type { Cursors } from '#platform/http/cursor.ts';
import { type AcceptDeps, acceptInvitation, readInvitationByToken } from './accept-invitation.ts';
import { type InvitationDeps, invitePerson } from './invite-person.ts';
import { resendInvitation, revokeInvitation } from './manage-invitation.ts';
import { INVITATION_COLUMNS, readInvitations } from './read-invitations.ts';

export function invitationHandlers(deps: InvitationDeps & AcceptDeps & { cursors: Cursors }) {
  return defineHandlers({
    createInvitation: ({ body }, context) => invitePerson(deps, context, body),
    listInvitations: ({ query }, context) => readInvitations(deps, context, query),
    exportInvitations: ({ query }, context) =>
      csvOfList({ name: 'invitations', now: context.now }, INVITATION_COLUMNS, (cursor) =>
        readInvitations(deps, context, { ...query, limit: CSV_PAGE, cursor }),
      ),
    resendInvitation: ({ params, body }, context) => resendInvitation(deps, context, params.id, body),
    revokeInvitation: ({ params }, context) => revokeInvitation(deps, context, params.id),
    getInvitationByToken: ({ params }, context) => readInvitationByToken(deps, context, params.token),
    acceptInvitation: ({ body }, context) => acceptInvitation(deps, context, body),
  });
}
