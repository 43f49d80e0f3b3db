import { runStatement } from '#platform/db/statements.ts';
import type { Tx } from '#platform/db/tx.ts';

/** Identifying facts of a partner. */
export type PartnerRef = { id: string; name: string; slug: string; status: string; isHouse: boolean; automationProvider: string | null };

/** Returns the partner, the house partner included; undefined when it is deleted, unknown or not visible in this transaction. */
export async function findPartnerRef(tx: Tx, partnerId: string): Promise<PartnerRef | undefined> {
  const [row] = await runStatement<'partners_find_ref', PartnerRef>(tx, {
    name: 'partners_find_ref',
    text: `select id, name, slug, status, is_house, automation_provider from partner where id = $1 and status <> 'deleted'`,
    values: [partnerId],
  });
  return row;
}
