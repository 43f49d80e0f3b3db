import { eventIdText } from '@partner-portal/core/webhook/event-id.ts';
import { EVENT_TYPES } from '@partner-portal/contract/vocabulary.ts';
import type { DomainEvent, Reaction } from '#modules/1-ledger/events/index.ts';
import { insertDeliveries } from './store-queue.ts';

/** A test goes to the endpoint it was asked for, by the route itself. */
const TYPES = EVENT_TYPES.filter((type) => type !== 'webhook.test');

/**
 * The reaction that turns an event into deliveries, one for each endpoint of its agency. The envelope becomes text here, once: these are
 * the bytes that every attempt signs and sends. Suspended agencies are told too: their suspension is one of the events.
 */
export function createFanOut(wake: () => void): Reaction {
  return {
    name: 'webhooks.fan-out',
    types: TYPES,
    async run(tx, events) {
      await insertDeliveries(
        tx,
        events.map((event) => ({ eventId: event.id, partnerId: event.partnerId, type: event.type, body: envelopeText(event) })),
      );
    },
    committed: wake,
  };
}

/** The signed body: JSON of `{ id, type, createdAt, data }` (specification, Outbound webhook signing). */
export function envelopeText(event: Pick<DomainEvent, 'id' | 'type' | 'createdAt' | 'data'>): string {
  const { id, type, createdAt, data } = event;
  return JSON.stringify({ id: eventIdText(id), type, createdAt: createdAt.toISOString(), data });
}
