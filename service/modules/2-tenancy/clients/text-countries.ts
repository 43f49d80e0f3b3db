import { COUNTRY_CODES } from '@partner-portal/core/contact/texting.ts';
import { refuseField } from '#platform/refuse.ts';

/** Refuses a list of countries that names one which does not exist. */
export function refuseUnknownCountries(countries: readonly string[] | null | undefined): void {
  const unknown = countries?.find((country) => !COUNTRY_CODES.includes(country));
  if (unknown !== undefined)
    refuseField('textCountries', 'invalid', `“${unknown}” is not the code of a country. Use codes such as US or DE.`);
}
