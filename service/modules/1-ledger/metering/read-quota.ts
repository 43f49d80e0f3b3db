import { describeQuota, noQuota } from '@partner-portal/core/quota/quota.ts';
import type { Actor } from '#platform/actor.ts';
import { inScope } from '#platform/db/scope.ts';
import { refuseUnknownScope } from '#modules/1-ledger/scope/index.ts';
import type { MeteringDeps } from './deps.ts';
import { rollAndReadQuota } from './store.ts';

/** Returns the quota of the current period. Staff without a partnerId see the house partner's, which is empty. */
export async function readQuota({ db, clock }: MeteringDeps, actor: Actor, requestedPartnerId: string | undefined) {
  return inScope(db, actor, requestedPartnerId, async (tx, partnerId) => {
    const id = partnerId ?? actor.partnerId;
    const now = clock.now();
    const facts = await rollAndReadQuota(tx, id, now);
    await refuseUnknownScope(tx, { partnerId: id }, facts ? 1 : 0);
    return describeQuota(facts ?? noQuota(now), now);
  });
}
