import type { Messages } from './messages.ts';

/** Returns a moment with its day, time and zone, "Tuesday, December 29, 2026 at 16:30 PST", for texts that are read in several zones. */
export function formatWhen(at: Date, timeZone: string, { locale, tag }: Pick<Messages, 'locale' | 'tag'>): string {
  return new Intl.DateTimeFormat(locale === 'en' ? 'en-US' : tag, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
    timeZoneName: 'short',
  }).format(at);
}
