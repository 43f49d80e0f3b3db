import { LOCALES } from '@partner-portal/contract/locales.ts';
import { Temporal } from 'temporal-polyfill';
import { WINDOWS_ZONES } from '../../place/windows-zones.ts';
import { currentZone } from '../../place/zones.ts';
import type { Json, JsonObject, TemplateInput } from '../types.ts';
import { folded, only, plainText, type Reading, type ReadingClient, unquoted } from './reading.ts';

/**
 * Reads a time: RFC 3339 with its offset. A time without an offset is in the client's time zone; a time that the clock skips there is as much later, one that
 * occurs twice is the first. The order of day and month is that of the client's country and language, where these agree. A day alone begins at midnight,
 * unless its input needs a time of day.
 */
export function readDatetime(raw: Json, client: ReadingClient, needs: Needs = {}): Reading {
  const value = only(raw);
  // Most senders send it as it is kept.
  if (typeof value === 'string' && isCanonical(value)) return { value };
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return readMember(value, client, needs);
  const text = plainText(value);
  if (text === null || text === '' || text.length > LENGTH_MAX) return NO_TIME;
  const bare = unquoted(text.replace(/\u2212/g, '-'));
  const calendar = /^(?:DTSTART;)?TZID=([^:]+):(.+)$/i.exec(bare);
  if (calendar !== null) return readMember({ dateTime: calendar[2] ?? '', timeZone: calendar[1] ?? '' }, client, needs);
  if (/^-?\d+(?:\.\d+)?$/.test(bare)) return readDigits(bare, client, needs);
  const [, said = bare, comment = ''] = /^(.*?)\s*\(([^()]*)\)$/.exec(bare) ?? [];
  const parsed = (joinedRange(said) === null ? readIso(said) : readEither(said, client)) ?? readWords(said, client);
  if (parsed === null || 'problem' in parsed) return parsed ?? NO_TIME;
  if (isWinterCode(parsed, parsed.year, client) && !MAIL_DATE.test(said)) return canonical({ ...parsed, offset: undefined }, client, needs);
  const zoned = parsed.offset !== undefined || parsed.zone !== undefined ? parsed : withComment(parsed, comment, client);
  return 'problem' in zoned ? zoned : canonical(zoned, client, needs);
}

/** RFC 5322: a program wrote the code, which is that of the day. */
const MAIL_DATE = /^(?:[a-z]{3}, ?)?\d{1,2} [a-z]{3} \d{4} \d\d:\d\d:\d\d /i;

/** Names of zones on booking pages. */
const BOOKING_ZONES: readonly [name: RegExp, zone: string][] = [
  [/^eastern(?: standard| daylight)? time(?: - .+)?$/i, 'America/New_York'],
  [/^central(?: standard| daylight)? time(?: - .+)?$/i, 'America/Chicago'],
  [/^mountain(?: standard| daylight)? time(?: - .+)?$/i, 'America/Denver'],
  [/^pacific(?: standard| daylight)? time(?: - .+)?$/i, 'America/Los_Angeles'],
  [/^central european(?: standard| summer)? time(?: - .+)?$/i, 'Europe/Berlin'],
  [/^mitteleuropäische (?:sommer)?zeit$/i, 'Europe/Berlin'],
  [/^hora (?:peninsular|de madrid)$/i, 'Europe/Madrid'],
  [/^uk, ireland, lisbon time$/i, 'Europe/London'],
];

const AREA = /^(?:africa|america|antarctica|arctic|asia|atlantic|australia|europe|indian|pacific)\//i;

