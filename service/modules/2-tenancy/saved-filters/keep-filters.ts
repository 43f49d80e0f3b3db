import { byName } from '@partner-portal/core/people/name-order.ts';
import { type FilteredTable, LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { inScope, readInScope } from '#platform/db/scope.ts';
import type { Database } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { countOthers, deleteFilter, hasName, listFilters, lockOwner, type NewFilter, putFilter } from './store.ts';

export type SavedFiltersDeps = { db: Database };

export function readFilters({ db }: SavedFiltersDeps, { actor }: RequestContext, table: FilteredTable) {
  return readInScope(db, actor, async (tx) => byName(await listFilters(tx, actor.userId, table), ({ name }) => name, 'en'));
}

/** Saves or changes a filter. Calls of one user wait for each other, so that they cannot exceed the limit together. */
export function saveFilter({ db }: SavedFiltersDeps, { actor }: RequestContext, filter: NewFilter) {
  const { userId, partnerId } = actor;
  return inScope(db, actor, undefined, async (tx) => {
    await lockOwner(tx, userId);
    if (await hasName(tx, userId, filter))
      return refuse('already_exists', { detail: `You already have a filter named “${filter.name}” here.` });
    if ((await countOthers(tx, userId, filter)) >= LIMITS.savedFiltersPerTable)
      return refuse('invalid_state', { detail: `A table keeps at most ${LIMITS.savedFiltersPerTable} filters. Delete one first.` });
    return putFilter(tx, { partnerId, userId }, filter);
  });
}

export function removeFilter({ db }: SavedFiltersDeps, { actor }: RequestContext, id: string) {
  return inScope(db, actor, undefined, async (tx) => {
    if (!(await deleteFilter(tx, actor.userId, id))) refuse('not_found');
  });
}
