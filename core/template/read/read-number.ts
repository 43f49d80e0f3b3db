import type { Json, TemplateInput } from '../types.ts';
import { only, plainText, type Reading, type ReadingClient, unquoted } from './reading.ts';

/** Digits of the longest number that is read. */
const DIGITS_MAX = 60;
/** No longer text is a number; none is searched for one. */
const LENGTH_MAX = 2 * DIGITS_MAX;
const NO_NUMBER = { problem: 'is not a number' } as const;
const NO_AMOUNT = { problem: 'is not an amount of money' } as const;

/** Reads a number: a JSON number, or its decimal as text where a double does not hold it. A whole one is always held. */
export function readNumber(raw: Json, client: ReadingClient, { integer, min }: Pick<TemplateInput, 'integer' | 'min'> = {}): Reading {
  const reading = readAnyNumber(raw, client);
  if ('problem' in reading) return reading;
  const isAllowed = (integer !== true || Number.isSafeInteger(reading.value)) && (min === undefined || Number(reading.value) >= min);
  return isAllowed
    ? reading
    : { problem: `is not a ${integer === true ? 'whole ' : ''}number${min === undefined ? '' : ` from ${min} on`}` };
}

function readAnyNumber(raw: Json, client: ReadingClient): Reading {
  const value = only(raw);
  if (typeof value === 'number') return Number.isFinite(value) ? { value: value === 0 ? 0 : value } : NO_NUMBER;
  const text = shortText(value);
  if (text === null) return NO_NUMBER;
  if (/^[+-]?(?:\d+\.?\d*|\.\d+)e[+-]?\d{1,4}$/i.test(text)) return fromExponent(text);
  const decimal = decimalOf(text, client);
  if (decimal === null) return NO_NUMBER;
  if ('problem' in decimal) return decimal;
  return { value: fitting(decimal.text) };
}

function shortText(value: Json): string | null {
  const text = typeof value === 'string' ? plainText(value) : null;
  return text === null || text.length > LENGTH_MAX ? null : text;
}

/** Reads an amount of money: its decimal as text, with a point. */
export function readMoney(raw: Json, client: ReadingClient): Reading {
  const value = only(raw);
  // JSON has the point for its decimals, in every country.
  const plain = typeof value === 'number' && Number.isFinite(value) ? String(value) : null;
  if (plain !== null) return /^-?\d+(?:\.\d+)?$/.test(plain) ? { value: amount(plain) } : NO_AMOUNT;
  const text = shortText(value);
  const decimal = text === null ? null : decimalOf(text, client);
  if (decimal === null) return NO_AMOUNT;
  return 'problem' in decimal ? decimal : { value: amount(decimal.text) };
}

/** Three decimals would be read as thousands where a comma is the decimal separator. */
function amount(decimal: string): string {
  const text = decimal === '-0' ? '0' : decimal;
  return /^-?\d{1,3}\.\d{3}$/.test(text) ? `${text}0` : text;
}

/** The number of a decimal text, unless a double would change it. */
function fitting(decimal: string): number | string {
  const number = Number(decimal);
  const plain = String(number);
  return plain === normal(decimal) ? number : decimal;
}

const normal = (decimal: string): string => {
  const short = decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal;
  return short === '-0' ? '0' : short;
};

function fromExponent(text: string): Reading {
  const value = Number(text);
  // Zero from digits that are not: too small for a double.
  const isLost = !Number.isFinite(value) || (value === 0 && /[1-9]/.test(text.split(/e/i)[0] ?? ''));
  const digits = (text.split(/e/i)[0] ?? '').replace(/\D/g, '').replace(/^0+|0+$/g, '');
  return isLost || digits.length > 15 ? { problem: 'is a number that is too long or too large' } : { value: value === 0 ? 0 : value };
}

/** Currency signs, ISO 4217 codes and the short names of francs and crowns. */
const CURRENCY = /^(?:[A-Z]{0,2}\p{Sc}|[A-Za-z]{3}|Fr\.?|kr\.?)\s*(?=[\d.,(+-])|(?<=[\d.,)–-])\s*(?:\p{Sc}|[A-Za-z]{3}|Fr\.?|kr\.?|Euro)$/u;

