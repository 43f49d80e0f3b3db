import './testing/compile-cache.ts';
import { globSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { printResult, runChecks } from './check.ts';
import { runBrowserTests } from './testing/browser-tests.ts';
import { installProviders } from './testing/debian-providers.ts';
import { LONG_FILES } from './testing/durations.ts';
import { runNodeTests } from './testing/node-tests.ts';
import { addCheck, count, finish, print } from './testing/report.ts';
import { chooseTurn, filesOfTurn, TURNS } from './testing/turns.ts';

/**
 * The test run: checks, then the `*.test.ts`, and the browser beside both. Long files take turns (turns.ts); with paths, every test under
 * them runs and nothing else. Ends with the slowest files and one line `N passed, N failed`; the exit code agrees with it.
 */
const ROOT = join(import.meta.dirname, '..');
const wanted = process.argv.slice(2).map((path) => resolve(path));
const turn = wanted.length > 0 ? null : chooseTurn(ROOT, process.env);
if (turn !== null)
  print(`Turn ${turn + 1} of ${TURNS} of the long test files. TEST_TURN=${turn + 1} repeats it, TEST_TURN=all runs every file.\n`);

const browserFiles = selectFiles('tests/browser/**/*.spec.ts');
const testFiles = selectFiles('{contract,messages,core,engine,catalog,sandbox,service,portal,tests,bench,scripts}/**/*.test.ts');
installProviders(testFiles, process.env);
// The browser takes longest: it starts beside the checks, so that it does not run alone at the end.
await Promise.all([runNodeSide(), browserFiles.length > 0 ? runBrowserTests(browserFiles) : undefined]);
if (testFiles.length + browserFiles.length === 0) {
  print('No tests found under the given paths.');
  count('failed');
}
process.exit(finish());

async function runNodeSide(): Promise<void> {
  if (wanted.length === 0) {
    print('Checks');
    for (const result of await runChecks(printResult)) addCheck(result);
  }
  if (testFiles.length > 0) await runNodeTests(testFiles);
}

function selectFiles(pattern: string): string[] {
  const found = globSync(pattern, { cwd: ROOT, exclude: (name) => name === 'node_modules' || name === 'dist' });
  const files = (turn === null ? found : filesOfTurn(found, LONG_FILES, turn)).map((path) => join(ROOT, path)).sort();
  return wanted.length === 0 ? files : files.filter((file) => wanted.some((path) => file === path || file.startsWith(`${path}/`)));
}
