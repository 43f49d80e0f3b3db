import { setTimeout as delay } from 'node:timers/promises';
import { findUnreported, type FindUnreportedDeps } from './find-unreported.ts';
import { askAboutPartner } from './store-unreported.ts';

/** A setup waits for no longer: the flow of a longer run is deleted, and its run ends at its deadline. */
const WAIT_MS_MAX = 30_000;
const ASK_MS = 500;

/**
 * Waits until everything of an agency that is under way has ended, for half a minute at most or until `signal` aborts. A result that its flow has computed is
 * taken from the engine, because its report may still be retried. Throws what the database throws.
 */
export async function awaitUnderWay(deps: FindUnreportedDeps, partnerId: string, signal: AbortSignal): Promise<void> {
  const until = performance.now() + WAIT_MS_MAX;
  const isOver = (): boolean => signal.aborted || performance.now() > until;
  while ((await askAboutPartner(deps.db, partnerId)) > 0) {
    while ((await findUnreported(deps)).hasMore && !isOver());
    if (isOver() || (await askAboutPartner(deps.db, partnerId)) === 0) return;
    await delay(ASK_MS, undefined, { signal }).catch(() => undefined);
  }
}
