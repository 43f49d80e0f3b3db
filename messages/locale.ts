import { LOCALES, type Locale } from '@partner-portal/contract/locales.ts';

/** Each language by its own name. */
export const LANGUAGE_NAMES: Readonly<Record<Locale, string>> = { en: 'English', de: 'Deutsch', es: 'Español' };

/** How each language writes dates and numbers, where the reader's own region is not known. */
const REGIONS: Readonly<Record<Locale, string>> = { en: 'en-GB', de: 'de-DE', es: 'es-ES' };

/** Whether a reader with this BCP 47 tag can be addressed in their language. */
export function isOffered(tag: string): boolean {
  return localeOf(tag) === tag.split('-', 1)[0]?.toLowerCase();
}

/** Returns the language in which a reader with this BCP 47 tag (`de-AT`) is addressed; English where theirs is not offered. */
export function localeOf(tag: string | null | undefined): Locale {
  const language = tag?.split('-', 1)[0]?.toLowerCase();
  return LOCALES.find((locale) => locale === language) ?? 'en';
}

/** Returns English as the region of a tag writes it: `en-AT` for `de-AT`. For readers who are addressed in English regardless of their profile. */
export function englishIn(tag: string): string {
  try {
    const { region } = new Intl.Locale(tag);
    return region ? `en-${region}` : 'en';
  } catch {
    return 'en';
  }
}

/** Returns the tag that formats dates and numbers: the reader's own when it is of a language that is offered, for example `es-MX`. */
export function formatTagOf(tag: string | null | undefined): string {
  const locale = localeOf(tag);
  if (!tag?.includes('-') || tag.split('-', 1)[0]?.toLowerCase() !== locale) return REGIONS[locale];
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? REGIONS[locale];
  } catch {
    return REGIONS[locale];
  }
}
