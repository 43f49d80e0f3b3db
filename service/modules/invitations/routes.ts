import { defineHandlers } from '#platform/http/context.ts';
import type { Cursors } from '#platform/http/cursor.ts';
import { type AcceptDeps, acceptInvitation, lookAtInvitation } from './accept-invitation.ts';
import { type InvitationDeps, invitePerson } from './invite-person.ts';
import { resendInvitation, revokeInvitation } from './manage-invitation.ts';
import { readInvitations } from './read-invitations.ts';

export function invitationHandlers(deps: InvitationDeps & AcceptDeps & { cursors: Cursors }) {
  return defineHandlers({
    createInvitation: ({ body }, context) => invitePerson(deps, context, body),
    listInvitations: ({ query }, context) => readInvitations(deps, context, query),
    resendInvitation: ({ params }, context) => resendInvitation(deps, context, params.id),
    revokeInvitation: ({ params }, context) => revokeInvitation(deps, context, params.id),
    getInvitationByToken: ({ params }, context) => lookAtInvitation(deps, context, params.token),
    acceptInvitation: ({ body }, context) => acceptInvitation(deps, context, body),
  });
}
