import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { showResult } from '../connection/connection-answer.ts';
import type { SsoDeps } from '../deps.ts';
import { listFailedLogins } from './store-attempts.ts';

/** Lists the last failed logins. Admins alone: what arrived is of people, some of whom are no members. */
export async function readFailedLogins(deps: Pick<SsoDeps, 'db'>, { actor }: Pick<RequestContext, 'actor'>) {
  if (actor.partnerRole !== 'admin') return refuse('partner_role_forbidden');
  const rows = await deps.db.asTenant(actor, (tx) => listFailedLogins(tx, actor.partnerId));
  return { items: rows.map(({ id, outcome }) => ({ id, ...showResult(outcome), problem: outcome.problem ?? 'answer_not_valid' })) };
}
