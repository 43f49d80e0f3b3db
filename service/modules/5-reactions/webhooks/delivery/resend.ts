import { eventIdText } from '@partner-portal/core/webhook/event-id.ts';
import { publishEvent } from '#modules/1-ledger/events/index.ts';
import type { TenantTx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { toDeliveries } from './to-record.ts';
import { auditEndpoint } from '../endpoints/audit-endpoint.ts';
import type { ManageDeps } from '../deps.ts';
import { envelopeText } from './fan-out.ts';
import { queueDelivery } from '../queue.ts';
import { findDelivery, readPartnerName } from './store-deliveries.ts';
import { type EndpointRow, lockEndpoint } from '../endpoints/store-endpoints.ts';

const TYPE = 'webhook.test';

/**
 * Queues a synthetic event for this endpoint only, with the usual attempts. Refuses `invalid_state` for an inactive endpoint.
 */
export async function sendTest(deps: Pick<ManageDeps, 'db' | 'baseUrl'>, caller: RequestContext, id: string) {
  const { actor } = caller;
  const { partnerId } = actor;
  return deps.db.asTenant(actor, async (tx) => {
    const endpoint = requireActive(await lockOwn(tx, caller, id));
    const partnerName = await readPartnerName(tx, partnerId);
    const data = {
      partnerId,
      partnerName,
      actor: { type: 'user' as const, id: actor.userId, email: actor.email },
      portalUrl: `${deps.baseUrl}/dashboard/settings/webhooks`,
      endpointId: id,
      message: 'This is a test event.',
      synthetic: true as const,
    };
    const event = await publishEvent(tx, { partnerId, type: TYPE, data });
    const body = envelopeText({ ...event, type: TYPE, data });
    const deliveryId = await queueDelivery(tx, { partnerId, endpointId: id, eventId: event.id, eventType: TYPE, body });
    await auditEndpoint(tx, caller, endpoint, 'webhook.tested', { delivery: [null, deliveryId] });
    return { deliveryId, eventId: eventIdText(event.id), status: 'pending' as const };
  });
}

/** Redelivers an event: a new delivery with the same event and bytes, a fresh signature and attempts of its own. */
export async function redeliver(deps: Pick<ManageDeps, 'db'>, caller: RequestContext, id: string, deliveryId: string) {
  const { partnerId } = caller.actor;
  return deps.db.asTenant(caller.actor, async (tx) => {
    const endpoint = await lockOwn(tx, caller, id);
    const original = (await findDelivery(tx, partnerId, id, deliveryId)) ?? refuse('not_found');
    requireActive(endpoint);
    const { eventId, eventType, body } = original;
    // Always the first delivery, so that one query finds all redeliveries of an event.
    const redeliveryOf = original.redeliveryOf ?? original.id;
    const redeliveryId = await queueDelivery(tx, { partnerId, endpointId: id, eventId, eventType, body, redeliveryOf });
    await auditEndpoint(tx, caller, endpoint, 'webhook.redelivered', { delivery: [deliveryId, redeliveryId] });
    const redelivery = await findDelivery(tx, partnerId, id, redeliveryId);
    const [answer] = redelivery ? toDeliveries([redelivery], []) : [];
    return answer ?? refuse('not_found');
  });
}

/** Locks an endpoint of the caller's partner. */
export async function lockOwn(tx: TenantTx, caller: RequestContext, id: string): Promise<EndpointRow> {
  return (await lockEndpoint(tx, caller.actor.partnerId, id)) ?? refuse('not_found');
}

export function requireActive(endpoint: EndpointRow): EndpointRow {
  if (!endpoint.isActive) refuse('invalid_state', { detail: 'This endpoint is off, so nothing was sent. Turn it on first.' });
  return endpoint;
}
