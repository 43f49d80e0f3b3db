import { defineFact } from '#platform/facts.ts';
import type { SystemTx, Tx } from '#platform/db/tx.ts';

/** A workspace was created with its subscription. */
export const workspaceOpened = defineFact<{ partnerId: string; at: Date }, SystemTx>('workspace.opened');

/** Staff lifted the suspension of an agency, by hand or by approving its request. */
export const partnerResumed = defineFact<{ partnerId: string; at: Date }, SystemTx>('partner.resumed');

/** An agency (`clientId` null) or a client is active again, by hand, by a request or by a payment. */
export const accountResumed = defineFact<{ partnerId: string; clientId: string | null; at: Date }, Tx>('account.resumed');
