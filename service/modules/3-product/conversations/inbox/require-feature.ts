import { requireChatbotFeature } from '#modules/3-product/chatbot/index.ts';
import type { Actor } from '#platform/actor.ts';
import type { Tx } from '#platform/db/tx.ts';

/** Refuses `plan_feature_required` unless the caller's plan includes the chatbot. Staff read regardless of the plan. */
export async function requireInbox(tx: Tx, actor: Actor): Promise<void> {
  if (actor.role !== 'ADMIN') await requireChatbotFeature(tx, actor);
}
