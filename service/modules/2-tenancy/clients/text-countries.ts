import { COUNTRY_CODES, ownCountries } from '@partner-portal/core/contact/texting.ts';
import { refuseField } from '#platform/refuse.ts';
import type { ClientChange } from './store.ts';

/** Refuses a list of countries that names one which does not exist. */
export function refuseUnknownCountries(countries: readonly string[] | null | undefined): void {
  const unknown = countries?.find((country) => !COUNTRY_CODES.includes(country));
  if (unknown !== undefined)
    refuseField('textCountries', 'invalid', `“${unknown}” is not the code of a country. Use codes such as US or DE.`);
}

type Place = { phone: string | null; timezone: string; textCountries: string[] | null };

/** Returns the countries to store when a user of the client changes its phone or time zone: whom its agents text is its agency's decision. */
export function keepCountries(before: Place, change: ClientChange): Pick<ClientChange, 'textCountries'> {
  const own = ownCountries(before);
  const { phone = before.phone, timezone = before.timezone } = change;
  const isElsewhere = own.join() !== ownCountries({ phone, timezone }).join();
  return before.textCountries === null && own.length > 0 && isElsewhere ? { textCountries: own } : {};
}
