import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';

const ROOT = join(import.meta.dirname, '..', '..');
// Workers read this file again, each in a process of its own; they inherit what the first reading chose.
process.env['BROWSER_TEST_PORT'] ??= String(3900 + (process.pid % 90));
const PORT = Number(process.env['BROWSER_TEST_PORT']);

/**
 * The browser tests walk the real service with its quick-start workspace: own data folder, own port, nothing mocked. The
 * Chromium is the one `scripts/prepare.mjs test` found or brought.
 */
export default defineConfig({
  testDir: import.meta.dirname,
  testMatch: '**/*.spec.ts',
  outputDir: join(ROOT, 'test-results'),
  fullyParallel: false,
  workers: 1,
  timeout: 60_000,
  forbidOnly: true,
  reporter: [['line'], ['json', { outputFile: join(ROOT, 'test-results', 'browser.json') }]],
  use: {
    baseURL: `http://127.0.0.1:${PORT}`,
    trace: 'retain-on-failure',
    launchOptions: {
      executablePath: readFileSync(join(ROOT, 'node_modules', '.chromium'), 'utf8').trim(),
      args: ['--disable-dev-shm-usage'],
    },
  },
  webServer: {
    command: `${join(ROOT, 'node_modules', '.bin', 'node')} service/main.ts`,
    cwd: ROOT,
    url: `http://127.0.0.1:${PORT}/health/ready`,
    env: {
      PATH: process.env['PATH'] ?? '',
      DATA_DIR: join(tmpdir(), `portal-browser-${PORT}-${process.pid}`),
      PORT: String(PORT),
      LOG_LEVEL: 'warn',
      SEED_ADMIN_EMAIL: 'admin@portal.example.com',
      SEED_ADMIN_PASSWORD: 'browser-tests-admin',
    },
    timeout: 120_000,
    reuseExistingServer: false,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 20_000 },
  },
});