/** "3pm (EST)": a time that says no offset is in the zone behind it in parentheses; other words there, such as a room, say nothing about it. */
function withComment(local: Local, comment: string, client: ReadingClient): Parsed {
  const words = comment.trim();
  // A code is in capitals: "(West)" is a place.
  const isCode = /^[A-Z]{2,5}\b/.test(words);
  const zone = isCode || AREA.test(words) || /^[+-]\d\d/.test(words) ? readZone(words) : null;
  const named: Zone | undefined = zone ?? BOOKING_ZONES.flatMap(([name, one]) => (name.test(words) ? { zone: one } : []))[0];
  if (named !== undefined && isWinterCode(named, local.year, client)) return local;
  if (named !== undefined) return { ...local, ...named };
  // "Arabia Time", unlike "first time".
  const isZone = /^(?:utc|gmt)\b/i.test(words) || AREA.test(words) || /^(?!Local )(?:[A-Z][\w.]* )+Time$/.test(words);
  return isZone ? { problem: `is in a time zone that is not known, ${words.slice(0, 60)}` } : local;
}

/** Returns whether a zone is the code of the client's winter: people write it all year. */
function isWinterCode({ offset, code }: Zone, year: number, client: ReadingClient): boolean {
  return code !== undefined && !/^(?:z|utc?|gmt)$/.test(code) && isYear(year) && offset === winterOffset(year, client);
}

/** The offset of a client's zone without daylight saving time, in minutes. */
function winterOffset(year: number, { timezone }: ReadingClient): number {
  const offsets = [1, 7].map(
    (month) => Temporal.PlainDate.from({ year, month, day: 1 }).toZonedDateTime(zoneOf(timezone)).offsetNanoseconds / 6e10,
  );
  return Math.min(...offsets);
}

type Needs = Pick<TemplateInput, 'timeRequired'>;

const LENGTH_MAX = 120;
const NO_TIME = { problem: 'is not a date with a time' } as const;

/** A local time with what says where it is local; `offset` in minutes. `isDay`: it came without a time of day. */
type Local = { year: number; month: number; day: number; hour: number; minute: number; second: number; ms: number; isDay: boolean } & Zone;
/** `code`: the name of the offset, in small letters. */
type Zone = { offset?: number | undefined; zone?: string | undefined; code?: string };
type Parsed = Local | { problem: string };

const CANONICAL = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.\d{1,9})?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/;

function isCanonical(text: string): boolean {
  const found = CANONICAL.exec(text);
  if (found === null) return false;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found.slice(1).map(Number);
  return isYear(year) && isDate(year, month, day) && hour < 24 && minute < 60 && second < 60;
}

function isDate(year: number, month: number, day: number): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** Others are what programs send for no time at all. */
function isYear(year: number): boolean {
  return year >= 1900 && year < 2200;
}

/** Calendars: `{ "dateTime": "2027-01-05T15:00:00", "timeZone": "Europe/Berlin" }`, `{ "date": "2027-01-05" }`. */
function readMember(value: JsonObject, client: ReadingClient, needs: Needs): Reading {
  const text = value['dateTime'] ?? value['date_time'] ?? value['date'];
  if (typeof text !== 'string') return NO_TIME;
  const named = value['timeZone'] ?? value['time_zone'] ?? value['tzid'];
  if (typeof named !== 'string' || named === '') return readDatetime(text, client, needs);
  const timezone = WINDOWS_ZONES.get(named) ?? currentZone(named);
  return timezone === null
    ? { problem: `is in a time zone that is not known, ${named.slice(0, 60)}` }
    : readDatetime(text, { ...client, timezone }, needs);
}

/** Unix seconds and milliseconds of the years 2000 to 2099, and dates without separators. */
function readDigits(text: string, client: ReadingClient, needs: Needs): Reading {
  if (/^(?:19|20|21)\d{6}(?:\d{4}|\d{6})?$/.test(text) && text.length !== 10) {
    const parsed = readIso(text);
    if (parsed !== null) return 'problem' in parsed ? parsed : canonical(parsed, client, needs);
  }
  const number = Number(text);
  const ms = number >= 946_684_800 && number < 4_102_444_800 ? number * 1_000 : number;
  if (ms < 946_684_800_000 || ms >= 4_102_444_800_000) return NO_TIME;
  const instant = Temporal.Instant.fromEpochMilliseconds(Math.round(ms));
  return { value: instant.toZonedDateTimeISO(zoneOf(client.timezone)).toString({ timeZoneName: 'never', calendarName: 'never' }) };
}

function zoneOf(timezone: string): string {
  return currentZone(timezone) ?? 'UTC';
}

