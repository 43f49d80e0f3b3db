import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { WINDOWS_ZONES } from '../../place/windows-zones.ts';
import { currentZone } from '../../place/zones.ts';
import type { Json } from '../types.ts';
import { readDatetime } from './read-datetime.ts';
import type { Reading, ReadingClient } from './reading.ts';

const US: ReadingClient = { timezone: 'America/Chicago', countries: ['US'], locale: 'en' };
const GB: ReadingClient = { timezone: 'Europe/London', countries: ['GB'], locale: 'en' };
const DE: ReadingClient = { timezone: 'Europe/Berlin', countries: ['DE'], locale: 'de' };
const FR: ReadingClient = { timezone: 'Europe/Paris', countries: ['FR'], locale: 'en' };
const NEW_YORK: ReadingClient = { ...US, timezone: 'America/New_York' };
const ES: ReadingClient = { timezone: 'Europe/Madrid', countries: ['ES'], locale: 'es' };
const MX: ReadingClient = { timezone: 'America/Mexico_City', countries: ['MX'], locale: 'es' };
const US_ES: ReadingClient = { timezone: 'America/Chicago', countries: ['US'], locale: 'es' };
const NOWHERE: ReadingClient = { timezone: 'UTC', countries: [], locale: 'en' };

type Row = [came: Json, value: string, client?: ReadingClient];

