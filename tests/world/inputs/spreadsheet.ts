import { eventOf, form, json, person, phone, TEXTS_ONLY, time } from '../events.ts';
import type { Json } from '@partner-portal/core/template/types.ts';
import type { Row, TemplateName } from '../row.ts';

/** What scripts send from rows of a spreadsheet, with what the program made of them: Excel, Google Sheets (through Zapier, Make or a script), Airtable, Numbers. */

const NO_SHOW: readonly TemplateName[] = ['no-show-rebooking'];
const REVIEW: readonly TemplateName[] = ['review-request'];
const QUOTE: readonly TemplateName[] = ['quote-follow-up'];
const VISIT: readonly TemplateName[] = ['appointment-reminder'];

const cell = (name: string, came: string | number, number: string): Row => ({
  name: `a phone cell: ${name}`,
  templates: TEXTS_ONLY,
  send: phone(came),
  expect: { phone: number, texts: [{ to: number }] },
});

const PHONES: readonly Row[] = [
  cell('a number', 3_125_550_121, '+13125550121'),
  cell('a number with a country code', 13_125_550_121, '+13125550121'),
  cell('a number with a decimal', '13125550121.0', '+13125550121'),
  cell('an apostrophe in front', "'+13125550121", '+13125550121'),
  cell('a formula that keeps the text', '="+13125550121"', '+13125550121'),
  cell('quotes', '"+13125550121"', '+13125550121'),
  cell('a no-break space', '+1\u00a0312\u00a0555\u00a00121', '+13125550121'),
  cell('a tab after it', '+13125550121\t', '+13125550121'),
  cell('a label', 'Mobile: (312) 555-0121', '+13125550121'),
  cell('a note after it', '(312) 555-0121 (mobile)', '+13125550121'),
  cell('two lines', '+13125550121\n+13125550122', '+13125550121'),
  {
    name: 'a phone cell: scientific notation',
    templates: TEXTS_ONLY,
    send: phone('1.31256E+10'),
    expect: { stopped: 'number_not_textable' },
    decided: 'Excel has rounded the number: whoever were texted is a stranger.',
  },
  {
    name: 'a phone cell: scientific notation with all its digits',
    templates: TEXTS_ONLY,
    send: phone('1.3125550121E+10'),
    expect: { stopped: 'number_not_textable' },
    decided: 'Whether digits are missing cannot be seen, so it is no number.',
  },
  {
    name: 'a phone cell: #N/A',
    templates: TEXTS_ONLY,
    send: phone('#N/A'),
    expect: (template) => ({ stopped: template === 'missed-call-text-back' ? 'caller_withheld' : 'no_phone_number' }),
  },
];

const at = (name: string, came: Json, moment: string | null, client: Row['client'] = 'chicago'): Row => ({
  name: `a time cell: ${name}`,
  templates: VISIT,
  client,
  send: time(came),
  expect: moment === null ? { refused: { status: 422, code: 'invalid_input', field: 'startTime' } } : { time: moment },
});

const TIMES: readonly Row[] = [
  at('Excel in the United States', '1/5/2031 15:00', '2031-01-05T21:00:00Z'),
  at('Excel in Germany', '05.01.2031 15:00', '2031-01-05T14:00:00Z', 'berlin'),
  at('Excel in Germany, the short March', '05. Mrz 2031 15:00', '2031-03-05T14:00:00Z', 'berlin'),
  at('Excel in Spain', '5/1/2031 15:00:00', '2031-01-05T14:00:00Z', 'madrid'),
  at('Excel in Britain', '05/01/2031 15:00', '2031-01-05T15:00:00Z', 'london'),
  at('Google Sheets', '2031-01-05 15:00:00', '2031-01-05T21:00:00Z'),
  at('Airtable', '2031-01-05T15:00:00.000Z', '2031-01-05T15:00:00Z'),
  at('an apostrophe in front', "'2031-01-05 15:00", '2031-01-05T21:00:00Z'),
  {
    ...at('the serial number of Excel', 47_853.625, null),
    decided: 'The serial number of 2031-01-05 15:00 is a small number that could be anything; the sender is told an example.',
  },
  { ...at('the serial number of Excel as text', '47853.625', null), decided: 'As the number.' },
  at('#VALUE!', '#VALUE!', null),
  {
    name: 'a time cell: empty, where it is optional',
    templates: QUOTE,
    send: json(eventOf('quote-follow-up', { sentAt: '' })),
    expect: { time: null },
  },
];

const numbered = (name: string, came: Json, value: number, client: Row['client'] = 'chicago'): Row => ({
  name: `a number cell: ${name}`,
  templates: NO_SHOW,
  client,
  send: json(eventOf('no-show-rebooking', { attendeePhone: client === 'chicago' ? '+13125550121' : '+4915123456789', eventTypeId: came })),
  expect: { value: { eventTypeId: value } },
});

