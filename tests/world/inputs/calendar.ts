import { eventOf, form, json, someone, time, TIMED } from '../events.ts';
import type { ClientName } from '../clients.ts';
import type { Json } from '@partner-portal/core/template/types.ts';
import type { Row, TemplateName } from '../row.ts';

/**
 * Times as calendars send them: Cal.com and Calendly (RFC 3339), Google and Microsoft Graph (a member with its zone), iCalendar (RFC 5545), databases (a space, no
 * offset), scripts (Unix seconds and milliseconds), and people's notations. A time without an offset is one of the business's own zone.
 */

const VISIT: readonly TemplateName[] = ['appointment-reminder'];

const at = (name: string, came: Json, moment: string, client: ClientName = 'chicago', templates: readonly TemplateName[] = VISIT): Row => ({
  name,
  templates,
  client,
  send: time(came),
  expect: { time: moment },
});

/** A time that no one can read: refused where the template needs it, left out where it does not. */
const unclear = (name: string, came: Json, client: ClientName = 'chicago'): Row => ({
  name,
  templates: TIMED,
  client,
  send: time(came),
  expect: (template) =>
    template === 'appointment-reminder' ? { refused: { status: 422, code: 'invalid_input', field: 'startTime' } } : { time: null },
});

/** A day without a time of day: enough for the day of a quote, refused where a reminder would name the hour. */
const day = (name: string, came: Json, moment: string, client: ClientName = 'chicago'): Row => ({
  name,
  templates: TIMED,
  client,
  send: time(came),
  expect: (template) =>
    template === 'appointment-reminder' ? { refused: { status: 422, code: 'invalid_input', field: 'startTime' } } : { time: moment },
  decided: 'A reminder of a visit at 00:00 would be wrong: nobody is expected at midnight.',
});

const WITH_OFFSET: readonly Row[] = [
  at('Cal.com, UTC with Z', '2031-03-05T15:00:00.000Z', '2031-03-05T15:00:00Z', 'chicago', TIMED),
  at('Calendly, an offset', '2031-03-05T15:00:00.000000-06:00', '2031-03-05T21:00:00Z'),
  at('Google, an offset', '2031-07-05T15:00:00+02:00', '2031-07-05T13:00:00Z', 'berlin', TIMED),
  at('an offset without a colon', '2031-03-05T15:00:00+0100', '2031-03-05T14:00:00Z', 'berlin'),
  at('an offset of hours alone', '2031-03-05 15:00:00+01', '2031-03-05T14:00:00Z', 'berlin'),
  at('Postgres, a space and microseconds', '2031-03-05 15:00:00.123456+00', '2031-03-05T15:00:00.123Z'),
  at('without seconds', '2031-03-05T15:00Z', '2031-03-05T15:00:00Z'),
  at('lower case', '2031-03-05t15:00:00z', '2031-03-05T15:00:00Z'),
  at('a Java ZonedDateTime', '2031-07-05T15:00:00+02:00[Europe/Berlin]', '2031-07-05T13:00:00Z', 'berlin'),
  at('RFC 2822', 'Wed, 05 Mar 2031 15:00:00 +0100', '2031-03-05T14:00:00Z', 'berlin'),
  at('JavaScript, Date.toString()', 'Wed Mar 05 2031 15:00:00 GMT-0600 (Central Standard Time)', '2031-03-05T21:00:00Z'),
  at('JavaScript, Date.toUTCString()', 'Wed, 05 Mar 2031 15:00:00 GMT', '2031-03-05T15:00:00Z'),
  at('iCalendar in UTC', '20310305T150000Z', '2031-03-05T15:00:00Z'),
  at('spaces around', ' 2031-03-05T15:00:00Z ', '2031-03-05T15:00:00Z'),
  {
    ...at('a form whose plus sign was not encoded', '', '2031-03-05T14:00:00Z', 'berlin'),
    send: () => ({
      body: 'attendeeName=Ada+Byron&startTime=2031-03-05T15:00:00+01:00&phone=015123456789',
      contentType: 'application/x-www-form-urlencoded',
    }),
  },
];

