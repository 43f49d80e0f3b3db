import { conversationSearch } from '@partner-portal/core/conversation/search.ts';
import type { Actor } from '#platform/actor.ts';
import { inScope } from '#platform/db/scope.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { CsvAnswer } from '#platform/http/answer.ts';
import { CSV_PAGE, type CsvColumns, csvOfList } from '#platform/http/csv-list.ts';
import { toPage } from '#platform/http/cursor.ts';
import { refuse } from '#platform/refuse.ts';
import { recordLook } from '#modules/1-ledger/audit/index.ts';
import { refuseUnknownScope } from '#modules/1-ledger/scope/index.ts';
import type { ConversationsDeps } from '../deps.ts';
import { requireInbox } from './require-feature.ts';
import { type ConversationFilters, countInbox, listConversationRows, searchConversationIds } from './store.ts';
import { toConversationRecord } from './to-record.ts';

export type ConversationQuery = Omit<ConversationFilters, 'partnerId'> & { q?: string | undefined };
type PageQuery = ConversationQuery & { limit: number; cursor?: string | undefined };
type ListDeps = Pick<ConversationsDeps, 'db' | 'cursors'>;

/** Runs a read in the caller's scope: a client's own conversations, whichever client it names. */
export function inInbox<T>(
  deps: Pick<ConversationsDeps, 'db'>,
  actor: Actor,
  clientId: string | undefined,
  work: (tx: Tx, scope: { partnerId: string | null; clientId: string | undefined }) => Promise<T>,
): Promise<T> {
  if (actor.clientId !== null && clientId !== undefined && clientId !== actor.clientId) return refuse('not_found');
  return inScope(deps.db, actor, undefined, async (tx, partnerId) => {
    await requireInbox(tx, actor);
    return work(tx, { partnerId, clientId: actor.clientId ?? clientId });
  });
}

/** One page of conversations, the one with the newest message first. */
export async function listConversations(deps: ListDeps, actor: Actor, query: PageQuery) {
  const { limit, cursor, q, clientId, ...rest } = query;
  return inInbox(deps, actor, clientId, async (tx, scope) => {
    const filters = { ...rest, ...scope };
    const bound = { ...filters, q, list: 'conversations', userId: actor.userId };
    const [at, id] = deps.cursors.open(bound, cursor) ?? [];
    const before = at === undefined || id === undefined ? null : { at, id };
    const search = q ? conversationSearch(q) : null;
    const among = search ? await searchConversationIds(tx, filters, search) : q ? [] : null;
    const rows = among?.length === 0 ? [] : await listConversationRows(tx, actor.userId, filters, { before, among, limit: limit + 1 });
    await refuseUnknownScope(tx, { clientId: filters.clientId, partnerId: filters.partnerId }, rows.length);
    const page = toPage(
      rows,
      limit,
      (row) => [row.lastMessageAt.toISOString(), row.id],
      (position) => deps.cursors.seal(bound, position),
    );
    return { data: page.data.map(toConversationRecord), nextCursor: page.nextCursor };
  });
}

const COLUMNS: CsvColumns<ReturnType<typeof toConversationRecord>> = [
  ['Conversation', (row) => row.id],
  ['Client', (row) => row.clientName],
  ['Visitor', (row) => row.visitorLabel],
  ['Website', (row) => row.origin],
  ['Status', (row) => row.status],
  ['Handed over because', (row) => row.handoffReason],
  ['Answered by', (row) => row.assignedTo?.name],
  ['Waiting since', (row) => row.waitingSince],
  ['Started', (row) => row.startedAt],
  ['Last message', (row) => row.lastMessageAt],
];

/** Exports the list as CSV. */
export async function exportConversations(deps: ListDeps, actor: Actor, query: ConversationQuery, now: Date): Promise<CsvAnswer> {
  await inInbox(deps, actor, query.clientId, (tx, { partnerId, clientId = null }) =>
    recordLook(tx, actor, 'exports', { partnerId, clientId }),
  );
  return csvOfList({ name: 'conversations', now }, COLUMNS, (cursor) =>
    listConversations(deps, actor, { ...query, limit: CSV_PAGE, cursor }),
  );
}

/** Returns the numbers beside the inbox. */
export function countConversations(deps: ListDeps, actor: Actor, clientId: string | undefined) {
  return inInbox(deps, actor, clientId, async (tx, scope) => {
    const counts = await countInbox(tx, actor.userId, scope);
    await refuseUnknownScope(tx, scope, counts.unread + counts.waiting);
    return counts;
  });
}
