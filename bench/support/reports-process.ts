import { loadCatalog } from '@partner-portal/catalog/index.ts';
import { createDataKeys } from '@partner-portal/service/modules/1-ledger/data-keys/index.ts';
import { files } from '@partner-portal/service/modules/1-ledger/files/index.ts';
import { mail } from '@partner-portal/service/modules/1-ledger/mail/index.ts';
import { reports } from '@partner-portal/service/modules/5-reactions/reports/index.ts';
import { systemClock } from '@partner-portal/service/platform/clock.ts';
import { createComputePool } from '@partner-portal/service/platform/compute/compute-pool.ts';
import type { DatabaseAddress } from '@partner-portal/service/platform/db/host.ts';
import { createPool } from '@partner-portal/service/platform/db/pool.ts';
import { createRateLimits } from '@partner-portal/service/platform/http/rate-limit.ts';
import { rateLimitWindows } from '@partner-portal/service/wiring/rate-limits.ts';
import { createDatabase } from '@partner-portal/service/platform/db/tx.ts';
import { createCursors } from '@partner-portal/service/platform/http/cursor.ts';
import { createLog } from '@partner-portal/service/platform/log.ts';
import { Secret } from '@partner-portal/service/platform/secret.ts';
import { OLD_RING } from '@partner-portal/tests/harness/key-rings.ts';

export type ReportsAnswer = { mails: number; seconds: number; statements: number };

/** The sender of reports in a process of its own, as with `ROLE=worker`. Sends all that are due at `now` when asked. */
process.once('message', ({ address, now }: { address: DatabaseAddress; now: string }) => {
  const log = createLog('warn', { write: (line) => void process.stderr.write(line) });
  const db = createDatabase(createPool(address, { name: 'reports', max: 4, onIdleError: () => undefined }));
  const cursors = createCursors(new Secret('c'.repeat(48)));
  const clock = { now: () => new Date(now) };
  const { store } = files({ db, clock: systemClock });
  const limits = createRateLimits(rateLimitWindows());
  const module = reports({
    db,
    clock,
    log,
    compute: createComputePool(),
    files: store,
    mail: mail({
      db,
      cursors,
      clock: systemClock,
      log,
      limits,
      dataKeys: createDataKeys(OLD_RING),
      files: store,
      baseUrl: 'http://portal.test',
      mailer: null,
    }),
    limits,
    catalog: loadCatalog(),
    platformProviders: [],
  });
  let statements = 0;
  db.onStatement(() => (statements += 1));
  process.on('message', () => {
    const began = performance.now();
    statements = 0;
    void module
      .sendDue(new AbortController().signal)
      .then((mails) => process.send?.({ mails, seconds: (performance.now() - began) / 1000, statements } satisfies ReportsAnswer));
  });
  process.send?.({ ready: true });
});
process.on('disconnect', () => process.exit(0));