const understood: { [from: string]: Row[] } = {
  'a program that knows the offset': [
    ['2027-01-05T15:00:00Z', '2027-01-05T15:00:00Z'],
    ['2027-01-05T15:00:00.123456+01:00', '2027-01-05T15:00:00.123456+01:00'],
    ['2027-01-05t15:00:00z', '2027-01-05T15:00:00Z'],
    ['2027-01-05T15:00Z', '2027-01-05T15:00:00Z'],
    ['2027-01-05T15:00:00+0100', '2027-01-05T15:00:00+01:00'],
    ['2027-01-05T15:00:00+01', '2027-01-05T15:00:00+01:00'],
    ['2027-01-05T15:00:00 01:00', '2027-01-05T15:00:00+01:00'],
    ['2027-01-05T15:00:00\u221206:00', '2027-01-05T15:00:00-06:00'],
    ['2027-01-05 15:00:00 UTC', '2027-01-05T15:00:00Z'],
    ['2027-01-05T15:00:00+01:00[Europe/Berlin]', '2027-01-05T15:00:00+01:00'],
    ['2027-01-05T15:00:00[Europe/Berlin]', '2027-01-05T15:00:00+01:00'],
    ['2027-01-05T15:00:60Z', '2027-01-05T15:00:59Z'],
  ],
  'a program that does not': [
    ['2027-01-05T09:30:00', '2027-01-05T09:30:00-06:00'],
    ['2027-01-05T09:30', '2027-01-05T09:30:00-06:00'],
    ['2027-01-05 09:30', '2027-01-05T09:30:00-06:00'],
    ['2027-01-05 09:30:15', '2027-01-05T09:30:15-06:00'],
    ['2027-01-05 9:30', '2027-01-05T09:30:00-06:00'],
    ['2027-01-05 9:30 AM', '2027-01-05T09:30:00-06:00'],
    ['2027-01-05 09:30:00.000', '2027-01-05T09:30:00-06:00'],
    ['2027-01-05', '2027-01-05T00:00:00-06:00'],
    ['2027-01-05T24:00:00', '2027-01-06T00:00:00-06:00'],
    ['2027/01/05 15:00', '2027-01-05T15:00:00-06:00'],
    ['2027.01.05', '2027-01-05T00:00:00-06:00'],
    ['2027-07-05T09:30:00', '2027-07-05T09:30:00-05:00'],
    ['2027-01-05T10:00:00', '2027-01-05T10:00:00+00:00', NOWHERE],
  ],
  'a clock change': [
    ['2027-03-14T02:30:00', '2027-03-14T03:30:00-05:00'],
    ['2027-11-07T01:30:00', '2027-11-07T01:30:00-05:00'],
    ['2027-03-28T02:30', '2027-03-28T03:30:00+02:00', DE],
    ['31.10.2027 2.30 Uhr', '2027-10-31T02:30:00+02:00', DE],
  ],
  'a calendar': [
    ['20270105T150000Z', '2027-01-05T15:00:00Z'],
    ['20270105T150000', '2027-01-05T15:00:00-06:00'],
    ['20270105', '2027-01-05T00:00:00-06:00'],
    [20270105, '2027-01-05T00:00:00-06:00'],
    [{ dateTime: '2027-01-05T15:00:00', timeZone: 'Europe/Berlin' }, '2027-01-05T15:00:00+01:00'],
    [{ dateTime: '2027-01-05T15:00:00+01:00' }, '2027-01-05T15:00:00+01:00'],
    [{ date: '2027-01-05' }, '2027-01-05T00:00:00-06:00'],
    ['2027-01-05 15:00 America/New_York', '2027-01-05T15:00:00-05:00'],
  ],
  'a database': [
    [1_799_161_200, '2027-01-05T09:00:00-06:00'],
    [1_799_161_200_000, '2027-01-05T09:00:00-06:00'],
    ['1799161200', '2027-01-05T09:00:00-06:00'],
    ['1799161200000', '2027-01-05T09:00:00-06:00'],
    ['1799161200.5', '2027-01-05T09:00:00.5-06:00'],
  ],
  'a mail gateway': [
    ['Tue, 05 Jan 2027 15:00:00 +0100', '2027-01-05T15:00:00+01:00'],
    ['Tue, 5 Jan 2027 15:00:00 GMT', '2027-01-05T15:00:00Z'],
    ['5 Jan 2027 15:00:00 -0600 (CST)', '2027-01-05T15:00:00-06:00'],
    ['Tue, 5 Jan 2027 15:00:00 EST', '2027-01-05T15:00:00-05:00'],
    ['Tue Jan  5 15:00:00 2027', '2027-01-05T15:00:00-06:00'],
    ['Tue Jan 5 15:00:00 UTC 2027', '2027-01-05T15:00:00Z'],
    ['Tue Jan 05 2027 15:00:00 GMT-0600 (Central Standard Time)', '2027-01-05T15:00:00-06:00'],
    ['Mon, 5 Jul 2027 15:00:00 CST', '2027-07-05T15:00:00-06:00'],
    ['Tue, 5 Jan 2027 15:00:00 -0600 (EST)', '2027-01-05T15:00:00-06:00'],
  ],
  'a booking page that names the zone in parentheses': [
    ['Tue Jan 5, 2027 3pm – 4pm (EST)', '2027-01-05T15:00:00-05:00'],
    ['January 5, 2027 3:00 PM (Eastern Time - US & Canada)', '2027-01-05T15:00:00-05:00'],
    ['July 5, 2027 3:00 PM (Eastern Time - US & Canada)', '2027-07-05T15:00:00-04:00'],
    ['January 5, 2027 3:00 PM (Central European Time)', '2027-01-05T15:00:00+01:00'],
    ['January 5, 2027 3:00 PM (Pacific Standard Time)', '2027-01-05T15:00:00-08:00'],
    ['2027-01-05 15:00 (America/New_York)', '2027-01-05T15:00:00-05:00'],
    ['5 January 2027 15:00 (UTC)', '2027-01-05T15:00:00Z'],
    ['July 5, 2027 3:00 PM (UTC)', '2027-07-05T15:00:00Z', GB],
    ['January 5, 2027 3:00 PM (GMT-05:00)', '2027-01-05T15:00:00-05:00'],
    ['January 5, 2027 3:00 PM (+01:00)', '2027-01-05T15:00:00+01:00'],
    ['January 5, 2027 3:00 PM (local time)', '2027-01-05T15:00:00-06:00'],
    ['January 5, 2027 3:00 PM (Room 2)', '2027-01-05T15:00:00-06:00'],
    ['2027-01-05 15:00 (30 min)', '2027-01-05T15:00:00-06:00'],
    ['January 5, 2027 3:00 PM (+1 guest)', '2027-01-05T15:00:00-06:00'],
    ['January 5, 2027 3:00 PM (video chat)', '2027-01-05T15:00:00-06:00'],
    ['5.1.2027 15 Uhr (Dienstag)', '2027-01-05T15:00:00+01:00', DE],
  ],
  'a person who writes a code behind the time': [
    ['July 5, 2027 3pm cst', '2027-07-05T15:00:00-05:00'],
    ['3:00 PM CST on July 5, 2027', '2027-07-05T15:00:00-05:00'],
    ['2027-01-05 15:00 CST', '2027-01-05T15:00:00-06:00'],
    ['July 5, 2027 3:00 PM PST', '2027-07-05T15:00:00-08:00'],
    ['July 5, 2027 3:00 PM CDT', '2027-07-05T15:00:00-05:00'],
    ['09.07.2027, 15:00 CET', '2027-07-09T15:00:00+02:00', DE],
    ['09/07/2027 15:00 GMT', '2027-07-09T15:00:00Z', GB],
    ['January 5, 2027 3:00 PM ET', '2027-01-05T15:00:00-05:00'],
    ['July 5, 2027 3pm ET', '2027-07-05T15:00:00-04:00'],
    ['3:00 PM CT, July 5, 2027', '2027-07-05T15:00:00-05:00'],
    ['2027-07-05 15:00 PT', '2027-07-05T15:00:00-07:00'],
    ['July 5, 2027 at 3:00 PM MT', '2027-07-05T15:00:00-06:00'],
  ],
  'a form or a person in the United States': [
    ['01/05/2027', '2027-01-05T00:00:00-06:00'],
    ['1/5/2027 3:30 PM', '2027-01-05T15:30:00-06:00'],
    ['1/5/2027, 3:30:00 PM', '2027-01-05T15:30:00-06:00'],
    ['1/5/2027, 3:30:00\u202fPM', '2027-01-05T15:30:00-06:00'],
    ['1/5/27 3pm', '2027-01-05T15:00:00-06:00'],
    ['3:30 PM 1/5/2027', '2027-01-05T15:30:00-06:00'],
    ['12/25/2027 12:00 AM', '2027-12-25T00:00:00-06:00'],
    ['12/25/2027 12:30 pm', '2027-12-25T12:30:00-06:00'],
    ['13/01/2027 15:00', '2027-01-13T15:00:00-06:00'],
    ['01-05-2027 9:30 am', '2027-01-05T09:30:00-06:00'],
    ['January 5, 2027 at 3:30 PM', '2027-01-05T15:30:00-06:00'],
    ['Jan 5th, 2027 3 pm', '2027-01-05T15:00:00-06:00'],
    ['Tuesday, January 5, 2027 3:30 p.m.', '2027-01-05T15:30:00-06:00'],
    ['at 3 pm on January 5 2027', '2027-01-05T15:00:00-06:00'],
    ['5-Jan-2027 15:00', '2027-01-05T15:00:00-06:00'],
    ['5 Mar 2027', '2027-03-05T00:00:00-06:00'],
    ['"2027-01-05 09:30"', '2027-01-05T09:30:00-06:00'],
    [['2027-01-05T09:30'], '2027-01-05T09:30:00-06:00'],
  ],
  'a form or a person elsewhere': [
    ['05/01/2027 15:00', '2027-01-05T15:00:00+00:00', GB],
    ['05/01/2027 3pm', '2027-01-05T15:00:00+00:00', GB],
    ['05/01/2027 15:00', '2027-01-05T15:00:00+01:00', DE],
    ['05.01.2027 15:00 Uhr', '2027-01-05T15:00:00+01:00', DE],
    ['05.01.2027 15:00 Uhr', '2027-01-05T15:00:00-06:00', US],
    ['05.01.2027 15.30 Uhr', '2027-01-05T15:30:00+01:00', DE],
    ['05.01.27', '2027-01-05T00:00:00+01:00', DE],
    ['05. 01. 2027', '2027-01-05T00:00:00+01:00', DE],
    ['am 5.1.2027 um 9 Uhr', '2027-01-05T09:00:00+01:00', DE],
    ['5. Januar 2027 um 15 Uhr', '2027-01-05T15:00:00+01:00', DE],
    ['Dienstag, den 5. Januar 2027 um 15:00 Uhr', '2027-01-05T15:00:00+01:00', DE],
    ['Di., 5. Jan. 2027, 15:00', '2027-01-05T15:00:00+01:00', DE],
    ['5. März 2027', '2027-03-05T00:00:00+01:00', DE],
    ['05/01/2027 15:00', '2027-01-05T15:00:00+01:00', ES],
    ['05/01/2027 15:00', '2027-01-05T15:00:00-06:00', MX],
    ['5 de enero de 2027 a las 15:00', '2027-01-05T15:00:00+01:00', ES],
    ['martes, 5 de enero de 2027, 3:30 p. m.', '2027-01-05T15:30:00+01:00', ES],
    ['mar 5 ene 2027 15:30 h', '2027-01-05T15:30:00+01:00', ES],
    ['05/05/2027', '2027-05-05T00:00:00+00:00', NOWHERE],
    ['13/05/2027', '2027-05-13T00:00:00+00:00', NOWHERE],
    ['05/01/2027 15:00', '2027-01-05T15:00:00-06:00', { ...US, dateOrder: 'day_first' }],
    ['05.01.2027 15:00', '2027-05-01T15:00:00-05:00', { ...US, dateOrder: 'month_first' }],
    ['05/01/2027 15:00', '2027-05-01T15:00:00+00:00', { ...NOWHERE, dateOrder: 'month_first' }],
    ['13/05/2027', '2027-05-13T00:00:00+00:00', { ...NOWHERE, dateOrder: 'month_first' }],
  ],
};

