import { runStatement } from '#platform/db/statements.ts';
import type { TenantTx } from '#platform/db/tx.ts';

export type Removed = { runs: number; conversations: number };

/** Removes the past of the transaction's tenant; undefined when it has none. */
export async function removePast(tx: TenantTx): Promise<Removed | undefined> {
  const [row] = await runStatement<'sample_data_remove', Removed>(tx, {
    name: 'sample_data_remove',
    prepare: false,
    text: 'select r.runs, r.conversations from remove_sample_data() r',
  });
  return row;
}
