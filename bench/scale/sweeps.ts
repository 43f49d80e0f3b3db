import { performance } from 'node:perf_hooks';
import { createApp } from '@partner-portal/service/app.ts';
import { loadConfig } from '@partner-portal/service/config.ts';
import { createLog } from '@partner-portal/service/platform/log.ts';
import { SWEEPS } from '@partner-portal/service/schema/sweeps.ts';
import { openPlanLog } from '@partner-portal/tests/harness/query-plans.ts';
import type { BenchDatabase } from '../support/database.ts';
import { logPlans, serviceEnv } from './service.ts';

const SLOW_MS = 1_000;

/**
 * Runs each scheduled job twice, one after the other, without an engine: the first run does what is due in the seeded rows, the second finds nothing. Prints
 * both times and the blocks read, the slowest first.
 */
export async function measureSweeps(database: BenchDatabase, say: (line: string) => void): Promise<void> {
  const lines: string[] = [];
  const log = createLog('error', { write: (line) => void lines.push(line) });
  await logPlans(database, true);
  const app = await createApp({
    config: loadConfig({ ...serviceEnv(database, 0), ROLE: 'worker' }),
    log,
    addressOf: (role) => database.addressOf(role),
    engineBaseUrl: () => null,
    engineProjectId: () => null,
    sandbox: null,
  });
  const plans = openPlanLog(database.logFile);
  const measured: { name: string; ms: [number, number]; blocks: [number, number]; scanned: string[]; problem: string }[] = [];
  try {
    for (const name of Object.keys(SWEEPS).filter((one) => one !== 'database.maintain-partitions')) {
      const row: (typeof measured)[number] = { name, ms: [0, 0], blocks: [0, 0], scanned: [], problem: '' };
      for (const run of [0, 1] as const) {
        plans.skip();
        const beganAt = performance.now();
        await app.runner
          .runCron(name)
          .catch((error: unknown) => (row.problem = ` (${error instanceof Error ? error.message : String(error)})`));
        row.ms[run] = performance.now() - beganAt;
        const { blocks, scanned } = plans.take();
        row.blocks[run] = blocks;
        row.scanned.push(...scanned);
      }
      measured.push(row);
    }
  } finally {
    await app.stop();
    await logPlans(database, false);
  }
  const all = measured.reduce((sum, { ms }) => sum + ms[1], 0);
  say(
    `${measured.length} scheduled jobs, ${all.toFixed(0)} ms together when nothing is due; first run, second run (target: ${SLOW_MS} ms each):`,
  );
  for (const { name, ms, blocks, scanned, problem } of measured.toSorted((a, b) => Math.max(...b.ms) - Math.max(...a.ms)))
    say(
      [
        `${ms[0].toFixed(0).padStart(7)}, ${ms[1].toFixed(0)} ms`.padEnd(18),
        `${blocks[0]}, ${blocks[1]} blocks`.padStart(24),
        `  ${name}${problem}`,
        scanned.length > 0 ? ` scans ${[...new Set(scanned)].join(', ')}` : '',
      ].join(''),
    );
  for (const line of lines.slice(0, 10)) say(`  ${line.trim().slice(0, 300)}`);
}
