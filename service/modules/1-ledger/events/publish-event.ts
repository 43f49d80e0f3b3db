import { EVENT_DATA, type EventData } from '@partner-portal/contract/events.ts';
import type { EventType } from '@partner-portal/contract/vocabulary.ts';
import { notifyAfterCommit } from '#platform/db/commit-topics.ts';
import type { Tx } from '#platform/db/tx.ts';
import { newId } from '#platform/ids.ts';
import { insertEvent } from './store.ts';
import { eventsWait } from './topic.ts';

/**
 * Publishes a domain event: one row in the transaction of its cause, due at once. `data` is parsed by the contract's schema, so what is
 * stored is what receivers are promised. `traceparent`: of the span that caused it, when tracing is on.
 */
export async function publishEvent<T extends EventType>(
  tx: Tx,
  event: { partnerId: string; clientId?: string | null; type: T; data: EventData<T>; traceparent?: string | null },
): Promise<{ id: string; createdAt: Date }> {
  const { partnerId, clientId = null, type, traceparent = null } = event;
  const data = JSON.stringify(EVENT_DATA[type].parse(event.data));
  const published = await insertEvent(tx, { id: newId(), partnerId, clientId, type, data, traceparent });
  notifyAfterCommit(tx, eventsWait.channel);
  return published;
}