const ISO =
  /^(\d{4})(?:-(\d{1,2})-(\d{1,2})|\/(\d{1,2})\/(\d{1,2})|\.(\d{1,2})\.(\d{1,2})\.?|(\d\d)(\d\d))(?:(?:\s*t|,?\s+)?(\d{1,2})(?::?(\d\d))(?::?(\d\d))?(?:[.,](\d{1,9}))?)?\s*(.*)$/i;

/** Year first: ISO 8601 with and without separators (calendars), and with a space before the time (databases). */
function readIso(text: string): Parsed | null {
  const found = ISO.exec(text);
  if (found === null) return null;
  const [, year, ...parts] = found;
  const [month, day] = parts.slice(0, 8).filter((part) => part !== undefined);
  const [hour, minute, second, fraction, rest = ''] = found.slice(10);
  // Digits in a row are those of a time only where they are set off, or all written out.
  const half = halfOfDay(rest);
  const zone = hour === undefined && rest !== '' && half === null ? readZone(rest) : readZone(half?.rest ?? rest);
  if (zone === null) return null;
  const clock = clockOf(hour, minute, second, half?.half);
  if (clock === null) return NO_TIME;
  return { year: Number(year), month: Number(month), day: Number(day), ...clock, ms: msOf(fraction), isDay: hour === undefined, ...zone };
}

function msOf(fraction: string | undefined): number {
  return Number((fraction ?? '').slice(0, 3).padEnd(3, '0'));
}

type Half = 'a' | 'p';

/** "am", "p.m.", "PM" at the begin of a text. */
function halfOfDay(text: string): { half: Half; rest: string } | null {
  const found = /^([ap])\.? ?m\b\.?\s*(.*)$/i.exec(text);
  return found === null ? null : { half: found[1]?.toLowerCase() === 'a' ? 'a' : 'p', rest: found[2] ?? '' };
}

function clockOf(
  hour: string | undefined,
  minute: string | undefined,
  second: string | undefined,
  half: Half | undefined,
): { hour: number; minute: number; second: number } | null {
  const [h, m, s] = [Number(hour ?? 0), Number(minute ?? 0), Number(second ?? 0)];
  // A leap second is the last one that clocks show.
  if (m > 59 || s > 60 || h > 24 || (h === 24 && (m > 0 || s > 0))) return null;
  const clock = { minute: m, second: Math.min(s, 59) };
  if (half === undefined) return { hour: h, ...clock };
  if (half === 'a') return h > 12 ? null : { hour: h % 12, ...clock };
  return h > 23 || h === 0 ? null : { hour: h < 12 ? h + 12 : h, ...clock };
}

/** Names of offsets in mail (RFC 5322, 4.3), of those of Europe and of Australia; others mean several. Minutes. */
const ZONES: { readonly [name: string]: number | undefined } = {
  z: 0,
  ut: 0,
  utc: 0,
  gmt: 0,
  est: -300,
  edt: -240,
  cst: -360,
  cdt: -300,
  mst: -420,
  mdt: -360,
  pst: -480,
  pdt: -420,
  wet: 0,
  west: 60,
  cet: 60,
  cest: 120,
  mez: 60,
  mesz: 120,
  eet: 120,
  eest: 180,
  bst: 60,
  aest: 600,
  aedt: 660,
};

/** What Americans write of a zone all year. */
const AMERICAN_ZONES: ReadonlyMap<string, string> = new Map([
  ['et', 'America/New_York'],
  ['ct', 'America/Chicago'],
  ['mt', 'America/Denver'],
  ['pt', 'America/Los_Angeles'],
]);

/** What follows a time: "15:00 Uhr", "9:00 horas", "09:00hs." */
const HOURS = String.raw`(?:uhr|horas?|hours|heures?|hrs?|hs|h)\b\.?`;

