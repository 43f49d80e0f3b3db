import type { Actor } from '#platform/actor.ts';
import { announce } from '#platform/notify.ts';
import type { ConversationsDeps } from '../deps.ts';
import { conversationTyping } from '../live/topics.ts';
import { inInbox } from './list-conversations.ts';
import { findOne } from './read-conversation.ts';
import { readCallerName } from './store-canned.ts';

/** A notice of the same person within this time says nothing new. */
const REPEAT_MS = 2_000;
const REMEMBERED_MAX = 10_000;

/** Announces that a person types, at most every two seconds for each conversation. Nothing is stored. */
export function createTyping(deps: Pick<ConversationsDeps, 'db' | 'clock'>) {
  const announced = new Map<string, number>();
  return async (actor: Actor, id: string): Promise<void> => {
    const key = `${actor.userId} ${id}`;
    const now = deps.clock.now().getTime();
    await inInbox(deps, actor, undefined, async (tx, scope) => {
      const row = await findOne(tx, actor, id, scope);
      if (now - (announced.get(key) ?? 0) < REPEAT_MS) return;
      const name = await readCallerName(tx, actor.userId);
      const { partnerId, clientId } = row;
      await announce(tx, conversationTyping, {
        partnerId,
        clientId,
        conversationId: id,
        author: 'human',
        name,
        isTyping: true,
        userId: actor.userId,
      });
    });
    announced.delete(key);
    announced.set(key, now);
    // The oldest are first.
    for (const oldest of announced.keys()) {
      if (announced.size <= REMEMBERED_MAX) break;
      announced.delete(oldest);
    }
  };
}
