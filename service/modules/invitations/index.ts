import type { Database } from '#platform/db/tx.ts';
import type { Cursors } from '#platform/http/cursor.ts';
import { argon2Hasher } from '#modules/identity/index.ts';
import { invitationHandlers } from './routes.ts';

export { announceClientUser, issueInvitation } from './issue-invitation.ts';

export type InvitationsDeps = { db: Database; cursors: Cursors; /** Where links point. */ baseUrl: string };

/** How people come in: owner, team and client-user links. */
export function invitations(deps: InvitationsDeps) {
  return { routes: invitationHandlers({ ...deps, hashPassword: argon2Hasher.hash }) };
}