const NUMBERS: readonly Row[] = [
  numbered('a text', '1207', 1207),
  numbered('a decimal', '1207.0', 1207),
  numbered('thousands by a comma, Chicago', '1,207', 1207),
  numbered('thousands by a dot, Berlin', '1.207', 1207, 'berlin'),
  numbered('spaces around', ' 1207 ', 1207),
  numbered('a no-break space for thousands', '1\u00a0207', 1207),
  numbered('an apostrophe in front', "'1207", 1207),
  {
    name: 'a number cell: words, where it is optional',
    templates: NO_SHOW,
    send: json(eventOf('no-show-rebooking', { eventTypeId: 'Cleaning' })),
    expect: { value: { eventTypeId: null }, texts: [{ to: '+13125550121' }] },
  },
  {
    name: 'a number cell: #DIV/0! for a rating',
    templates: REVIEW,
    send: json(eventOf('review-request', { rating: '#DIV/0!' })),
    expect: { texts: [] },
  },
  {
    name: 'a number cell: a rating with a decimal comma, Berlin',
    templates: REVIEW,
    client: 'berlin',
    send: json(eventOf('review-request', { customerPhone: '015123456789', rating: '3,5' })),
    expect: { texts: [], mails: [{ to: 'owner@oak.example', includes: ['3,5 von 5'] }] },
  },
  {
    name: 'a number cell: a rating in percent',
    templates: REVIEW,
    send: json(eventOf('review-request', { rating: '90%' })),
    expect: { texts: [] },
    decided: 'Not a rating on a scale of 5, so no one is asked for a public review.',
  },
];

const budget = (name: string, came: Json, value: string): Row => ({
  name: `a budget cell: ${name}`,
  templates: ['lead-qualifier'],
  send: json(eventOf('lead-qualifier', { budget: came })),
  expect: { value: { budget: value }, mails: [{ to: 'owner@oak.example', includes: [`Budget: ${value}`] }] },
  decided: 'The budget of a lead is a text: it is shown as it was written.',
});

const OTHERS: readonly Row[] = [
  budget('a currency sign', '$12,000.50', '$12,000.50'),
  budget('euros', '12.000,50 €', '12.000,50 €'),
  budget('a number', 12_000, '12000'),
  budget('a number that a double does not hold, as text', '12345678901234567890', '12345678901234567890'),
  {
    name: 'a name cell: trailing spaces',
    templates: REVIEW,
    send: person('Ada Byron  '),
    expect: { texts: [{ to: '+13125550121', includes: ['Hi Ada,'] }] },
  },
  {
    name: 'a name cell: a no-break space between the names',
    templates: REVIEW,
    send: person('Ada\u00a0Byron'),
    expect: { texts: [{ to: '+13125550121', includes: ['Hi Ada,'] }] },
  },
  {
    name: 'a name cell: a formula',
    templates: REVIEW,
    send: person('=HYPERLINK("http://x.example")'),
    expect: { texts: [{ to: '+13125550121', excludes: ['http://x.example'] }] },
    decided: 'A link where a name belongs is never texted to a customer.',
  },
  {
    name: 'rows of a sheet as a list',
    templates: REVIEW,
    send: () => ({
      body: ['+13125550121', '+13125550122', '+13125550123'].map((customerPhone) => eventOf('review-request', { customerPhone })),
    }),
    expect: { runs: 3, texts: [{ to: '+13125550121' }, { to: '+13125550122' }, { to: '+13125550123' }] },
  },
  {
    name: 'a sheet of leads',
    templates: ['lead-intake-cleaner'],
    send: json({
      payload: [
        { Name: 'ADA BYRON', Email: 'Ada@Example.com', Phone: '(312) 555-0121' },
        { Name: 'Ada', Email: 'ada@example.com' },
      ],
    }),
    expect: { output: { duplicates: 1 } },
  },
  {
    name: 'a row of a German spreadsheet',
    templates: ['lead-intake-cleaner'],
    client: 'berlin',
    send: json({ payload: [{ Vorname: 'Jürgen', Nachname: 'von Hagen', 'E-Mail': 'ada@example.com', Telefon: '0171 1234567' }] }),
    expect: {
      output: {
        lead: {
          name: 'Jürgen von Hagen',
          email: 'ada@example.com',
          phone: '+491711234567',
          message: '',
          quality: 85,
          verdict: 'ready',
          missing: [],
        },
      },
    },
  },
  {
    name: 'a row by a form, headings as people write them',
    templates: ['lead-intake-cleaner'],
    send: form({ Name: 'Ada Byron', Email: 'ada@example.com', Phone: '(312) 555-0121', Message: 'Call me' }),
    expect: { value: { name: 'Ada Byron', phone: '+13125550121' } },
  },
];

export const SPREADSHEETS: readonly Row[] = [...PHONES, ...TIMES, ...NUMBERS, ...OTHERS];
