import type { Locale } from '@partner-portal/contract/vocabulary.ts';
import { localeOf } from '@partner-portal/messages/locale.ts';
import type { enAtLogin } from '@partner-portal/messages/en/at-login.ts';
import { type Catalogue, createMessages, type Messages, type MessagesOf } from '@partner-portal/messages/messages.ts';
import { useSyncExternalStore } from 'react';
import { browserZone, type Reader, setReader } from '../ui/text/reader.ts';
import { Listeners } from '../ui/hooks/listeners.ts';

/** A browser loads the one language it shows. */
const CATALOGUES: Readonly<Record<Locale, () => Promise<Catalogue>>> = {
  en: async () => (await import('@partner-portal/messages/en/index.ts')).en,
  de: async () => (await import('@partner-portal/messages/de/index.ts')).de,
  es: async () => (await import('@partner-portal/messages/es/index.ts')).es,
};

/** The texts of the login page alone. */
const AT_LOGIN: Readonly<Record<Locale, () => Promise<Readonly<Record<LoginKey, string>>>>> = {
  en: async () => (await import('@partner-portal/messages/en/at-login.ts')).enAtLogin,
  de: async () => (await import('@partner-portal/messages/de/at-login.ts')).deAtLogin,
  es: async () => (await import('@partner-portal/messages/es/at-login.ts')).esAtLogin,
};
type LoginKey = keyof typeof enAtLogin;

let current: Messages | undefined;
let atLogin: MessagesOf<LoginKey> | undefined;
const listeners = new Listeners();

/** Loads the messages of a language before the first page that shows them, and again when the reader chooses another. */
export async function loadMessages(tag: string, timezone: string): Promise<Messages> {
  const catalogue = await CATALOGUES[localeOf(tag)]();
  const next = createMessages(catalogue, tag, timezone);
  if (current !== undefined && current.tag === next.tag && current.timezone === next.timezone) return current;
  current = next;
  show(catalogue, next);
  return next;
}

/** Loads what the login page shows, in the language of the browser, unless every text is there already. */
export async function loadLoginMessages(): Promise<void> {
  if (current !== undefined) return void (await loadBrowserMessages());
  const catalogue = await AT_LOGIN[localeOf(navigator.language)]();
  atLogin = createMessages(catalogue, navigator.language, browserZone());
  show(catalogue, atLogin);
}

function show(catalogue: Readonly<Record<LoginKey, string>>, next: MessagesOf<LoginKey>): void {
  setReader({ ...next, problem: problemsIn(catalogue, next) });
  document.documentElement.lang = next.locale;
  listeners.notify();
}

/** Loads the language of the browser, for pages that need no session. */
export function loadBrowserMessages(): Promise<Messages> {
  return loadMessages(navigator.language, browserZone());
}

/** Returns the loaded messages. Throws on a page whose route did not load them. */
export function useMessages(): Messages {
  const messages = useSyncExternalStore(listeners.subscribe, () => current);
  if (messages === undefined) throw new Error('The messages of this page are not loaded.');
  return messages;
}

/** Returns the loaded messages of the login page, which are among those of every page. */
export function useLoginMessages(): MessagesOf<LoginKey> {
  const messages = useSyncExternalStore(listeners.subscribe, () => current ?? atLogin);
  if (messages === undefined) throw new Error('The messages of the login page are not loaded.');
  return messages;
}

/** The texts of refusals by code, for readers of another language than English, in which the service itself answers. */
function problemsIn(catalogue: Readonly<Record<LoginKey, string>>, { locale, t }: MessagesOf<LoginKey>): NonNullable<Reader['problem']> {
  const isKey = (key: string): key is LoginKey => key in catalogue;
  return (code, values) => {
    const key = `problem.${code}`;
    return locale !== 'en' && isKey(key) ? t(key, values) : undefined;
  };
}
