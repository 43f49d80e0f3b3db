import { setTimeout as wait } from 'node:timers/promises';
import { nextBatchRows, pauseAfterMs } from '@partner-portal/core/account/purge.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import type { PurgeTable } from './plan.ts';
import { inStep, type PurgeRun } from './purge-run.ts';
import { countRemoved } from './store.ts';
import { deleteWindow, type Window } from './store-window.ts';
import type { PurgeStepName } from '@partner-portal/contract/vocabulary.ts';

const FIRST_BATCH_ROWS = 1_000;
const LOCK_TRIES = 20;
const LOCK_WAIT_MS = 100;
/** The server gave up a lock, or chose this transaction to end a deadlock. */
const LOCK_CODES: readonly string[] = ['55P03', '40P01'];

/** Deletes the account's rows of these tables, one short transaction after the other. Returns how many went. */
export async function removeRows(run: PurgeRun, step: PurgeStepName, tables: readonly PurgeTable[]): Promise<number> {
  let removed = 0;
  for (const table of tables) removed += await emptyTable(run, step, table);
  return removed;
}

async function emptyTable(run: PurgeRun, step: PurgeStepName, table: PurgeTable): Promise<number> {
  let removed = 0;
  let rows = Math.min(FIRST_BATCH_ROWS, table.rowsMax);
  for (const range of table.ranges) {
    let place: unknown = null;
    for (;;) {
      const startedAt = performance.now();
      const from = place;
      const window = await run.turn(async () => {
        const found = await withLocks(() => inStep(run, (tx) => removeWindow(tx, run, { table, range, place: from, rows, step })));
        if (found.scanned > 0) await wait(pauseAfterMs(performance.now() - startedAt));
        return found;
      });
      removed += window.removed;
      if (window.scanned < rows) break;
      place = window.place;
      rows = nextBatchRows(rows, performance.now() - startedAt, table.rowsMax);
    }
  }
  return removed;
}

type WindowQuery = { table: PurgeTable; range: string; place: unknown; rows: number; step: PurgeStepName };

async function removeWindow(tx: SystemTx, run: PurgeRun, { step, ...query }: WindowQuery): Promise<Window> {
  const window = await deleteWindow(tx, run, query);
  await countRemoved(tx, run.deletionRequestId, step, window.removed);
  return window;
}

/** Repeats work that met a lock of someone else: the account's rows may be in use for a moment. */
export async function withLocks<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (!LOCK_CODES.includes(code) || tries === LOCK_TRIES) throw error;
      await wait(LOCK_WAIT_MS * tries);
    }
  }
}
