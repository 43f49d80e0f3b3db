import { defineFact } from '#platform/facts.ts';

/** A client's own data was changed: its name, ways to reach it, its business profile. */
export const clientChanged = defineFact<{ partnerId: string; clientId: string }>('client.changed');
