import type { Database } from '#platform/db/tx.ts';
import type { Cursors } from '#platform/http/cursor.ts';
import type { IssueInvitationDeps } from '#modules/2-tenancy/invitations/index.ts';
import { clientHandlers } from './routes.ts';

export { findClientRef } from './store-ref.ts';

export type ClientsModuleDeps = IssueInvitationDeps & { db: Database; cursors: Cursors };

/** The businesses a partner serves. */
export function clients(deps: ClientsModuleDeps) {
  return { routes: clientHandlers(deps) };
}
