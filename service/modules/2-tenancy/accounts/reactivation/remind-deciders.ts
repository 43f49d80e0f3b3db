import { reminderNumber, remindsUntil } from '@partner-portal/core/account/account.ts';
import type { Database } from '#platform/db/tx.ts';
import { recordFacts } from '#platform/facts.ts';
import { reactivationReminded } from '../facts.ts';
import { listWaitingReactivations } from './store-reactivations.ts';

const BATCH = 100;

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