const WITHOUT_OFFSET: readonly Row[] = [
  at('no offset, Chicago in winter', '2031-01-05T15:00:00', '2031-01-05T21:00:00Z', 'chicago', TIMED),
  at('no offset, Chicago in summer', '2031-07-05T15:00:00', '2031-07-05T20:00:00Z'),
  at('no offset, Berlin', '2031-01-05T15:00:00', '2031-01-05T14:00:00Z', 'berlin', TIMED),
  at('no offset, London in summer', '2031-07-05T15:00', '2031-07-05T14:00:00Z', 'london'),
  at('no offset, Sydney in its summer', '2031-01-05T15:00:00', '2031-01-05T04:00:00Z', 'sydney', TIMED),
  at('a database, a space and no offset', '2031-01-05 15:00:00', '2031-01-05T21:00:00Z', 'chicago', TIMED),
  at('a database, without seconds', '2031-01-05 09:30', '2031-01-05T15:30:00Z'),
  at('iCalendar, local', '20310105T150000', '2031-01-05T21:00:00Z'),
  at('Microsoft Graph, seven decimals and its zone', { dateTime: '2031-01-05T15:00:00.0000000', timeZone: 'UTC' }, '2031-01-05T15:00:00Z'),
  at('Google, a member with a zone', { dateTime: '2031-01-05T15:00:00', timeZone: 'Europe/Berlin' }, '2031-01-05T14:00:00Z'),
  at('Google, a member with an offset', { dateTime: '2031-01-05T15:00:00-05:00', timeZone: 'America/New_York' }, '2031-01-05T20:00:00Z'),
  at('a time that the spring change skips, Chicago', '2031-03-09T02:30:00', '2031-03-09T08:30:00Z'),
  at('a time that the spring change skips, Berlin', '2031-03-30T02:30:00', '2031-03-30T01:30:00Z', 'berlin'),
  at('a time that the spring change skips, London', '2031-03-30T01:30:00', '2031-03-30T01:30:00Z', 'london'),
  at('a time that occurs twice, Chicago', '2031-11-02T01:30:00', '2031-11-02T06:30:00Z'),
  at('a time that occurs twice, Berlin', '2031-10-26T02:30:00', '2031-10-26T00:30:00Z', 'berlin'),
  at('a time that occurs twice, with the later offset', '2031-11-02T01:30:00-06:00', '2031-11-02T07:30:00Z'),
  at('midnight as 24:00', '2031-01-05T24:00:00', '2031-01-06T06:00:00Z'),
  at('a leap day', '2032-02-29 12:00', '2032-02-29T18:00:00Z'),
  at('a form with a local time (datetime-local)', '2031-01-05T15:00', '2031-01-05T21:00:00Z'),
];

const UNIX: readonly Row[] = [
  at('Unix seconds', 1_930_000_000, '2031-02-27T23:06:40Z', 'chicago', TIMED),
  at('Unix seconds as text', '1930000000', '2031-02-27T23:06:40Z'),
  at('Unix milliseconds', 1_930_000_000_000, '2031-02-27T23:06:40Z', 'chicago', TIMED),
  at('Unix milliseconds as text', '1930000000000', '2031-02-27T23:06:40Z'),
  at('Unix seconds with a fraction', 1_930_000_000.5, '2031-02-27T23:06:40.500Z'),
];

