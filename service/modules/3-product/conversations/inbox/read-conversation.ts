import type { Actor } from '#platform/actor.ts';
import type { Tx } from '#platform/db/tx.ts';
import { toPage } from '#platform/http/cursor.ts';
import { refuse } from '#platform/refuse.ts';
import type { ConversationsDeps } from '../deps.ts';
import { recordLook } from '#modules/1-ledger/audit/index.ts';
import { inInbox } from './list-conversations.ts';
import { type ConversationRow, findConversationRows } from './store.ts';
import { listMessageRows, readUsage } from './store-messages.ts';
import { readerLocale } from '#modules/2-tenancy/identity/index.ts';
import { toConversationRecord, toMessageRecordFor } from './to-record.ts';

type ReadDeps = Pick<ConversationsDeps, 'db' | 'cursors'>;

/** One conversation, with what it cost the agency. */
export function readConversation(deps: ReadDeps, actor: Actor, id: string) {
  return inInbox(deps, actor, undefined, async (tx, scope) => {
    const [row, usage] = await Promise.all([findOne(tx, actor, id, scope), actor.role === 'CLIENT' ? null : readUsage(tx, id)]);
    await recordLook(tx, actor, 'conversations', row);
    return { ...toConversationRecord(row), usage };
  });
}

/** One page of a conversation's messages, newest first, with passages and runs. */
export function readMessages(deps: ReadDeps, actor: Actor, id: string, page: { limit: number; cursor?: string | undefined }) {
  return inInbox(deps, actor, undefined, async (tx, scope) => {
    const bound = { list: 'conversation-messages', id };
    const [before = null] = deps.cursors.open(bound, page.cursor) ?? [];
    const [conversation, rows] = await Promise.all([findOne(tx, actor, id, scope), listMessageRows(tx, id, before, page.limit + 1)]);
    await recordLook(tx, actor, 'conversations', conversation);
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

/** Returns a conversation in scope; refuses `not_found`. */
export async function findOne(
  tx: Tx,
  actor: Actor,
  id: string,
  scope: { partnerId: string | null; clientId: string | undefined },
): Promise<ConversationRow> {
  const [row] = await findConversationRows(tx, actor.userId, [id], scope);
  return row ?? refuse('not_found');
}
