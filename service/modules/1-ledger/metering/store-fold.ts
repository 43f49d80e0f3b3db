import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx } from '#platform/db/tx.ts';

/** Folds at most this many notes. Returns how many were taken. */
export async function foldNotes(tx: SystemTx, notesMax: number): Promise<number> {
  const [row] = await runStatement<'metering_fold', { taken: number }>(tx, {
    name: 'metering_fold',
    text: 'select fold_usage($1) as taken',
    values: [notesMax],
  });
  return row?.taken ?? 0;
}

/** Folds all notes of one agency. From here on, statements of this transaction may run `timeoutMs` long. */
export async function foldNotesOf(tx: SystemTx, partnerId: string, timeoutMs: number): Promise<void> {
  await runStatement(tx, {
    name: 'metering_fold_timeout',
    text: `select set_config('statement_timeout', $1, true)`,
    values: [String(timeoutMs)],
  });
  await runStatement(tx, { name: 'metering_fold_one', text: 'select fold_usage(2147483647, $1)', values: [partnerId] });
}
