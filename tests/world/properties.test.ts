import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadBundles } from '@partner-portal/catalog/index.ts';
import { readReport } from '@partner-portal/core/execution/reported.ts';
import { fillConfig } from '@partner-portal/core/template/settings.ts';
import { leftOut, readInput, type ReadingClient } from '@partner-portal/core/template/input.ts';
import { endsWithoutText, noTextFor } from '@partner-portal/core/template/texted.ts';
import type { DispatchPayload, Json, JsonObject, Template, TemplateBundle } from '@partner-portal/core/template/types.ts';
import fc from 'fast-check';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { CLIENTS, type ClientName } from './clients.ts';
import { type FlowEnd, flowRunner, type SentCall } from './flow-in-process.ts';

/**
 * Any value in any input of any template: the event is refused with words, ends early with a reason, or its flow comes to its end. A failure prints its seed:
 * `WORLD_SEED=… node --test tests/world/properties.test.ts` repeats it.
 */

const SEED = Number(process.env['WORLD_SEED'] ?? 20_270_106);
const TRIES = 250;

const OPT_OUT = 'Reply STOP to opt out.';
/** Wednesday noon in Chicago. */
const NOW = '2027-01-06T18:00:00.000Z';
const COUNTRIES: { readonly [name in ClientName]: string } = { chicago: 'US', london: 'GB', berlin: 'DE', madrid: 'ES', sydney: 'AU' };
const PROFILE = {
  hours: '',
  bookingUrl: 'https://oak.example/book',
  reviewUrl: 'https://oak.example/review',
  address: '',
  faqText: 'On Saturday we are open from 9 to 13.\nParking is free behind the house.',
};

const FAMILY = '👩‍👩‍👧‍👦';