/** Reads what follows a time: nothing, an offset, the name of a zone; null when it is anything else. */
function readZone(text: string): Zone | null {
  const bare = text.replace(new RegExp(`^${HOURS}`, 'i'), '').trim();
  if (bare === '') return {};
  const bracket = /^(.*)\[([\w/+-]+)\]$/.exec(bare);
  if (bracket !== null) {
    const offset = readZone(bracket[1] ?? '');
    const zone = currentZone(bracket[2] ?? '');
    return offset === null || (offset.offset === undefined && zone === null)
      ? null
      : offset.offset === undefined
        ? { zone: zone ?? undefined }
        : offset;
  }
  // Forms that send a plus sign as it is have a space in its place.
  const found = /^(?:utc|gmt)?\s*([+-]?)(\d{1,2})(?::?(\d\d))?$/i.exec(bare);
  if (found !== null) {
    const isNamed = /^[ug]/i.test(bare);
    if (found[1] === '' && (isNamed || !/^\d\d:\d\d$/.test(bare))) return null;
    const minutes = Number(found[2]) * 60 + Number(found[3] ?? 0);
    return minutes > 14 * 60 || Number(found[3] ?? 0) > 59 ? null : { offset: found[1] === '-' ? -minutes : minutes };
  }
  const code = bare.toLowerCase();
  const offset = Object.hasOwn(ZONES, code) ? ZONES[code] : undefined;
  if (offset !== undefined) return { offset, code };
  const zone =
    AMERICAN_ZONES.get(code) ?? WINDOWS_ZONES.get(bare) ?? (/^[A-Za-z]+(?:\/[A-Za-z_+-]+)+$/.test(bare) ? currentZone(bare) : null);
  return zone === null ? null : { zone };
}

const TIME = [
  // 3 pm, 3:30 p. m.
  /(?:^|\s)(\d{1,2})(?:[:.](\d\d)(?:[:.](\d\d)(?:\.\d+)?)?)?\s*([ap])\.?\s?m\b\.?/,
  // 15:00, 15:00:00.123, 15h30
  /(?:^|[\st])(\d{1,2})[:h](\d\d)(?::(\d\d)(?:[.,]\d+)?)?(?![\d:])/,
  // 15 h 30, 9 Uhr 30
  /(?:^|\s)(\d{1,2}) ?(?:uhr|h) (\d\d)()$/,
  // 15.30 Uhr, 15 Uhr, 15 h, 9 horas
  /(?:^|\s)(\d{1,2})(?:\.(\d\d))?()\s*(?:uhr|horas|heures|hrs?|hs|h)\b/,
] as const;
const AFTER_TIME = new RegExp(
  String.raw`^\s*(?:${HOURS})?\s*((?:(?:utc|gmt)\s*[+-]\d{1,2}(?::?\d\d)?|[+-]\d\d:?\d\d(?![\d/.-])|(?:z|ut|utc|gmt|[ecmp][sd]?t|west|wet|cest|cet|mesz|mez|eest|eet|bst|ae[sd]t)\b|[a-z]+\/[a-z_]+(?:\/[a-z_]+)?)?)`,
);

/** Words between the parts of a date, folded. */
const FILLERS = /(?:^|\s)(?:at|on|from|the|of|um|am|den|der|dem|vom|von|a las|a la|a|las|el|de|del|le|la|les|du|date|datum|fecha)(?=\s|$)/g;

/** "3:00 pm - 3:30 pm", "15:00 - 15:30 Uhr": the end of a visit behind its start. A dash without blanks before digits alone may begin an offset (`joinedRange`). */
const RANGES = [
  /(?<![\d:./-])(\d{1,2}(?::\d\d)?)( ?[ap]\.? ?m\b\.?) ?(?:[-–—]|to|until) ?(\d{1,2})(?::\d\d)? ?([ap])\.? ?m\b\.?/,
  /(?<![\d:./-])(\d{1,2}:\d\d)() ?(?:[-–—]|to|until) ?(\d{1,2})(?::\d\d)? ?([ap])\.? ?m\b\.?/,
  new RegExp(
    String.raw`(?<![\d:./-])(\d{1,2}[:h]\d\d)(?::\d\d)?( ?)(?: ?${HOURS})?(?: - | ?[–—] ?| (?:to|until|bis|a las|a|hasta(?: las)?) )\d{1,2}[:h]\d\d(?::\d\d)?(?![\d:])`,
  ),
  // "9 bis 10 Uhr", "9.30-10.15 Uhr", "9 a 10 horas": the hours are of both.
  /(?<![\d:./-])(\d{1,2}(?:\.\d\d)?)() ?(?:uhr|horas|hs|h)?\.? ?(?:[-–—]|bis|a|hasta(?: las)?) ?\d{1,2}(?:[.:h]\d\d)? ?(?<hours>uhr|horas|hs|h)\b/,
  /(?<![\d:./t-])(\d{1,2}:\d\d)():\d\d-\d{1,2}:\d\d:\d\d(?![\d:])/i,
] as const;
const JOINED = /(?<![\d:./t-])(\d{1,2}):(\d\d)-([01]?\d|2[0-4]):([0-5]\d)(?![\d:])/i;

