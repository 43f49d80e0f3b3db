import { join, relative } from 'node:path';
import { run } from 'node:test';
import { createTestDatabase } from '../../tests/harness/database.ts';
import { expectDuration } from './durations.ts';
import { groupFiles, type TestUnit } from './groups.ts';
import { addFailure, addFile, count } from './report.ts';
import { tierOf } from './tiers.ts';

const ROOT = join(import.meta.dirname, '..', '..');
/** Milliseconds after which a test or hook, and a whole process, counts as hanging: it fails, and the run goes on. */
export type Limits = { test: number; unit: number };
const LIMITS: Limits = { test: 300_000, unit: 900_000 };
/** Each of these adds tests that run for many minutes. */
const LONG = ['TEST_FULL', 'TEST_FAILOVER', 'TEST_CONTAINERS'];
const LONG_LIMITS: Limits = { test: 3_600_000, unit: 7_200_000 };
/** More than any file takes. */
const UNITS_FIRST_MS = 10 * LONG_LIMITS.unit;

/** How many files run in parallel, and how many more after something else has happened. */
export type Places = { atOnce: number; more?: readonly { after: Promise<unknown>; count: number }[] };

/**
 * Runs the files: units first, which find most faults soonest, then the longest of the previous run, since one that starts late would run alone at
 * the end.
 */
export async function runNodeTests(files: readonly string[], { atOnce, more = [] }: Places): Promise<void> {
  const units = groupFiles(ROOT, files);
  const rank = new Map(
    units.map((unit) => {
      const names = unit.files.map((file) => relative(ROOT, file));
      const expected = names.reduce((sum, name) => sum + expectDuration(name), 0);
      return [unit, names.every((name) => tierOf(name) === 'unit') ? expected + UNITS_FIRST_MS : expected];
    }),
  );
  const ordered = units.toSorted((a, b) => (rank.get(b) ?? 0) - (rank.get(a) ?? 0));
  // An open database keeps the shared server up from the first file to the last. Units have none.
  const held = files.every((file) => tierOf(relative(ROOT, file)) === 'unit') ? undefined : await createTestDatabase();
  // Each run of the runner watches the process.
  process.setMaxListeners(0);
  const left = [...ordered];
  const limits = usualLimits();
  const work = async (): Promise<void> => {
    for (let unit = left.shift(); unit; unit = left.shift()) await runUnit(unit, limits);
  };
  const start = (count: number): Promise<unknown> => Promise.all(Array.from({ length: count }, work));
  await Promise.all([start(atOnce), ...more.map(({ after, count }) => after.then(() => start(count)))]);
  await held?.drop();
}

function usualLimits(): Limits {
  return LONG.some((name) => process.env[name] === 'true') ? LONG_LIMITS : LIMITS;
}

/** Runs a unit by itself: a run of several reports one only when all before it have ended. */
export async function runUnit({ path, files }: TestUnit, limits: Limits): Promise<void> {
  const isGroup = files.length > 1;
  // A process with an open handle ends by the signal alone.
  const stream = run({ files: [path], cwd: ROOT, timeout: limits.test, signal: AbortSignal.timeout(limits.unit) });
  const perFile = new Map<string, { passed: number; failed: number }>();
  const of = (file: string): { passed: number; failed: number } => {
    const known = perFile.get(file) ?? { passed: 0, failed: 0 };
    perFile.set(file, known);
    return known;
  };
  const unfinished = new Set(files);
  const finishFile = (file: string, ms: number): void => {
    unfinished.delete(file);
    addFile({ name: relative(ROOT, file), ms, ...of(file) });
  };
  /** A group has a suite for each of its files; everything else is in the file it was written in. */
  const isWholeFile = (nesting: number, type: string | undefined): boolean => isGroup && nesting === 0 && type === 'suite';
  stream.on('test:pass', ({ name, file, nesting, details }) => {
    if (file === undefined) return;
    if (isWholeFile(nesting, details.type)) finishFile(join(ROOT, name), details.duration_ms);
    if (details.type === 'suite') return;
    of(isGroup ? file : path).passed += 1;
    count('passed');
  });
  stream.on('test:fail', ({ name, file, nesting, details }) => {
    if (file === undefined) return;
    const isFile = isWholeFile(nesting, details.type);
    const writtenIn = isFile ? join(ROOT, name) : file;
    // A suite fails because of a test in it, which is reported by itself, or because of its hooks, or of loading the file that it stands for.
    if (details.type !== 'suite' || failureType(details.error) !== 'subtestsFailed') {
      of(isGroup ? writtenIn : path).failed += 1;
      count('failed');
      addFailure(isFile ? name : `${relative(ROOT, file)}: ${name}`, describeFailure(details.error));
    }
    if (isFile) finishFile(writtenIn, details.duration_ms);
  });
  stream.on('test:summary', ({ file, duration_ms: ms }) => {
    if (file !== undefined && !isGroup) finishFile(file, ms);
  });
  stream.on('test:stderr', ({ message }) => void process.stderr.write(message));
  for await (const _event of stream);
  // Their process ended before they did, which is a failure that has been counted.
  for (const file of unfinished) addFile({ name: relative(ROOT, file), ms: 0, ...of(file), failed: Math.max(1, of(file).failed) });
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
