import type { Locale } from '@partner-portal/contract/vocabulary.ts';
import { localeOf } from '@partner-portal/messages/locale.ts';
import { type Catalogue, createMessages, type MessageKey, type Messages } from '@partner-portal/messages/messages.ts';
import { useSyncExternalStore } from 'react';
import { browserZone, type Reader, setReader } from '../ui/text/reader.ts';

/** A browser loads the one language it shows. */
const CATALOGUES: Readonly<Record<Locale, () => Promise<Catalogue>>> = {
  en: async () => (await import('@partner-portal/messages/en/index.ts')).en,
  de: async () => (await import('@partner-portal/messages/de/index.ts')).de,
  es: async () => (await import('@partner-portal/messages/es/index.ts')).es,
};

let current: Messages | undefined;
const listeners = new Set<() => void>();

/** Loads the messages of a language before the first page that shows them, and again when the reader chooses another. */
export async function loadMessages(tag: string, timezone: string): Promise<Messages> {
  const catalogue = await CATALOGUES[localeOf(tag)]();
  const next = createMessages(catalogue, tag, timezone);
  if (current !== undefined && current.tag === next.tag && current.timezone === next.timezone) return current;
  current = next;
  setReader({ ...next, problem: problemsIn(catalogue, next) });
  document.documentElement.lang = next.locale;
  for (const listener of listeners) listener();
  return next;
}

/** Loads the language of the browser, for pages that need no session. */
export function loadBrowserMessages(): Promise<Messages> {
  return loadMessages(navigator.language, browserZone());
}

/** Returns the loaded messages. Throws on a page whose route did not load them. */
export function useMessages(): Messages {
  const messages = useSyncExternalStore(subscribe, () => current);
  if (messages === undefined) throw new Error('The messages of this page are not loaded.');
  return messages;
}

/** The texts of refusals by code, for readers of another language than English, in which the service itself answers. */
function problemsIn(catalogue: Catalogue, { locale, t }: Messages): NonNullable<Reader['problem']> {
  const isKey = (key: string): key is MessageKey => key in catalogue;
  return (code, values) => {
    const key = `problem.${code}`;
    return locale !== 'en' && isKey(key) ? t(key, values) : undefined;
  };
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
