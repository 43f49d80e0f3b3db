import { type CheckResult, lastLines } from '../check.ts';
import { expectDuration, saveDurations } from './durations.ts';

const SLOWEST = 10;
/** Lines of each failure in the summary, without its stack; the full text is printed when the failure occurs. */
const SUMMARY_LINES = 8;
/** Fraction of the work that must be done before the rest is estimated. */
const ESTIMATE_FROM = 0.03;

const startedAt = performance.now();
const tally = { passed: 0, failed: 0 };
const failures: { title: string; text: string }[] = [];
const durations: { name: string; ms: number }[] = [];
/** Expected milliseconds of what has not ended. */
const ahead = new Map<string, number>();
let doneMs = 0;

/** Announces checks and files by their names: progress is the part of their expected duration that has ended. */
export function expectWork(names: readonly string[]): void {
  for (const name of names) ahead.set(name, expectDuration(name));
}

/** Counts the outcome of a check and prints its line; its output too when it failed. */
export function addCheck({ name, ok, output, ms }: CheckResult): void {
  count(ok ? 'passed' : 'failed');
  if (!ok) addFailure(name, lastLines(output));
  addLine(ok, checkName(name), ms, seconds(ms));
}

/** The name under which a check is announced and remembered. */
export const checkName = (name: string): string => `check: ${name}`;

/** Prints the line of a test file that has ended. Its tests and failures are counted where they are seen. */
export function addFile({ name, ms, passed, failed }: { name: string; ms: number; passed: number; failed: number }): void {
  addLine(failed === 0, name, ms, `${passed} passed${failed ? `, ${failed} failed` : ''}, ${seconds(ms)}`);
}

function addLine(ok: boolean, name: string, ms: number, described: string): void {
  durations.push({ name, ms });
  doneMs += ahead.get(name) ?? 0;
  ahead.delete(name);
  print(`${describeProgress(doneMs, sumOf(ahead.values()), performance.now() - startedAt)} ${ok ? '✔' : '✖'} ${name} (${described})`);
}

const sumOf = (numbers: Iterable<number>): number => [...numbers].reduce((sum, ms) => sum + ms, 0);

/** Returns how much is done and how long the rest takes if it goes on as before, in columns: ` 42 %   9 min left`, ` 99 %  12 s left  `. */
export function describeProgress(done: number, left: number, elapsedMs: number): string {
  const part = done + left === 0 ? 1 : done / (done + left);
  const percent = `${String(Math.floor(part * 100)).padStart(3)} %`;
  if (part < ESTIMATE_FROM || left === 0) return `${percent}${' '.repeat(13)}`;
  const wait = Math.ceil((elapsedMs * left) / done / 1_000);
  const [count, unit] = wait < 100 ? [wait, 's'] : [Math.ceil(wait / 60), 'min'];
  return `${percent} ${String(count).padStart(3)} ${unit} left`.padEnd(18);
}

export function count(outcome: 'passed' | 'failed', by = 1): void {
  tally[outcome] += by;
}

/** Prints a failure now; its first lines are printed again at the end of the run. */
export function addFailure(title: string, text: string): void {
  failures.push({ title, text });
  print(describe(title, text.split('\n')));
}

/** Prints the slowest files, the failures' first lines and the tally `N passed, N failed`, and remembers how long files took; returns the exit code. */
export function finish(): 0 | 1 {
  const slowest = durations.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST);
  if (slowest.length > 0) print(`\nSlowest\n${slowest.map(({ name, ms }) => `${seconds(ms).padStart(9)}  ${name}`).join('\n')}`);
  if (failures.length > 0) print(`\nFailures\n${failures.map(({ title, text }) => describe(title, firstLines(text))).join('\n')}`);
  print(`\nin ${seconds(performance.now() - startedAt)}`);
  print(`${tally.passed} passed, ${tally.failed} failed`);
  // A file that failed early would be saved as quick.
  if (tally.failed === 0) saveDurations(durations);
  return tally.failed === 0 ? 0 : 1;
}

function firstLines(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !/^\s+at /.test(line));
  return lines.length > SUMMARY_LINES ? [...lines.slice(0, SUMMARY_LINES), '…'] : lines;
}

function describe(title: string, lines: readonly string[]): string {
  return [`✖ ${title}`, ...lines.map((line) => `    ${line}`)].join('\n');
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
