import type { Locale } from '@partner-portal/contract/vocabulary.ts';
import { letterCountry, type Paper } from '../place/paper.ts';

/** Returns the paper of a report by where its client is. */
export function paperOf(timezone: string): Paper {
  return letterCountry(timezone) === null ? 'A4' : 'Letter';
}

/** Returns the language tag of numbers and dates for a client, of which the language is known and the country follows from its time zone. */
export function reportTag(locale: Locale, timezone: string): string {
  const country = letterCountry(timezone);
  return country === null || locale === 'de' ? locale : `${locale}-${country}`;
}
