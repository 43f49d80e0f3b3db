import { currentZone, zonesOf } from './zones.ts';

export type Paper = 'A4' | 'Letter';

/** Countries (ISO 3166-1 alpha-2) that print on US Letter. All others use A4. */
const LETTER: ReadonlySet<string> = new Set('AS BZ CA CL CO CR DO GT GU HN MP MX NI PA PH PR SV US VE VI'.split(' '));

/** Made when it is first asked for: it knows a hundred zones, and few processes print. */
let countryOfZone: ReadonlyMap<string, string> | undefined;

/** Returns the paper of a country; A4 where it is not known. */
export function paperOfCountry(country: string | null): Paper {
  return country !== null && LETTER.has(country) ? 'Letter' : 'A4';
}

/** Returns the country of a time zone where paper is Letter; null elsewhere. */
export function letterCountry(timezone: string): string | null {
  countryOfZone ??= new Map([...LETTER].flatMap((country) => zonesOf(country).map((zone) => [zone, country] as const)));
  const zone = currentZone(timezone);
  return zone === null ? null : (countryOfZone.get(zone) ?? null);
}
