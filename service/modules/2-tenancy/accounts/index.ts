import type { AccountsDeps } from './deps.ts';
import { accountHandlers } from './routes.ts';

export { beginPurge } from './deletion/begin-purge.ts';
export { completeDeletion, listDueDeletions } from './deletion/store-deletions.ts';
export { reactivationReminded, remindDeciders, type WaitingReactivation } from './reactivation/remind-deciders.ts';
export { rejectReactivations, settleReactivations } from './reactivation/settle-reactivations.ts';

/** Requests to delete an account and to reactivate a suspended one, and who decides them. */
export function accounts(deps: AccountsDeps) {
  return { routes: accountHandlers(deps) };
}
