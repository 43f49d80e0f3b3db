import { writeFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { createApp } from '@partner-portal/service/app.ts';
import { loadConfig } from '@partner-portal/service/config.ts';
import { createLog } from '@partner-portal/service/platform/log.ts';
import { LOOPS, SWEEPS } from '@partner-portal/service/schema/sweeps.ts';
import { openPlanLog } from '@partner-portal/tests/harness/query-plans.ts';
import { loopKey, MEASURED_FILE } from '../../scripts/sweeps-page.ts';
import type { BenchDatabase } from '../support/database.ts';
import { logPlans, serviceEnv } from './service.ts';

const SLOW_MS = 1_000;
/** The size for which docs/sweeps.md has times. */
const DOCUMENTED_RUNS = 10_000_000;

/**
 * Runs each scheduled job and each loop twice, one after the other, without an engine: the first run does what is due in the seeded rows, the second finds
 * nothing. Prints both times and the blocks read, the slowest first. Writes the times at ten million runs for docs/sweeps.md.
 */
export async function measureSweeps(database: BenchDatabase, say: (line: string) => void, runs: number): Promise<void> {
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
  const rounds: Readonly<Record<string, () => Promise<unknown>>> = {
    'conversations.turns': app.conversations.takeOver,
    'events.react': app.events.runOnce,
    'executions.dispatch': () => app.executions.dispatcher.runOnce(),
    'executions.find-stopped': app.executions.findStopped,
    'executions.find-unreported': app.executions.findUnreported,
    'executions.timeout': app.executions.endOverdue,
    'webhooks.send': app.webhooks.sender.runOnce,
  };
  const all: [string, () => Promise<unknown>][] = [
    ...Object.keys(SWEEPS).map((name): [string, () => Promise<unknown>] => [name, () => app.runner.runCron(name)]),
    ...Object.keys(LOOPS).map((name): [string, () => Promise<unknown>] => {
      const round = rounds[name];
      if (!round) throw new Error(`No round of the loop ${name} is known here.`);
      return [loopKey(name), round];
    }),
  ];
  try {
    for (const [name, work] of all) {
      const row: (typeof measured)[number] = { name, ms: [0, 0], blocks: [0, 0], scanned: [], problem: '' };
      for (const run of [0, 1] as const) {
        plans.skip();
        const beganAt = performance.now();
        await work().catch((error: unknown) => (row.problem = ` (${error instanceof Error ? error.message : String(error)})`));
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
  const idleMs = measured.reduce((sum, { ms }) => sum + ms[1], 0);
  say(
    `${measured.length} scheduled jobs and loops, ${idleMs.toFixed(0)} ms together when nothing is due; first run, second run (target: ${SLOW_MS} ms each):`,
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
  if (runs !== DOCUMENTED_RUNS) return;
  const ms = Object.fromEntries(measured.map((row) => [row.name, row.ms.map(Math.round)]));
  writeFileSync(MEASURED_FILE, `${JSON.stringify({ on: new Date().toISOString().slice(0, 10), runs, ms }, null, 2)}\n`);
  say(`written to ${MEASURED_FILE}; run npm run gen`);
}