/** "09:00-10:00" in words: the time behind the dash is the end where it is later, or has one digit as no offset has; "10:00-05:00" has an offset. */
function joinedRange(text: string): RegExpExecArray | null {
  const found = JOINED.exec(text);
  if (found === null) return null;
  const [, hour, minute, endHour = '', endMinute] = found;
  const isLater = Number(endHour) * 60 + Number(endMinute) > Number(hour) * 60 + Number(minute);
  return isLater || (endHour.length === 1 && Number(hour) <= 12) ? found : null;
}

/** Offsets of the Americas; hardly anyone lives at -11:00 and -12:00, which are usual ends. */
const EITHER = /^\d{4}-\d\d-\d\d \d\d:\d\d-((?:0[2-9]|10):00|(?:02|03|09):30)$/;

/** "2027-01-06 07:30-08:00" is a range, or how databases write an offset: the same time where the client has that offset then, else refused. */
function readEither(text: string, client: ReadingClient): Parsed | null {
  const end = EITHER.exec(text)?.[1];
  const parsed = end === undefined ? null : readIso(text);
  if (parsed === null || 'problem' in parsed || !isDate(parsed.year, parsed.month, parsed.day)) return parsed;
  const { year, month, day, hour, minute } = parsed;
  const at = Temporal.PlainDateTime.from({ year, month, day, hour: hour % 24, minute });
  const zone = zoneOf(client.timezone);
  const isOwn = (['earlier', 'later'] as const).some((disambiguation) => at.toZonedDateTime(zone, { disambiguation }).offset === `-${end}`);
  return isOwn ? parsed : { problem: `is a time that may end at ${end} or have the offset -${end}` };
}

/** Leaves the start of a range. A start without its half of the day has that of the end, or the other one where it would be after it. */
function startOf(text: string): string {
  for (const range of RANGES) {
    const found = range.exec(text);
    if (found === null) continue;
    const [whole, start = '', own = '', end, half] = found;
    const isOther = Number.parseInt(start, 10) % 12 > Number(end) % 12;
    const other = half === 'a' ? 'p' : 'a';
    const hours = found.groups?.['hours'];
    const said = hours !== undefined ? ` ${hours}` : own !== '' || half === undefined ? own : ` ${isOther ? other : half}m`;
    return `${text.slice(0, found.index)}${start}${said} ${text.slice(found.index + whole.length)}`;
  }
  const joined = joinedRange(text);
  return joined === null ? text : `${text.slice(0, joined.index)}${joined[1]}:${joined[2]} ${text.slice(joined.index + joined[0].length)}`;
}

/**
 * The names of months in the languages of the portal, in Austria and in French, folded, as numbers. Others: the short March of Windows and Office in German,
 * umlauts spelled with e, the September of Peru and Uruguay, and short months of French.
 */