const others: { [from: string]: Row[] } = {
  'Outlook and Microsoft 365': [
    [{ dateTime: '2027-01-05T15:00:00.0000000', timeZone: 'Pacific Standard Time' }, '2027-01-05T15:00:00-08:00'],
    [{ dateTime: '2027-07-05T15:00:00.0000000', timeZone: 'W. Europe Standard Time' }, '2027-07-05T15:00:00+02:00'],
    [{ dateTime: '2027-01-05T15:00:00', timeZone: 'UTC' }, '2027-01-05T15:00:00+00:00'],
    ['2027-01-05 15:00 Eastern Standard Time', '2027-01-05T15:00:00-05:00'],
  ],
  iCalendar: [
    ['TZID=America/New_York:20270105T150000', '2027-01-05T15:00:00-05:00'],
    ['DTSTART;TZID=Europe/Berlin:20270105T150000', '2027-01-05T15:00:00+01:00'],
  ],
  'a line that names the end of the visit too': [
    ['03:00pm - 03:30pm, Tuesday, January 05, 2027', '2027-01-05T15:00:00-06:00'],
    ['January 5, 2027 3:00 PM - 3:30 PM', '2027-01-05T15:00:00-06:00'],
    ['January 5, 2027 3pm-4pm', '2027-01-05T15:00:00-06:00'],
    ['January 5, 2027, 3:00 - 3:30 PM', '2027-01-05T15:00:00-06:00'],
    ['January 5, 2027, 11:30 - 1:00 PM', '2027-01-05T11:30:00-06:00'],
    ['January 5, 2027, 12:00 – 1:00 PM', '2027-01-05T12:00:00-06:00'],
    ['1/5/2027 3:00 PM to 3:30 PM', '2027-01-05T15:00:00-06:00'],
    ['05.01.2027, 15:00 - 15:30 Uhr', '2027-01-05T15:00:00+01:00', DE],
    ['05.01.2027 15:00 bis 16:00 Uhr', '2027-01-05T15:00:00+01:00', DE],
    ['2027-01-05 15:00 – 16:00', '2027-01-05T15:00:00-06:00'],
    ['2027-01-05 10:00:00 - 11:00:00', '2027-01-05T10:00:00-06:00'],
    ['2027-01-05 10:00:00-11:00:00', '2027-01-05T10:00:00-06:00'],
    ['2027-01-05 10:00-11:00', '2027-01-05T10:00:00-06:00'],
    ['03/03/2027 09:00-10:00', '2027-03-03T09:00:00-06:00'],
    ['03.03.2027 09:00 Uhr - 09:30 Uhr', '2027-03-03T09:00:00+01:00', DE],
    ['03.03.2027, 09:00 Uhr bis 09:30 Uhr', '2027-03-03T09:00:00+01:00', DE],
    ['03.03.2027 09:00 Uhr – 09:30', '2027-03-03T09:00:00+01:00', DE],
    ['Mittwoch, 3. März 2027 von 9 bis 10 Uhr', '2027-03-03T09:00:00+01:00', DE],
    ['03.03.2027, 9 - 10 Uhr', '2027-03-03T09:00:00+01:00', DE],
    ['03.03.2027, 9.30-10.15 Uhr', '2027-03-03T09:30:00+01:00', DE],
    ['9 Uhr bis 10 Uhr, 03.03.2027', '2027-03-03T09:00:00+01:00', DE],
    ['03/03/2027 09:00 h - 09:30 h', '2027-03-03T09:00:00+01:00', ES],
    ['3 de marzo de 2027, de 9:00 a 10:00 horas', '2027-03-03T09:00:00+01:00', ES],
    ['3 de marzo de 2027, de 9 a 10 h', '2027-03-03T09:00:00+01:00', ES],
    ['3 mars 2027 de 9h00 à 10h00', '2027-03-03T09:00:00+01:00', FR],
    ['March 3, 2027 from 9:00 to 10:00', '2027-03-03T09:00:00-06:00'],
    ['2027-03-03 10:00-10:30', '2027-03-03T10:00:00-06:00'],
    ['03.03.2027, 10:00-11:00 Uhr', '2027-03-03T10:00:00+01:00', DE],
    ['March 3, 2027 9:00-10:00', '2027-03-03T09:00:00-06:00'],
    ['March 3, 2027 9:00-9:30', '2027-03-03T09:00:00-06:00'],
    ['2027-03-03 12:00-1:00', '2027-03-03T12:00:00-06:00'],
    ['09:00-10:00, 3 March 2027', '2027-03-03T09:00:00+00:00', GB],
    ['2027-03-03 09:00-10:00 America/New_York', '2027-03-03T09:00:00-05:00'],
  ],
  'people and forms': [
    ['Jan. 5th, 2027 @ 3:00 PM', '2027-01-05T15:00:00-06:00'],
    ['Tuesday, January 5, 2027 - 3:00 PM', '2027-01-05T15:00:00-06:00'],
    ['5 July 2027 15:00 BST', '2027-07-05T15:00:00+01:00', GB],
    ['5 July 2027 15:00 AEST', '2027-07-05T15:00:00+10:00'],
    ['5. Jänner 2027 15:00', '2027-01-05T15:00:00+01:00', { ...DE, timezone: 'Europe/Vienna', countries: ['AT'] }],
    ['mar 2 mar 2027 10:00', '2027-03-02T10:00:00+01:00', ES],
    ['mar 5 ene 2027 10:00', '2027-01-05T10:00:00+01:00', ES],
  ],
  'German and Austrian programs and people': [
    ['03. Mrz 2027 17:30', '2027-03-03T17:30:00+01:00', DE],
    ['Mi, 3. Mrz 2027, 9:00 Uhr', '2027-03-03T09:00:00+01:00', DE],
    ['03-Mrz-2027 09:00', '2027-03-03T09:00:00+01:00', DE],
    ['3. Maerz 2027, 9:00 Uhr', '2027-03-03T09:00:00+01:00', DE],
    ['3. Feber 2027 9 Uhr', '2027-02-03T09:00:00+01:00', DE],
    ['Sonnabend, 6. März 2027, 9:00 Uhr', '2027-03-06T09:00:00+01:00', DE],
    ['3. März 2027, 9 Uhr 30', '2027-03-03T09:30:00+01:00', DE],
    ['Mittwoch, 3. März 2027 - 17:30', '2027-03-03T17:30:00+01:00', DE],
    ['Mi., 03.03.2027 - 17:30', '2027-03-03T17:30:00+01:00', DE],
    ['03.03.2027 – 17:30 Uhr', '2027-03-03T17:30:00+01:00', DE],
    ['17:30 - 03.03.2027', '2027-03-03T17:30:00+01:00', DE],
  ],
  'Spanish programs and people': [
    ['3 de marzo de 2027, 9:00 horas', '2027-03-03T09:00:00+01:00', ES],
    ['03/03/2027 09:00 horas', '2027-03-03T09:00:00+01:00', ES],
    ['03/03/2027 a las 9 horas', '2027-03-03T09:00:00+01:00', ES],
    ['2027-03-03 09:00 horas', '2027-03-03T09:00:00+01:00', ES],
    ['03/03/2027 09:00 hs', '2027-03-03T09:00:00+01:00', ES],
    ['03/03/2027 09:00hs.', '2027-03-03T09:00:00+01:00', ES],
    ['3 de setiembre de 2027, 9:00', '2027-09-03T09:00:00+02:00', ES],
    ['3 set. 2027, 9:00', '2027-09-03T09:00:00+02:00', ES],
    ['1.º de abril de 2027, 9:00', '2027-04-01T09:00:00+02:00', ES],
    ['1º de abril de 2027, 9:00', '2027-04-01T09:00:00+02:00', ES],
    ['mi. 3 mar. 2027 9:00', '2027-03-03T09:00:00+01:00', ES],
    ['Mié, 03/03/2027 - 17:30', '2027-03-03T17:30:00+01:00', ES],
  ],
  'French people': [
    ['3 mars 2027 à 9 heures', '2027-03-03T09:00:00+01:00', FR],
    ['mercredi 3 mars 2027 à 9 h 30', '2027-03-03T09:30:00+01:00', FR],
    ['3 fév. 2027 9h30', '2027-02-03T09:30:00+01:00', FR],
    ['1er avril 2027, 9h00', '2027-04-01T09:00:00+02:00', FR],
  ],
  'English programs and people': [
    ['Wed, 03/03/2027 - 17:30', '2027-03-03T17:30:00-06:00'],
    ['2027-03-03 - 17:30', '2027-03-03T17:30:00-06:00'],
    ['03 - 03 - 2027 17:30', '2027-03-03T17:30:00-06:00'],
    ['3 March 2027 at 09:00 hours', '2027-03-03T09:00:00+00:00', GB],
    ['5 Sept. 2027 3 pm', '2027-09-05T15:00:00-05:00'],
  ],
  'a program, with an offset that is no range': [
    ['Tue, 5 Jan 2027 15:00 -0600', '2027-01-05T15:00:00-06:00'],
    ['Tue, 5 Jan 2027 15:00 -06:00', '2027-01-05T15:00:00-06:00'],
    ['Tue, 5 Jan 2027 15:00-06:00', '2027-01-05T15:00:00-06:00'],
    ['Tue, 5 Jan 2027 3:00 PM -06:00', '2027-01-05T15:00:00-06:00'],
    ['2027-01-05 10:00-05:00', '2027-01-05T10:00:00-05:00'],
    ['2027-01-05 05:00 -06:00', '2027-01-05T05:00:00-06:00'],
    ['2027-01-05 09:00:00-10:00', '2027-01-05T09:00:00-10:00'],
    ['2027-01-05T09:00-10:00', '2027-01-05T09:00:00-10:00'],
    ['2027-01-05 09:00-1000', '2027-01-05T09:00:00-10:00'],
    ['2027-01-06 07:30 -08:00', '2027-01-06T07:30:00-08:00', NEW_YORK],
    ['2027-01-06T07:30-08:00', '2027-01-06T07:30:00-08:00', NEW_YORK],
  ],
  'a database, with an offset of the client then': [
    ['2027-01-06 05:30-06:00', '2027-01-06T05:30:00-06:00'],
    ['2027-07-06 04:00-05:00', '2027-07-06T04:00:00-05:00'],
    ['2027-01-06 04:00-05:00', '2027-01-06T04:00:00-05:00', NEW_YORK],
    ['2027-11-07 04:30-06:00', '2027-11-07T04:30:00-06:00'],
    ['2027-11-07 01:30-06:00', '2027-11-07T01:30:00-06:00'],
  ],
  'a list, with an end that no offset has': [
    ['2027-01-06 07:30-08:15', '2027-01-06T07:30:00-05:00', NEW_YORK],
    ['2027-01-06 07:30-08:30', '2027-01-06T07:30:00-05:00', NEW_YORK],
    ['2027-01-06 12:30-13:00', '2027-01-06T12:30:00-05:00', NEW_YORK],
    ['2027-01-06 07:30–08:00', '2027-01-06T07:30:00-05:00', NEW_YORK],
    ['2027-01-06, 07:30-08:00', '2027-01-06T07:30:00-05:00', NEW_YORK],
    ['2027/01/06 07:30-08:00', '2027-01-06T07:30:00-05:00', NEW_YORK],
    ['January 6, 2027 07:30-08:00', '2027-01-06T07:30:00-05:00', NEW_YORK],
  ],
};

