import { type CheckResult, lastLines } from '../check.ts';
import { saveDurations } from './durations.ts';

const SLOWEST = 10;
const startedAt = performance.now();
const tally = { passed: 0, failed: 0 };
const failures: string[] = [];
const durations: { name: string; ms: number }[] = [];

/** Counts the outcome of a check, and keeps its output for the end when it failed. */
export function addCheck({ name, ok, output, ms }: CheckResult): void {
  count(ok ? 'passed' : 'failed');
  durations.push({ name: `check: ${name}`, ms });
  if (!ok) failures.push(describe(name, lastLines(output)));
}

export function count(outcome: 'passed' | 'failed', by = 1): void {
  tally[outcome] += by;
}

/** Records how long a file took, for the list of the slowest. */
export function addDuration(name: string, ms: number): void {
  durations.push({ name, ms });
}

/** Prints a failure now, and again at the end of the run. */
export function addFailure(title: string, text: string): void {
  const described = describe(title, text);
  failures.push(described);
  print(described);
}

/** Prints failures, slowest files and the tally `N passed, N failed`, and remembers how long files took; returns the exit code. */
export function finish(): 0 | 1 {
  if (failures.length > 0) print(`\nFailures\n${failures.join('\n')}`);
  const slowest = durations.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST);
  if (slowest.length > 0) print(`\nSlowest\n${slowest.map(({ name, ms }) => `${seconds(ms).padStart(9)}  ${name}`).join('\n')}`);
  print(`\nin ${seconds(performance.now() - startedAt)}`);
  print(`${tally.passed} passed, ${tally.failed} failed`);
  // What failed early would count as quick.
  if (tally.failed === 0) saveDurations(durations);
  return tally.failed === 0 ? 0 : 1;
}

function describe(title: string, text: string): string {
  return `✖ ${title}\n${text
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n')}`;
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
