/**
 * Sentences that people agreed to when they asked for the newsletter, oldest first. The stored version of a subscriber is the place in this
 * list, so an entry is never changed or removed: a new wording is a new entry.
 */
const CONSENTS = [
  'Email me about new agents and changes to the product, at most once a month. I can unsubscribe with one click in every email.',
] as const;

/** The sentence that forms show, and its version. */
export const NEWSLETTER_CONSENT = { version: CONSENTS.length, text: CONSENTS[CONSENTS.length - 1] ?? CONSENTS[0] };

/** Returns the sentence of a version; undefined for one that never was. */
export function consentText(version: number): string | undefined {
  return CONSENTS[version - 1];
}
