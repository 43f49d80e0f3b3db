import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { OWN_DOMAIN } from './own-domain.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/**
 * The browser tests walk the real service, one for each worker (portal.ts). The Chromium is the one `scripts/prepare.mjs test`
 * found or brought.
 */
export default defineConfig({
  testDir: import.meta.dirname,
  testMatch: '**/*.spec.ts',
  outputDir: join(ROOT, 'test-results'),
  fullyParallel: false,
  workers: 2,
  // What is waited for is waited for as long as a busy machine may need; nothing here measures time.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  forbidOnly: true,
  reporter: [['line'], ['json', { outputFile: join(ROOT, 'test-results', 'browser.json') }]],
  use: {
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
