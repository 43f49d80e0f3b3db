import { decimalsOf, majorOf } from '@partner-portal/core/billing/currency.ts';
import { dateFormat, listFormat, numberFormat, relativeFormat } from './intl.ts';
import { readerTag, readerZone } from './reader.ts';

/** Formats numbers, times and durations. Times are in the time zone of the reader's profile unless one is given. */

/** The language of what is formatted; English writes numbers as in the United States and dates as in Britain. */
const isEnglish = (): boolean => readerTag().startsWith('en');
const numberTag = (): string => (isEnglish() ? 'en-US' : readerTag());

export function formatNumber(value: number): string {
  return numberFormat(numberTag()).format(value);
}

/** "70%", "70 %": a share of 1 in whole percent, as the reader's language writes it. */
export function formatPercent(share: number): string {
  return numberFormat(numberTag(), { style: 'percent' }).format(share);
}

/** A date that stands alone begins with a capital letter, which Spanish does not give it: "Sábado, 28 de noviembre". */
export function asHeading(date: string, tag: string = readerTag()): string {
  return date.charAt(0).toLocaleUpperCase(tag) + date.slice(1);
}

/** Returns the host of an address with its port: "www.example.com:8080"; what is no address is shown without its scheme. */
export function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address.replace(/^https?:\/\//, '');
}

/** "1 client", "9 clients". */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

/** Seconds today ("14:32:06"), the date otherwise ("18 Nov", "18 Nov 2025" in another year). */
export function formatWhen(iso: string, now: Date = new Date(), timeZone?: string): string {
  const at = new Date(iso);
  if (isSameDay(at, now, timeZone)) return formatClock(iso, timeZone);
  return formatDay(iso, now, timeZone);
}

export function formatClock(iso: string, timeZone?: string): string {
  return format(iso, { hour: '2-digit', minute: '2-digit', second: '2-digit' }, timeZone);
}

export function formatMinute(iso: string, timeZone?: string): string {
  return format(iso, { hour: '2-digit', minute: '2-digit' }, timeZone);
}

export function formatDay(iso: string, now: Date = new Date(), timeZone?: string): string {
  const isThisYear = dayKey(new Date(iso), timeZone).slice(0, 4) === dayKey(now, timeZone).slice(0, 4);
  return format(iso, { day: 'numeric', month: 'short', ...(isThisYear ? {} : { year: 'numeric' }) }, timeZone);
}

/** "22 December", "22 December 2027" in another year: a date inside a sentence. */
export function formatLongDay(iso: string, now: Date = new Date(), timeZone?: string): string {
  const isThisYear = dayKey(new Date(iso), timeZone).slice(0, 4) === dayKey(now, timeZone).slice(0, 4);
  return format(iso, { day: 'numeric', month: 'long', ...(isThisYear ? {} : { year: 'numeric' }) }, timeZone);
}

/** A date without a time, such as "2026-11-18": "18 Nov". */
export function formatDate(date: string, now: Date = new Date()): string {
  return formatDay(`${date.slice(0, 10)}T12:00:00Z`, now, 'UTC');
}

/** "812 B", "4.2 KB", "12 MB"; the decimal mark is that of the reader's language. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const power = Math.min(3, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${decimal(value, value < 10 ? 1 : 0)} ${['B', 'KB', 'MB', 'GB'][power]}`;
}

/** A time to the minute, for what takes no seconds: "today at 15:54", "24 Nov, 13:18". */
export function formatToMinute(iso: string): string {
  const minute = formatMinute(iso);
  return isSameDay(new Date(iso), new Date()) ? todayAt(minute) : `${formatDay(iso)}, ${minute}`;
}

/** "18 Nov, 14:28:52"; "today at 14:28:52" when it is. */
export function formatMoment(iso: string, now: Date = new Date(), timeZone?: string): string {
  const clock = formatClock(iso, timeZone);
  return isSameDay(new Date(iso), now, timeZone) ? todayAt(clock) : `${formatDay(iso, now, timeZone)}, ${clock}`;
}

/** "Wednesday 18 November, 14:32 in Chicago". */
export function formatLongNow(iso: string, timeZone: string): string {
  const day = format(iso, { weekday: 'long', day: 'numeric', month: 'long' }, timeZone).replace(',', '');
  return `${day}, ${formatMinute(iso, timeZone)} in ${placeOf(timeZone)}`;
}

/** "Chicago" for "America/Chicago". */
export function placeOf(timeZone: string): string {
  return timeZone.split('/').at(-1)?.replaceAll('_', ' ') ?? timeZone;
}

/** " in Chicago", after what is about days of a zone that is not the reader's. */
export function inPlace(timeZone: string): string {
  return timeZone === readerZone() ? '' : ` in ${placeOf(timeZone)}`;
}

/** The day of a moment, as "2026-11-18". */
export function dayKey(at: Date, timeZone: string = readerZone()): string {
  return dateFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(at);
}

/** The midnight that began the day of `now`, or one some days earlier. */
export function startOfDay(daysBack = 0, now: Date = new Date(), timeZone: string = readerZone()): Date {
  const [year = 0, month = 1, day = 1] = dayKey(now, timeZone).split('-').map(Number);
  return new Date(momentOf(Date.UTC(year, month - 1, day - daysBack), timeZone));
}

