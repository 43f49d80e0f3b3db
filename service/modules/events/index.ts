import { EVENT_DATA, type EventData } from '@house/contract/events.ts';
import type { EventType } from '@house/contract/vocabulary.ts';
import { sql } from 'kysely';
import type { Tx } from '#platform/db/tx.ts';

/**
 * Publishes a domain event: one row in the transaction of the change that causes it, due at once for its reactions.
 * `data` is parsed by the contract's schema of that type (product.md §6), so what a receiver is promised is what is stored.
 */
export async function publishEvent<T extends EventType>(
  tx: Tx,
  event: { partnerId: string; clientId?: string | null; type: T; data: EventData<T> },
): Promise<void> {
  const data = EVENT_DATA[event.type].parse(event.data);
  await sql`insert into event (partner_id, client_id, type, data, due_at)
    values (${event.partnerId}, ${event.clientId ?? null}, ${event.type}, ${JSON.stringify(data)}, now())`.execute(tx);
}
