import type { Tx } from '#platform/db/tx.ts';

/** Identifying facts of a partner. */
export type PartnerRef = { id: string; name: string; slug: string; status: string; isHouse: boolean; automationProvider: string | null };

/** Returns the partner, the house partner included; undefined when it is deleted, unknown or not visible in this transaction. */
export async function findPartnerRef(tx: Tx, partnerId: string): Promise<PartnerRef | undefined> {
  return tx
    .selectFrom('partner')
    .select(['id', 'name', 'slug', 'status', 'isHouse', 'automationProvider'])
    .where('id', '=', partnerId)
    .where('status', '!=', 'deleted')
    .executeTakeFirst();
}
