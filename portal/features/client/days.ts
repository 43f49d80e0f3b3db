import type { Messages } from '@partner-portal/messages/messages.ts';
import { isSameDay } from '../../ui/text/format.ts';

/** The heading of a day: today, yesterday, or its date in the reader's language. */
export function dayHeading({ t, tag, timezone }: Messages, iso: string, now = new Date()): string {
  const at = new Date(iso);
  if (isSameDay(at, now, timezone)) return t('trust.today');
  if (isSameDay(at, new Date(now.getTime() - 86_400_000), timezone)) return t('trust.yesterday');
  const year = at.getFullYear() === now.getFullYear() ? {} : ({ year: 'numeric' } as const);
  return new Intl.DateTimeFormat(tag, { weekday: 'long', day: 'numeric', month: 'long', ...year, timeZone: timezone }).format(at);
}

export function clockOf({ tag, timezone }: Messages, iso: string): string {
  return new Intl.DateTimeFormat(tag, { hour: 'numeric', minute: '2-digit', timeZone: timezone }).format(new Date(iso));
}

export function dateOf({ tag, timezone }: Messages, iso: string): string {
  return new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeZone: timezone }).format(new Date(iso));
}
