import { AUDIT_ACTOR_TYPES } from '@partner-portal/contract/audit-actions.ts';
import type { Actor } from '#platform/actor.ts';
import { inScope } from '#platform/db/scope.ts';
import { refuseUnknownScope } from '#modules/1-ledger/scope/index.ts';
import type { Database, Tx } from '#platform/db/tx.ts';
import { type Cursors, toPage } from '#platform/http/cursor.ts';
import { entryAnswer } from './entry-answer.ts';
import { type ActorFilter, type EntryFilters, type EntryRow, findReadableSince, listEntries } from './store.ts';

export type ReadDeps = { db: Database; cursors: Cursors };

/** Filters of the caller; the scope is decided here. */
export type EntryQuery = { [K in Exclude<keyof EntryFilters, 'since' | 'actor' | 'partnerId'>]?: string | undefined } & {
  partnerId?: string | undefined;
  actor?: string | undefined;
};

/** Returns one page of the log in scope, newest first: a partner's as far back as its plan keeps it, everything for staff. */
export async function listAuditLog(deps: ReadDeps, actor: Actor, query: EntryQuery & { limit: number; cursor?: string | undefined }) {
  const { limit, cursor, ...asked } = query;
  return inScope(deps.db, actor, asked.partnerId, async (tx, partnerId) => {
    const bound = { ...asked, partnerId, list: 'audit-log' };
    const [before = null] = deps.cursors.open(bound, cursor) ?? [];
    const seal = (position: readonly string[]): string => deps.cursors.seal(bound, position);
    const { rows, lastLooked } = await readEntries(tx, actor, partnerId, asked, before, limit + 1);
    const page = toPage(rows, limit, (row) => [row.id], seal);
    return {
      data: page.data.map((row) => entryAnswer(actor, row)),
      nextCursor: page.nextCursor ?? (lastLooked === null ? null : seal([lastLooked])),
    };
  });
}

/** Returns entries visible to the reader. Refuses `not_found` when a filter names a partner or client that does not exist for them. */
export async function readEntries(
  tx: Tx,
  reader: Actor,
  partnerId: string | null,
  asked: EntryQuery,
  before: string | null,
  limit: number,
): Promise<{ rows: EntryRow[]; lastLooked: string | null }> {
  const isStaff = reader.role === 'ADMIN';
  const since = isStaff || partnerId === null ? undefined : await findReadableSince(tx, partnerId);
  const { action, targetType, targetId, clientId, result, from, to } = asked;
  const filters = { partnerId, since, actor: actorFilter(asked.actor, isStaff), action, targetType, targetId, clientId, result, from, to };
  const found = await listEntries(tx, filters, before, limit);
  if (before === null) await refuseUnknownScope(tx, { partnerId: isStaff ? partnerId : null, clientId }, found.rows.length);
  return found;
}

/** Returns what the filter names: a kind of actor, a user's id, or an address for any other text. */
export function actorFilter(given: string | undefined, mayBeStaff: boolean): ActorFilter | undefined {
  if (given === undefined) return undefined;
  const value = given.toLowerCase();
  if (AUDIT_ACTOR_TYPES.some((type) => type === value)) return { by: 'type', value, mayBeStaff };
  return { by: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(value) ? 'id' : 'email', value, mayBeStaff };
}
