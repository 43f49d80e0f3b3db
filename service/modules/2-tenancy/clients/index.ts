import type { Template } from '@partner-portal/core/template/types.ts';
import type { Database } from '#platform/db/tx.ts';
import type { Handler, Routes } from '#platform/http/context.ts';
import type { Cursors } from '#platform/http/cursor.ts';
import type { InvitationDoor } from '#modules/2-tenancy/invitations/index.ts';
import { clientHandlers } from './routes.ts';

export type ClientsModuleDeps = InvitationDoor & {
  db: Database;
  cursors: Cursors;
  catalog: readonly Template[];
  /** `agents(…).routes.listAgents`: the client's home shows its agents, whose module lies above this one. */
  listAgents: Handler<Routes['listAgents']>;
};

/** The businesses an agency serves, and what each sees of itself. */
export function clients(deps: ClientsModuleDeps) {
  return { routes: clientHandlers(deps) };
}
