import type { Row } from '../row.ts';
import { CALENDARS } from './calendar.ts';
import { FORM_BUILDERS } from './form-builder.ts';
import { MAIL_GATEWAYS } from './mail-gateway.ts';
import { PERSONS } from './person.ts';
import { PHONE_PROVIDERS } from './phone-provider.ts';
import { SPREADSHEETS } from './spreadsheet.ts';

/** All tables by where such an input comes from. */
export const TABLES: { readonly [origin: string]: readonly Row[] } = {
  'a phone provider': PHONE_PROVIDERS,
  'a form builder': FORM_BUILDERS,
  'a calendar': CALENDARS,
  'a mail gateway': MAIL_GATEWAYS,
  'a spreadsheet': SPREADSHEETS,
  'a person': PERSONS,
};
