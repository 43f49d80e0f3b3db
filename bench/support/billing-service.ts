import { createFacts } from '@partner-portal/service/platform/facts.ts';
import { createLog } from '@partner-portal/service/platform/log.ts';
import { createDatabase } from '@partner-portal/service/platform/db/tx.ts';
import { createPool } from '@partner-portal/service/platform/db/pool.ts';
import type { DatabaseAddress } from '@partner-portal/service/platform/db/host.ts';
import { systemClock } from '@partner-portal/service/platform/clock.ts';
import { rollOverDue } from '@partner-portal/service/modules/2-tenancy/billing/periods/roll-over-due.ts';
import { consequences } from '@partner-portal/service/wiring/consequences.ts';

/** The roll-over job in a process of its own, as with `ROLE=worker`. Ends all due periods on request. */

export type RollOverAnswer = { periods: number; statements: number; seconds: number; rssMb: number };

process.once('message', ({ address }: { address: DatabaseAddress }) => {
  const facts = createFacts();
  facts.register(consequences({ notify: async () => undefined, baseUrl: 'http://127.0.0.1', agentRequests: null }));
  const db = createDatabase(createPool(address, { name: 'bench', max: 20 }), facts);
  const log = createLog('warn', { write: (line) => void process.stderr.write(line) });
  let statements = 0;
  db.onStatement(() => void (statements += 1));
  process.on('message', () => {
    const beganAt = performance.now();
    statements = 0;
    void rollOverDue({ db, clock: systemClock, log }).then((periods) => {
      const seconds = (performance.now() - beganAt) / 1000;
      process.send?.({ periods, statements, seconds, rssMb: Math.round(process.memoryUsage.rss() / 1_048_576) } satisfies RollOverAnswer);
    });
  });
  process.send?.({ ready: true });
});
process.on('disconnect', () => process.exit(0));
