import {
  type CountryCode,
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
  type PhoneNumber,
} from 'libphonenumber-js/max';
import { isPlaceholder } from '../text/placeholder.ts';
import { asciiDigits } from './digits.ts';

/**
 * Reads phone numbers as people, phone systems, forms and spreadsheets write them. The only place that does. Service only: the metadata is 145 kB.
 * Rules: docs/behaviour/agents.md.
 */

/**
 * - `number`: possible for its country, without its extension.
 * - `withheld`: the phone system says that the caller showed no number, or names a party that has none (`client:`, `sip:`).
 * - `no_country`: it may be a number, but has no country code and no country is known.
 * - `no_number`: anything else, such as a short code or the name of a sender.
 */
export type PhoneReading = { number: PhoneNumber } | { not: 'withheld' | 'no_country' | 'no_number' };

/** Longer texts hold no phone number; they are not searched. */
const LENGTH_MAX = 200;
/** Parsing one takes longer than all else of a reading, and no one writes as many. */
const NUMBERS_MAX = 5;

const listOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s*,\s*/));

/** What phone systems send in place of a number, folded (see `fold`). */
const WITHHELD_WORDS = listOf(`
  anonymous, anonymous caller, anonym, anonimo, anonyme, restricted, restricted number, restricted caller, unavailable, number unavailable, not available,
  unknown, unknown caller, unknown number, unknown name, unbekannt, unbekannter anrufer, unbekannte nummer, unbekannter teilnehmer, desconocido,
  numero desconocido, inconnu, private, private caller, private number, private name, privat, privado, numero privado, prive, numero prive, blocked,
  blocked number, blocked caller, caller id blocked, withheld, number withheld, withheld number, hidden, hidden number, unterdruckt, unterdrueckt,
  nummer unterdruckt, rufnummer unterdruckt, oculto, numero oculto, masque, numero masque, no caller id, no callerid, no number, keine nummer, sin numero,
  out of area, payphone, pay phone, coinphone, p, o, invalid`);

/** Placeholders: https://help.twilio.com/articles/223179988, the letters of ANONYMOUS, RESTRICTED and others on a keypad. */
const WITHHELD_DIGITS = listOf(`
  266696687, 7378742833, 17378742833, 86282452253, 2562533, 8566696, 8656696, 464, 7748283, 266696687000, 1266696687`);

const NORTH_AMERICA = '1';

/** Returns the number in a text; the first one of two. `countries`: ISO codes; a number without a country code belongs to one of the first. */
export function readPhone(text: string, countries: readonly string[] = []): PhoneReading {
  if (text.length > LENGTH_MAX) return { not: 'no_number' };
  const country = knownCountry(countries);
  // Most senders send E.164.
  const canonical = /^\+[1-9]\d{7,14}$/.test(text);
  const clean = canonical ? text : cleaned(text);
  const no = whyNoNumber(unlabelled(clean));
  if (no !== null) return no;
  const parts = canonical ? [clean] : wanted(partsOf(clean)).slice(0, NUMBERS_MAX).map(unlabelled);
  let isWithoutCountry = false;
  for (const part of parts) {
    const number = parse(part, country);
    if (number !== undefined) return { number };
    if (country === undefined && /^[\d\s()./-]+$/.test(part) && /^\d{7,15}$/.test(part.replace(/\D/g, ''))) isWithoutCountry = true;
  }
  return { not: isWithoutCountry ? 'no_country' : 'no_number' };
}

function knownCountry(countries: readonly string[]): CountryCode | undefined {
  return countries.find((one) => isSupportedCountry(one)) as CountryCode | undefined; // just checked
}

/** Returns what is dialled from abroad before the numbers of the first country, such as "+49"; empty when none is known. */
export function callingCode(countries: readonly string[]): string {
  const country = knownCountry(countries);
  return country === undefined ? '' : `+${getCountryCallingCode(country)}`;
}

/** Returns the number of a text (E.164) as `readPhone` reads it, or null. */
export function toE164(text: string, countries: readonly string[] = []): string | null {
  const reading = readPhone(text, countries);
  return 'number' in reading ? reading.number.number : null;
}

/** What people and forms call a number, next to it. Any other word makes it a text that holds a number, such as "not 312 555 0121". */
const LABEL =
  '(?:tel|telefon|tel[eé]fono|phone|phone number|fon|whatsapp|sms|text only|callto|mobile|cell|cellular|mobil|handy|m[oó]vil|celular|home|work|main|office|privat|private|dienstlich|gesch[aä]ftlich|b[uü]ro|casa|trabajo|oficina|[tmphwco])';
