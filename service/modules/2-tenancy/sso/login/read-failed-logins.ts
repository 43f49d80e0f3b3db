import type { RequestContext } from '#platform/http/context.ts';
import { showResult } from '../connection/connection-answer.ts';
import type { SsoDeps } from '../deps.ts';
import { listFailedLogins } from '../store-attempts.ts';

/** Lists the last failed logins of the team, for all who read its settings. */
export async function readFailedLogins(deps: Pick<SsoDeps, 'db'>, { actor }: Pick<RequestContext, 'actor'>) {
  const rows = await deps.db.asTenant(actor, (tx) => listFailedLogins(tx, actor.partnerId));
  return { items: rows.map(({ id, outcome }) => ({ id, ...showResult(outcome), problem: outcome.problem ?? 'answer_not_valid' })) };
}
