import { type Locale, LOCALES } from '@partner-portal/contract/locales.ts';
import type { DefaultTexts } from './texts.ts';
import type { Template } from './types.ts';

/**
 * Returns the language of dates and subjects in messages to a client's customers: that of the client, and another while all texts of the agent are those of the
 * catalog in it, for example in English: a German date would stand in an English sentence. `config`: all settings of the template.
 */
export function customerLocale(
  template: Template,
  config: { readonly [key: string]: unknown },
  locale: Locale,
  textsIn: (locale: Locale) => DefaultTexts,
): Locale {
  const keys = template.messages.flatMap(({ body }) => [...body.matchAll(/\{config\.(\w+)\}/g)].flatMap(([, key]) => key ?? []));
  const texts = template.config.filter(({ key }) => keys.includes(key) && config[key] !== '');
  const standIn = (one: Locale) => texts.every(({ key, default: english }) => config[key] === (textsIn(one)[key] ?? english));
  return (texts.length > 0 ? LOCALES.find(standIn) : undefined) ?? locale;
}
