import { z } from 'zod';

/**
 * ASCII only: the one decision about internationalized addresses (RFC 6531). Lower-casing makes a `k` of U+212A, so that two people
 * would share an address. A space is no letter: what holds one is refused as no address.
 */
export const EMAIL_CHARACTERS = /^[\x20-\x7e]*$/;

const LENGTH_MAX = 254;
const form = z.email();

/**
 * Returns the form in which addresses of people are stored and compared: without spaces around it, in lower case, at most 254 characters.
 * Returns null for any text that is no such address.
 */
export function normalizeEmail(text: string): string | null {
  const address = text.trim();
  if (address.length > LENGTH_MAX || !EMAIL_CHARACTERS.test(address)) return null;
  const lower = address.toLowerCase();
  return form.safeParse(lower).success ? lower : null;
}