/** The moment at which the clocks of a time zone show what those of UTC show at `asUtc`, in milliseconds. */
export function momentOf(asUtc: number, timeZone: string = readerZone()): number {
  // The offset then may differ from the one found first, on a day on which clocks change.
  const near = asUtc - offsetAt(asUtc, timeZone);
  const at = asUtc - offsetAt(near, timeZone);
  // Clocks that go forward skip this time: the first moment after it, so that a day does not begin on the one before.
  return offsetAt(at, timeZone) === offsetAt(near, timeZone) ? at : Math.max(near, at);
}

/** What the clocks of a time zone show at a moment, as a datetime-local field holds it: "2026-11-18T14:32". */
export function fieldTime(at: number, timeZone: string = readerZone()): string {
  return new Date(at + offsetAt(at, timeZone)).toISOString().slice(0, 16);
}

/** How far the clocks of a time zone are ahead of UTC, in milliseconds. */
function offsetAt(at: number, timeZone: string): number {
  const parts = dateFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(at);
  const of = (type: string): number => Number(parts.find((part) => part.type === type)?.value ?? 0);
  return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second')) - Math.floor(at / 1000) * 1000;
}

/** Exact UTC, shown when hovering over a time. */
export function formatUtc(iso: string): string {
  return new Date(iso).toISOString().replace('T', ' ').replace('Z', ' UTC');
}

/** Relative within an hour ("4 min ago"); a time otherwise. */
export function formatAgo(iso: string, now: Date = new Date()): string {
  const seconds = Math.round((now.getTime() - Date.parse(iso)) / 1000);
  if (seconds < 5) return relative(0, 'second');
  if (seconds < 60) return isEnglish() ? `${seconds} s ago` : relative(-seconds, 'second');
  if (seconds < 3600) return isEnglish() ? `${Math.round(seconds / 60)} min ago` : relative(-Math.round(seconds / 60), 'minute');
  return formatWhen(iso, now);
}

/** How long ago, in minutes and hours within a day: "now", "12 min ago", "5 h ago"; the date otherwise. A time to come is formatted by `formatWhen`. */
export function formatPast(iso: string, now: Date): string {
  const minutes = Math.floor((now.getTime() - Date.parse(iso)) / 60_000);
  // Clocks differ a little.
  if (minutes === 0 || minutes === -1) return relative(0, 'second');
  if (minutes < 0) return formatWhen(iso, now);
  if (minutes < 60) return isEnglish() ? `${minutes} min ago` : relative(-minutes, 'minute');
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return isEnglish() ? `${hours} h ago` : relative(-hours, 'hour');
  return formatDay(iso, now);
}

/** How long something has been waiting: "12 min", "5 h", "yesterday", "3 days". */
export function formatAge(iso: string, now: Date = new Date()): string {
  const minutes = Math.max(0, Math.floor((now.getTime() - Date.parse(iso)) / 60_000));
  if (minutes < 1) return relative(0, 'second');
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h`;
  if (minutes < 48 * 60) return relative(-1, 'day');
  return numberFormat(numberTag(), { style: 'unit', unit: 'day', unitDisplay: 'long' }).format(Math.floor(minutes / (24 * 60)));
}

/** "$99", "$99.50", "€1,200": a price in minor units, without decimals when there are none. */
export function formatPrice(minor: number, currency: string): string {
  const amount = majorOf(minor, currency);
  const decimals = Number.isInteger(amount) ? 0 : decimalsOf(currency);
  return numberFormat('en-US', {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(amount);
}

/** With the decimal mark of the reader's language: "18 ms", "1.17 s", "12 s", "4 min 10 s", "30 min", "2 h 5 min". */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${decimal(ms / 1000, 2)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 ? `${minutes} min ${seconds % 60} s` : `${minutes} min`;
  return minutes % 60 ? `${Math.floor(minutes / 60)} h ${minutes % 60} min` : `${minutes / 60} h`;
}

/** The offset of a step from its start: "+00.071". */
export function formatOffset(ms: number): string {
  return `+${(ms / 1000).toFixed(3).padStart(6, '0')}`;
}

/** "+1 312 555 0100" for a full North American number; anything else unchanged. */
export function formatPhone(phone: string): string {
  const match = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(phone);
  return match ? `+1 ${match[1]} ${match[2]} ${match[3]}` : phone;
}

/** The first eight and last four characters of an id; the title shows all of it. */
export function shortId(id: string): string {
  return id.length > 14 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id;
}

/** "Twilio, OpenAI and Resend". */
export function joinWords(words: readonly string[]): string {
  return listFormat(readerTag()).format(words);
}

function todayAt(time: string): string {
  return isEnglish() ? `today at ${time}` : `${relative(0, 'day')}, ${time}`;
}

/** "now", "yesterday", "vor 4 Min." */
function relative(value: number, unit: Intl.RelativeTimeFormatUnit): string {
  return relativeFormat(readerTag()).format(value, unit);
}

export function isSameDay(a: Date, b: Date, timeZone?: string): boolean {
  return dayKey(a, timeZone) === dayKey(b, timeZone);
}

function format(iso: string, options: Intl.DateTimeFormatOptions, timeZone?: string): string {
  return dateFormat(readerTag(), { hourCycle: 'h23', ...options, timeZone: timeZone ?? readerZone() }).format(new Date(iso));
}

/** "1.17", "1,2": rounded to `decimals`, with the decimal mark of the reader's language. */
function decimal(value: number, decimals: number): string {
  return numberFormat(numberTag(), { maximumFractionDigits: decimals, useGrouping: false }).format(value);
}
