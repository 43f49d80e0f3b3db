import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { run } from 'node:test';
import { createTestDatabase } from '../../tests/harness/database.ts';
import { expectDuration } from './durations.ts';
import { groupFiles } from './groups.ts';
import { addDuration, addFailure, count, print, seconds } from './report.ts';

const ROOT = join(import.meta.dirname, '..', '..');
/** A file that takes this long hangs; it fails instead of stopping the run. */
const FILE_TIMEOUT_MS = 600_000;

/** Runs the files, the longest of the previous run first: one that starts late would run alone at the end. Short ones share processes. */
export async function runNodeTests(files: readonly string[]): Promise<void> {
  print(`\nTests (${files.length} files)`);
  const units = groupFiles(ROOT, files);
  const expectedOf = new Map(units.map((unit) => [unit, unit.files.reduce((sum, file) => sum + expectDuration(relative(ROOT, file)), 0)]));
  const ordered = units.toSorted((a, b) => (expectedOf.get(b) ?? 0) - (expectedOf.get(a) ?? 0)).map(({ path }) => path);
  const groups = new Set(units.filter((unit) => unit.files.length > 1).map(({ path }) => path));
  // An open database keeps the shared server up from the first file to the last.
  const held = await createTestDatabase();
  // One file more than there are cores: many wait for processes to restart.
  const stream = run({ files: ordered, concurrency: availableParallelism() + 1, cwd: ROOT, timeout: FILE_TIMEOUT_MS });
  const perFile = new Map<string, { passed: number; failed: number }>();
  const finishFile = (file: string, ms: number): void => {
    const name = relative(ROOT, file);
    const { passed, failed } = of(file);
    addDuration(name, ms);
    print(`${failed === 0 ? '✔' : '✖'} ${name} (${passed} passed${failed ? `, ${failed} failed` : ''}, ${seconds(ms)})`);
  };
  const of = (file: string): { passed: number; failed: number } => {
    const known = perFile.get(file) ?? { passed: 0, failed: 0 };
    perFile.set(file, known);
    return known;
  };
  /** A group has a suite for each of its files; everything else is in the file it was written in. */
  const isWholeFile = (file: string, nesting: number, type: string | undefined): boolean =>
    groups.has(file) && nesting === 0 && type === 'suite';
  stream.on('test:pass', ({ name, file, nesting, details }) => {
    if (file === undefined) return;
    if (isWholeFile(file, nesting, details.type)) finishFile(join(ROOT, name), details.duration_ms);
    if (details.type === 'suite') return;
    of(file).passed += 1;
    count('passed');
  });
  stream.on('test:fail', ({ name, file, nesting, details }) => {
    if (file === undefined) return;
    const isFile = isWholeFile(file, nesting, details.type);
    const writtenIn = isFile ? join(ROOT, name) : file;
    // A suite fails because of a test in it, which is reported by itself, or because of its hooks, or of loading the file that it stands for.
    if (details.type !== 'suite' || failureType(details.error) !== 'subtestsFailed') {
      of(writtenIn).failed += 1;
      count('failed');
      addFailure(isFile ? name : `${relative(ROOT, file)}: ${name}`, describeFailure(details.error));
    }
    if (isFile) finishFile(writtenIn, details.duration_ms);
  });
  stream.on('test:summary', ({ file, duration_ms: ms }) => {
    if (file !== undefined && !groups.has(file)) finishFile(file, ms);
  });
  stream.on('test:stderr', ({ message }) => void process.stderr.write(message));
  for await (const _event of stream);
  await held.drop();
}

/** The runner's own name of the failure. */
function failureType(error: Error & { failureType?: string }): string | undefined {
  return error.failureType;
}

/** Returns the error itself rather than the runner's wrapper; for a file that failed as a whole, how its process ended. */
function describeFailure(error: Error & { exitCode?: number | null; signal?: string | null }): string {
  const { cause } = error;
  if (error.exitCode !== undefined) return `the process ended with ${error.signal ?? `code ${error.exitCode}`}: ${String(cause)}`;
  if (cause instanceof Error) return cause.stack ?? cause.message;
  return typeof cause === 'string' ? cause : (error.stack ?? error.message);
}
