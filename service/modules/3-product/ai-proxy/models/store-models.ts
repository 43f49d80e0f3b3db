import { runStatement } from '#platform/db/statements.ts';
import type { Tx } from '#platform/db/tx.ts';

/** Whether the plan of an agency, or its exceptions, include the platform's keys. */
export async function allowsPlatformKeys(tx: Tx, partnerId: string): Promise<boolean> {
  const [row] = await runStatement<'ai_allows_platform_keys', { isAllowed: boolean }>(tx, {
    name: 'ai_allows_platform_keys',
    text: `select coalesce((features_of(g.features, s.overrides)->>'aiPlatformKeys')::boolean, false) as is_allowed
      from subscription s join plan g on g.id = s.plan_id where s.partner_id = $1`,
    values: [partnerId],
  });
  return row?.isAllowed ?? false;
}
