import { cpus } from 'node:os';
import { benchBilling } from './scenarios/billing.ts';
import { benchEngine } from './scenarios/engine.ts';
import { benchIngest } from './scenarios/ingest.ts';
import { benchLists } from './scenarios/lists.ts';
import { benchLogin } from './scenarios/login.ts';
import { benchProvisioning } from './scenarios/provisioning.ts';
import { benchRunOverhead } from './scenarios/run-overhead.ts';
import { benchWebhooks } from './scenarios/webhooks.ts';
import { type BenchDatabase, startBenchDatabase } from './support/database.ts';

/** `npm run bench [ingest] [run-overhead] [lists] [engine] [provisioning] [login] [webhooks] [billing]`: prints figures and ratios measured in this run; asserts nothing. */

const SCENARIOS: Record<string, (database: BenchDatabase, say: (line: string) => void) => Promise<void>> = {
  ingest: benchIngest,
  'run-overhead': benchRunOverhead,
  lists: benchLists,
  engine: benchEngine,
  provisioning: benchProvisioning,
  login: benchLogin,
  webhooks: benchWebhooks,
  billing: benchBilling,
};

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const requested = process.argv.slice(2);
const unknown = requested.filter((name) => !(name in SCENARIOS));
if (unknown.length > 0) {
  say(`Unknown scenario: ${unknown.join(', ')}. Scenarios: ${Object.keys(SCENARIOS).join(', ')}.`);
  process.exit(1);
}
say(`${cpus().length} cores, ${cpus()[0]?.model ?? 'unknown'}, node ${process.version}`);
for (const [name, bench] of Object.entries(SCENARIOS)) {
  if (requested.length > 0 && !requested.includes(name)) continue;
  say(`\n${name}`);
  const database = await startBenchDatabase();
  try {
    await bench(database, (line) => say(`  ${line}`));
  } finally {
    await database.stop();
  }
}
