import { eventIdText } from '@partner-portal/core/webhook/event-id.ts';
import { EVENT_TYPES } from '@partner-portal/contract/vocabulary.ts';
import type { DomainEvent, Reaction } from '#modules/1-ledger/events/index.ts';
import { insertDeliveries } from '../store-queue.ts';

/** Test events are queued by their route, for one endpoint. */
const TYPES = EVENT_TYPES.filter((type) => type !== 'webhook.test');

/**
 * Creates one delivery per event and endpoint of its partner. The envelope is serialized here, once: every attempt signs and sends these
 * bytes. Suspended partners get deliveries too, since their suspension is an event.
 */
export function createFanOut(wake: () => void): Reaction {
  return {
    name: 'webhooks.fan-out',
    types: TYPES,
    async run(tx, events) {
      await insertDeliveries(
        tx,
        events.map((event) => ({
          eventId: event.id,
          partnerId: event.partnerId,
          type: event.type,
          body: envelopeText(event),
          traceparent: event.traceparent,
        })),
      );
    },
    committed: wake,
  };
}

/** Returns the signed body: JSON of `{ id, type, createdAt, data }`. */
export function envelopeText(event: Pick<DomainEvent, 'id' | 'type' | 'createdAt' | 'data'>): string {
  const { id, type, createdAt, data } = event;
  return JSON.stringify({ id: eventIdText(id), type, createdAt: createdAt.toISOString(), data });
}
