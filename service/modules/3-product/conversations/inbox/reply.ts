import type { RequestContext } from '#platform/http/context.ts';
import { announce } from '#platform/notify.ts';
import { refuse } from '#platform/refuse.ts';
import type { ConversationsDeps } from '../deps.ts';
import { conversationChanged } from '../live/topics.ts';
import { applyAction, ownerOf, recordChange, recordWaitEnded, takeConversation } from './change-conversation.ts';
import { inInbox } from './list-conversations.ts';
import { findSent, insertReply, markRead } from './store-changes.ts';
import { findMessageRows } from './store-messages.ts';
import { readerLocale } from '#modules/2-tenancy/identity/index.ts';
import { toMessageRecordFor } from './to-record.ts';

/**
 * Stores a person's reply, which the visitor sees at once. A reply to a conversation that the chatbot answers takes it over. The same
 * `clientMessageId` again answers with the message it stored.
 */
export function replyToConversation(
  deps: Pick<ConversationsDeps, 'db'>,
  caller: RequestContext,
  id: string,
  { text, clientMessageId }: { text: string; clientMessageId?: string | undefined },
) {
  const { actor } = caller;
  return inInbox(deps, actor, undefined, async (tx) => {
    const before = await takeConversation(tx, caller, id);
    const sent = clientMessageId === undefined ? undefined : await findSent(tx, id, clientMessageId);
    const messageId = sent ?? (await store());
    const [row] = await findMessageRows(tx, [messageId]);
    return row ? toMessageRecordFor({ role: actor.role, locale: await readerLocale(tx, actor) }, row) : refuse('not_found');

    async function store(): Promise<string> {
      const changes = await applyAction(tx, caller, before, 'reply');
      const { partnerId, clientId, callerName: name } = before;
      const reply = { conversationId: id, partnerId, clientId, userId: actor.userId, name, text, clientMessageId: clientMessageId ?? null };
      const added = await insertReply(tx, reply);
      await markRead(tx, { id, userId: actor.userId, isRead: true, upTo: null });
      await recordChange(tx, caller, before, 'reply', changes ?? {});
      await recordWaitEnded(tx, before);
      await announce(tx, conversationChanged, { ...ownerOf(before), messageIds: [added] });
      return added;
    }
  });
}
