import type { Locale } from '@partner-portal/contract/vocabulary.ts';

/** Countries that print on Letter, and in whose languages the report is written. */
const LETTER_COUNTRIES = ['US', 'CA', 'MX'] as const;
type LetterCountry = (typeof LETTER_COUNTRIES)[number];

const COUNTRY_OF_ZONE: ReadonlyMap<string, LetterCountry> = new Map(
  LETTER_COUNTRIES.flatMap((country) => zonesOf(country).map((zone) => [zone, country] as const)),
);

/** Returns the country of a time zone where paper is Letter; null elsewhere. */
function letterCountry(timezone: string): LetterCountry | null {
  try {
    // Old names, such as US/Central, become current ones.
    const zone = new Intl.DateTimeFormat('en', { timeZone: timezone }).resolvedOptions().timeZone;
    return COUNTRY_OF_ZONE.get(zone) ?? null;
  } catch {
    return null;
  }
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

/** Zones of a country, by the names the runtime uses. */
function zonesOf(country: string): readonly string[] {
  const locale = new Intl.Locale('und', { region: country }) as Intl.Locale & { timeZones?: string[]; getTimeZones?: () => string[] }; // a getter in some runtimes, a method in others
  const zones = locale.getTimeZones?.() ?? locale.timeZones ?? [];
  return zones.map((timeZone) => new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone);
}
