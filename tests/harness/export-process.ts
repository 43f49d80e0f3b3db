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

/** The maker of exports in a process of its own, as with `ROLE=worker`: what a test kills. Makes all that are due when asked. */
process.once('message', ({ address }: { address: DatabaseAddress }) => {
  const log = createLog('warn', { write: (line) => void process.stderr.write(line) });
  const db = createDatabase(createPool(address, { name: 'exports', max: 20, onIdleError: () => undefined }));
  const { store } = files({ db, clock: systemClock });
  const notices = openNotices(address, log);
  const cursors = createCursors(new Secret('c'.repeat(48)));
  const exports = accountExport({ db, files: store, clock: systemClock, log, cursors, notices, notify: async () => undefined });
  process.on('message', () => void exports.makeDue());
  process.send?.({ ready: true });
});
process.on('disconnect', () => process.exit(0));
