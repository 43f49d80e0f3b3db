import { type CountryCode, getCountries, type NumberType, parsePhoneNumberFromString, type PhoneNumber } from 'libphonenumber-js/max';
import { currentZone, zonesOf } from '../place/zones.ts';
import { readPhone } from './phone.ts';

/**
 * Who may be texted: the numbers that no agent texts, and the countries of a client. Service only: the metadata with number types is 145 kB.
 * Rules: docs/behaviour/agents.md.
 */

const NO_TEXT_REASONS = ['number_not_textable', 'country_not_allowed', 'caller_withheld', 'no_phone_number'] as const;
type NoTextReason = (typeof NO_TEXT_REASONS)[number];

/** Returns whether a run that ended early did so because its person may not be texted: it costs nothing. */
export function isNoTextReason(reason: unknown): reason is NoTextReason {
  return NO_TEXT_REASONS.some((one) => one === reason);
}
/** Why a number gets no text, as a run shows it. */
export type NoText = { reason: NoTextReason; message: string };

/** Ranges whose texts may cost a multiple; never texted, no matter who named the number. */
const COSTLY: { readonly [type in NonNullable<NumberType>]?: string } = {
  PREMIUM_RATE: 'Premium-rate numbers are never texted',
  SHARED_COST: 'Shared-cost numbers are never texted',
};
/** Satellite networks and international services have calling codes of their own and belong to no country. */
const NO_COUNTRY = 'Satellite and international service numbers are never texted';
/** Ranges behind which no person reads texts. */
const IMPERSONAL: { readonly [type in NonNullable<NumberType>]?: string } = {
  TOLL_FREE: 'Toll-free numbers are not texted',
  PERSONAL_NUMBER: 'Personal numbers that forward calls are not texted',
  PAGER: 'Pagers are not texted',
  UAN: 'Company access numbers are not texted',
  VOICEMAIL: 'Voicemail numbers are not texted',
};
const NO_NUMBER = 'This number is in no numbering plan, so it is not texted';
/** People whose number is not known, by why it is not (core/template/read/read-phone.ts). */
export const UNKNOWN_PEOPLE: { readonly [not in 'withheld' | 'no_number' | 'missing']: NoText } = {
  withheld: { reason: 'caller_withheld', message: 'The caller withheld their number' },
  no_number: { reason: 'number_not_textable', message: 'Short codes and names of senders are not texted' },
  missing: { reason: 'no_phone_number', message: 'There is no phone number to text' },
};
const OTHER_COUNTRY = 'This number is in a country that this business does not text';

/** All sentences of the rule: the catalog translates each for clients (catalog/parts/outcomes). */
export const NO_TEXT_MESSAGES: readonly string[] = [
  ...Object.values(COSTLY),
  NO_COUNTRY,
  ...Object.values(IMPERSONAL),
  NO_NUMBER,
  ...Object.values(UNKNOWN_PEOPLE).map(({ message }) => message),
  OTHER_COUNTRY,
];

/** Codes shared by countries that bill personal numbers as any other: the provider's documented test numbers are among them. */
const NORTH_AMERICA = '1';

/**
 * Returns why a number gets no text from a client, or null. `countries`: ISO codes that the client may text; empty when none is known, and then any
 * is allowed. Null as well for what is no number: there is no one to text.
 */
export function whyNotTexted(value: unknown, countries: readonly string[]): NoText | null {
  const number = numberOf(value);
  if (number === null) return null;
  if (!number?.isValid()) return refusal(NO_NUMBER);
  const costly = whyCostly(number);
  if (costly !== null) return costly;
  const type = number.getType();
  const impersonal =
    type === undefined || (type === 'PERSONAL_NUMBER' && number.countryCallingCode === NORTH_AMERICA) ? undefined : IMPERSONAL[type];
  if (impersonal !== undefined) return refusal(impersonal);
  const { country } = number;
  if (countries.length === 0 || (country !== undefined && countries.includes(country))) return null;
  return { reason: 'country_not_allowed', message: OTHER_COUNTRY };
}

/** Returns whether texts to a number may cost a multiple: no setting may name it as a recipient. */
export function isCostlyToText(value: unknown): boolean {
  const number = numberOf(value);
  return number !== undefined && number !== null && whyCostly(number) !== null;
}

/** The number of a value; undefined for one of the form of E.164 that is in no plan, null for what is no number. */
function numberOf(value: unknown): PhoneNumber | undefined | null {
  const text = value === null || value === undefined ? '' : String(value);
  if (/^\+[1-9]\d{6,14}$/.test(text)) return parsePhoneNumberFromString(text, { extract: false });
  const reading = readPhone(text);
  return 'number' in reading ? reading.number : null;
}

function whyCostly(number: PhoneNumber): NoText | null {
  if (number.isNonGeographic()) return refusal(NO_COUNTRY);
  const type = number.getType();
  const costly = type === undefined ? undefined : COSTLY[type];
  return costly === undefined ? null : refusal(costly);
}

function refusal(message: string): NoText {
  return { reason: 'number_not_textable', message };
}

/** Countries of the world, as ISO codes in their order. */
export const COUNTRY_CODES: readonly string[] = getCountries().toSorted();

/** Returns the country that a business is in by its phone number, else by its time zone; empty when neither says. */
export function ownCountries({ phone, timezone }: { phone: string | null; timezone: string }): string[] {
  const reading = phone === null ? null : readPhone(phone);
  const country = reading !== null && 'number' in reading ? reading.number.country : undefined;
  return [country ?? countryOfZone(timezone) ?? []].flat();
}

/** Searched first: reading the zones of all countries takes a tenth of a second. */
const COMMON: readonly CountryCode[] = [
  'US',
  'CA',
  'GB',
  'IE',
  'AU',
  'NZ',
  'DE',
  'AT',
  'CH',
  'ES',
  'MX',
  'FR',
  'IT',
  'NL',
  'BE',
  'PT',
  'PL',
  'SE',
  'DK',
  'NO',
];
const SEARCHED: readonly CountryCode[] = [...new Set([...COMMON, ...getCountries()])];
const countryByZone = new Map<string, CountryCode>();
let searched = 0;

/** Reads the zones of one country after the other, each once, until one has this zone. */
function countryOfZone(timezone: string): CountryCode | null {
  const zone = currentZone(timezone);
  if (zone === null || zone === 'UTC' || zone.startsWith('Etc/')) return null;
  for (let country = SEARCHED[searched]; !countryByZone.has(zone) && country !== undefined; country = SEARCHED[searched]) {
    for (const one of zonesOf(country)) countryByZone.set(one, country);
    searched += 1;
  }
  return countryByZone.get(zone) ?? null;
}