/** Texts with what breaks programs: all of Unicode with half surrogates, control characters, signs of many code points, markup, placeholders, great length. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ maxLength: 20 }),
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    '\ud83d',
    '\ude00 x',
    '\u202e',
    '{{trigger.body.config}}',
    '{firstName}',
    '<b>',
    '=?utf-8?Q?x?=',
    'a\r\nBcc: b@c.example',
    '[link]',
    'null',
    'NaN',
    '__proto__',
  ),
  fc
    .tuple(fc.constantFrom('a', 'é', 'e\u0301', FAMILY, '🇩🇪', 'word ', '\ud83d', 'ไม้'), fc.integer({ min: 1, max: 2_500 }))
    .map(([piece, count]) => piece.repeat(count)),
);

const NUMBERS = [
  '+13125550121',
  '(312) 555-0121',
  '3125550121',
  '0151/23456789',
  '0049 1512 3456789',
  '+44 (0)7400 123457',
  '+4407400123457',
  '+19005550199',
  '+8816123456789',
  '612 34 56 78',
  '+266696687',
  '+15005550009',
  '72975',
  'anonymous',
];
const nearNumber = fc
  .tuple(
    fc.constantFrom(...NUMBERS),
    fc.constantFrom('', ' ', ' x5', '/ 0122', '\u202a', ';ext=1', ',', '0', '.0', 'e5', '@x'),
    fc.constantFrom('', '+', '00', 'tel:', 'sip:', 'whatsapp:', "'", '='),
  )
  .map(([number, after, before]) => before + number + after);
const anyDigits = fc
  .tuple(fc.constantFrom('', '+', '00', '0', '+1', '+49', '+44'), fc.stringMatching(/^[0-9 ().-]{0,20}$/))
  .map(([before, digits]) => before + digits);
const nearAddress = fc
  .tuple(
    fc.constantFrom('', 'Ada <', '"Byron, Ada" <', 'mailto:', '<'),
    fc.oneof(
      fc.emailAddress(),
      fc.constantFrom('ada@müller.example', "o'connor@example.com", 'ada@example', 'a@b@c.example', 'no-reply@x.example'),
    ),
    fc.constantFrom('', '>', '.', ' ', ', b@c.example'),
  )
  .map((parts) => parts.join(''));
const nearTime = fc.oneof(
  fc.date({ min: new Date('2020-01-01'), max: new Date('2035-01-01'), noInvalidDate: true }).map((date) => date.toISOString()),
  fc.date({ min: new Date('2026-12-20'), max: new Date('2027-01-20'), noInvalidDate: true }).map((date) => date.toISOString().slice(0, 16)),
  fc.constantFrom(
    '2027-01-06T20:00:00Z',
    '2027-01-07T17:30:00Z',
    '1/5/2027 3:00 PM',
    '05.01.2027 15:00',
    'tomorrow 3pm',
    '2027-02-30',
    '0000-00-00 00:00:00',
    '2027-03-14T02:30:00',
    '24:00',
    '99999999999999',
  ),
  fc.integer({ min: -1e13, max: 1e13 }),
);
const nearNumeral = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.constantFrom('1,207', '1.207', '4,5', '1e400', '-0', '٣', '★★★', '9007199254740993', '$12,000.50', '12 000,50 €'),
);
const nearLink = fc.oneof(
  fc.webUrl(),
  fc.constantFrom('oak.example/q', 'javascript:alert(1)', 'https://müller.example/q', 'http://', 'https://a.example/ b', '//x.example'),
);
const nearBoolean = fc.constantFrom('yes', 'JA', 'sí', 'accepted', '0', 'off', 'maybe', 'x');

const BY_TYPE: { readonly [type in Template['inputs'][number]['type']]?: fc.Arbitrary<Json> } = {
  phone: fc.oneof(nearNumber, anyDigits),
  email: nearAddress,
  datetime: nearTime,
  number: nearNumeral as fc.Arbitrary<Json>,
  money: nearNumeral as fc.Arbitrary<Json>,
  url: nearLink,
  boolean: nearBoolean,
};
const anyJson = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>; // the same values

/** Events of a template: each input its sample, something of its kind, any text, any JSON, or missing. */
function events({ template, sample }: TemplateBundle): fc.Arbitrary<JsonObject> {
  const values = template.inputs
    // A booking is read from the provider, which is no part of these tests.
    .filter(({ key }) => key !== 'bookingUid')
    .map(({ key, type, example }) => {
      const usual = sample.input[key] ?? example;
      const choices: fc.WeightedArbitrary<Json>[] = [
        { weight: 9, arbitrary: fc.constant(typeof usual === 'string' && usual.startsWith('@') ? '2027-01-06T19:30:00Z' : usual) },
        { weight: 4, arbitrary: BY_TYPE[type] ?? anyText },
        { weight: 2, arbitrary: anyText },
        { weight: 1, arbitrary: anyJson },
        { weight: 1, arbitrary: fc.array(anyText, { maxLength: 3 }) },
      ];
      return [key, fc.option(fc.oneof(...choices), { freq: 15, nil: undefined })] as const;
    });
  // As every body on the wire: what JSON does not hold is not there.
  return fc.record(Object.fromEntries(values)).map((event) => JSON.parse(JSON.stringify(event)) as JsonObject);
}

const SETTINGS = {
  fromNumber: '+13125550100',
  ownerPhone: '+13125550177',
  fromAddress: 'hello@oak.example',
  ownerEmail: 'owner@oak.example',
  handoffEmail: 'desk@oak.example',
  recipients: ['owner@oak.example'],
  query: 'select 1',
  eventTypeId: 1207,
  quietHours: '',
  repeatAfterHours: 0,
  autoReply: true,
  hotScore: 0,
  minConfidence: 0,
};

function settingsOf(template: Template) {
  const known = new Set(template.config.map(({ key }) => key));
  return fillConfig(template, Object.fromEntries(Object.entries(SETTINGS).filter(([key]) => known.has(key))));
}

/** The model of the sandbox repeats what it was given, also where that is too long to be sent on: the only failures that words can cause. */
const OF_A_MODEL = /^(?:draft_(?:has_link|has_placeholder|too_short|too_long|unreadable)|answer_unreadable|score_unreadable)$/;

