import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { addDuration, addFailure, count, print } from './report.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const BROWSER_DIR = join(ROOT, 'tests', 'browser');

/** Runs these spec files in Playwright. */
export async function runBrowserTests(files: readonly string[]): Promise<void> {
  print('\nBrowser');
  const report = join(ROOT, 'test-results', 'browser.json');
  rmSync(report, { force: true });
  const cli = join(ROOT, 'node_modules', '@playwright', 'test', 'cli.js');
  const paths = files.map((file) => relative(BROWSER_DIR, file));
  const child = spawn(process.execPath, [cli, 'test', '-c', join(BROWSER_DIR, 'playwright.config.ts'), ...paths], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  const ended = Promise.withResolvers<number | null>();
  child.once('close', (code) => ended.resolve(code));
  const code = await ended.promise;
  const { stats, suites } = readReport(report);
  count('passed', stats.expected + stats.flaky);
  count('failed', stats.unexpected);
  const msOf = new Map<string, number>();
  for (const { file, spec } of suites.flatMap((suite) => listSpecs(suite).map((spec) => ({ file: suite.file, spec })))) {
    const { ok, title, tests } = spec;
    const results = tests.flatMap((test) => test.results);
    msOf.set(file, (msOf.get(file) ?? 0) + results.reduce((sum, { duration }) => sum + duration, 0));
    const errors = results.flatMap((result) => result.errors.map(({ message }) => message ?? ''));
    if (!ok) addFailure(`tests/browser/${file}: ${title}`, stripVTControlCharacters(errors.join('\n')));
  }
  for (const [file, ms] of msOf) addDuration(`tests/browser/${file}`, ms);
  // The server may have failed to start before any test could.
  if (code !== 0 && stats.unexpected === 0) count('failed');
}

/** The part of Playwright's JSON report that is used. */
type Report = { stats: { expected: number; unexpected: number; flaky: number }; suites: Suite[] };
type Suite = { file: string; suites?: Suite[]; specs: Spec[] };
type Spec = { ok: boolean; title: string; tests: { results: { duration: number; errors: { message?: string }[] }[] }[] };

function readReport(path: string): Report {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Report; // Playwright's own format
  } catch {
    return { stats: { expected: 0, unexpected: 0, flaky: 0 }, suites: [] };
  }
}

function listSpecs({ suites = [], specs }: Suite): Spec[] {
  return [...specs, ...suites.flatMap(listSpecs)];
}
