import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const MEASURED_PATH = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'test-durations.json');

/** Milliseconds by path of every check and test file that has run here. They order a run and estimate its end; they choose nothing. */
const measured = readNumbers(MEASURED_PATH);

/** Milliseconds of a file that was never measured: the first of these that is it or contains it. The longest are named, so that they begin first. */
const USUAL_MS: readonly (readonly [path: string, ms: number])[] = [
  ['check: ', 8_000],
  ['tests/journeys/every-route.test.ts', 150_000],
  ['tests/faults/kill-provisioning.test.ts', 50_000],
  ['tests/faults/start-errors.test.ts', 45_000],
  ['tests/faults/crash.test.ts', 90_000],
  ['tests/journeys/on-the-demo.test.ts', 40_000],
  ['tests/world/world.test.ts', 65_000],
  ['service/adapters/embedded-engine.test.ts', 24_000],
  ['service/platform/db/embedded.test.ts', 15_000],
  ['service/modules/4-setup/provisioning/attempts/', 15_000],
  ['tests/journeys/csv-exports-of-many-rows.test.ts', 20_000],
  ['tests/journeys/csv-exports.test.ts', 5_000],
  ['tests/journeys/filters-that-name-nothing.test.ts', 2_000],
  ['tests/journeys/catalog-end-to-end.test.ts', 5_000],
  ['tests/journeys/billing.test.ts', 12_000],
  ['tests/journeys/client-month.test.ts', 12_000],
  ['tests/faults/kill-ai.test.ts', 15_000],
  ['tests/faults/kill-direct.test.ts', 20_000],
  ['tests/faults/kill-turn.test.ts', 25_000],
  ['tests/browser/', 40_000],
  ['tests/faults/', 30_000],
  ['tests/journeys/', 30_000],
  ['tests/', 5_000],
  ['service/modules/4-setup/', 6_000],
  ['service/modules/5-reactions/', 5_000],
  ['service/', 3_000],
  ['', 500],
];

/** Returns how many milliseconds a file usually takes, by its path alone: the same on every machine. */
export function usualDuration(file: string): number {
  return USUAL_MS.find(([path]) => file.startsWith(path))?.[1] ?? 0;
}

/** Returns how many milliseconds a file is expected to take: as when it ran here last, else as files of its folder do. */
export function expectDuration(file: string): number {
  return measured[file] ?? usualDuration(file);
}

/** Remembers how long files took, for the next run here. */
export function saveDurations(files: readonly { name: string; ms: number }[]): void {
  const now = Object.fromEntries(files.map(({ name, ms }) => [name, Math.round(ms)]));
  mkdirSync(dirname(MEASURED_PATH), { recursive: true });
  writeFileSync(MEASURED_PATH, JSON.stringify({ ...measured, ...now }));
}

function readNumbers(path: string): Readonly<Record<string, number>> {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Record<string, number>; // written above
  } catch {
    return {};
  }
}
