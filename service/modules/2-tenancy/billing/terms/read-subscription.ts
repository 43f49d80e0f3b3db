import type { Actor } from '#platform/actor.ts';
import type { Tx } from '#platform/db/tx.ts';
import { refuse } from '#platform/refuse.ts';
import { loadTerms } from './load-terms.ts';
import { findSubscription } from './store.ts';
import { toSubscription } from './to-record.ts';

/** The record of a partner's subscription. `suspendAfterDays`: from the day payment became past due. Refuses `not_found`. */
export async function readSubscription(tx: Tx, partnerId: string, suspendAfterDays: number, reader: Actor) {
  const row = await findSubscription(tx, partnerId);
  return row ? toSubscription(await loadTerms(tx, row), suspendAfterDays, reader) : refuse('not_found');
}
