import { type ClientImportField, LOCALES, type Locale } from '@partner-portal/contract/vocabulary.ts';
import { rearm } from '../csv/csv.ts';

const LANGUAGES: Readonly<Record<Locale, RegExp>> = {
  en: /^(?:en([-_].*)?|english|englisch|ingles|inglés)$/i,
  de: /^(?:de([-_].*)?|german|deutsch|aleman|alemán)$/i,
  es: /^(?:es([-_].*)?|spanish|spanisch|espanol|español|castellano)$/i,
};
const BARE_ADDRESS = /^(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?:[/?#:].*)?$/u;

/** Whether a cell holds a number in scientific notation: Excel writes long numbers so, without most of their digits. */
export function isScientific(cell: string): boolean {
  return /^[+-]?\d+(?:[.,]\d+)?e[+-]?\d+$/i.test(cell.trim());
}

const ERRORS = /^#(?:N\/A|NV|N\/D|¡?REF!|BEZUG!|VALUE!|WERT!|¡VALOR!|NAME\?|¿NOMBRE\?|¡?DIV\/0!|¡?NUM!|ZAHL!|NULL!|¡NULO!|ERROR!|##+)$/i;

/** Whether a cell holds an error in place of a value, as a lookup that found nothing leaves it, or signs for a number that is wider than its column. */
export function isSpreadsheetError(cell: string): boolean {
  return ERRORS.test(cell.trim());
}

/**
 * Returns the value of a cell as a person means it: without the apostrophe that exports put before formulas, a language by its name, and a web
 * address with its scheme. `separator`: of the file. A value that cannot be read stays unchanged, and the check refuses it. An empty cell is undefined: it changes nothing.
 */
export function readCell(field: ClientImportField, cell: string, separator = ','): string | undefined {
  const text = rearm(cell, separator).trim();
  if (text === '') return undefined;
  if (field === 'locale') return LOCALES.find((locale) => LANGUAGES[locale].test(text)) ?? text;
  const isLink = field === 'website' || field === 'bookingUrl' || field === 'reviewUrl';
  return isLink && BARE_ADDRESS.test(text) ? `https://${text}` : text;
}
