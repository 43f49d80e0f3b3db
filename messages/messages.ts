import type { Locale } from '@partner-portal/contract/vocabulary.ts';
import { IntlMessageFormat } from 'intl-messageformat';
import type { en } from './en/index.ts';
import { formatTagOf, localeOf } from './locale.ts';

/** Key of a message: `<area>.<name>`. English is the source, and the other languages have exactly its keys. */
export type MessageKey = keyof typeof en;
/** The messages of one language, in the syntax of ICU MessageFormat. */
export type Catalogue = Readonly<Record<MessageKey, string>>;
export type MessageValues = Readonly<Record<string, string | number | Date>>;

export type Messages = MessagesOf<MessageKey>;
/** A subset of the messages, for a page that loads no others. */
export type MessagesOf<Key extends string> = {
  locale: Locale;
  /** The BCP 47 tag of dates and numbers. */
  tag: string;
  timezone: string;
  /** Returns a message with its values. Throws when a value is missing. */
  t: (key: Key, values?: MessageValues) => string;
};

/** Returns what writes in the language of `tag`, with times in a time zone; an unknown zone becomes UTC. */
export function createMessages<Key extends string>(
  catalogue: Readonly<Record<Key, string>>,
  tag: string | null | undefined,
  timezone = 'UTC',
): MessagesOf<Key> {
  const formatTag = formatTagOf(tag);
  const zone = knownZone(timezone);
  const parsed = new Map<Key, IntlMessageFormat>();
  const formats = { date: withZone(IntlMessageFormat.formats.date, zone), time: withZone(IntlMessageFormat.formats.time, zone) };
  return {
    locale: localeOf(tag),
    tag: formatTag,
    timezone: zone,
    t: (key, values) => {
      const known = parsed.get(key);
      // Texts hold no markup: what looks like a tag in one is text.
      const message = known ?? new IntlMessageFormat(catalogue[key], formatTag, formats, { ignoreTag: true });
      if (known === undefined) parsed.set(key, message);
      return String(message.format(values));
    },
  };
}

function withZone(formats: Record<string, Intl.DateTimeFormatOptions>, timeZone: string): Record<string, Intl.DateTimeFormatOptions> {
  return Object.fromEntries(Object.entries(formats).map(([name, format]) => [name, { ...format, timeZone }]));
}

/** Returns a time zone that this machine knows; UTC for any other. */
export function knownZone(timezone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: timezone }).resolvedOptions().timeZone.length > 0 ? timezone : 'UTC';
  } catch {
    return 'UTC';
  }
}
