import { defineFact } from '#platform/facts.ts';
import type { SystemTx } from '#platform/db/tx.ts';

/** An agency did not pay in time, or its subscription ended: its account is suspended in the same transaction. `reason` is shown to its users. */
export const subscriptionSuspended = defineFact<{ partnerId: string; reason: string; at: Date }, SystemTx>('subscription.suspended');

/** A suspended subscription is active again: the account is resumed if billing suspended it. */
export const subscriptionRestored = defineFact<{ partnerId: string; at: Date }, SystemTx>('subscription.restored');
