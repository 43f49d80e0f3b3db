import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { runUnlessPassed } from './testing/passed-before.ts';
import { checkWords, describeFindings } from './words.ts';

const ROOT = join(import.meta.dirname, '..');
/** Two at a time, each of which uses one core. */
const CONCURRENCY = 2;
const LINES_MAX = 200;
const bin = (name: string): string => join(ROOT, 'node_modules', '.bin', name);

/** With the compiler's: what has not changed is not read again. */
const KNIP_CACHE = join('node_modules', '.cache', 'knip');

export type CheckResult = { name: string; ok: boolean; ms: number; output: string };
type Result = Pick<CheckResult, 'ok' | 'output'>;
export type Check = { name: string; run: () => Promise<Result> };

/**
 * The compiler and the linter are Go programs that check with a thread for each core: each thread resolves the types it meets again, so a
 * second one doubles the work of a check without halving its time. A check gets one thread, and another check the other core.
 */
const ONE_THREAD = { GOMAXPROCS: '1', GOGC: '400' };

/** Both TypeScript programs, built incrementally. */
export const TYPE_CHECKS: readonly Check[] = [
  { name: 'types', run: () => runProgram(bin('tsc'), ['-p', 'tsconfig.json', '--singleThreaded'], ONE_THREAD) },
  { name: 'types of the portal', run: () => runProgram(bin('tsc'), ['-p', 'portal/tsconfig.json', '--singleThreaded'], ONE_THREAD) },
];

/**
 * Everything that needs no test: types, lint, format, dead code, generated files that match their source, the API document and words. What holds
 * the event loop for seconds is a program of its own: timers of the others would end while it does.
 */
const CHECKS: readonly Check[] = [
  ...TYPE_CHECKS,
  lintOf([]),
  formatOf([]),
  { name: 'dead code', run: () => runProgram(process.execPath, [bin('knip'), '--no-progress', '--cache', '--cache-location', KNIP_CACHE]) },
  { name: 'generated files', run: () => runProgram(process.execPath, ['scripts/generate.ts', '--check']) },
  { name: 'API document', run: () => runProgram(process.execPath, ['scripts/lint-api.ts']) },
  { name: 'words', run: checkProse },
];

/** The names of all checks, in the order in which they begin. */
export const CHECK_NAMES: readonly string[] = CHECKS.map(({ name }) => name);

/** Returns the lint of these files, of all when there are none. The linter keeps no cache, and takes longer than all other checks together. */
export function lintOf(files: readonly string[]): Check {
  const run = (): Promise<Result> => runProgram(bin('oxlint'), ['--type-aware', '--deny-warnings', '--threads=1', ...files], ONE_THREAD);
  return { name: 'lint', run: files.length > 0 ? run : () => runUnlessPassed(ROOT, 'lint', run) };
}

/** Returns the format check of these files, of all when there are none. */
export function formatOf(files: readonly string[]): Check {
  return { name: 'format', run: () => runProgram(bin('oxfmt'), ['--check', ...files]) };
}

/** Runs the checks in order, two at a time, and reports each as it ends. */
export async function runChecks(onResult: (result: CheckResult) => void, checks: readonly Check[] = CHECKS): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  const left = [...checks];
  const work = async (): Promise<void> => {
    for (let check = left.shift(); check; check = left.shift()) {
      const startedAt = performance.now();
      const result = { name: check.name, ...(await check.run()), ms: performance.now() - startedAt };
      results.push(result);
      onResult(result);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return results;
}

async function checkProse(): Promise<Result> {
  const findings = checkWords();
  return { ok: findings.length === 0, output: describeFindings(findings) };
}

async function runProgram(program: string, args: readonly string[], env: Record<string, string> = {}): Promise<Result> {
  const { promise, resolve } = Promise.withResolvers<Result>();
  const child = spawn(program, args, { cwd: ROOT, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.once('error', (error) => resolve({ ok: false, output: error.message }));
  child.once('close', (code) => resolve({ ok: code === 0, output }));
  return promise;
}

/** Prints one line per check, and its output when it failed. */
export function printResult(result: CheckResult): void {
  process.stdout.write(`${result.ok ? '✔' : '✖'} ${result.name} (${(result.ms / 1000).toFixed(1)} s)\n`);
  if (!result.ok) process.stdout.write(`${lastLines(result.output)}\n`);
}

/** Returns the end of a long output. */
export function lastLines(text: string): string {
  return text.trim().split('\n').slice(-LINES_MAX).join('\n');
}

if (import.meta.main) {
  const results = await runChecks(printResult);
  const failed = results.filter((result) => !result.ok).length;
  process.stdout.write(`\n${results.length - failed} passed, ${failed} failed\n`);
  process.exit(failed === 0 ? 0 : 1);
}
