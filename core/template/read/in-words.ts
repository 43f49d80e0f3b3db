import { shortened } from '../../text/cut.ts';
import type { Locale } from '@partner-portal/contract/locales.ts';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { currentZone } from '../../place/zones.ts';
import type { InputType, Json } from '../types.ts';

/** Who reads a value: in their language, and times in the zone of the client. */
export type ValueReader = { locale: Locale; timezone: string };

/** How each language writes what has no region. */
const TAGS: { readonly [locale in Locale]: string } = { en: 'en-GB', de: 'de-DE', es: 'es-ES' };
const IN: { readonly [locale in Locale]: string } = { en: 'in', de: 'in', es: 'en' };
const YES_NO: { readonly [locale in Locale]: readonly [string, string] } = { en: ['yes', 'no'], de: ['ja', 'nein'], es: ['sí', 'no'] };
const LENGTH_MAX = 200;

/** Returns a canonical value as a person reads it, such as "Tue 5 Jan 2027, 9:30 in Chicago"; null for an object. */
export function valueInWords(type: InputType, value: Json, reader: ValueReader): string | null {
  if (value === null || typeof value === 'object') return null;
  return shortened(inWords(type, value, reader), LENGTH_MAX);
}

function inWords(type: InputType, value: string | number | boolean, { locale, timezone }: ValueReader): string {
  if (typeof value === 'boolean') return YES_NO[locale][value ? 0 : 1];
  if (type === 'phone') return parsePhoneNumberFromString(String(value))?.formatInternational() ?? String(value);
  if (type === 'datetime') return timeInWords(String(value), locale, currentZone(timezone) ?? 'UTC') ?? String(value);
  // A format takes a decimal text as it is, digit by digit.
  if (type === 'number' || type === 'money')
    return new Intl.NumberFormat(TAGS[locale], { maximumFractionDigits: 20 }).format(String(value) as Intl.StringNumericLiteral);
  return String(value);
}

function timeInWords(value: string, locale: Locale, timeZone: string): string | null {
  const at = Date.parse(value);
  if (Number.isNaN(at)) return null;
  const parts = new Intl.DateTimeFormat(TAGS[locale], {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  }).formatToParts(at);
  const part = (name: string): string => parts.find(({ type }) => type === name)?.value ?? '';
  const day = locale === 'de' ? `${part('day')}.` : part('day');
  const hour = String(Number(part('hour')));
  return `${part('weekday')} ${day} ${part('month')} ${part('year')}, ${hour}:${part('minute')} ${IN[locale]} ${placeOf(timeZone)}`;
}

/** "Chicago" for America/Chicago. */
function placeOf(timeZone: string): string {
  return (timeZone.split('/').at(-1) ?? timeZone).replaceAll('_', ' ');
}
