import { files } from '@partner-portal/service/modules/1-ledger/files/index.ts';
import { accountExport } from '@partner-portal/service/modules/6-views/account-export/index.ts';
import { systemClock } from '@partner-portal/service/platform/clock.ts';
import type { DatabaseAddress } from '@partner-portal/service/platform/db/host.ts';
import { createPool } from '@partner-portal/service/platform/db/pool.ts';
import { createDatabase } from '@partner-portal/service/platform/db/tx.ts';
import { createCursors } from '@partner-portal/service/platform/http/cursor.ts';
import { createLog } from '@partner-portal/service/platform/log.ts';
import { openNotices } from '@partner-portal/service/platform/notify.ts';
import { Secret } from '@partner-portal/service/platform/secret.ts';

/** The maker of exports in a process of its own, as with `ROLE=worker`: what a test kills and a bench measures. Makes all that are due when asked. */
export type ExportAnswer = { seconds: number; memoryMb: number; growthMb: number; longestMs: number };

/** Processor time of the main thread: what others on the machine do is not in it. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

process.once('message', ({ address }: { address: DatabaseAddress }) => {
  const log = createLog('warn', { write: (line) => void process.stderr.write(line) });
  const db = createDatabase(createPool(address, { name: 'exports', max: 20, onIdleError: () => undefined }));
  const { store } = files({ db, clock: systemClock });
  const notices = openNotices(address, log);
  const cursors = createCursors(new Secret('c'.repeat(48)));
  const exports = accountExport({ db, files: store, clock: systemClock, log, cursors, notices, notify: async () => undefined });
  const make = async (): Promise<void> => {
    const start = process.memoryUsage.rss();
    const beganAt = performance.now();
    let [peak, longestMs, last] = [start, 0, threadMs()];
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage.rss());
      const at = threadMs();
      longestMs = Math.max(longestMs, at - last);
      last = at;
    }, 5);
    await exports.makeDue();
    clearInterval(watch);
    const mb = (bytes: number): number => Math.round(bytes / 1_048_576);
    const seconds = (performance.now() - beganAt) / 1000;
    process.send?.({ seconds, memoryMb: mb(peak), growthMb: mb(peak - start), longestMs } satisfies ExportAnswer);
  };
  process.on('message', () => void make());
  process.send?.({ ready: true });
});
process.on('disconnect', () => process.exit(0));