describe('a time as calendars and booking pages write it', () => {
  for (const [from, rows] of Object.entries(others))
    for (const [came, value, client = US] of rows)
      it(`of ${from}: ${JSON.stringify(came)} is ${value} in ${client.timezone} (${client.locale})`, () =>
        assert.deepEqual(readDatetime(came, client, { timeRequired: true }), { value }));
  it('names each zone of Windows as one that the runtime knows', () => {
    const names = [...WINDOWS_ZONES];
    assert.ok(names.length > 130);
    for (const [name, zone] of names) assert.notEqual(currentZone(zone), null, name);
  });
});

const refused: [came: Json, why: RegExp, client?: ReadingClient][] = [
  ['05/01/2027 15:00', /5 January or 1 May/, NOWHERE],
  ['05/01/2027 15:00', /5 January or 1 May/, US_ES],
  ['05.01.2027 15:00', /5 January or 1 May/, US],
  ['27-01-05', /year/],
  ['2027-02-30', /does not exist/],
  ['2027-02-30T10:00:00Z', /does not exist/],
  ['31.04.2027', /does not exist/, DE],
  ['0001-01-01T00:00:00', /does not exist/],
  ['2027-01-05T25:00:00', /not a date/],
  ['2027-01-05T15:00:00+25:00', /not a date/],
  ['2027-01-05 15:00 IST', /not a date/],
  ['2027-01-06 07:30-08:00', /may end at 08:00 or have the offset -08:00/, NEW_YORK],
  ['2027-07-06 05:30-06:00', /may end at 06:00 or have the offset -06:00/],
  ['2027-01-06 02:00-03:30', /may end at 03:30 or have the offset -03:30/, DE],
  ['2027-11-07 04:30-05:00', /may end at 05:00 or have the offset -05:00/],
  ['2027-02-30 07:30-08:00', /does not exist/, NEW_YORK],
  ['2027-01-05 15:00 constructor', /not a date/],
  ['January 5, 2027 3:00 PM (Arabia Time)', /time zone that is not known, Arabia Time$/],
  ['2027-01-05 15:00 (Europe/Phobos)', /time zone that is not known/],
  ['tomorrow (EST)', /not a date/],
  [{ dateTime: '2027-01-05T15:00:00', timeZone: 'Mars/Phobos' }, /time zone/],
  ['tomorrow', /not a date/],
  ['tomorrow at 3 pm', /not a date/],
  ['3 pm', /not a date/],
  ['9 bis 10 Uhr', /not a date/, DE],
  ['3 März - 9 Uhr', /not a date/, DE],
  ['03/03/2027 2 hours', /not a date/],
  ['5 January', /not a date/],
  ['2027-W01-2', /not a date/],
  ['maybe 2027-01-05 or 2027-01-06', /not a date/],
  [46_027.5, /not a date/],
  [0, /not a date/],
  [true, /not a date/],
  [{}, /not a date/],
  [['2027-01-05', '2027-01-06'], /not a date/],
];