/** Returns a number written by people as plain decimal text; null when it is none. */
function decimalOf(given: string, client: ReadingClient): { text: string } | { problem: string } | null {
  let text = unquoted(given.replace(/^=?"(.*)"$/, '$1')).replace(/[\u2212\u2013\u2014]/g, '-');
  let sign = '';
  const takeSign = (): void => {
    const found = /^([+-])\s*(.*)$/.exec(text) ?? /^()\((.*)\)$/.exec(text);
    if (found === null || sign !== '') return;
    sign = found[1] === '+' ? '+' : '-';
    text = found[2] ?? '';
  };
  takeSign();
  const amountText = text.replace(CURRENCY, '').replace(CURRENCY, '').trim();
  const hasCurrency = amountText !== text;
  text = amountText;
  takeSign();
  // "12,-" and "12.--": no cents.
  text = text.replace(/^(\d[\d.,' ]*)[.,]-{1,2}$/, '$1');
  const trailing = /^(.*\d)-$/.exec(text)?.[1];
  if (trailing !== undefined && sign === '') {
    sign = '-';
    text = trailing;
  }
  const whole = joinGroups(text.replace(/[’‘`´]/g, "'"), client, hasCurrency);
  if (whole === null || 'problem' in whole) return whole;
  const [digits = '', decimals] = whole.text.split('.');
  if (digits.length + (decimals?.length ?? 0) > DIGITS_MAX) return { problem: 'is a number that is too long or too large' };
  const plain = `${digits.replace(/^0+(?=\d)/, '') || '0'}${decimals === undefined || decimals === '' ? '' : `.${decimals}`}`;
  return { text: sign === '-' && /[1-9]/.test(plain) ? `-${plain}` : plain };
}

/** Takes the separators of thousands out and makes the one of decimals a point. */
function joinGroups(text: string, client: ReadingClient, hasCurrency: boolean): { text: string } | { problem: string } | null {
  if (!/^[\d.,' ]*\d[\d.,' ]*$/.test(text)) return null;
  const last = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','));
  const mark = last < 0 ? '' : text.charAt(last);
  const isOnly = mark !== '' && text.indexOf(mark) === last && !/[.,]/.test(text.slice(0, last));
  const decimals = last < 0 ? '' : text.slice(last + 1);
  if (isOnly && /^[1-9]\d{0,2}$/.test(text.slice(0, last)) && /^\d{3}$/.test(decimals)) {
    const decimalMark = decimalMarkOf(client);
    // A price with three decimals is rather one in thousands, written elsewhere.
    if (decimalMark === null || (hasCurrency && decimalMark === mark))
      return { problem: `may be ${text.slice(0, last)}${decimals} or ${text.slice(0, last)}.${decimals}` };
    return { text: decimalMark === mark ? `${text.slice(0, last)}.${decimals}` : `${text.slice(0, last)}${decimals}` };
  }
  // One mark that occurs several times separates thousands, as all but the last kind do.
  const isGrouped = mark !== '' && text.indexOf(mark) !== last && !text.includes(mark === '.' ? ',' : '.');
  const integer = isGrouped || last < 0 ? text : text.slice(0, last);
  const rest = isGrouped || last < 0 ? '' : decimals;
  const kinds = new Set(integer.replace(/\d/g, ''));
  if (/[^\d]/.test(rest) || kinds.size > 1 || (!isGrouped && kinds.has(mark))) return null;
  if (kinds.size === 1 && !/^\d{1,3}(?:\D\d{2,3})*\D\d{3}$/.test(integer)) return null;
  return { text: `${integer.replace(/\D/g, '')}${rest === '' ? '' : `.${rest}`}` };
}

/** The separator of decimals of a client; null when its language and its country do not agree, or only the preset language is known. */
function decimalMarkOf({ locale, countries: [country] }: ReadingClient): string | null {
  if (country === undefined) return locale === 'en' ? null : markOf(locale);
  const mark = markOf(`${locale}-${country}`);
  return mark === markOf(`und-${country}`) ? mark : null;
}

/** A few hundred at most: languages of the portal times countries. */
const marks = new Map<string, string>();

function markOf(tag: string): string {
  const known = marks.get(tag);
  if (known !== undefined) return known;
  const locale = new Intl.Locale(tag).maximize();
  const parts = new Intl.NumberFormat(`${locale.language}-${locale.region ?? ''}`.replace(/-$/, '')).formatToParts(1.5);
  const mark = parts.find(({ type }) => type === 'decimal')?.value ?? '.';
  marks.set(tag, mark);
  return mark;
}
