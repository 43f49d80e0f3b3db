import type { LookKind } from '@partner-portal/contract/vocabulary.ts';
import { messagesFor } from '@partner-portal/messages/all.ts';
import type { Messages } from '@partner-portal/messages/messages.ts';
import type { Actor } from '#platform/actor.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { CsvAnswer } from '#platform/http/answer.ts';
import { CSV_PAGE, type CsvColumns, csvOfList } from '#platform/http/csv-list.ts';
import { toPage } from '#platform/http/cursor.ts';
import { refuse } from '#platform/refuse.ts';
import type { ConversationsDeps } from '../deps.ts';
import { recordLook } from '#modules/1-ledger/audit/index.ts';
import { inInbox } from './list-conversations.ts';
import { type ConversationRow, findConversationRows, isVisitorOnStopList, readerIdOf } from './store.ts';
import { listMessageRows, readUsage } from './store-messages.ts';
import { readerLocale, readerTag } from '#modules/2-tenancy/identity/index.ts';
import { toConversationRecord, toMessageRecordFor } from './to-record.ts';

type ReadDeps = Pick<ConversationsDeps, 'db' | 'cursors'>;

/** One conversation, with what it cost the agency. */
export function readConversation(deps: ReadDeps, actor: Actor, id: string) {
  return inInbox(deps, actor, undefined, async (tx, scope) => {
    const [row, usage, isOnStopList] = await Promise.all([
      findOne(tx, actor, id, scope),
      actor.role === 'CLIENT' ? null : readUsage(tx, id),
      isVisitorOnStopList(tx, id),
    ]);
    await recordLook(tx, actor, 'conversations', row);
    return { ...toConversationRecord(row), isOnStopList, usage };
  });
}

/** One page of a conversation's messages, newest first, with passages and runs. */
export function readMessages(
  deps: ReadDeps,
  actor: Actor,
  id: string,
  page: { limit: number; cursor?: string | undefined },
  look: LookKind = 'conversations',
) {
  return inInbox(deps, actor, undefined, async (tx, scope) => {
    const bound = { list: 'conversation-messages', id };
    const [before = null] = deps.cursors.open(bound, page.cursor) ?? [];
    const [conversation, rows] = await Promise.all([findOne(tx, actor, id, scope), listMessageRows(tx, id, before, page.limit + 1)]);
    await recordLook(tx, actor, look, conversation);
    const { data, nextCursor } = toPage(
      rows,
      page.limit,
      (row) => [row.id],
      (position) => deps.cursors.seal(bound, position),
    );
    const reader = { role: actor.role, locale: await readerLocale(tx, actor) };
    return { data: data.map((row) => toMessageRecordFor(reader, row)), nextCursor };
  });
}

const columnsIn = (t: Messages['t']): CsvColumns<ReturnType<typeof toMessageRecordFor>> => [
  [t('csv.message'), (row) => row.id],
  [t('csv.when'), (row) => row.at],
  [t('csv.author'), (row) => row.author],
  [t('csv.who'), (row) => row.authorName],
  [t('csv.text'), (row) => row.text],
  [t('csv.sources'), (row) => row.passages.map(({ title }) => title).join('; ')],
  [t('csv.agent'), (row) => row.runDetails[0]?.agentName],
  [t('csv.run'), (row) => row.runDetails[0]?.executionId],
  [t('csv.status'), (row) => row.runDetails[0]?.status],
  [t('csv.what-happened'), (row) => row.runDetails[0]?.summary],
];

/** Exports the messages of a conversation as CSV. The client's access log lists it as an export. */
export async function exportMessages(deps: ReadDeps, actor: Actor, id: string, now: Date): Promise<CsvAnswer> {
  const messages = messagesFor(await inInbox(deps, actor, undefined, (tx) => readerTag(tx, actor)));
  return csvOfList({ name: 'messages', now, tag: messages.tag }, columnsIn(messages.t), (cursor) =>
    readMessages(deps, actor, id, { limit: CSV_PAGE, cursor }, 'exports'),
  );
}

/** Returns a conversation in scope; refuses `not_found`. */
export async function findOne(
  tx: Tx,
  actor: Actor,
  id: string,
  scope: { partnerId: string | null; clientId: string | undefined },
): Promise<ConversationRow> {
  const [row] = await findConversationRows(tx, readerIdOf(actor), [id], scope);
  return row ?? refuse('not_found');
}
