import { defineFact } from '#platform/facts.ts';

/** The owner and provider of a credential. Without a client it is the partner's own, which counts for all its clients. */
export type CredentialSlot = { partnerId: string; clientId: string | null; provider: string };

export const credentialSaved = defineFact<CredentialSlot>('credential.saved');
export const credentialRemoved = defineFact<CredentialSlot>('credential.removed');
/** The stored outcome of the last check changed: accepted, refused, or unknown after another value was saved. */
export const credentialCheckChanged = defineFact<CredentialSlot>('credential.check_changed');