describe('a time', () => {
  for (const [from, rows] of Object.entries(understood))
    for (const [came, value, client = US] of rows)
      it(`of ${from}: ${JSON.stringify(came)} is ${value} in ${client.timezone} (${client.locale})`, () =>
        assert.deepEqual(readDatetime(came, client), { value }));
  for (const [came, why, client = US] of refused)
    it(`${JSON.stringify(came)} is refused in ${client.timezone} (${client.locale}): ${why.source}`, () => {
      const reading = readDatetime(came, client);
      assert.ok('problem' in reading, JSON.stringify(reading));
      assert.match(reading.problem, why);
    });
});

describe('a time whose day is not enough', () => {
  const needs = { timeRequired: true } as const;
  const days = Object.values(understood)
    .flat()
    .filter(([came]) => !/\d[:h]\d\d|\d ?[ap]\.? ?m|Uhr|T\d{4}|^\W*1799161200/i.test(JSON.stringify(came)));

  it('is refused without a time of day, in any notation', () => {
    assert.ok(days.length >= 12, `${days.length}`);
    for (const [came, , client = US] of days)
      assert.deepEqual(readDatetime(came, client, needs), { problem: 'is a date without a time of day' }, JSON.stringify(came));
  });
  it('is taken with one, midnight too', () => {
    for (const [came, value, client = US] of Object.values(understood)
      .flat()
      .filter((row) => !days.includes(row)))
      assert.deepEqual(readDatetime(came, client, needs), { value }, JSON.stringify(came));
    assert.deepEqual(readDatetime('2027-01-05T00:00:00', US, needs), { value: '2027-01-05T00:00:00-06:00' });
  });
  it('that does not exist is refused for that', () => {
    assert.deepEqual(readDatetime('2027-02-30', US, needs), { problem: 'is a date that does not exist' });
  });
});

