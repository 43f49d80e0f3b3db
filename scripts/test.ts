import './testing/compile-cache.ts';
import { globSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { printResult, runChecks } from './check.ts';
import { runBrowserTests } from './testing/browser-tests.ts';
import { runNodeTests } from './testing/node-tests.ts';
import { addCheck, count, finish, print } from './testing/report.ts';

/**
 * The whole test run: checks, then every `*.test.ts`, and the browser beside both. With paths, only the tests under them.
 * Ends with the slowest files and one line `N passed, N failed`; the exit code agrees with it.
 */
const ROOT = join(import.meta.dirname, '..');
const wanted = process.argv.slice(2).map((path) => resolve(path));

const browserFiles = selectFiles('tests/browser/**/*.spec.ts');
const testFiles = selectFiles('{contract,messages,core,engine,catalog,sandbox,service,portal,tests,bench,scripts}/**/*.test.ts');
// The browser takes longest: it starts beside the checks, so that it does not run alone at the end.
await Promise.all([runNodeSide(), browserFiles.length > 0 ? runBrowserTests(wanted.length === 0 ? [] : browserFiles) : undefined]);
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
  const files = found.map((path) => join(ROOT, path)).sort();
  return wanted.length === 0 ? files : files.filter((file) => wanted.some((path) => file === path || file.startsWith(`${path}/`)));
}