/** "Tel.: 312", "Home phone: 312", "Tel. 312". */
const LABEL_BEFORE = new RegExp(`^(?:${LABEL}(?:\\s*\\.)?\\s*){1,2}(?::\\s*(?://)?|(?<=[.\\s])(?=[+(\\d]))`, 'i');
const LABEL_AFTER = new RegExp(`(?<=\\d)\\s+(?:-\\s+)?${LABEL}\\.?$`, 'i');
/** "030 12345678 DW 12", "91 411 11 11 interno 5": the library knows the English ones. */
const EXTENSION = /(?<=[\d)])\s{1,3}(?:durchwahl|dw|nebenstelle|nst|apparat|app|anexo|interno|extensi[oó]n)\.?:?\s{0,3}\d{1,6}$/i;

/** Without invisible characters, quotes and what spreadsheets and channels put around a number; ASCII digits and hyphens. */
function cleaned(text: string): string {
  // A form that was sent without encoding its plus sign has a space in its place.
  const plus = /^ [1-9]\d{9,14}$/.test(text) && parsePhoneNumberFromString(`+${text.trim()}`)?.isValid() ? '+' : '';
  const bare = asciiDigits(text.normalize('NFKC'))
    .replace(/\p{Cf}/gu, '')
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replace(/[\p{Zs}\t]/gu, ' ')
    .replace(/%2B/i, '+')
    .replace(/%20/g, ' ')
    .trim()
    .replace(/^="?(.*?)"?$/, '$1')
    .replace(/^["'“”„‘’]+|["'“”„‘’]+$/g, '')
    .trim();
  const number = /<([^<>]*)>\s*$/.exec(bare)?.[1]?.trim() ?? bare;
  return plus + number;
}

/** What people write next to a number that no one may text. "Do not call" says nothing about texts, unless "or" goes on with them. */
const FORBIDDEN =
  /\b(?:do not|don['’]?t|never|not?|nicht|keine?)(?:\s+(?:call|phone|ring|anrufen|llamar)\s+(?:or|nor|and|oder|und|o|ni|y))?(?:\s+(?!call|phone|ring|anruf|llamar|other|only|please|just|nur|bitte|solo)[\p{L}'’]+){0,2}?\s+(?:text(?:s|ed|ing)?|sms|messages?|contact|use|schreiben|anschreiben|kontaktieren|nachrichten?|benutzen|contactar|enviar|escribir|mandar|mensajes)(?!\p{L})|\bdnc\b/iu;
/** What people write next to a number that is rather not to be dialled. */
const UNWANTED =
  /\b(?:fax|telefax|wrong|falsch|(?:do not|don['’]?t|never) (?:call|phone|ring)|no (?:calls?|llamar)|nicht anrufen|keine anrufe?)\b|\((?:old|alte?|viejo|antiguo)\)/i;

/** Returns the numbers that no remark warns of, otherwise those that no remark forbids to text. A part without digits is a remark on the number before it. */
function wanted(parts: string[]): string[] {
  const numbers: { number: string; said: string }[] = [];
  for (const part of parts) {
    const last = numbers.at(-1);
    if (/\d/.test(part)) numbers.push({ number: part, said: part });
    else if (last !== undefined) last.said += `, ${part}`;
  }
  const allowed = numbers.filter(({ said }) => !FORBIDDEN.test(said));
  const left = allowed.filter(({ said }) => !UNWANTED.test(said));
  return (left.length > 0 ? left : allowed).map(({ number }) => number);
}

/** Each of several numbers has its own labels: "312 555 0121 (mobile), 030 12345678 DW 12 (work)". */
function unlabelled(text: string): string {
  const bare = text
    .replace(LABEL_BEFORE, '')
    .replace(LABEL_AFTER, '')
    .replace(EXTENSION, '')
    // "+44 (0) 20": the trunk prefix is dialled inside the country only.
    .replace(/^(\+|00)([\d\s]*)\(\s*0\s*\)/, '$1$2')
    // "312 555 0121 (mobile)"; a comma within the parentheses has parted them.
    .replace(/\s*\([^\d()]*\)?\s*$/, '')
    .replace(/^(\d{7,15})\.0+$/, '$1')
    .trim();
  return bare === text ? text : unlabelled(bare);
}

/** Lower case, letters and digits only. */
function fold(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}./'’]/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

function whyNoNumber(text: string): PhoneReading | null {
  if (/^(?:sips?|client|agent|anonymous|unknown|restricted)\s*:/i.test(text) || /@[\w.-]*\.invalid$/i.test(text))
    return { not: 'withheld' };
  const digits = text.replace(/^\+/, '');
  if (/^\d+$/.test(digits) && (WITHHELD_DIGITS.has(digits) || /^0+$/.test(digits))) return { not: 'withheld' };
  if (/\d/.test(text)) return null;
  const folded = fold(text);
  if (folded === '' || WITHHELD_WORDS.has(folded) || isPlaceholder(text)) return { not: 'withheld' };
  if (/^(?:anonymous|restricted|unavailable|unknown)@/i.test(text)) return { not: 'withheld' };
  return { not: 'no_number' };
}

/**
 * The whole text, unless it says by its separators that it holds several numbers or a remark; then each. They are parsed one by one: the library takes
 * exponential time for some texts with `;phone-context=`.
 */
function partsOf(text: string): string[] {
  return text
    .split(/[;,|\n\r]+|\s(?:or|oder|o|ou|and|und|y|et)\s(?!(?:text|sms|message|contact|schreiben)\b)/i)
    .flatMap(splitSlashes)
    .map((part) => part.trim());
}

/** "0151/1234567" is one number, "312 555 0121 / 312 555 0122" are two. */
function splitSlashes(text: string): string[] {
  for (const slash of [/\s\/\s/, /\//]) {
    const parts = text.split(slash);
    if (parts.length > 1 && parts.every((part) => part.replace(/\D/g, '').length >= 7)) return parts;
  }
  return [text];
}

function parse(came: string, country: CountryCode | undefined): PhoneNumber | undefined {
  // Mexico dropped the 1 of its mobiles in 2019; WhatsApp and some carriers still send it, also without a plus sign.
  const text = came.replace(/^(\+|00|011)?(\s?)52[\s.-]*(?:1|\(1\))(?=(?:[\s.()-]*\d){10}$)/, '$1$252');
  // Digits in another notation than a number's: 1.3125550121E+10.
  if (/\d[eE]\+?\d/.test(text)) return undefined;
  // What people dial before the code of another country is their own country's first: 0011 in Australia. Most others know 00.
  const national = possible(text, country) ?? possible(text.replace(/^00(?=[1-9])/, '+'), country);
  const digits = text.replace(/[\s()./-]/g, '');
  if (!/^[1-9]\d{9,14}$/.test(digits)) return national;
  if (country === undefined) return undefined;
  // No plus sign: some phone providers leave it out.
  const abroad = possible(`+${digits}`, undefined);
  if (national === undefined) return digits.length > 10 ? abroad : undefined;
  if (national.countryCallingCode === NORTH_AMERICA || mayBeMobile(national)) return national;
  // These digits are the national number, unless one is written with a 0: then a foreign mobile with its code is likelier than a landline without its 0,
  // and so is any foreign number in digits alone, as phone providers send them.
  const isWithoutZero = /^\D*0/.test(national.formatNational());
  const isRatherAbroad =
    !national.isValid() || isOfOneCountry(abroad, national) || (isWithoutZero && (/^\d+$/.test(text.trim()) || mayBeMobile(abroad)));
  return isRatherAbroad && abroad?.isValid() ? abroad : national;
}

function isOfOneCountry(one: PhoneNumber | undefined, other: PhoneNumber): boolean {
  return one?.countryCallingCode === other.countryCallingCode;
}

/** In North America and Mexico, landlines and mobiles share their codes. */
function mayBeMobile(number: PhoneNumber | undefined): boolean {
  return number?.getType()?.includes('MOBILE') ?? false;
}

function possible(text: string, country: CountryCode | undefined): PhoneNumber | undefined {
  const number = parsePhoneNumberFromString(text, country === undefined ? { extract: false } : { defaultCountry: country, extract: false });
  if (!number?.isPossible()) return undefined;
  // A zero that is dialled inside the country only: the number would be another one when it is read again.
  if (number.nationalNumber.startsWith('0') && parsePhoneNumberFromString(number.number)?.number !== number.number) return undefined;
  return number;
}
