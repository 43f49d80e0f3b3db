import type { Database } from '#platform/db/tx.ts';
import type { Cursors } from '#platform/http/cursor.ts';
import type { Sessions } from '#platform/http/session.ts';
import { argon2Hasher, type SsoRequirement } from '#modules/2-tenancy/identity/index.ts';
import type { IssueInvitationDeps } from './issue-invitation.ts';
import { invitationHandlers } from './routes.ts';

export { acceptBySignIn } from './accept-by-sign-in.ts';
export { countSeats } from './store-seats.ts';
export { publishClientUserInvited, type IssueInvitationDeps, issueInvitation, saveMailStatus } from './issue-invitation.ts';

export type InvitationsDeps = IssueInvitationDeps & {
  db: Database;
  cursors: Cursors;
  sessions: Sessions;
  /** Where a new user has to log in; null when passwords work, as they do for everyone when it is left out. */
  ssoRequirement?: SsoRequirement;
};

/** Invitations of owners, team members and client users. */
export function invitations({ ssoRequirement = async () => null, ...deps }: InvitationsDeps) {
  return { routes: invitationHandlers({ ...deps, ssoRequirement, hashPassword: argon2Hasher.hash }) };
}