const MONTHS: ReadonlyMap<string, number> = new Map([
  ...[...LOCALES, 'de-AT', 'fr'].flatMap((language) =>
    (['long', 'short'] as const).flatMap((month) => {
      const format = new Intl.DateTimeFormat(language, { month, day: 'numeric', timeZone: 'UTC' });
      return Array.from({ length: 12 }, (_, at): [string, number][] => {
        const name = format.formatToParts(Date.UTC(2027, at, 5)).find(({ type }) => type === 'month')?.value ?? '';
        const word = folded(name).replace(/\.$/, '');
        return [
          [word, at + 1],
          // "Sept", "Mar", "Dez": three letters are enough in all of these languages, but not in French.
          ...(language === 'fr' ? [] : [[word.slice(0, 3), at + 1] as [string, number]]),
        ];
      }).flat();
    }),
  ),
  ['jaenner', 1],
  ['feber', 2],
  ['fev', 2],
  ['mrz', 3],
  ['maerz', 3],
  ['juill', 7],
  ['setiembre', 9],
  ['set', 9],
]);
const WEEKDAYS: ReadonlySet<string> = new Set(
  [...LOCALES, 'fr'].flatMap((language) =>
    (['long', 'short'] as const).flatMap((weekday) => {
      const format = new Intl.DateTimeFormat(language, { weekday, timeZone: 'UTC' });
      return Array.from({ length: 7 }, (_, at) => folded(format.format(Date.UTC(2027, 0, 4 + at))).replace(/\.$/, ''));
    }),
  ),
).union(new Set(['tues', 'weds', 'thur', 'thurs', 'sonnabend', 'lu', 'ma', 'mi', 'ju', 'vi', 'sa', 'do']));

