import type { EventType } from '@partner-portal/contract/vocabulary.ts';
import { changesBetween } from '#modules/1-ledger/audit/index.ts';
import type { TenantTx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { requireMatch } from '#platform/http/preconditions.ts';
import { refuse } from '#platform/refuse.ts';
import { toEndpoint } from './to-record.ts';
import { auditEndpoint } from './audit-endpoint.ts';
import { chosenEvents } from './chosen-events.ts';
import type { ManageDeps } from '../deps.ts';
import { failQueued } from '../queue.ts';
import { requireUrl } from './require-url.ts';
import { type EndpointRow, findEndpoint, lockEndpoint, removeEndpoint, updateEndpoint } from './store-endpoints.ts';
import { cancelRunning } from '../store-recoveries.ts';

type Deps = Pick<ManageDeps, 'db' | 'outbound'>;

/**
 * Changes the URL or the event types that are sent, or switches the endpoint on or off. New types count for events from now on. Switching off fails queued deliveries with the reason `endpoint_inactive`, where a
 * recovery finds them. Attempts in flight end on their own.
 */
export async function changeEndpoint(
  deps: Deps,
  caller: RequestContext,
  id: string,
  change: { url?: string | undefined; isActive?: boolean | undefined; events?: readonly EventType[] | undefined },
) {
  const { actor } = caller;
  if (change.url !== undefined) {
    // Before the URL is checked: a caller without access learns nothing about the network.
    await deps.db.asTenant(actor, async (tx) => (await findEndpoint(tx, actor.partnerId, id)) ?? refuse('not_found'));
    await requireUrl(deps.outbound, change.url);
  }
  const row = await deps.db.asTenant(actor, async (tx) => {
    const before = (await lockEndpoint(tx, actor.partnerId, id)) ?? refuse('not_found');
    requireMatch(caller.header('if-match'), before.updatedAt);
    const wanted = { ...change, events: change.events && chosenEvents(change.events) };
    const changes = changesBetween({ url: before.url, isActive: before.isActive, events: before.events }, wanted);
    if (Object.keys(changes).length > 0) {
      const { url = before.url, isActive = before.isActive, events = before.events } = wanted;
      await updateEndpoint(tx, id, { url, isActive, events });
      if (before.isActive && change.isActive === false) await stopSending(tx, before);
      await auditEndpoint(tx, caller, before, 'webhook.changed', changes);
    }
    return findEndpoint(tx, actor.partnerId, id);
  });
  return row ? toEndpoint(row) : refuse('not_found');
}

/** Removes an endpoint and its secret. Its deliveries stay until their retention ends. */
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
  await failQueued(tx, { partnerId, endpointId: id }, 'endpoint_inactive');
}
