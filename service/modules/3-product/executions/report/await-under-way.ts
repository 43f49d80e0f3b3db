import { setTimeout as delay } from 'node:timers/promises';
import { findUnreported, type FindUnreportedDeps } from './find-unreported.ts';
import { askAboutPartner } from './store-unreported.ts';

/** A setup waits for no longer: the flow of a longer run is deleted, and its run ends at its deadline. */
const WAIT_MS_MAX = 30_000;
const ASK_MS = 500;

/**
 * Waits until everything of an agency that is under way, or was being sent before this call, has ended, for half a minute at most or until `signal` aborts. Its
 * flows are switched off. A result that a flow has computed is taken from the engine, because its report may still be retried. Throws what the database throws.
 */
export async function awaitUnderWay(deps: FindUnreportedDeps, partnerId: string, signal: AbortSignal): Promise<void> {
  const startedAt = performance.now();
  const waitedMs = (): number => Math.floor(performance.now() - startedAt);
  const isOver = (): boolean => signal.aborted || waitedMs() > WAIT_MS_MAX;
  const underWay = (): Promise<number> => askAboutPartner(deps.db, partnerId, waitedMs());
  while ((await underWay()) > 0) {
    while ((await findUnreported(deps)).hasMore && !isOver());
    if (isOver() || (await underWay()) === 0) return;
    await delay(ASK_MS, undefined, { signal }).catch(() => undefined);
  }
}
