import type { Database } from '#platform/db/tx.ts';
import type { Cursors } from '#platform/http/cursor.ts';
import type { IssueInvitationDeps } from '#modules/2-tenancy/invitations/index.ts';
import { clientImport, type ImportDeps } from './import/index.ts';
import { clientHandlers } from './routes.ts';

export { clientArchived, clientChanged } from './facts.ts';
export { reactivateClient, suspendClientForDeletion } from './follow-requests.ts';
export { lockClient } from './store.ts';
export { type ClientRef, findClientRef } from './store-ref.ts';
export { findReadingClient, findReadingClients, findTextingClient } from './store-reading.ts';

export type ClientsModuleDeps = IssueInvitationDeps & ImportDeps & { db: Database; cursors: Cursors; firstContactsPerHour: number };

/** The businesses a partner serves. */
export function clients(deps: ClientsModuleDeps) {
  const imports = clientImport(deps);
  return { routes: { ...clientHandlers(deps), ...imports.routes }, crons: imports.crons };
}
