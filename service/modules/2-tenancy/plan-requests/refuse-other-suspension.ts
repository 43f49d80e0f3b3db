import type { Actor } from '#platform/actor.ts';
import type { Tx } from '#platform/db/tx.ts';
import { refuse } from '#platform/refuse.ts';
import { findSuspension } from './store.ts';

/** Refuses a member of an agency that something else than its billing suspended: no plan brings it back. */
export async function refuseOtherSuspension(tx: Tx, actor: Actor): Promise<void> {
  if (actor.role === 'ADMIN') return;
  const partner = await findSuspension(tx, actor.partnerId);
  if (partner?.status !== 'active' && partner?.suspensionCause !== 'billing') refuse('account_suspended');
}
