import { changesBetween } from '#modules/1-ledger/audit/index.ts';
import type { TenantTx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { requireMatch } from '#platform/http/preconditions.ts';
import { refuse } from '#platform/refuse.ts';
import { endpointAnswer } from '../answers.ts';
import { auditEndpoint } from './audit-endpoint.ts';
import type { ManageDeps } from '../deps.ts';
import { endWaiting } from '../delivery/queue.ts';
import { requireUrl } from './require-url.ts';
import { type EndpointRow, findEndpoint, lockEndpoint, removeEndpoint, updateEndpoint } from './store-endpoints.ts';
import { cancelRunning } from '../recovery/store-recoveries.ts';

type Deps = Pick<ManageDeps, 'db' | 'outbound'>;

/**
 * Changes the address or the switch. Switched off, nothing more is sent: what waits ends as failed with the reason `endpoint_inactive`,
 * where a recovery finds it (product.md §4.3). Attempts that are under way end by themselves.
 */
export async function changeEndpoint(
  deps: Deps,
  caller: RequestContext,
  id: string,
  change: { url?: string | undefined; isActive?: boolean | undefined },
) {
  const { actor } = caller;
  if (change.url !== undefined) {
    // Whoever may not see the endpoint learns nothing of the network either.
    await deps.db.asTenant(actor, async (tx) => (await findEndpoint(tx, actor.partnerId, id)) ?? refuse('not_found'));
    await requireUrl(deps.outbound, change.url);
  }
  const row = await deps.db.asTenant(actor, async (tx) => {
    const before = (await lockEndpoint(tx, actor.partnerId, id)) ?? refuse('not_found');
    requireMatch(caller.header('if-match'), before.updatedAt);
    const changes = changesBetween({ url: before.url, isActive: before.isActive }, change);
    if (Object.keys(changes).length > 0) {
      await updateEndpoint(tx, id, { url: change.url ?? before.url, isActive: change.isActive ?? before.isActive });
      if (before.isActive && change.isActive === false) await stopSending(tx, before);
      await auditEndpoint(tx, caller, before, 'webhook.changed', changes);
    }
    return findEndpoint(tx, actor.partnerId, id);
  });
  return row ? endpointAnswer(row) : refuse('not_found');
}

/** Removes an endpoint. Its deliveries are kept for their time; its secret is not. */
export async function deleteEndpoint(deps: Pick<Deps, 'db'>, caller: RequestContext, id: string): Promise<void> {
  const { actor } = caller;
  await deps.db.asTenant(actor, async (tx) => {
    const before = (await lockEndpoint(tx, actor.partnerId, id)) ?? refuse('not_found');
    await removeEndpoint(tx, id);
    await stopSending(tx, before);
    await auditEndpoint(tx, caller, before, 'webhook.deleted', { url: [before.url, null], secret: ['changed', 'changed'] });
  });
}

async function stopSending(tx: TenantTx, { partnerId, id }: EndpointRow): Promise<void> {
  await cancelRunning(tx, { partnerId, endpointId: id });
  await endWaiting(tx, { partnerId, endpointId: id }, 'endpoint_inactive');
}
