import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadBundles } from '@partner-portal/catalog/index.ts';
import fc from 'fast-check';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { inputOf, type InputReading, readInput, type ReadingClient, sampleInput } from './input.ts';
import { noTextFor } from './texted.ts';
import type { Json, JsonObject, Template, TemplateInput } from './types.ts';
import { INPUT_TYPES } from './types.ts';

const templates = new Map(loadBundles().map(({ template }) => [template.name, template]));
const templateOf = (name: string): Template => {
  const found = templates.get(name);
  assert.ok(found);
  return found;
};

const US: ReadingClient = { timezone: 'America/Chicago', countries: ['US'], locale: 'en' };
const DE: ReadingClient = { timezone: 'Europe/Berlin', countries: ['DE'], locale: 'de' };

function understood(reading: InputReading): Exclude<InputReading, { problems: unknown }> {
  assert.ok('input' in reading, JSON.stringify(reading));
  return reading;
}
function problemsOf(reading: InputReading): [string, string][] {
  assert.ok('problems' in reading, JSON.stringify(reading));
  return reading.problems.map(({ key, code }) => [key, code]);
}

describe('an event', () => {
  it('that is canonical stays as it came', () => {
    const came = { callerNumber: '+13125550121', businessNumber: '+13125550100', CallSid: 'CA1' };
    assert.deepEqual(readInput(templateOf('missed-call-text-back'), came, US), { input: came, understood: {}, remarks: [] });
  });

  it('is read by its types, and other members stay as they came', () => {
    const template = templateOf('appointment-reminder');
    const came = {
      attendeeName: 'Zoe\u0308',
      startTime: '2027-01-05 09:30',
      attendeePhone: '(312) 555-0121',
      attendeeEmail: '',
      extra: ' x\u0000 ',
    };
    const { input, understood: values, remarks } = understood(readInput(template, came, US));
    assert.deepEqual(values, { attendeeName: 'Zoë', startTime: '2027-01-05T09:30:00-06:00', attendeePhone: '+13125550121' });
    assert.deepEqual(input, { ...values, extra: ' x\u0000 ' });
    assert.deepEqual(remarks, []);
    assert.equal(came.attendeePhone, '(312) 555-0121', 'what came is not changed');
  });

  it('has the hour of its client, wherever that is', () => {
    const template = templateOf('appointment-reminder');
    const hourOf = (client: ReadingClient) =>
      understood(readInput(template, { attendeeName: 'Ada', startTime: '2027-07-05T09:30' }, client)).input['startTime'];
    assert.deepEqual([hourOf(US), hourOf(DE)], ['2027-07-05T09:30:00-05:00', '2027-07-05T09:30:00+02:00']);
  });

  it('with a required value that is missing or not understood is refused with its name, what came and an example', () => {
    const template = templateOf('appointment-reminder');
    assert.deepEqual(problemsOf(readInput(template, { startTime: 'tomorrow' }, US)), [
      ['attendeeName', 'required'],
      ['startTime', 'invalid'],
    ]);
    const reading = readInput(template, { attendeeName: 'Ada', startTime: '05.01.2027' }, US);
    assert.ok('problems' in reading);
    const [problem] = reading.problems;
    assert.deepEqual([problem?.came, problem?.example], ['05.01.2027', template.inputs.find(({ key }) => key === 'startTime')?.example]);
    assert.match(problem?.message ?? '', /5 January or 1 May.*05\.01\.2027.*for example/);
  });

  it('with an optional value that is not understood goes on without it, with a remark', () => {
    const template = templateOf('lead-qualifier');
    const came = { leadName: 'Ada', message: 'Hello', leadEmail: 'ada at example', leadPhone: 'anonymous' };
    const { input, understood: values, remarks } = understood(readInput(template, came, US));
    assert.deepEqual(input, { leadName: 'Ada', message: 'Hello' });
    assert.deepEqual(values, { leadEmail: null, leadPhone: null });
    assert.deepEqual(
      remarks.map(({ key }) => key),
      ['leadEmail', 'leadPhone'],
    );
    for (const { remark } of remarks) assert.match(remark, /left out/);
  });

  it('that ends the plan of a quote or visit needs no more than its link or id', () => {
    const visit = templateOf('appointment-reminder');
    const cancelled = understood(readInput(visit, { bookingUid: 'evt_1', cancelled: 'cancelled', startTime: '2026-12-03' }, US));
    assert.deepEqual(cancelled.input, { bookingUid: 'evt_1', cancelled: true });
    assert.deepEqual(
      cancelled.remarks.map(({ key }) => key),
      ['startTime'],
    );
    assert.deepEqual(problemsOf(readInput(visit, { bookingUid: 'evt_1', cancelled: false }, US)), [
      ['attendeeName', 'required'],
      ['startTime', 'required'],
    ]);
    assert.deepEqual(problemsOf(readInput(visit, { cancelled: true, attendeeName: 'Ada' }, US)), [['startTime', 'required']]);
    const quote = templateOf('quote-follow-up');
    assert.deepEqual(understood(readInput(quote, { quoteUrl: 'https://x.example/1', answered: 'Accepted' }, US)).input['answered'], true);
    assert.deepEqual(problemsOf(readInput(quote, { quoteUrl: 'none', answered: true }, US)), [
      ['customerName', 'required'],
      ['quoteUrl', 'invalid'],
    ]);
  });

  it('of a group needs one value that is understood', () => {
    const template = templateOf('lead-intake-cleaner');
    assert.deepEqual(problemsOf(readInput(template, {}, US)), [['payload', 'required']]);
    assert.deepEqual(problemsOf(readInput(template, { phone: 'anonymous' }, US)), [['phone', 'invalid']]);
    assert.deepEqual(understood(readInput(template, { phone: 'anonymous', name: 'Ada' }, US)).input, { name: 'Ada' });
  });

  it('takes from the headers of a mail what no member of its own has', () => {
    const template = templateOf('ai-email-triage');
    const headers = 'Received: by mx1\r\nReply-To: Ada <ada@Example.com>';
    const { input, understood: values } = understood(readInput(template, { subject: 'Hi', headers }, US));
    assert.deepEqual([input['replyTo'], values], ['ada@example.com', { replyTo: 'ada@example.com' }]);
    assert.equal(inputOf(template, { subject: 'Hi', headers }, values)['replyTo'], 'ada@example.com');
    for (const bare of [
      { headers: 'Received: by mx1\r\nReply-To: ada@example.com' },
      { 'message-headers': '[["Reply-To","ada@example.com"]]' },
      { Headers: [{ Name: 'Reply-To', Value: 'ada@example.com' }] },
      { fromEmail: 'info@oak.example', headers: 'X-Original-Sender: a+1@mx.example\r\nX-Original-From: Ada <ada@example.com>' },
      { headers: 'X-Original-From: Ada <a@example.com>\r\nReply-To: ada@example.com' },
    ])
      assert.equal(understood(readInput(template, { subject: 'Hi', ...bare }, US)).input['replyTo'], 'ada@example.com');
    assert.equal(
      understood(readInput(template, { subject: 'Hi', replyTo: 'bo@example.com', headers }, US)).input['replyTo'],
      'bo@example.com',
    );
    assert.equal(understood(readInput(template, { subject: 'Hi', headers: 'To: a@x.example' }, US)).input['replyTo'], undefined);
  });

  it('with a value that is empty once it is cleaned misses it', () => {
    const came = { leadName: '\u0000', message: 'Hello' };
    assert.deepEqual(problemsOf(readInput(templateOf('lead-qualifier'), came, US)), [['leadName', 'required']]);
  });
});

