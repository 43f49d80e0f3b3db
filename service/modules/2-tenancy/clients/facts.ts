import type { Tx } from '#platform/db/tx.ts';
import { defineFact } from '#platform/facts.ts';

/** A client's own data was changed: its name, ways to reach it, its business profile. */
export const clientChanged = defineFact<{ partnerId: string; clientId: string }>('client.changed');

/** A client that was active or suspended was archived by hand. */
export const clientArchived = defineFact<{ partnerId: string; clientId: string; at: Date }, Tx>('client.archived');
