import type { Tx } from '#platform/db/tx.ts';
import { refuse } from '#platform/refuse.ts';
import { type NamedScope, scopeExists } from './store.ts';

/**
 * Refuses `not_found` when an empty list was filtered by an id that does not exist for the caller: a foreign id and an unknown one get the
 * same response. A list with rows needs no check, so a full page costs no further statement.
 */
export async function refuseUnknownScope(tx: Tx, named: NamedScope, rowsFound: number): Promise<void> {
  if (rowsFound === 0 && !(await scopeExists(tx, named))) refuse('not_found');
}