describe('the person of an event', () => {
  const template = templateOf('missed-call-text-back');
  const business = { businessNumber: '+13125550100' };
  const reasonOf = (callerNumber: Json) => {
    const came: JsonObject = { callerNumber, ...business };
    const { input } = understood(readInput(template, came, US));
    return noTextFor(template, input, ['US'], came)?.reason ?? null;
  };
  for (const [callerNumber, reason] of [
    ['anonymous', 'caller_withheld'],
    ['', 'caller_withheld'],
    [' ', 'caller_withheld'],
    ['+266696687', 'caller_withheld'],
    ['sip:ada@pbx.example', 'caller_withheld'],
    [['client:ada'], 'caller_withheld'],
    ['12345', 'number_not_textable'],
    [12_345, 'number_not_textable'],
    ['ACME', 'number_not_textable'],
    ['+19005550199', 'number_not_textable'],
    ['020 7946 0000', 'number_not_textable'],
    ['+442079460000', 'country_not_allowed'],
    ['(312) 555-0121', null],
    ['whatsapp:+13125550121', null],
  ] as const)
    it(`${JSON.stringify(callerNumber)} is no fault of the event: ${reason ?? 'texted'}`, () =>
      assert.equal(reasonOf(callerNumber as Json), reason));

  it('is missed when the event does not name one, and is no object', () => {
    assert.deepEqual(problemsOf(readInput(template, business, US)), [['callerNumber', 'required']]);
    assert.deepEqual(problemsOf(readInput(template, { ...business, callerNumber: {} }, US)), [['callerNumber', 'invalid']]);
  });

  it('is another than the business, whose number is refused when it is none', () => {
    const of = (businessNumber: Json) => readInput(template, { callerNumber: '+13125550121', businessNumber }, US);
    assert.deepEqual(problemsOf(of('anonymous')), [['businessNumber', 'invalid']]);
    assert.deepEqual(problemsOf(of('')), [['businessNumber', 'required']]);
    assert.equal(understood(of('(312) 555-0100')).input['businessNumber'], '+13125550100');
  });
});

