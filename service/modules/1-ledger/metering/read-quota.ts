import { describeQuota } from '@partner-portal/core/quota/quota.ts';
import type { Actor } from '#platform/actor.ts';
import { inScope } from '#platform/db/scope.ts';
import { refuse } from '#platform/refuse.ts';
import type { MeteringDeps } from './deps.ts';
import { partnerExists, readQuotaFacts } from './store.ts';

/** The credits of this period. Staff without a partnerId see the house partner's, which holds none. */
export async function readQuota({ db, clock }: MeteringDeps, actor: Actor, asked: string | undefined) {
  return inScope(db, actor, asked, async (tx, partnerId) => {
    const id = partnerId ?? actor.partnerId;
    const facts = await readQuotaFacts(tx, id);
    if (!facts && !(await partnerExists(tx, id))) return refuse('not_found');
    const now = clock.now();
    return describeQuota(facts ?? { used: 0, inFlight: 0, monthly: 0, purchased: 0, periodStart: now, periodEnd: now }, now);
  });
}
