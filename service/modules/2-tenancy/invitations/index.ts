import type { Database, SystemTx } from '#platform/db/tx.ts';
import type { Cursors } from '#platform/http/cursor.ts';
import { argon2Hasher } from '#modules/2-tenancy/identity/index.ts';
import type { IssueInvitationDeps } from './issue-invitation.ts';
import { invitationHandlers } from './routes.ts';

export { acceptBySignIn } from './accept-by-sign-in.ts';
export { countSeats } from './store-seats.ts';
export { publishClientUserInvited, type IssueInvitationDeps, issueInvitation, saveMailStatus } from './issue-invitation.ts';

export type InvitationsDeps = IssueInvitationDeps & {
  db: Database;
  cursors: Cursors;
  /** Where a member of the agency's team has to log in; null when passwords work. No agency has such a place when it is left out. */
  teamLoginUrl?: (tx: SystemTx, partnerId: string) => Promise<string | null>;
};

/** Invitations of owners, team members and client users. */
export function invitations(deps: InvitationsDeps) {
  return { routes: invitationHandlers({ ...deps, hashPassword: argon2Hasher.hash }) };
}
