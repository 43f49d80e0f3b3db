import type { RequestContext } from '#platform/http/context.ts';
import { originOf } from '#modules/1-ledger/audit/index.ts';

/** Returns what an audit entry about the caller's own account holds, but for its action. */
export function ownEntryOf(caller: RequestContext) {
  const { partnerId, clientId, userId, email } = caller.actor;
  return { partnerId, clientId, actor: caller.actor, target: { type: 'user', id: userId, label: email }, origin: originOf(caller) };
}
