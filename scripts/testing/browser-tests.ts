import { spawn } from 'node:child_process';
import { join, relative } from 'node:path';
import type { BrowserMessage } from './browser-reporter.ts';
import { addFailure, addFile, count } from './report.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const BROWSER_DIR = join(ROOT, 'tests', 'browser');
/** As in the configuration of Playwright. */
const WORKERS = 2;

/** `lastBegun`: a file is left for each worker but one, so that a worker has no more to do. */
export type BrowserRun = { lastBegun: Promise<void>; ended: Promise<void> };

/** Runs these spec files in Playwright, whose reporter sends each file's outcome here. */
export function runBrowserTests(files: readonly string[]): BrowserRun {
  const lastBegun = Promise.withResolvers<void>();
  const ended = runSpecs(files, (reported) => {
    if (files.length - reported < WORKERS) lastBegun.resolve();
  });
  return { lastBegun: Promise.race([lastBegun.promise, ended]), ended };
}

async function runSpecs(files: readonly string[], onReported: (count: number) => void): Promise<void> {
  const cli = join(ROOT, 'node_modules', '@playwright', 'test', 'cli.js');
  const paths = files.map((file) => relative(BROWSER_DIR, file));
  const child = spawn(process.execPath, [cli, 'test', '-c', join(BROWSER_DIR, 'playwright.config.ts'), ...paths], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  let [failed, reported] = [0, 0];
  child.on('message', (sent) => {
    const { file, passed, ms, failures } = sent as BrowserMessage; // the reporter is the only sender
    const name = relative(ROOT, join(ROOT, file.replace(`${ROOT}/`, '')));
    failed += failures.length;
    count('passed', passed);
    count('failed', failures.length);
    for (const { title, text } of failures) addFailure(`${name}: ${title}`, text);
    addFile({ name, ms, passed, failed: failures.length });
    onReported((reported += 1));
  });
  const ended = Promise.withResolvers<number | null>();
  child.once('close', (code) => ended.resolve(code));
  const code = await ended.promise;
  // Playwright may end before any test could begin.
  if (code === 0 || failed > 0) return;
  count('failed');
  addFailure('tests/browser', `Playwright ended with code ${code} without naming a failed test.`);
}
