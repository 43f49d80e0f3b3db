import { cpus } from 'node:os';
import { benchEngine } from './scenarios/engine.ts';
import { benchIngest } from './scenarios/ingest.ts';
import { benchPortal } from './scenarios/portal.ts';
import { benchProvisioning } from './scenarios/provisioning.ts';
import { benchPurge } from './scenarios/purge.ts';
import { benchScale } from './scenarios/scale.ts';
import { benchSweeps } from './scenarios/sweeps.ts';
import { benchTraces } from './scenarios/traces.ts';
import { benchWebhooks } from './scenarios/webhooks.ts';
import { benchBurst, benchRuns } from './scenarios/whole-runs.ts';
import { type BenchDatabase, startBenchDatabase } from './support/database.ts';

/** `npm run bench [ingest] [engine] [provisioning] [webhooks] [purge] [scale] [sweeps] [portal] [runs] [burst] [traces]`: prints figures and ratios measured in this run; asserts nothing. `purge=100000`, `scale=100000` and `sweeps=100000` have fewer rows, `scale=10000000` more; `runs=600` and `burst=600` last ten minutes. */

const SCENARIOS: Record<string, (database: BenchDatabase, say: (line: string) => void, size?: number) => Promise<void>> = {
  ingest: benchIngest,
  engine: benchEngine,
  provisioning: benchProvisioning,
  webhooks: benchWebhooks,
  purge: benchPurge,
  scale: benchScale,
  sweeps: benchSweeps,
};

/** Those that start a whole system of their own. */
const WITH_SYSTEM: Record<string, (say: (line: string) => void, size?: number) => Promise<void>> = {
  portal: benchPortal,
  runs: benchRuns,
  burst: benchBurst,
  traces: benchTraces,
};

const say = (line: string): void => void process.stdout.write(`${line}\n`);
/** Names, some with a size: `purge=100000`. */
const requested = new Map(process.argv.slice(2).map((given) => [given.split('=')[0] ?? '', Number(given.split('=')[1]) || undefined]));
const unknown = [...requested.keys()].filter((name) => !(name in SCENARIOS || name in WITH_SYSTEM));
if (unknown.length > 0) {
  say(`Unknown scenario: ${unknown.join(', ')}. Scenarios: ${Object.keys({ ...SCENARIOS, ...WITH_SYSTEM }).join(', ')}.`);
  process.exit(1);
}
say(`${cpus().length} cores, ${cpus()[0]?.model ?? 'unknown'}, node ${process.version}`);
for (const [name, bench] of Object.entries(SCENARIOS)) {
  if (requested.size > 0 && !requested.has(name)) continue;
  say(`\n${name}`);
  const database = await startBenchDatabase();
  try {
    await bench(database, (line) => say(`  ${line}`), requested.get(name));
  } finally {
    await database.stop();
  }
}
for (const [name, bench] of Object.entries(WITH_SYSTEM)) {
  if (requested.size > 0 && !requested.has(name)) continue;
  say(`\n${name}`);
  await bench((line) => say(`  ${line}`), requested.get(name));
}
