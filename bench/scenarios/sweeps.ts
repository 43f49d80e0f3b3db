import { addSeats, fillDatabase, sizeFor } from '@partner-portal/tests/harness/scale-rows.ts';
import { measureSweeps } from '../scale/sweeps.ts';
import type { BenchDatabase } from '../support/database.ts';

const RUNS = 1_000_000;

/** Runs each scheduled job on a database with `runs` runs: its time and the blocks it reads. `scale` ends with the same. */
export async function benchSweeps(database: BenchDatabase, say: (line: string) => void, runs = RUNS): Promise<void> {
  const seats = await addSeats(database.admin);
  await fillDatabase(database.admin, seats, sizeFor(runs));
  await database.admin('vacuum analyze');
  await measureSweeps(database, say, runs);
}
