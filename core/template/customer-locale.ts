import type { Locale } from '@partner-portal/contract/locales.ts';
import type { Template } from './types.ts';

/**
 * Returns the language of dates and subjects in messages to a client's customers: that of the client, and English while the agent's texts are
 * those of the catalog, which are English: a German date would stand in an English sentence. `config`: all settings of the template.
 */
export function customerLocale(template: Template, config: { readonly [key: string]: unknown }, locale: Locale): Locale {
  const keys = template.messages.flatMap(({ body }) => [...body.matchAll(/\{config\.(\w+)\}/g)].flatMap(([, key]) => key ?? []));
  const texts = template.config.filter(({ key }) => keys.includes(key) && config[key] !== '');
  return texts.length > 0 && texts.every((setting) => config[setting.key] === setting.default) ? 'en' : locale;
}
