import type { Actor } from '#platform/actor.ts';
import { announce } from '#platform/notify.ts';
import { refuse } from '#platform/refuse.ts';
import type { ConversationsDeps } from '../deps.ts';
import { conversationChanged } from '../live/topics.ts';
import { inInbox } from './list-conversations.ts';
import { markRead } from './store-changes.ts';

/** Notes what the caller has read, and shows it on the caller's other pages. A view-as session is refused before. */
export function markConversationRead(
  deps: Pick<ConversationsDeps, 'db'>,
  actor: Actor,
  id: string,
  { isRead, upTo }: { isRead: boolean; upTo?: string | undefined },
): Promise<void> {
  return inInbox(deps, actor, undefined, async (tx) => {
    const owner = await markRead(tx, { id, userId: actor.userId, isRead, upTo: upTo ?? null });
    if (!owner) return refuse('not_found');
    await announce(tx, conversationChanged, { ...owner, conversationId: id, messageIds: [], readBy: actor.userId });
  });
}
