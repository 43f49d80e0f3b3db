import type { Locale } from '@partner-portal/contract/locales.ts';
import { ownCountries } from '../contact/texting.ts';
import type { DateOrder, ReadingClient } from './read/reading.ts';

/** Values of a client that decide how what it is sent is read, and the order of dates that its agent names. An agent of an agency itself has the zone of the agency, and no more. */
export type ReadingFacts = {
  timezone: string;
  phone: string | null;
  locale: Locale;
  textCountries: readonly string[] | null;
  dateOrder?: DateOrder | null;
};

/** Returns how the values of a client are read, and the countries that it may text. */
export function readingClient({ timezone, phone, locale, textCountries, dateOrder = null }: ReadingFacts): {
  client: ReadingClient;
  textCountries: readonly string[];
} {
  const own = ownCountries({ phone, timezone });
  const texted = textCountries ?? own;
  // Several countries that may be texted do not say which one is the client's.
  const others = own.length > 0 || texted.length === 1 ? texted : [];
  const client = { timezone, countries: [...new Set([...own, ...others])], locale, ...(dateOrder === null ? {} : { dateOrder }) };
  return { client, textCountries: texted };
}
