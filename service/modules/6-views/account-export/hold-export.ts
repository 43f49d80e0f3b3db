import type { AccountExportDeps } from './deps.ts';
import { announce } from '#platform/notify.ts';
import { type ClaimedExport, keepExport } from './store-work.ts';
import { exportsChanged } from './topic.ts';

/** An attempt whose process died holds its export this long. */
export const LEASE_MS = 60_000;
const BEAT_MS = 1_000;
/** Without progress the lease is extended this often. */
const QUIET_BEATS = 10;

export type Held = {
  report(percent: number): void;
  /** Aborted when the export is no longer held: it was taken over, or its account was removed. */
  lost: AbortSignal;
  /** Stops extending the lease. */
  release(): Promise<void>;
};

/** Extends the lease of an export while it is made, and records its progress once a second at most. */
export function holdExport({ db, clock, log }: Pick<AccountExportDeps, 'db' | 'clock' | 'log'>, claimed: ClaimedExport): Held {
  const lost = new AbortController();
  let percent = 0;
  let recorded = 0;
  let quiet = 0;
  let leaseUntil = clock.now().getTime() + LEASE_MS;
  let current: Promise<void> | undefined;
  const beat = async (): Promise<void> => {
    const now = clock.now();
    const at = { percent, now, leaseUntil: new Date(now.getTime() + LEASE_MS) };
    try {
      const isHeld = await db.asSystem('export', async (tx) => {
        if (!(await keepExport(tx, claimed, at))) return false;
        if (at.percent > recorded) await announce(tx, exportsChanged, { partnerId: claimed.partnerId, id: claimed.id });
        return true;
      });
      if (!isHeld) return lost.abort();
      recorded = at.percent;
      leaseUntil = at.leaseUntil.getTime();
    } catch (error) {
      log.warn({ err: error, exportId: claimed.id }, 'the lease of an export was not extended');
      // Another process may have it by now.
      if (clock.now().getTime() >= leaseUntil) lost.abort();
    }
  };
  const timer = setInterval(() => {
    quiet += 1;
    if (current || (percent === recorded && quiet < QUIET_BEATS)) return;
    quiet = 0;
    current = beat().finally(() => (current = undefined));
  }, BEAT_MS);
  return {
    report: (next) => (percent = next),
    lost: lost.signal,
    async release() {
      clearInterval(timer);
      await current;
    },
  };
}
