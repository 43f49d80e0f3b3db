import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/**
 * Normalizes common notations ("+1 (312) 555-0121", "0044 20 7946 0000", "+44 (0)20 7946 0000") to E.164. Returns null for a number
 * without a country code (a guessed country would text a stranger), with an extension, or of an impossible length for its country.
 * Service only: the metadata is 80 kB.
 */
export function toE164(value: string): string | null {
  const number = parsePhoneNumberFromString(value.trim().replace(/^00/, '+'), { extract: false });
  return number?.isPossible() && number.ext === undefined ? number.number : null;
}