describe('any event', () => {
  for (const bundle of loadBundles()) {
    const { template } = bundle;
    const run = flowRunner(bundle);

    /** Null when the flow does not start; else its end, and the link that a text has to keep. */
    const tryEvent = async (event: JsonObject, name: ClientName): Promise<(FlowEnd & { link: string | undefined }) | null> => {
      const { timezone, locale } = CLIENTS[name];
      const client: ReadingClient = { timezone, countries: [COUNTRIES[name]], locale };
      const reading = readInput(template, event, client);
      if ('problems' in reading) {
        assert.ok(reading.problems.length > 0);
        for (const problem of reading.problems) assert.ok(problem.message !== '' && problem.label !== '', problem.key);
        return null;
      }
      const noText = noTextFor(template, reading.input, client.countries, event);
      if (noText !== null && endsWithoutText(template, template.templateVersion)) return null;
      const payload: DispatchPayload = {
        executionId: '0196a0aa-0000-7000-8000-000000000001',
        workflowId: '0196a0aa-0000-7000-8000-000000000002',
        callbackToken: 'token',
        input: reading.input,
        config: settingsOf(template),
        client: {
          id: null,
          name: 'Oak Street',
          mailName: '"Oak Street, Ltd."',
          timezone,
          locale: 'en',
          ownerLocale: 'en',
          businessProfile: PROFILE,
        },
        facts: {
          lastContactAt: null,
          lastMailAt: null,
          onStopList: false,
          numberOnStopList: false,
          noText,
          noMail: null,
          isPlanned: false,
          isWhatsApp: false,
          isForVisitor: false,
          acceptedAt: NOW,
          leftOut: leftOut(reading.understood),
          now: NOW,
        },
      };
      return { ...(await run(payload)), link: linkOf(template, reading.input) };
    };

    it(`of ${template.name} is refused with words, ends with a reason, or comes to its end`, async () => {
      let ended = 0;
      await fc.assert(
        fc.asyncProperty(events(bundle), fc.constantFrom(...(Object.keys(CLIENTS) as ClientName[])), async (event, client) => {
          const end = await tryEvent(event, client);
          if (end === null) return;
          ended += 1;
          const { status, error } = readReport(end.report, template);
          assert.ok(status === 'SUCCEEDED' || OF_A_MODEL.test(error?.code ?? ''), `${error?.code}: ${error?.message}`);
          for (const text of end.sent.filter(({ provider }) => provider === 'twilio')) judgeText(text, end.link);
          end.sent.filter(({ provider }) => provider === 'resend').forEach(judgeMail);
        }),
        { numRuns: TRIES, seed: SEED, verbose: 1 },
      );
      // The flow was tried too, not only the reading.
      assert.ok(ended > TRIES / 20, `${ended} of ${TRIES} reached the flow`);
    });
  }
});

/** The link of the usual text of a template, where it fits into a text at all. */
function linkOf({ name }: Template, { quoteUrl }: JsonObject): string | undefined {
  if (name === 'missed-call-text-back' || name === 'no-show-rebooking' || name === 'appointment-reminder') return PROFILE.bookingUrl;
  if (name === 'review-request') return PROFILE.reviewUrl;
  return name === 'quote-follow-up' && typeof quoteUrl === 'string' && quoteUrl.length <= 1_000 ? quoteUrl : undefined;
}

function judgeText({ body, status }: SentCall, link: string | undefined): void {
  const { To = '', Body = '' } = body as { [field: string]: string }; // the form of catalog/parts/sms.js
  assert.ok(parsePhoneNumberFromString(To)?.isPossible(), `It texts ${To}.`);
  assert.ok(Body.includes(OPT_OUT), `It ends with “${Body.slice(-80)}”.`);
  assert.ok(link === undefined || Body.includes(link), `It lacks ${link}: ${Body}`);
  assert.ok(Body.length <= 1600);
  assert.ok(Body.isWellFormed());
  assert.ok(status === 201 || status === 400, String(status));
}

function judgeMail({ body, status }: SentCall): void {
  const { to, subject } = body as { to: string[]; subject: string }; // catalog/parts/mail.js
  assert.equal(status, 200, `The mail to ${to.join(', ')} was refused.`);
  assert.doesNotMatch(subject, /[\r\n]|=\?/);
}
