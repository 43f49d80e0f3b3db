import type { AdminQuery } from './database.ts';

/**
 * Makes all that is due in a queue due a second earlier, in the same order. The wall clock of a virtual machine may be set back by some milliseconds between two statements,
 * and a single look at the queue would leave such a row for the next one.
 */
export const dueAtOnce = (
  query: AdminQuery,
  queue: 'dispatch' | 'event' | 'delivery_queue' | 'rollout_partner' | 'conversation_turn',
): Promise<unknown> =>
  query(`update ${queue} set due_at = due_at - interval '1 second' where due_at <= now() + interval '200 milliseconds'`);
