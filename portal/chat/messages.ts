import type { Locale } from '@partner-portal/contract/vocabulary.ts';
import { chat as de } from '@partner-portal/messages/de/chat.ts';
import { chat as en } from '@partner-portal/messages/en/chat.ts';
import { chat as es } from '@partner-portal/messages/es/chat.ts';
import { isOffered, localeOf } from '@partner-portal/messages/locale.ts';
import { createMessages, type MessagesOf, type MessageValues } from '@partner-portal/messages/messages.ts';

export type ChatKey = keyof typeof en;
/** All three in the page: they are smaller than a further file is slow. */
const CATALOGUES: Readonly<Record<Locale, Readonly<Record<ChatKey, string>>>> = { en, de, es };

let current: MessagesOf<ChatKey> = createMessages(en, 'en');

/** Chooses the language of the visitor's browser where it is offered, otherwise that of the business. */
export function chooseLanguage(browser: string, business: Locale): MessagesOf<ChatKey> {
  const tag = isOffered(browser) ? browser : business;
  current = createMessages(CATALOGUES[localeOf(tag)], tag);
  return current;
}

/** Returns a text in the chosen language. It is chosen once, before the page is shown. */
export function t(key: ChatKey, values?: MessageValues): string {
  return current.t(key, values);
}

export function language(): Pick<MessagesOf<ChatKey>, 'locale' | 'tag'> {
  return current;
}
