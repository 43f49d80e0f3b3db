import type { Tx } from '#platform/db/tx.ts';
import { refuse } from '#platform/refuse.ts';
import { findClientRef } from '#modules/2-tenancy/clients/index.ts';

/** Refuses `not_found` unless the client is one of the partner's and not archived. */
export async function requireClient(tx: Tx, partnerId: string, clientId: string): Promise<void> {
  const client = await findClientRef(tx, clientId);
  if (client?.partnerId !== partnerId || client.status === 'archived') refuse('not_found');
}
