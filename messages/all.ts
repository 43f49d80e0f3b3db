import type { Locale } from '@partner-portal/contract/vocabulary.ts';
import { de } from './de/index.ts';
import { en } from './en/index.ts';
import { es } from './es/index.ts';
import { localeOf } from './locale.ts';
import { type Catalogue, createMessages, type Messages } from './messages.ts';

const CATALOGUES: Readonly<Record<Locale, Catalogue>> = { en, de, es };

/** Returns what writes to a reader with this BCP 47 tag. For processes; a browser loads one language only. */
export function messagesFor(tag: string | null | undefined, timezone?: string): Messages {
  return createMessages(CATALOGUES[localeOf(tag)], tag, timezone);
}
