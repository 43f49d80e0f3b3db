import type { AccountsDeps } from './deps.ts';
import { accountHandlers } from './routes.ts';

export { beginPurge, completeDeletion, listDueDeletions } from './deletion/begin-purge.ts';
export { rejectReactivations, settleReactivations } from './reactivation/settle-reactivations.ts';

/** Requests to delete an account and to reactivate a suspended one, and who decides them. */
export function accounts(deps: AccountsDeps) {
  return { routes: accountHandlers(deps) };
}
