import type { Database } from '#platform/db/tx.ts';
import type { Cursors } from '#platform/http/cursor.ts';
import { argon2Hasher } from '#modules/2-tenancy/identity/index.ts';
import type { IssueInvitationDeps } from './issue-invitation.ts';
import { invitationHandlers } from './routes.ts';

export { countSeats } from './store.ts';
export { announceClientUser, type IssueInvitationDeps, issueInvitation, saveMailStatus } from './issue-invitation.ts';

export type InvitationsDeps = IssueInvitationDeps & { db: Database; cursors: Cursors };

/** How people come in: owner, team and client-user links. */
export function invitations(deps: InvitationsDeps) {
  return { routes: invitationHandlers({ ...deps, hashPassword: argon2Hasher.hash }) };
}
