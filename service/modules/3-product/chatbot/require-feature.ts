import type { Tx } from '#platform/db/tx.ts';
import { refuse } from '#platform/refuse.ts';
import { hasChatbotFeature } from './store.ts';

/** Refuses `plan_feature_required` unless the plan of the partner includes the chatbot. */
export async function requireChatbotFeature(tx: Tx, partner: string | { partnerId: string }): Promise<void> {
  const partnerId = typeof partner === 'string' ? partner : partner.partnerId;
  if (!(await hasChatbotFeature(tx, partnerId))) refuse('plan_feature_required', { detail: 'Your plan does not include the chatbot.' });
}
