import type { Locale } from '@partner-portal/contract/vocabulary.ts';
import { isOffered, localeOf } from '@partner-portal/messages/locale.ts';

/** Returns the language of a visitor: the first of the browser's where it is offered, otherwise that of the business. The chat page chooses alike. */
export function visitorLocale(acceptLanguage: string | undefined, business: Locale): Locale {
  const [first = ''] = (acceptLanguage ?? '').split(/[,;]/, 1);
  const tag = first.trim();
  return isOffered(tag) ? localeOf(tag) : business;
}
