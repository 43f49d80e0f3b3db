import { globSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { run } from 'node:test';
import { spawn } from 'node:child_process';
import { createTestDatabase } from '../tests/harness/database.ts';
import { type Outcome, runChecks, tellOutcome } from './check.ts';

/**
 * The whole test run: checks, then every `*.test.ts`, then the browser. With paths, only the tests under them.
 * Ends with one line `N passed, N failed`; the exit code says the same.
 */
const ROOT = join(import.meta.dirname, '..');
const BROWSER_DIR = join(ROOT, 'tests', 'browser');
/** A file that takes this long hangs; it fails instead of stopping everything. */
const FILE_TIMEOUT_MS = 240_000;
const startedAt = performance.now();
const tally = { passed: 0, failed: 0 };
const wanted = process.argv.slice(2).map((path) => resolve(path));

const browserFiles = selectFiles(['tests/browser/**/*.spec.ts']);
const testFiles = selectFiles(['{contract,core,engine,catalog,sandbox,service,portal,tests,bench,scripts}/**/*.test.ts']);
if (wanted.length === 0) await checkAll();
if (testFiles.length > 0) await runTests(testFiles);
if (browserFiles.length > 0) await runBrowser(wanted.length === 0 ? [] : browserFiles);
if (testFiles.length + browserFiles.length === 0) {
  say('There is no test under the given paths.');
  tally.failed += 1;
}
say(`\nin ${seconds(performance.now() - startedAt)}`);
process.stdout.write(`${tally.passed} passed, ${tally.failed} failed\n`);
process.exit(tally.failed === 0 ? 0 : 1);

function selectFiles(patterns: string[]): string[] {
  const all = globSync(patterns, { cwd: ROOT, exclude: (name) => name === 'node_modules' || name === 'dist' });
  const files = [...new Set(all)].map((path) => join(ROOT, path)).sort();
  return wanted.length === 0 ? files : files.filter((file) => wanted.some((path) => file === path || file.startsWith(`${path}/`)));
}

async function checkAll(): Promise<void> {
  say('Checks');
  const outcomes: Outcome[] = await runChecks(tellOutcome);
  for (const outcome of outcomes) tally[outcome.ok ? 'passed' : 'failed'] += 1;
}

async function runTests(files: string[]): Promise<void> {
  say(`\nTests (${files.length} files)`);
  // Holding one database keeps the shared server up from the first file to the last.
  const held = await createTestDatabase();
  const stream = run({ files, concurrency: Math.max(2, availableParallelism()), cwd: ROOT, timeout: FILE_TIMEOUT_MS });
  const perFile = new Map<string, { passed: number; failed: number }>();
  const of = (file: string) => {
    const known = perFile.get(file) ?? { passed: 0, failed: 0 };
    perFile.set(file, known);
    return known;
  };
  stream.on('test:pass', ({ file, details }) => {
    if (details.type === 'suite' || file === undefined) return;
    of(file).passed += 1;
    tally.passed += 1;
  });
  stream.on('test:fail', ({ name, file, details }) => {
    // A suite fails because something in it did; that something has been told already.
    if (details.type === 'suite' || file === undefined) return;
    of(file).failed += 1;
    tally.failed += 1;
    say(`✖ ${relative(ROOT, file)}: ${name}\n${indent(describeFailure(details.error))}`);
  });
  stream.on('test:summary', ({ file, success, duration_ms: ms }) => {
    if (file === undefined) return;
    const seen = of(file);
    say(
      `${success ? '✔' : '✖'} ${relative(ROOT, file)} (${seen.passed} passed${seen.failed ? `, ${seen.failed} failed` : ''}, ${seconds(ms)})`,
    );
  });
  stream.on('test:stderr', ({ message }) => void process.stderr.write(message));
  for await (const _event of stream);
  await held.drop();
}

/** The assertion or error itself rather than the runner's wrapper around it. */
function describeFailure(error: Error): string {
  const { cause } = error;
  if (cause instanceof Error) return cause.stack ?? cause.message;
  return typeof cause === 'string' ? cause : (error.stack ?? error.message);
}

async function runBrowser(files: string[]): Promise<void> {
  say('\nBrowser');
  const report = join(ROOT, 'test-results', 'browser.json');
  rmSync(report, { force: true });
  const cli = join(ROOT, 'node_modules', '@playwright', 'test', 'cli.js');
  const child = spawn(
    process.execPath,
    [cli, 'test', '-c', join(BROWSER_DIR, 'playwright.config.ts'), ...files.map((file) => relative(BROWSER_DIR, file))],
    {
      cwd: ROOT,
      stdio: 'inherit',
    },
  );
  const ended = Promise.withResolvers<number | null>();
  child.once('close', (code) => ended.resolve(code));
  const code = await ended.promise;
  const { expected, unexpected, flaky } = readReport(report);
  tally.passed += expected + flaky;
  tally.failed += unexpected;
  // The server may have failed to start before any test could.
  if (code !== 0 && unexpected === 0) tally.failed += 1;
}

function readReport(path: string): { expected: number; unexpected: number; flaky: number } {
  try {
    const { stats } = JSON.parse(readFileSync(path, 'utf8')) as { stats: { expected: number; unexpected: number; flaky: number } }; // Playwright's own report
    return stats;
  } catch {
    return { expected: 0, unexpected: 0, flaky: 0 };
  }
}

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
