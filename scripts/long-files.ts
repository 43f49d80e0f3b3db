import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LONG_FILES, LONG_FILES_PATH, MEASURED } from './testing/durations.ts';
import { LONG_SECONDS } from './testing/turns.ts';

/** Writes which test files take turns, from how long they took when they ran here last without a failure: after `TEST_TURN=all npm test`. Files without a measurement keep their line. */
const ROOT = join(import.meta.dirname, '..');
const known = Object.entries(LONG_FILES).map(([file, seconds]) => [file, seconds * 1000] as const);
const long = Object.entries({ ...Object.fromEntries(known), ...MEASURED })
  .filter(([file, ms]) => ms > LONG_SECONDS * 1000 && existsSync(join(ROOT, file)))
  .map(([file, ms]) => [file, Math.round(ms / 1000)] as const)
  .toSorted(([a], [b]) => (a < b ? -1 : 1));
writeFileSync(LONG_FILES_PATH, `${JSON.stringify(Object.fromEntries(long), null, 2)}\n`);
process.stdout.write(`${long.length} files take longer than ${LONG_SECONDS} s.\n`);
