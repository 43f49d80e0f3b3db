import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/tx.ts';
import { forEach } from '#platform/for-each.ts';
import type { Log } from '#platform/log.ts';
import { rollOver } from './roll-over.ts';
import { type DuePosition, listEndedPeriods } from './store-roll-over.ts';

const BATCH = 500;
/** Few enough to leave the connections to requests. */
const AT_ONCE = 4;

/**
 * Rolls over every subscription whose period has ended. A failure is logged and retried by the next sweep. Returns how many periods
 * ended. Stops between two transactions once `signal` is aborted.
 */
export async function rollOverDue(deps: { db: Database; clock: Clock; log: Log }, signal?: AbortSignal): Promise<number> {
  const { db, clock, log } = deps;
  const now = clock.now();
  let ended = 0;
  let after: DuePosition | null = null;
  for (;;) {
    const position: DuePosition | null = after;
    const due: DuePosition[] = await db.asSystem('sweep', (tx) => listEndedPeriods(tx, now, position, BATCH));
    after = due.at(-1) ?? null;
    await forEach(due, AT_ONCE, async ({ partnerId }) => {
      if (signal?.aborted) return;
      try {
        const periods = await rollOver(db, partnerId, now);
        ended += periods;
      } catch (error) {
        log.error({ err: error, partnerId }, 'roll-over of a subscription failed, tried again in a minute');
      }
    });
    if (due.length < BATCH || signal?.aborted) return ended;
  }
}
