import './testing/compile-cache.ts';
import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { CHECK_NAMES, runChecks } from './check.ts';
import { isServiceBuilt } from './start.ts';
import { runBrowserTests } from './testing/browser-tests.ts';
import { installProviders } from './testing/debian-providers.ts';
import { runNodeTests } from './testing/node-tests.ts';
import { addCheck, checkName, count, expectWork, finish, print } from './testing/report.ts';
import { isBrowserFile, selectFiles } from './testing/tiers.ts';

/**
 * The test run: every check, then every test; with arguments, the tests of these tiers, folders and files and nothing else (tiers.ts). Ends
 * with the slowest files, the first lines of the failures and one line `N passed, N failed`; the exit code agrees with it.
 */
const ROOT = join(import.meta.dirname, '..');
const words = process.argv.slice(2);
const { files, unknown } = selectFiles(ROOT, words);
if (unknown.length > 0) {
  print(`No tests are called ${unknown.join(', ')}: an argument is unit, module, system, or the path of a test file or its folder.`);
  process.exit(1);
}

const isWhole = words.length === 0;
expectWork([...(isWhole ? CHECK_NAMES.map(checkName) : []), ...files]);
if (isWhole) {
  print('Checks');
  await runChecks(addCheck);
}
const [browserFiles, nodeFiles] = [files.filter(isBrowserFile), files.filter((file) => !isBrowserFile(file))];
const paths = (some: readonly string[]): string[] => some.map((file) => join(ROOT, file));
installProviders(nodeFiles, process.env);
// The files that are deployed start for half the processor time of the sources, and a whole run starts them some hundred times.
if (isWhole && !isServiceBuilt()) {
  const stdio = ['ignore', 'ignore', 'inherit'] as const;
  execFileSync(process.execPath, [join(ROOT, 'scripts', 'bundle-service.ts')], { stdio: [...stdio] });
  // Killed processes would not keep what they compiled.
  execFileSync(process.execPath, [join(ROOT, 'service', 'dist', 'portal.js'), 'compile'], { stdio: [...stdio] });
}
print(`\nTests (${files.length} files)`);
// Two files more than there are cores: many wait for processes to restart, for jobs or for their database, and with one more a sixth of the processor time
// was left. The browser and the servers of its two pages use most of two cores, so until they have ended node tests take what is left: more at once would
// make each of them, and each page, slower without an earlier end.
const alone = availableParallelism() + 2;
const browser = browserFiles.length > 0 ? runBrowserTests(paths(browserFiles)) : undefined;
const atOnce = browser ? Math.max(1, availableParallelism() - 1) : alone;
const more = browser && [
  { after: browser.lastBegun, count: 1 },
  { after: browser.ended, count: alone - atOnce - 1 },
];
await Promise.all([
  nodeFiles.length > 0 ? runNodeTests(paths(nodeFiles), { atOnce, ...(more ? { more } : {}) }) : undefined,
  browser?.ended,
]);
if (files.length === 0) count('failed');
process.exit(finish());
