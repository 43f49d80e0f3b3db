import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import { SHOWN_FROM } from '#platform/db/run-columns.ts';

/**
 * Empties the summaries and error messages of the next runs whose contents are no longer shown, at most `batch`: from the run on that was reached last, so
 * that none is read twice. Returns how many runs it has passed.
 */
export async function forgetTexts(tx: SystemTx, batch: number): Promise<number> {
  const [row] = await runStatement<'executions_forget_texts', { passed: number }>(tx, {
    name: 'executions_forget_texts',
    prepare: false,
    text: `with reached as materialized (
        select f.upto from forgotten_text f for update
      ), next as materialized (
        select e.id from execution e where e.id > (select r.upto from reached r) and e.id < ${SHOWN_FROM} order by e.id limit $1
      ), last as materialized (
        select n.id from next n order by n.id desc limit 1
      ), emptied as (
        update execution e set summary = '', error_message = null
        where e.id > (select r.upto from reached r) and e.id <= (select l.id from last l) and (e.summary <> '' or e.error_message is not null)
      ), moved as (
        update forgotten_text f set upto = l.id from last l
      )
      select count(*)::int as passed from next`,
    values: [batch],
  });
  return row?.passed ?? 0;
}
