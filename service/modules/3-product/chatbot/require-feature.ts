import { runStatement } from '#platform/db/statements.ts';
import type { Tx } from '#platform/db/tx.ts';
import { refuse } from '#platform/refuse.ts';

/** Refuses `plan_feature_required` unless the plan of the partner includes the chatbot. */
export async function requireChatbotFeature(tx: Tx, partner: string | { partnerId: string }): Promise<void> {
  const partnerId = typeof partner === 'string' ? partner : partner.partnerId;
  const [row] = await runStatement<'chatbot_has_feature', { isIncluded: boolean }>(tx, {
    name: 'chatbot_has_feature',
    text: `select coalesce(has_feature($1, 'chatbot'), false) as is_included`,
    values: [partnerId],
  });
  if (!row?.isIncluded) refuse('plan_feature_required', { detail: 'Your plan does not include the chatbot.' });
}
