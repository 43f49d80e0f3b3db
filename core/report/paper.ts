import type { Locale } from '@partner-portal/contract/vocabulary.ts';
import { currentZone, zonesOf } from '../place/zones.ts';

/** Countries that print on Letter, and in whose languages the report is written. */
const LETTER_COUNTRIES = ['US', 'CA', 'MX'] as const;
type LetterCountry = (typeof LETTER_COUNTRIES)[number];

const COUNTRY_OF_ZONE: ReadonlyMap<string, LetterCountry> = new Map(
  LETTER_COUNTRIES.flatMap((country) => zonesOf(country).map((zone) => [zone, country] as const)),
);

/** Returns the country of a time zone where paper is Letter; null elsewhere. */
function letterCountry(timezone: string): LetterCountry | null {
  const zone = currentZone(timezone);
  return zone === null ? null : (COUNTRY_OF_ZONE.get(zone) ?? null);
}

/** Returns the paper of a report by where its client is. */
export function paperOf(timezone: string): 'A4' | 'Letter' {
  return letterCountry(timezone) === null ? 'A4' : 'Letter';
}

/** Returns the language tag of numbers and dates for a client, of which the language is known and the country follows from its time zone. */
export function reportTag(locale: Locale, timezone: string): string {
  const country = letterCountry(timezone);
  return country === null || locale === 'de' ? locale : `${locale}-${country}`;
}
