import { reminderNumber, remindsUntil } from '@partner-portal/core/account/account.ts';
import type { Database, SystemTx } from '#platform/db/tx.ts';
import { defineFact, recordFacts } from '#platform/facts.ts';
import { listWaitingReactivations, type WaitingRow } from './store-reactivations.ts';

const BATCH = 100;

/** A reactivation that still waits for its decision when the removal of its account is near, or due. `number` counts its reminders from 0. */
export type WaitingReactivation = WaitingRow & { number: number };

/** The side that decides is reminded of a reactivation; repeated each minute until the next reminder. */
export const reactivationReminded = defineFact<WaitingReactivation, SystemTx>('reactivation_request.reminded');

/** Reminds the side that decides of reactivations that the removal of their account will wait for, or waits for already. A repeat reminds no one twice. */
export async function remindDeciders(db: Database, now: Date): Promise<void> {
  let after: string | null = null;
  do {
    const from: string | null = after;
    after = await db.asSystem('purge', async (tx) => {
      const waiting = await listWaitingReactivations(tx, remindsUntil(now), from, BATCH);
      const reminded = waiting.flatMap((one) => {
        const number = reminderNumber({ purgeAfter: one.purgeAfter, requestedAt: one.createdAt }, now);
        return number === null ? [] : [{ ...one, number }];
      });
      await recordFacts(tx, reactivationReminded, reminded);
      return waiting.length < BATCH ? null : (waiting.at(-1)?.id ?? null);
    });
  } while (after !== null);
}
