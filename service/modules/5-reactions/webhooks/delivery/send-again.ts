import { eventIdText } from '@partner-portal/core/webhook/event-id.ts';
import { publishEvent } from '#modules/1-ledger/events/index.ts';
import type { TenantTx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { deliveryAnswers } from '../answers.ts';
import { auditEndpoint } from '../endpoints/audit-endpoint.ts';
import type { ManageDeps } from '../deps.ts';
import { envelopeText } from './fan-out.ts';
import { queueDelivery } from './queue.ts';
import { findDelivery } from './store-deliveries.ts';
import { type EndpointRow, lockEndpoint } from '../endpoints/store-endpoints.ts';

const TYPE = 'webhook.test';

/**
 * Sends a synthetic event to this endpoint and to no other, through the ordinary queue with the ordinary attempts. Refuses `invalid_state`
 * for an inactive endpoint: nothing is sent then (specification, test route; product.md §5.7).
 */
export async function sendTest(deps: Pick<ManageDeps, 'db' | 'baseUrl'>, caller: RequestContext, id: string) {
  const { actor } = caller;
  const { partnerId } = actor;
  return deps.db.asTenant(actor, async (tx) => {
    const endpoint = requireActive(await lockOwn(tx, caller, id));
    const { name: partnerName } = await tx.selectFrom('partner').select('name').where('id', '=', partnerId).executeTakeFirstOrThrow();
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

/** Sends one event again: a new delivery with the same event and bytes, with a fresh timestamp and signature and the ordinary attempts. */
export async function redeliver(deps: Pick<ManageDeps, 'db'>, caller: RequestContext, id: string, deliveryId: string) {
  const { partnerId } = caller.actor;
  return deps.db.asTenant(caller.actor, async (tx) => {
    const endpoint = await lockOwn(tx, caller, id);
    const original = (await findDelivery(tx, partnerId, id, deliveryId)) ?? refuse('not_found');
    requireActive(endpoint);
    const { eventId, eventType, body } = original;
    // Always the first one, so that one look finds every repeat of an event.
    const redeliveryOf = original.redeliveryOf ?? original.id;
    const againId = await queueDelivery(tx, { partnerId, endpointId: id, eventId, eventType, body, redeliveryOf });
    await auditEndpoint(tx, caller, endpoint, 'webhook.redelivered', { delivery: [deliveryId, againId] });
    const again = await findDelivery(tx, partnerId, id, againId);
    const [answer] = again ? deliveryAnswers([again], []) : [];
    return answer ?? refuse('not_found');
  });
}

/** Holds an endpoint of the caller's agency. */
export async function lockOwn(tx: TenantTx, caller: RequestContext, id: string): Promise<EndpointRow> {
  return (await lockEndpoint(tx, caller.actor.partnerId, id)) ?? refuse('not_found');
}

export function requireActive(endpoint: EndpointRow): EndpointRow {
  if (!endpoint.isActive) refuse('invalid_state', { detail: 'This endpoint is switched off, so nothing was sent. Switch it on first.' });
  return endpoint;
}
