import type { Actor } from '#platform/actor.ts';
import type { Database, Tx } from '#platform/db/tx.ts';
import { refuse, refuseField } from '#platform/refuse.ts';
import { findClientRef } from '#modules/2-tenancy/clients/index.ts';
import { findPartnerRef } from '#modules/2-tenancy/partners/index.ts';

export type Owner = { partnerId: string; clientId: string | null };

type Named = { clientId?: string | undefined; partnerId?: string | undefined };

/**
 * Opens a transaction as the caller and returns for whom a model is called: their own account, the client they name, or for staff the agency they
 * name. Refuses `not_found` for one they cannot see.
 */
export async function withOwner<T>(db: Database, actor: Actor, named: Named, work: (tx: Tx, owner: Owner) => Promise<T>): Promise<T> {
  if (actor.role === 'ADMIN') return db.asStaff(actor, async (tx) => work(tx, await staffOwner(tx, named)));
  return db.asTenant(actor, async (tx) => {
    const { partnerId } = actor;
    if (actor.role === 'CLIENT') {
      if (named.clientId !== undefined && named.clientId !== actor.clientId) return refuse('not_found');
      return work(tx, { partnerId, clientId: actor.clientId });
    }
    if (named.clientId !== undefined && !(await findClientRef(tx, named.clientId))) return refuse('not_found');
    return work(tx, { partnerId, clientId: named.clientId ?? null });
  });
}

async function staffOwner(tx: Tx, { clientId, partnerId }: Named): Promise<Owner> {
  if (clientId !== undefined) {
    const client = await findClientRef(tx, clientId);
    if (!client || (partnerId !== undefined && partnerId !== client.partnerId)) return refuse('not_found');
    return { partnerId: client.partnerId, clientId };
  }
  if (partnerId === undefined) return refuseField('partnerId', 'required', 'Name the agency whose key is used.');
  if (!(await findPartnerRef(tx, partnerId))) return refuse('not_found');
  return { partnerId, clientId: null };
}
