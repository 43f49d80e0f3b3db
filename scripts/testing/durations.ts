import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const MEASURED_PATH = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'test-durations.json');
export const LONG_FILES_PATH = join(import.meta.dirname, 'long-files.json');

/** Milliseconds by path of every test file that has run here. */
export const MEASURED = readNumbers(MEASURED_PATH);
/** Seconds by path of the files that take turns (turns.ts), written by `scripts/long-files.ts`. */
export const LONG_FILES = readNumbers(LONG_FILES_PATH);

/** Milliseconds of a file that was never measured, by what it starts: the first folder that contains it. */
const USUAL_MS: readonly (readonly [folder: string, ms: number])[] = [
  ['tests/faults/', 60_000],
  ['tests/journeys/', 50_000],
  ['tests/engine/', 5_000],
  ['service/modules/', 3_000],
  ['', 500],
];

/** Returns how many milliseconds a file is expected to take: as when it ran here, else as listed, else as files of its folder do. */
export function expectDuration(file: string): number {
  const listed = LONG_FILES[file];
  if (MEASURED[file] !== undefined) return MEASURED[file];
  return listed === undefined ? (USUAL_MS.find(([folder]) => file.startsWith(folder))?.[1] ?? 0) : listed * 1000;
}

/** Remembers how long files took, for the next run here and for `scripts/long-files.ts`. */
export function saveDurations(files: readonly { name: string; ms: number }[]): void {
  const now = Object.fromEntries(files.map(({ name, ms }) => [name, Math.round(ms)]));
  mkdirSync(dirname(MEASURED_PATH), { recursive: true });
  writeFileSync(MEASURED_PATH, JSON.stringify({ ...MEASURED, ...now }));
}

function readNumbers(path: string): Readonly<Record<string, number>> {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Record<string, number>; // written above, or by scripts/long-files.ts
  } catch {
    return {};
  }
}
