import { conversationSearch } from '@partner-portal/core/conversation/search.ts';
import { LOCALES } from '@partner-portal/contract/vocabulary.ts';
import { messagesFor } from '@partner-portal/messages/all.ts';
import type { Messages } from '@partner-portal/messages/messages.ts';
import { visitorLabelFor } from '@partner-portal/messages/visitor-label.ts';
import type { Actor } from '#platform/actor.ts';
import { inScope } from '#platform/db/scope.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { CsvAnswer } from '#platform/http/answer.ts';
import { CSV_PAGE, type CsvColumns, csvOfList } from '#platform/http/csv-list.ts';
import { toPage } from '#platform/http/cursor.ts';
import { refuse } from '#platform/refuse.ts';
import { recordListLook, recordLooks } from '#modules/1-ledger/audit/index.ts';
import { readerTag } from '#modules/2-tenancy/identity/index.ts';
import { refuseUnknownScope } from '#modules/1-ledger/scope/index.ts';
import type { ConversationsDeps } from '../deps.ts';
import { requireInbox } from './require-feature.ts';
import { type ConversationFilters, countInbox, listConversationRows, readerIdOf, searchConversationIds } from './store.ts';
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

type Kinds = Parameters<typeof recordListLook>[2];
const LISTED: Kinds = { ofClient: 'conversations', ofAgency: 'conversations' };
const EXPORTED: Kinds = { ofClient: 'exports', ofAgency: 'conversation_exports' };

/** One page of conversations, the one with the newest message first. */
export async function listConversations(deps: ListDeps, actor: Actor, query: PageQuery, kinds: Kinds = LISTED) {
  const { limit, cursor, q, clientId, ...rest } = query;
  return inInbox(deps, actor, clientId, async (tx, scope) => {
    const filters = { ...rest, ...scope };
    const bound = { ...filters, q, list: 'conversations', userId: actor.userId };
    const [at, id, asOfFirst = null] = deps.cursors.open(bound, cursor) ?? [];
    const before = at === undefined || id === undefined ? null : { at, id, asOf: asOfFirst };
    const search = q ? conversationSearch(q, storedLabelOf(q.trim())) : null;
    const among = search ? await searchConversationIds(tx, filters, search) : q ? [] : null;
    const rows = among?.length === 0 ? [] : await listConversationRows(tx, readerIdOf(actor), filters, { before, among, limit: limit + 1 });
    await refuseUnknownScope(tx, { clientId: filters.clientId, partnerId: filters.partnerId }, rows.length);
    const asOf = before === null ? rows[0]?.place.toISOString() : before.asOf;
    const page = toPage(
      rows,
      limit,
      (row) => [row.place.toISOString(), row.id, ...(asOf ? [asOf] : [])],
      (position) => deps.cursors.seal(bound, position),
    );
    const shown = page.data;
    if (scope.partnerId !== null)
      await recordListLook(tx, actor, kinds, { partnerId: scope.partnerId, clientId: scope.clientId ?? null, shown });
    else if (scope.clientId !== undefined || kinds === EXPORTED)
      await recordLooks(tx, actor, kinds.ofClient, new Set(shown.map((row) => row.clientId)));
    return { data: page.data.map(toConversationRecord), nextCursor: page.nextCursor };
  });
}

/** Labels are stored in English, with four digits of an id. Readers see them in their language, and may look for the digits alone. */
function storedLabelOf(text: string): string {
  const prefixes = LOCALES.map((locale) => messagesFor(locale).t('common.visitor', { code: '' }).toLowerCase());
  const prefix = /^[\da-f]{4}$/i.test(text) ? '' : prefixes.find((one) => text.toLowerCase().startsWith(one));
  return prefix === undefined ? text : `Visitor ${text.slice(prefix.length)}`;
}

const columnsIn = (t: Messages['t']): CsvColumns<ReturnType<typeof toConversationRecord>> => [
  [t('csv.conversation'), (row) => row.id],
  [t('csv.client'), (row) => row.clientName],
  [t('csv.visitor'), (row) => visitorLabelFor(t, row.visitorLabel)],
  [t('csv.website'), (row) => row.origin],
  [t('csv.status'), (row) => row.status],
  [t('csv.handed-over'), (row) => row.handoffReason],
  [t('csv.answered-by'), (row) => row.assignedTo?.name],
  [t('csv.waiting-since'), (row) => row.waitingSince],
  [t('csv.started'), (row) => row.startedAt],
  [t('csv.last-message'), (row) => row.lastMessageAt],
];

/** Exports the list as CSV. */
export async function exportConversations(deps: ListDeps, actor: Actor, query: ConversationQuery, now: Date): Promise<CsvAnswer> {
  const messages = messagesFor(await inInbox(deps, actor, query.clientId, (tx) => readerTag(tx, actor)));
  return csvOfList({ name: 'conversations', now, tag: messages.tag }, columnsIn(messages.t), (cursor) =>
    listConversations(deps, actor, { ...query, limit: CSV_PAGE, cursor }, EXPORTED),
  );
}

/** Returns the counts shown next to the inbox. */
export function countConversations(deps: ListDeps, actor: Actor, clientId: string | undefined) {
  return inInbox(deps, actor, clientId, async (tx, scope) => {
    const counts = await countInbox(tx, readerIdOf(actor), scope);
    await refuseUnknownScope(tx, scope, counts.unread + counts.waiting);
    return counts;
  });
}
