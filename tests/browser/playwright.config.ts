import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { OWN_DOMAIN } from './own-domain.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const IN_ORDER = join(ROOT, 'node_modules', '.cache', 'browser-order');

/** With BROWSER_TEST_ORDER, `reverse` or the seed of a shuffle, one file runs the tests of all others, for one worker. */
function inOrder(order: string): { testDir: string; testMatch: string } {
  const files = globSync('*.spec.ts', { cwd: import.meta.dirname }).toSorted();
  const rank = (file: string): string => createHash('sha256').update(`${order} ${file}`).digest('hex');
  const ordered = order === 'reverse' ? files.toReversed() : files.toSorted((a, b) => rank(a).localeCompare(rank(b)));
  mkdirSync(IN_ORDER, { recursive: true });
  const lines = ordered.map((file) => `import ${JSON.stringify(join(import.meta.dirname, file))};\n`);
  writeFileSync(join(IN_ORDER, 'all.spec.mjs'), lines.join(''));
  return { testDir: IN_ORDER, testMatch: 'all.spec.mjs' };
}

const order = process.env['BROWSER_TEST_ORDER'];

/**
 * The browser tests walk the real service, one for each worker (portal.ts). The Chromium is the one `scripts/prepare.mjs test`
 * found or brought.
 */
export default defineConfig({
  testDir: import.meta.dirname,
  testMatch: '**/*.spec.ts',
  ...(order === undefined ? {} : inOrder(order)),
  outputDir: join(ROOT, 'test-results'),
  fullyParallel: false,
  workers: 2,
  // Timeouts allow for a busy machine; no test here measures time.
  timeout: 300_000,
  globalTimeout: 3_600_000,
  expect: { timeout: 60_000 },
  forbidOnly: true,
  reporter: [[join(ROOT, 'scripts', 'testing', 'browser-reporter.ts')]],
  use: {
    // What takes longer hangs: the failure then names the call.
    actionTimeout: 150_000,
    navigationTimeout: 150_000,
    // Watching slows every test: only when something has to be found.
    trace: process.env['BROWSER_TEST_TRACE'] === 'true' ? 'retain-on-failure' : 'off',
    launchOptions: {
      executablePath: readFileSync(join(ROOT, 'node_modules', '.chromium'), 'utf8').trim(),
      // Processes are what browser tests pay for most: none is started in reserve.
      // No page lives long enough to earn back what the optimizing compilers cost.
      args: [
        '--disable-dev-shm-usage',
        '--renderer-process-limit=1',
        '--js-flags=--no-opt --no-maglev',
        `--host-resolver-rules=MAP ${OWN_DOMAIN} 127.0.0.1`,
      ],
    },
  },
});