it('words in parentheses behind a time say nothing about its zone unless they name one', () => {
  const read = (came: string): Reading => readDatetime(came, US, {});
  for (const words of ['first time', 'MRT room', 'West', 'Zoom/online', 'Phone/Video', 'Wartezeit', 'Praxiszeit', 'Room 2', 'Local Time'])
    assert.deepEqual(read(`January 5, 2027 3:00 PM (${words})`), { value: '2027-01-05T15:00:00-06:00' }, words);
  for (const words of ['CT', 'Central Time - Chicago', 'Central Time - US & Canada', 'CST'])
    assert.deepEqual(read(`January 5, 2027 3:00 PM (${words})`), { value: '2027-01-05T15:00:00-06:00' }, words);
  assert.deepEqual(read('July 5, 2027 3:00 PM (CST)'), { value: '2027-07-05T15:00:00-05:00' }, 'the code of winter');
  for (const came of ['July 5, 2027 3:00 PM CST', '2027-07-05 15:00 CST', 'July 5, 2027 3:00 PM CT', '2027-07-05 4:00 PM ET'])
    assert.equal(new Date((read(came) as { value: string }).value).toISOString(), '2027-07-05T20:00:00.000Z', came);
  assert.deepEqual(read('July 5, 2027 3:00 PM EST'), { value: '2027-07-05T15:00:00-05:00' }, 'of another place');
  assert.deepEqual(read('Jan 5, 2027 3:00 PM PST'), { value: '2027-01-05T15:00:00-08:00' });
  assert.deepEqual(read('5 Jul 2027 15:00:00 CST'), { value: '2027-07-05T15:00:00-06:00' }, 'a program wrote a date of mail');
  assert.deepEqual(read('July 5, 2027 3:00 PM (UTC)'), { value: '2027-07-05T15:00:00Z' });
  for (const came of ['09.07.2027 15:00 (MEZ)', '09.07.2027 15:00 MEZ', '09.07.2027 15:00 Uhr MEZ', '09.07.2027 15:00 CET'])
    assert.deepEqual(readDatetime(came, DE, {}), { value: '2027-07-09T15:00:00+02:00' }, came);
  for (const words of ['ET', 'Eastern Time - New York', 'EST'])
    assert.equal(
      new Date(String((read(`January 5, 2027 3:00 PM (${words})`) as { value: string }).value)).toISOString(),
      '2027-01-05T20:00:00.000Z',
      words,
    );
});
