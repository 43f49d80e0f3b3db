import { globSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { run } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { spawn } from 'node:child_process';
import { createTestDatabase } from '../tests/harness/database.ts';
import { type Outcome, runChecks, tellOutcome } from './check.ts';

/**
 * The whole test run: checks, then every `*.test.ts` and the browser. With paths, only the tests under them.
 * Ends with one line `N passed, N failed`; the exit code says the same.
 */
const ROOT = join(import.meta.dirname, '..');
const BROWSER_DIR = join(ROOT, 'tests', 'browser');
/** A file that takes this long hangs; it fails instead of stopping everything. */
const FILE_TIMEOUT_MS = 600_000;
// Some hundred processes run the same code: the first one to load a file compiles it for all.
process.env['NODE_COMPILE_CACHE'] ??= join(ROOT, 'node_modules', '.cache', 'compiled');
const startedAt = performance.now();
const tally = { passed: 0, failed: 0 };
/** Every failure once more at the end, where whoever reads only the end of a long run finds it. */
const failures: string[] = [];
const wanted = process.argv.slice(2).map((path) => resolve(path));

const browserFiles = selectFiles(['tests/browser/**/*.spec.ts']);
/** The walks and faults first: they take longest, and would otherwise be what the others wait for at the end. */
const testFiles = selectFiles(['{contract,core,engine,catalog,sandbox,service,portal,tests,bench,scripts}/**/*.test.ts']).sort(
  (a, b) => Number(isLong(b)) - Number(isLong(a)),
);
// Side by side, and one file more than there are cores: they spend much of their time waiting, for processes to come back and for
// pages to settle.
await Promise.all([
  wanted.length === 0 ? checkAll() : undefined,
  testFiles.length > 0 ? runTests(testFiles) : undefined,
  browserFiles.length > 0 ? runBrowser(wanted.length === 0 ? [] : browserFiles) : undefined,
]);
if (testFiles.length + browserFiles.length === 0) {
  say('There is no test under the given paths.');
  tally.failed += 1;
}
if (failures.length > 0) say(`\nFailures\n${failures.join('\n')}`);
say(`\nin ${seconds(performance.now() - startedAt)}`);
process.stdout.write(`${tally.passed} passed, ${tally.failed} failed\n`);
process.exit(tally.failed === 0 ? 0 : 1);

function selectFiles(patterns: string[]): string[] {
  const all = globSync(patterns, { cwd: ROOT, exclude: (name) => name === 'node_modules' || name === 'dist' });
  const files = [...new Set(all)].map((path) => join(ROOT, path)).sort();
  return wanted.length === 0 ? files : files.filter((file) => wanted.some((path) => file === path || file.startsWith(`${path}/`)));
}

function isLong(file: string): boolean {
  return /^tests\/(faults|journeys)\//.test(relative(ROOT, file));
}

async function checkAll(): Promise<void> {
  say('Checks');
  const outcomes: Outcome[] = await runChecks(tellOutcome);
  for (const { name, ok, said } of outcomes) {
    tally[ok ? 'passed' : 'failed'] += 1;
    if (!ok) failures.push(describe(name, said.trim().split('\n').slice(-200).join('\n')));
  }
}

async function runTests(files: string[]): Promise<void> {
  say(`\nTests (${files.length} files)`);
  // Holding one database keeps the shared server up from the first file to the last.
  const held = await createTestDatabase();
  const stream = run({ files, concurrency: availableParallelism() + 1, cwd: ROOT, timeout: FILE_TIMEOUT_MS });
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
    if (file === undefined) return;
    const title = `${relative(ROOT, file)}: ${name}`;
    if (details.type === 'suite') {
      // A suite fails because something in it did, which is told by itself, or because of what prepares it.
      if (failureType(details.error) !== 'subtestsFailed') tellFailure(title, describeFailure(details.error));
      return;
    }
    of(file).failed += 1;
    tally.failed += 1;
    tellFailure(title, describeFailure(details.error));
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

/** How the runner itself calls it. */
function failureType(error: Error & { failureType?: string }): string | undefined {
  return error.failureType;
}

/** The assertion or error itself rather than the runner's wrapper around it. A file that fails as a whole says how its process ended. */
function describeFailure(error: Error & { exitCode?: number | null; signal?: string | null }): string {
  const { cause } = error;
  if (error.exitCode !== undefined) return `the process ended with ${error.signal ?? `code ${error.exitCode}`}: ${String(cause)}`;
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
  const { stats, suites } = readReport(report);
  tally.passed += stats.expected + stats.flaky;
  tally.failed += stats.unexpected;
  for (const spec of suites.flatMap(listFailures)) failures.push(spec);
  // The server may have failed to start before any test could.
  if (code !== 0 && stats.unexpected === 0) tally.failed += 1;
}

/** What is read of Playwright's own report. */
type Report = { stats: { expected: number; unexpected: number; flaky: number }; suites: Suite[] };
type Suite = { suites?: Suite[]; specs: Spec[] };
type Spec = { ok: boolean; title: string; file: string; tests: { results: { errors: { message?: string }[] }[] }[] };

function readReport(path: string): Report {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Report;
  } catch {
    return { stats: { expected: 0, unexpected: 0, flaky: 0 }, suites: [] };
  }
}

function listFailures({ suites = [], specs }: Suite): string[] {
  const own = specs.filter(({ ok }) => !ok);
  return [
    ...own.map(({ file, title, tests }) => {
      const errors = tests.flatMap(({ results }) => results.flatMap((result) => result.errors.map(({ message }) => message ?? '')));
      return describe(`tests/browser/${file}: ${title}`, stripVTControlCharacters(errors.join('\n')));
    }),
    ...suites.flatMap(listFailures),
  ];
}

function tellFailure(title: string, text: string): void {
  const told = describe(title, text);
  failures.push(told);
  say(told);
}

function describe(title: string, text: string): string {
  return `✖ ${title}\n${indent(text)}`;
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
