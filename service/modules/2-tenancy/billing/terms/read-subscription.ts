import type { Tx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { loadTerms, readUse } from './load-terms.ts';
import { findSubscription } from './store.ts';
import { toSubscription } from './to-record.ts';

/** The record of a partner's subscription. `suspendAfterDays`: from the day payment became past due. Refuses `not_found`. */
export async function readSubscription(
  tx: Tx,
  partnerId: string,
  suspendAfterDays: number,
  { actor: reader, now }: Pick<RequestContext, 'actor' | 'now'>,
) {
  const row = await findSubscription(tx, partnerId);
  if (!row) return refuse('not_found');
  const loaded = await loadTerms(tx, row);
  const { used } = loaded.pending || row.purchasedBeyond !== null ? await readUse(tx, partnerId, now) : { used: { clients: 0, seats: 0 } };
  return toSubscription(loaded, { used, suspendAfterDays, reader });
}
