import type { Tx } from '#platform/db/tx.ts';
import { approvePending } from './store-reactivations.ts';

/** An account that staff, its agency or a payment resumed needs no decision any more: its pending request is approved with it. */
export async function settleReactivations(
  tx: Tx,
  resumed: readonly { partnerId: string; clientId: string | null; at: Date }[],
): Promise<void> {
  for (const { partnerId, clientId, at } of resumed) await approvePending(tx, { partnerId, clientId }, at);
}
