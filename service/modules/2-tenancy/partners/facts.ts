import { defineFact } from '#platform/facts.ts';
import type { SystemTx } from '#platform/db/tx.ts';

/** A workspace was created with its subscription. */
export const workspaceOpened = defineFact<{ partnerId: string; at: Date }, SystemTx>('workspace.opened');

/** Staff lifted the suspension of an account. */
export const partnerResumed = defineFact<{ partnerId: string; at: Date }, SystemTx>('partner.resumed');