/** Dates as people and mail gateways write them. */
function readWords(given: string, client: ReadingClient): Parsed | null {
  const text = folded(given)
    .replace(/[,@]/g, ' ')
    // "1.º de abril"
    .replace(/(?<=\b\d{1,2})\.o(?= )/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  const time = takeTime(startOf(text));
  if (time === null) return null;
  const all = time.rest.split(/\s+/).map((word) => word.replace(/^([a-z]+)\.$/, '$1'));
  // "mar" is a month in English and a weekday in Spanish.
  const hasMonth = all.some((word) => MONTHS.has(word) && !WEEKDAYS.has(word));
  const isEither = (word: string): boolean => WEEKDAYS.has(word) && MONTHS.has(word);
  const isTwice = all.filter(isEither).length > 1;
  const words = all
    .filter((word, at) => !WEEKDAYS.has(word) || (isEither(word) && !hasMonth && !(isTwice && at === all.findIndex(isEither))))
    .join(' ')
    .replace(FILLERS, ' ')
    .replace(FILLERS, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    // Stood between the date and the time.
    .replace(/^[-–—] | [-–—]$/g, '');
  const iso = ISO.exec(words);
  const date = iso === null ? (namedDate(words) ?? numericDate(words, client, /\buhr\b/.test(text))) : readIso(words);
  if (date === null || 'problem' in date) return date;
  const { year, month, day } = date;
  return { year, month, day, hour: time.hour, minute: time.minute, second: time.second, ms: 0, isDay: time.isDay, ...time.zone };
}

type Taken = { hour: number; minute: number; second: number; isDay: boolean; zone: Zone; rest: string };

/** Takes the time of day with its zone out of a text; midnight when there is none, null when it is none. */
function takeTime(text: string): Taken | null {
  for (const pattern of TIME) {
    const found = pattern.exec(text);
    if (found === null) continue;
    const [whole, hour, minute, second, half] = found;
    const clock = clockOf(hour, minute || undefined, second || undefined, half as Half | undefined); // the pattern has no other
    const after = text.slice(found.index + whole.length);
    const named = AFTER_TIME.exec(after);
    const zone = readZone(named?.[1] ?? '');
    if (clock === null || zone === null) return null;
    return { ...clock, isDay: false, zone, rest: `${text.slice(0, found.index)} ${after.slice(named?.[0].length ?? 0)}`.trim() };
  }
  return { hour: 0, minute: 0, second: 0, isDay: true, zone: {}, rest: text };
}

type Day = { year: number; month: number; day: number };

/** "5 January 2027", "Jan 5th 2027", "5-Jan-2027", "5. Januar 2027". */
function namedDate(text: string): Day | null {
  const parts = text.split(/[\s./-]+/).filter(Boolean);
  if (parts.length !== 3) return null;
  const at = parts.findIndex((part) => MONTHS.has(part));
  const month = MONTHS.get(parts[at] ?? '');
  const [one = '', other = ''] = parts.filter((_, index) => index !== at);
  if (month === undefined) return null;
  const [day, year] = /^\d{4}$/.test(one) ? [other, one] : [one, other];
  const dayOfMonth = /^(\d{1,2})(?:st|nd|rd|th|er|º|o)?$/.exec(day)?.[1];
  return dayOfMonth === undefined || !/^(?:\d{4}|'?\d\d)$/.test(year) ? null : { year: fullYear(year), month, day: Number(dayOfMonth) };
}

function fullYear(text: string): number {
  const year = Number(text.replace(/^'/, ''));
  return year < 100 ? 2000 + year : year;
}

/** "05.01.2027", "1/5/27". `isGerman`: the text says so by a word. */
function numericDate(text: string, client: ReadingClient, isGerman: boolean): Day | { problem: string } | null {
  const found = /^(\d{1,2})\s?([./-])\s?(\d{1,2})\s?\2\s?(\d{4}|\d\d)\.?$/.exec(text);
  if (found === null) return null;
  const [first, mark, second, last = ''] = found.slice(1);
  const [one, other, year] = [Number(first), Number(second), fullYear(last)];
  const dayFirst: Day = { year, month: other, day: one };
  const monthFirst: Day = { year, month: one, day: other };
  // "27-01-05" begins with its year, as likely as not.
  if (last.length === 2 && mark === '-') return { problem: 'is a date whose year may be the first or the last part' };
  if (one > 12 || one === other) return dayFirst;
  if (other > 12) return monthFirst;
  const order = isGerman ? 'day' : orderOf(client);
  if (order === null || (order === 'month' && mark === '.' && client.dateOrder === undefined))
    return { problem: `is a date that may be ${dayMonth(dayFirst)} or ${dayMonth(monthFirst)}` };
  return order === 'day' ? dayFirst : monthFirst;
}

const ENGLISH = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' });
const dayMonth = ({ year, month, day }: Day): string => ENGLISH.format(Date.UTC(year, month - 1, day));

/** Countries whose everyday dates begin with the month. */
const MONTH_FIRST: ReadonlySet<string> = new Set(['US', 'CA', 'PH', 'PR', 'GU', 'VI', 'AS', 'MP', 'FM', 'MH', 'PW']);

/** Returns which part of a date a client's people write first; null when its language and its country do not agree, or only the preset language is known. */
function orderOf({ locale, countries: [country], dateOrder }: ReadingClient): 'day' | 'month' | null {
  if (dateOrder !== undefined) return dateOrder === 'day_first' ? 'day' : 'month';
  if (country === undefined) return locale === 'en' ? null : 'day';
  if (!MONTH_FIRST.has(country)) return 'day';
  return locale === 'en' ? 'month' : null;
}

function canonical(local: Local, client: ReadingClient, { timeRequired }: Needs): Reading {
  const { year, month, day, hour, minute, second, ms, isDay, offset, zone } = local;
  if (!isYear(year) || !isDate(year, month, day)) return { problem: 'is a date that does not exist' };
  if (isDay && timeRequired === true) return { problem: 'is a date without a time of day' };
  let at = Temporal.PlainDateTime.from({ year, month, day, hour: hour % 24, minute, second, millisecond: ms });
  // 24:00 is the begin of the next day.
  if (hour === 24) at = at.add({ days: 1 });
  if (offset !== undefined) {
    const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
    const two = (number: number): string => String(number).padStart(2, '0');
    return {
      value: `${at.toString({ calendarName: 'never' })}${offset === 0 ? 'Z' : `${offset < 0 ? '-' : '+'}${two(hours)}:${two(minutes)}`}`,
    };
  }
  const zoned = at.toZonedDateTime(zone ?? zoneOf(client.timezone), { disambiguation: 'compatible' });
  return { value: zoned.toString({ timeZoneName: 'never', calendarName: 'never' }) };
}