describe('samples and examples', () => {
  const now = new Date('2027-01-01T12:00:00Z');
  for (const { template, sample } of loadBundles())
    it(`of ${template.name} are understood by every client`, () => {
      for (const client of [US, DE]) {
        understood(readInput(template, sampleInput(sample.input, now), client));
        const examples = Object.fromEntries(template.inputs.map(({ key, example }) => [key, example]));
        assert.deepEqual(understood(readInput(template, examples, US)).remarks, []);
      }
    });
});

const ALL: Template = {
  ...templateOf('missed-call-text-back'),
  inputs: INPUT_TYPES.flatMap((type): TemplateInput[] =>
    [true, false].map((required) => ({
      key: `${type}${required ? 'Required' : ''}`,
      label: type,
      type,
      required,
      aliases: [],
      example: type,
    })),
  ),
  messages: [{ step: 'x', channel: 'text', to: '{input.phoneRequired}', body: '' }],
};
const client: fc.Arbitrary<ReadingClient> = fc.record({
  timezone: fc.constantFrom('America/Chicago', 'Europe/Berlin', 'UTC', 'Asia/Kolkata', 'Pacific/Apia', 'not a zone'),
  countries: fc.constantFrom<readonly string[]>([], ['US'], ['DE', 'AT'], ['MX'], ['CH'], ['IN'], ['XX']),
  locale: fc.constantFrom('en' as const, 'de' as const, 'es' as const),
});
/** Any text, and such as look like values. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.stringMatching(/^[\d+().,:/ -]{0,24}$/),
  fc.stringMatching(/^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}[T ]?(?:\d{1,2}:\d\d(?::\d\d)?)? ?(?:Z|[+-]\d\d:?\d\d|[AaPp]m)?$/),
  fc.stringMatching(/^(?:\+|00)?\d{6,15}(?: ?(?:\/|x|ext) ?\d{1,12})?$/),
  fc.stringMatching(/^-?[$€]?\d{1,15}(?:[.,' ]\d{1,4}){0,3}(?: ?[€]|e[+-]?\d{1,3})?$/),
  fc.stringMatching(/^[a-z ."<]{0,8}@?[a-zü.-]{0,12}>?$/),
  fc.constantFrom('yes', 'Nein', 'anonymous', '__proto__', 'ada@example.com', 'example.com', '2027-01-05', '5 Jan 2027 3 pm'),
);
const value = fc.oneof(
  { weight: 3, arbitrary: text },
  fc.double(),
  fc.integer(),
  fc.date({ noInvalidDate: true }).map((date) => date.toJSON()),
  fc.jsonValue({ maxDepth: 2 }),
);
const event = fc.record(Object.fromEntries(ALL.inputs.map(({ key }) => [key, value])), { requiredKeys: [] }) as fc.Arbitrary<JsonObject>;
/** As it is after it was stored. */
const stored = (came: JsonObject): JsonObject => JSON.parse(JSON.stringify(came)) as JsonObject;

describe('any event', () => {
  it('is read or refused with words, and never fails', () => {
    fc.assert(
      fc.property(event, client, (came, of) => {
        const reading = readInput(ALL, came, of);
        if ('problems' in reading) {
          assert.ok(reading.problems.length > 0);
          for (const { message, came: shown } of reading.problems)
            assert.ok(message.length > 5 && shown.length <= 200 && message.isWellFormed());
        } else JSON.stringify(reading);
      }),
      { numRuns: 700 },
    );
  });

  const template = { ...ALL, inputs: ALL.inputs.filter(({ required }) => !required) };

  it('has one meaning: what was understood is understood as itself, by every client', () => {
    fc.assert(
      fc.property(text, fc.constantFrom(...INPUT_TYPES), client, client, (came, type, one, other) => {
        const read = understood(readInput(template, { [type]: came }, one)).input[type];
        if (read === undefined) return;
        for (const client of [one, other]) {
          const reread = understood(readInput(template, { [type]: read }, client));
          assert.deepEqual([reread.input[type], reread.understood, reread.remarks], [read, {}, []]);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('gives phone numbers that are possible, whole decimals and times that exist', () => {
    fc.assert(
      fc.property(event, client, (came, of) => {
        const { phone, money, datetime, number } = understood(readInput(template, came, of)).input;
        if (phone !== undefined) assert.ok(parsePhoneNumberFromString(String(phone), { extract: false })?.isPossible(), String(phone));
        if (money !== undefined) assert.match(String(money), /^-?\d+(?:\.\d+)?$/);
        if (datetime !== undefined) assert.ok(Number.isFinite(Date.parse(String(datetime))), String(datetime));
        if (typeof number === 'number') assert.ok(Number.isFinite(number));
      }),
      { numRuns: 1_000 },
    );
  });

  it('is found again from what is stored', () => {
    fc.assert(
      fc.property(event, client, (given, of) => {
        const came = stored(given);
        const { input, understood: values } = understood(readInput(template, came, of));
        assert.deepEqual(inputOf(template, came, values), input);
      }),
      { numRuns: 300 },
    );
  });
});