const NOTATIONS: readonly Row[] = [
  at('Chicago, month first', '1/5/2031 3:00 PM', '2031-01-05T21:00:00Z', 'chicago', TIMED),
  at('Chicago, month first with zeros', '01/05/2031 15:00', '2031-01-05T21:00:00Z'),
  at('Chicago, the code of winter in summer', 'July 5, 2031 3:00 PM CST', '2031-07-05T20:00:00Z'),
  at('Berlin, the code of winter in summer', '05.07.2031 15:00 MEZ', '2031-07-05T13:00:00Z', 'berlin'),
  at('Chicago, a day that is no month', '25/01/2031 15:00', '2031-01-25T21:00:00Z'),
  at('Berlin, with dots', '05.01.2031 15:00', '2031-01-05T14:00:00Z', 'berlin', TIMED),
  at('Berlin, with "Uhr"', '05.01.2031, 15.00 Uhr', '2031-01-05T14:00:00Z', 'berlin'),
  at('Berlin, the month by its name', '5. Januar 2031 15:00', '2031-01-05T14:00:00Z', 'berlin'),
  at('Madrid, with slashes', '05/01/2031 15:00', '2031-01-05T14:00:00Z', 'madrid', TIMED),
  at('Madrid, the month by its name', '5 de enero de 2031, 15:00', '2031-01-05T14:00:00Z', 'madrid'),
  at('London, day first', '05/01/2031 15:00', '2031-01-05T15:00:00Z', 'london', TIMED),
  at('Sydney, day first', '5/1/2031 3:00 pm', '2031-01-05T04:00:00Z', 'sydney'),
  at('the month by its name, in English', 'January 5, 2031 3:00 PM', '2031-01-05T21:00:00Z'),
  at('the month by its short name', '5 Jan 2031 15:00', '2031-01-05T21:00:00Z'),
  at('with the weekday', 'Sunday, January 5, 2031 at 3:00 PM', '2031-01-05T21:00:00Z'),
  at('noon', '1/5/2031 12:00 PM', '2031-01-05T18:00:00Z'),
  at('midnight of twelve hours', '1/5/2031 12:00 AM', '2031-01-05T06:00:00Z'),
  at('a narrow no-break space before PM, as newer systems write it', '1/5/2031, 3:00\u202fPM', '2031-01-05T21:00:00Z'),
  at('the same day and month', '03/03/2031 10:00', '2031-03-03T16:00:00Z'),
  unclear('words', 'tomorrow 3pm'),
  unclear('words in German', 'morgen um 15 Uhr', 'berlin'),
  unclear('a time of day alone', '15:00'),
  unclear('a day of the week', 'next Tuesday'),
  unclear('a day that does not exist', '2031-02-30T10:00:00'),
  unclear('a month that does not exist', '13/13/2031 10:00'),
  unclear('an hour that does not exist', '2031-01-05T25:00:00Z'),
  unclear('zeros, as a database writes no time', '0000-00-00 00:00:00'),
  unclear('a small number', 12),
  unclear('true', true),
  unclear('"undefined"', 'undefined'),
  unclear('a member with a zone that no one knows', { dateTime: '2031-01-05T15:00:00', timeZone: 'Mars/Base' }),
];

const DAYS: readonly Row[] = [
  day('an all-day event', '2031-01-05', '2031-01-05T06:00:00Z'),
  day('an all-day event, Berlin', '2031-01-05', '2031-01-04T23:00:00Z', 'berlin'),
  day('Google, an all-day event', { date: '2031-01-05' }, '2031-01-05T06:00:00Z'),
  day('iCalendar, a day', '20310105', '2031-01-05T06:00:00Z'),
  day('a day with slashes', '1/5/2031', '2031-01-05T06:00:00Z'),
  day('a day by its name', '5. Januar 2031', '2031-01-04T23:00:00Z', 'berlin'),
  {
    name: 'the day of a report, Chicago',
    templates: ['daily-sql-report'],
    send: time('2027-01-05'),
    expect: { output: { day: '2027-01-05' }, mails: [{ to: 'owner@oak.example', subject: '2027-01-05', includes: ['orders: 40'] }] },
  },
  {
    name: 'the day of a report, Berlin',
    templates: ['daily-sql-report'],
    client: 'berlin',
    send: time('2027-01-05'),
    expect: { output: { day: '2027-01-05' }, mails: [{ to: 'owner@oak.example', subject: '05.01.2027' }] },
  },
  {
    name: 'the day of a report as people in Berlin write it',
    templates: ['daily-sql-report'],
    client: 'berlin',
    send: time('05.01.2027'),
    expect: { output: { day: '2027-01-05' } },
  },
  {
    name: 'the day of a report as a time late in the evening, in UTC',
    templates: ['daily-sql-report'],
    send: time('2027-01-06T03:00:00Z'),
    expect: { output: { day: '2027-01-05' } },
    decided: 'At that moment it is still the fifth in Chicago, and the report is about days of the business.',
  },
  {
    name: 'the day of a report that no one can read',
    templates: ['daily-sql-report', 'weekly-insight-digest'],
    send: time('last Monday'),
    expect: { time: null, mails: [{ to: 'owner@oak.example' }] },
  },
  {
    name: 'a weekly digest for a day',
    templates: ['weekly-insight-digest'],
    send: time('2027-01-05'),
    expect: { mails: [{ to: 'owner@oak.example' }] },
  },
];

