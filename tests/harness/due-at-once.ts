import type { AdminQuery } from './database.ts';

/**
 * Makes all that is due in a queue due a second earlier, in the same order. The wall clock of a virtual machine may be set back by some milliseconds between two statements,
 * and a single look at the queue would leave such a row for the next one. Rows that another process holds are left: waiting for them in any order may end in a deadlock.
 */
export const dueAtOnce = (
  query: AdminQuery,
  queue: 'dispatch' | 'event' | 'delivery_queue' | 'rollout_partner' | 'conversation_turn',
): Promise<unknown> =>
  query(
    `update ${queue} set due_at = due_at - interval '1 second' where (tableoid, ctid) in (
       select tableoid, ctid from ${queue} where due_at <= now() + interval '200 milliseconds' for no key update skip locked)`,
  );
