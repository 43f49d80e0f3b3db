import { files } from '@partner-portal/service/modules/1-ledger/files/index.ts';
import { sweepPurges, workThrough } from '@partner-portal/service/modules/4-setup/purge/work-through.ts';
import { systemClock } from '@partner-portal/service/platform/clock.ts';
import type { DatabaseAddress } from '@partner-portal/service/platform/db/host.ts';
import { createPool } from '@partner-portal/service/platform/db/pool.ts';
import { createDatabase } from '@partner-portal/service/platform/db/tx.ts';
import { createFacts } from '@partner-portal/service/platform/facts.ts';
import { createLog } from '@partner-portal/service/platform/log.ts';
import { consequences } from '@partner-portal/service/wiring/consequences.ts';

/** The worker of purges in a process of its own, as with `ROLE=worker`, without an engine. Runs what is due on request. */

/** `longestMs`: its longest transaction, and thereby the longest it holds any lock. */
export type PurgeAnswer = { seconds: number; transactions: number; longestMs: number; memoryMb: number };

process.once('message', ({ address }: { address: DatabaseAddress }) => {
  const log = createLog('warn', { write: (line) => void process.stderr.write(line) });
  const facts = createFacts();
  facts.register(consequences({ notify: async () => undefined, baseUrl: 'http://127.0.0.1', agentRequests: null }));
  const db = createDatabase(createPool(address, { name: 'purges', max: 5 }), facts);
  const { store } = files({ db, clock: systemClock });
  const deps = {
    db,
    clock: systemClock,
    log,
    notices: { subscribe: () => () => undefined },
    removeFiles: store.remove,
    tearDown: async () => ({ removed: 0, isBusy: false }),
  };
  let transactions = 0;
  let begunAt = 0;
  let longestMs = 0;
  // One purge has one transaction at a time.
  db.onStatement(({ kind, text }) => {
    if (kind !== 'control') return;
    if (text === 'BEGIN') begunAt = performance.now();
    else {
      transactions += 1;
      longestMs = Math.max(longestMs, performance.now() - begunAt);
    }
  });
  const work = async (): Promise<void> => {
    const start = performance.now();
    await sweepPurges(deps);
    await workThrough(deps, { signal: new AbortController().signal });
    const seconds = (performance.now() - start) / 1000;
    const memoryMb = Math.round(process.memoryUsage.rss() / 1_048_576);
    process.send?.({ seconds, transactions, longestMs, memoryMb } satisfies PurgeAnswer);
  };
  process.on('message', () => void work());
  process.send?.({ ready: true });
});
process.on('disconnect', () => process.exit(0));
