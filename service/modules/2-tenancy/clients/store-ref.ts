import type { Tx } from '#platform/db/tx.ts';

/** Identifying facts of a client. */
export type ClientRef = { id: string; partnerId: string; name: string; status: string };

/** Returns the client; undefined when it is deleted, unknown or not visible in this transaction. */
export async function findClientRef(tx: Tx, clientId: string): Promise<ClientRef | undefined> {
  return tx
    .selectFrom('client')
    .select(['id', 'partnerId', 'name', 'status'])
    .where('id', '=', clientId)
    .where('status', '!=', 'deleted')
    .executeTakeFirst();
}
