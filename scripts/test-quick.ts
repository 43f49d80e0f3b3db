import './testing/compile-cache.ts';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { formatOf, lintOf, runChecks, TYPE_CHECKS } from './check.ts';
import { listChanged, selectTests } from './testing/changed.ts';
import { runNodeTests } from './testing/node-tests.ts';
import { addCheck, checkName, expectWork, finish, print } from './testing/report.ts';

/**
 * The quick run: types of everything, then lint, format, and the unit and module tests of files that differ from main, uncommitted changes
 * included. Leaves out journeys, faults, the browser and the engine's conformance tests: `npm test` runs them.
 */
const ROOT = join(import.meta.dirname, '..');
const changed = listChanged(ROOT).filter((file) => existsSync(join(ROOT, file)));
const sources = changed.filter((file) => /\.(ts|tsx|mjs)$/.test(file));
print(`${changed.length} files differ from main\n\nChecks`);
const ofChanged = sources.length > 0 ? [lintOf(sources), formatOf(sources)] : [];
const checks = [...TYPE_CHECKS, ...ofChanged];
const tests = selectTests(ROOT, changed);
expectWork([...checks.map(({ name }) => checkName(name)), ...tests]);
await runChecks(addCheck, checks);
if (tests.length > 0)
  await runNodeTests(
    tests.map((file) => join(ROOT, file)),
    { atOnce: availableParallelism() },
  );
process.exit(finish());