const REMINDED_ONE = someone();

/** Due reminders: what the person reads is the hour of the business. */
const REMINDED: readonly Row[] = [
  {
    name: 'a visit in ninety minutes',
    templates: VISIT,
    send: json(eventOf('appointment-reminder', { attendeePhone: REMINDED_ONE })),
    expect: { texts: [{ to: REMINDED_ONE, includes: ['Hi Ada'] }] },
  },
  {
    name: 'a visit in ninety minutes, in Berlin',
    templates: VISIT,
    client: 'berlin',
    send: () => ({ body: { attendeeName: 'Ada', startTime: '@now+90m', attendeePhone: '0151 23456700' } }),
    expect: { texts: [{ to: '+4915123456700' }] },
  },
  { name: 'a visit in a week', templates: VISIT, send: time('@now+7d'), expect: { texts: [], output: { reason: 'not_due' } } },
  {
    name: 'a visit that has begun',
    templates: VISIT,
    send: time('@now-10m'),
    expect: { texts: [], output: { reason: 'already_started' } },
  },
  ...['Anulada por el cliente', 'Late cancellation', 'Event deleted'].map((status): Row => ({
    name: `a visit whose state is “${status}”`,
    templates: VISIT,
    send: form({ name: 'Ada', start: '2031-03-05T15:00:00Z', phone: '+13125550121', status }),
    expect: { texts: [], output: { reason: 'booking_cancelled' } },
  })),
  {
    name: 'a visit that was deleted, with its ID alone',
    templates: VISIT,
    send: form({ uid: 'evt_1', status: 'cancelled' }),
    expect: { texts: [], output: { reason: 'booking_cancelled' } },
  },
  {
    name: 'a visit without a time',
    templates: VISIT,
    send: time(undefined),
    expect: { refused: { status: 422, code: 'missing_input', field: 'startTime' } },
  },
  {
    name: 'a visit whose start is empty',
    templates: VISIT,
    send: form({ name: 'Ada', start: '', phone: '+13125550121' }),
    expect: { refused: { status: 422, code: 'missing_input', field: 'startTime' } },
  },
  {
    name: 'Calendly, its envelope',
    templates: VISIT,
    send: json({ event: 'invitee.created', payload: { name: 'Ada', scheduled_event: { start_time: '2031-03-05T15:00:00Z' } } }),
    expect: { refused: { status: 422, code: 'missing_input', field: 'startTime' } },
  },
  {
    name: 'Cal.com, its envelope',
    templates: VISIT,
    send: json({ triggerEvent: 'BOOKING_CREATED', payload: { startTime: '2031-03-05T15:00:00Z', attendees: [{ name: 'Ada' }] } }),
    expect: { refused: { status: 422, code: 'missing_input', field: 'startTime' } },
  },
  {
    name: 'the same booking twice by its delivery id',
    templates: VISIT,
    send: () =>
      [1, 2].map(() => ({
        body: eventOf('appointment-reminder', { startTime: '2031-03-05T15:00:00Z' }),
        headers: { 'webhook-id': 'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W' },
      })),
    expect: { runs: 1 },
  },
  {
    name: 'two bookings with delivery ids of their own',
    templates: VISIT,
    send: () =>
      ['a', 'b'].map((id) => ({
        body: eventOf('appointment-reminder', { startTime: '2031-03-05T15:00:00Z' }),
        headers: { 'svix-id': `msg_${id}` },
      })),
    expect: { runs: 2 },
  },
];

export const CALENDARS: readonly Row[] = [...WITH_OFFSET, ...WITHOUT_OFFSET, ...UNIX, ...NOTATIONS, ...DAYS, ...REMINDED];
