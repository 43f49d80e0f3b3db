import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import type { Actor } from '#platform/actor.ts';
import type { TenantTx } from '#platform/db/tx.ts';
import type { ManageDeps } from '../deps.ts';
import { requireEndpoint } from '../endpoints/read-endpoints.ts';
import { deliveryDays } from './store-days.ts';
import { listAttempts, listDeliveries } from './store-deliveries.ts';
import { toDeliveries } from './to-record.ts';

type Deps = Pick<ManageDeps, 'db'>;

/** The 50 newest deliveries of an endpoint with their attempts. */
export async function readDeliveries(deps: Deps, actor: Actor, endpointId: string) {
  return deps.db.asTenant(actor, async (tx) => {
    await requireEndpoint(tx, actor, endpointId);
    return newestDeliveries(tx, actor.partnerId, endpointId);
  });
}

/** Deliveries of an endpoint by day, the oldest first, days without one included and those not counted whole left out. */
export async function readDeliveryDays(deps: Deps, actor: Actor, endpointId: string) {
  return deps.db.asTenant(actor, async (tx) => {
    await requireEndpoint(tx, actor, endpointId);
    return deliveryDays(tx, actor.partnerId, endpointId);
  });
}

async function newestDeliveries(tx: TenantTx, partnerId: string, endpointId: string) {
  const rows = await listDeliveries(tx, partnerId, endpointId, LIMITS.deliveriesListed);
  const ids = rows.map((row) => row.id);
  return toDeliveries(rows, await listAttempts(tx, partnerId, ids));
}
