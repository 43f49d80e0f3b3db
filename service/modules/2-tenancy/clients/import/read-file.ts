import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { ComputeRefusal, defineTask } from '#platform/compute/compute-pool.ts';
import { BUSY_RETRY_SECONDS, refuse, refuseField } from '#platform/refuse.ts';
import type { ImportDeps } from './deps.ts';
import type { CheckedTable, checkTable, FileProblem, TableFile } from './check-table.ts';

const CHECK = defineTask<typeof checkTable>({ file: new URL('./check-table.ts', import.meta.url), name: 'checkTable', deadlineMs: 30_000 });

const PROBLEMS: Readonly<Record<FileProblem, string>> = {
  workbook: 'This is a workbook. Save it as CSV (UTF-8), then send that file.',
  encoding: 'The file does not have this encoding.',
  empty: 'The file is empty.',
  no_rows: 'The file has a header and no rows.',
  too_many_rows: `A file can have ${LIMITS.importRowsMax.toLocaleString('en')} rows. Split it.`,
  too_many_columns: `A file can have ${LIMITS.importColumnsMax} columns. Check the separator.`,
  record_too_long: 'A row is longer than all fields of a client together. Check for a quote that is never closed.',
  unclosed_quote: 'A quote that begins a cell of the header is not closed where the cell ends.',
  name_missing: 'Choose the column that holds the name of the client.',
  unknown_column: 'The mapping names a column that the file does not have.',
};
const OF_MAPPING: ReadonlySet<FileProblem> = new Set(['name_missing', 'unknown_column']);

/** Reads and checks a file in a thread. Refuses `validation_failed` for a file that is no table, and `service_unavailable` when it takes too long. */
export async function readFile({ compute }: ImportDeps, partnerId: string, file: TableFile): Promise<CheckedTable> {
  const checked = await compute.run(CHECK, file, { key: partnerId, bytes: file.bytes.length }).catch((error: unknown) => {
    if (!(error instanceof ComputeRefusal)) throw error;
    return refuse('service_unavailable', {
      detail: 'The file could not be read in time. Try again.',
      retryAfterSeconds: BUSY_RETRY_SECONDS,
      cause: error,
    });
  });
  if (!('problem' in checked)) return checked;
  return refuseField(OF_MAPPING.has(checked.problem) ? 'mapping' : 'file', checked.problem, PROBLEMS[checked.problem]);
}
