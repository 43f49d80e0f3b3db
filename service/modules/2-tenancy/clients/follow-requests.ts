import type { Tx } from '#platform/db/tx.ts';
import { recordFact } from '#platform/facts.ts';
import { refuse } from '#platform/refuse.ts';
import { accountResumed } from '#modules/2-tenancy/partners/index.ts';
import { lockClientLimit, writeClientStatus } from './store.ts';

/** Suspends a client whose deletion was approved, also when something else suspended it before. The caller publishes the event. */
export async function suspendClientForDeletion(tx: Tx, clientId: string, { reason, at }: { reason: string; at: Date }): Promise<void> {
  await writeClientStatus(tx, clientId, { status: 'suspended', suspension: { reason, cause: 'deletion_approved', at } });
}

type Reactivation = { partnerId: string; clientId: string; status: 'active' | 'archived'; countsAgain: boolean; at: Date };

/**
 * Restores a suspended client. `countsAgain`: it used no place of the plan meanwhile. Refuses `client_limit_reached` when its place was given
 * to another client.
 */
export async function reactivateClient(tx: Tx, { partnerId, clientId, status, countsAgain, at }: Reactivation): Promise<void> {
  if (status === 'active' && countsAgain) {
    const limit = await lockClientLimit(tx, partnerId);
    if (limit && limit.used >= limit.included)
      return refuse('client_limit_reached', {
        detail: `The plan includes ${limit.included} clients. Archive one or request a larger plan, then approve again.`,
        limit: limit.included,
        used: limit.used,
      });
  }
  await writeClientStatus(tx, clientId, { status });
  await recordFact(tx, accountResumed, { partnerId, clientId, at });
}
