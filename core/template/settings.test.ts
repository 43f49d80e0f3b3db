import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { canonicalConfig, checkConfig, fillConfig, missingSettings, emptiedSettings } from './settings.ts';
import { checkInput, contactKey, contactOf, mapAliases, readInput, sampleInput } from './input.ts';
import type { Json, JsonObject, Template, TemplateConfig, TemplateInput } from './types.ts';
import { maskInput } from './mask.ts';
import { renderSentence } from './sentence.ts';

const input = (key: string, type: TemplateInput['type'], required: boolean, aliases: string[] = []): TemplateInput => ({
  key,
  label: key,
  type,
  required,
  aliases,
  example: `example of ${key}`,
});
const setting = (
  key: string,
  type: TemplateConfig['type'],
  value: TemplateConfig['default'],
  more: Partial<TemplateConfig> = {},
): TemplateConfig => ({
  key,
  label: key,
  type,
  default: value,
  help: '',
  ...more,
});

const TEMPLATE: Template = {
  name: 'sample',
  templateVersion: 1,
  title: 'Sample',
  summary: 's',
  clientSummary: 's',
  category: 'calls',
  icon: 'phone',
  inputs: [
    input('callerNumber', 'phone', true, ['From']),
    input('businessNumber', 'phone', true, ['To']),
    input('email', 'email', false),
    input('name', 'text', false),
  ],
  requireOneOf: [['email', 'name']],
  config: [
    setting('senderName', 'text', ''),
    setting('message', 'longtext', 'Hi {name}, {bookingUrl}', { maxLength: 40, required: true }),
    setting('bookingUrl', 'url', '', { fromProfile: 'bookingUrl', required: true }),
    setting('hours', 'number', 12, { min: 0, max: 48 }),
    setting('quiet', 'time-range', '21:00-08:00'),
    setting('auto', 'boolean', false),
    setting('labels', 'list', ['a'], { maxLength: 2, choices: ['a', 'b'] }),
    setting('leads', 'numberList', [24], { min: 1, max: 100 }),
    setting('owner', 'email', ''),
    setting('recipients', 'list', [], { maxLength: 3, items: 'email' }),
    setting('sender', 'phone', ''),
    setting('model', 'model', 'gpt-4.1-mini'),
  ],
  data: ['name'],
  requiredConnections: ['twilio'],
  steps: [{ name: 'send', label: 'Send text', kind: 'code', file: 'steps/send.js', uses: [], inputs: {} }],
  result: {},
  stopsWhen: [],
  creditsPerRun: 1,
  timeoutMinutes: 10,
  changelog: [],
  isActive: true,
  contactInput: 'callerNumber',
  sentences: {
    running: 'Texting {input.callerNumber|someone}',
    succeeded: 'Texted {input.callerNumber|someone} about {output.lead.name|a visit}',
    failed: 'Could not text {input.callerNumber|someone}: {error.message|something went wrong}',
    stopped: 'Left {input.callerNumber|someone} alone: {output.message|nothing to do}',
  },
  resultsPhrase: { one: '', many: '' },
  hoursSavedPerRun: 0,
  sampleConversation: [],
  messages: [{ step: 'send', channel: 'text', to: '{input.callerNumber}', body: '{config.message} {config.quiet}' }],
};

describe('settings', () => {
  it('are filled with defaults; unknown and unusable values are dropped', () => {
    const filled = fillConfig(TEMPLATE, { hours: 5, surprise: 1, auto: 'perhaps' });
    assert.deepEqual([filled['hours'], filled['auto'], filled['quiet'], 'surprise' in filled], [5, false, '21:00-08:00', false]);
  });

  it('that name a country code have that of the client’s country while they are empty', () => {
    const template = { ...TEMPLATE, config: [setting('code', 'text', '', { fromCountry: true })] };
    const codeOf = (config: object, countries: readonly string[]) =>
      fillConfig(template, { ...config }, { timezone: 'UTC', countries, locale: 'en' })['code'];
    assert.deepEqual([codeOf({}, ['DE', 'US']), codeOf({ code: '' }, ['ES']), codeOf({}, ['XX'])], ['+49', '+34', '']);
    assert.deepEqual([codeOf({ code: '+1' }, ['DE']), codeOf({}, [])], ['+1', '']);
  });

  const refused: [string, unknown, string][] = [
    ['surprise', 1, 'unknown'],
    ['message', 'x'.repeat(41), 'too_long'],
    ['message', 7, 'wrong_type'],
    ['bookingUrl', 'oak example', 'invalid'],
    ['bookingUrl', 'javascript:alert(1)', 'invalid'],
    ['hours', 49, 'out_of_range'],
    ['hours', 'twelve', 'wrong_type'],
    ['hours', '49', 'out_of_range'],
    ['hours', Number.NaN, 'wrong_type'],
    ['quiet', '9-17', 'invalid'],
    ['quiet', '25:00-08:00', 'invalid'],
    ['auto', 'perhaps', 'wrong_type'],
    ['labels', ['a', 'b', 'a'], 'too_long'],
    ['labels', ['c'], 'not_a_choice'],
    ['labels', 'a', 'wrong_type'],
    ['leads', [0], 'out_of_range'],
    ['leads', ['a day'], 'wrong_type'],
    ['owner', 'owner at oak', 'invalid'],
    ['recipients', ['anna@oak.example', 'ben@oak'], 'invalid'],
    ['recipients', ['anna@oak.example, ben'], 'invalid'],
    ['recipients', ['Byron, Ada'], 'invalid'],
    // Longer than an entry may be: it is not read.
    ['recipients', [',"'.repeat(40_000)], 'too_long'],
    ['recipients', ['a@oak.example, b@oak.example', 'c@oak.example; d@oak.example'], 'too_long'],
    ['sender', '555-0100', 'invalid'],
    ['model', 'a model', 'invalid'],
    ['message', null, 'wrong_type'],
    ['message', 'Hi {bookingLink}', 'unknown_placeholder'],
    ['message', 'Hi {booking url}', 'unknown_placeholder'],
    ['senderName', '=?UTF-8?Q?Bank?=', 'invalid'],
  ];
  for (const [key, value, code] of refused) {
    it(`refuse ${key} = ${JSON.stringify(value)?.slice(0, 30)} as ${code}`, () => {
      assert.deepEqual(
        checkConfig(TEMPLATE, { [key]: value }).map((problem) => problem.code),
        [code],
      );
    });
  }
  it('accept a name with signs that mail headers give a meaning, which is encoded when it is sent', () => {
    assert.deepEqual(checkConfig(TEMPLATE, { senderName: 'Bergmann, Söhne @ Wein; (Praxis) =' }), []);
  });
  it('accept good values and empty texts', () => {
    const good = {
      message: 'Hi',
      bookingUrl: 'https://oak.example/b',
      hours: 0,
      quiet: '',
      auto: true,
      labels: ['b'],
      leads: [1, 100],
      owner: '',
      sender: '+1 312 555 0100',
      model: 'gpt-5',
    };
    assert.deepEqual(checkConfig(TEMPLATE, good), []);
  });
  it('name what is still needed after defaults and the business profile', () => {
    assert.deepEqual(
      missingSettings(TEMPLATE, {}).map((one) => one.key),
      ['bookingUrl'],
    );
    assert.deepEqual(missingSettings(TEMPLATE, {}, { bookingUrl: 'https://oak.example' }), []);
    assert.deepEqual(
      missingSettings(TEMPLATE, { message: ' ', bookingUrl: 'https://own.example' }).map((one) => one.key),
      ['message'],
    );
  });
  it('name those that a change empties, and not those that were empty before', () => {
    const before = { bookingUrl: '' };
    const emptied = (after: { [key: string]: unknown }) => emptiedSettings(TEMPLATE, { before, after }).map(({ key, code }) => [key, code]);
    assert.deepEqual(emptied({ ...before, message: ' ' }), [['message', 'required']]);
    assert.deepEqual(emptied({ ...before, message: 'Hello' }), []);
    assert.deepEqual(emptied({ message: 'Hello', bookingUrl: 'https://oak.example' }), []);
  });
  it('may hold braces where the template fills none in, and each of its placeholders anywhere', () => {
    assert.deepEqual(checkConfig(TEMPLATE, { message: 'Hi {name} {bookingUrl}', owner: '' }), []);
    const plain = { ...TEMPLATE, config: [setting('criteria', 'longtext', 'A clear need')] };
    assert.deepEqual(checkConfig(plain, { criteria: 'Answer as {"score": 1}' }), []);
    assert.match(
      checkConfig(TEMPLATE, { message: 'Hi {nme}' })[0]?.message ?? '',
      /“\{nme\}” is not a placeholder. Use \{name\} or \{bookingUrl\}\./,
    );
  });
});

describe('settings as they are saved', () => {
  const client = { timezone: 'America/Chicago', countries: ['US'], locale: 'en' as const };
  const given = {
    sender: '(312) 555-0100',
    bookingUrl: 'oak.example/book',
    owner: 'Ada <ada@Oak.example>',
    hours: ' 12 ',
    auto: 'Yes',
    leads: ['24', 2],
    labels: ['b ', ' ', 'a'],
    message: 'Zoe\u0308 \u0007{name}',
    quiet: '9:00 – 17:00',
  };
  const saved = {
    sender: '+13125550100',
    bookingUrl: 'https://oak.example/book',
    owner: 'ada@oak.example',
    hours: 12,
    auto: true,
    leads: [24, 2],
    labels: ['b', 'a'],
    message: 'Zoë {name}',
    quiet: '09:00-17:00',
  };
  it('are canonical, by the country of their client', () => {
    assert.deepEqual(checkConfig(TEMPLATE, given, client), []);
    assert.deepEqual(canonicalConfig(TEMPLATE, given, client), saved);
    assert.deepEqual(canonicalConfig(TEMPLATE, saved), saved);
  });
  it('are one address for each, however several share a line', () => {
    for (const [recipients, addresses] of [
      [
        ['anna@oak.example, ben@Oak.example', 'carl@oak.example'],
        ['anna@oak.example', 'ben@oak.example', 'carl@oak.example'],
      ],
      [['anna@oak.example;ben@oak.example '], ['anna@oak.example', 'ben@oak.example']],
      [['anna@oak.example ben@oak.example'], ['anna@oak.example', 'ben@oak.example']],
      [['Anna <anna@oak.example>', '', ' '], ['anna@oak.example']],
      [['"Byron, Ada" <ada@oak.example>, Byron, Ben <ben@oak.example>'], ['ada@oak.example', 'ben@oak.example']],
    ]) {
      assert.deepEqual(checkConfig(TEMPLATE, { recipients }), []);
      assert.deepEqual(canonicalConfig(TEMPLATE, { recipients }), { recipients: addresses });
      assert.deepEqual(fillConfig(TEMPLATE, { recipients })['recipients'], addresses);
    }
    const stored = { recipients: ['anna@oak.example, ben@oak', 'Carl <carl@oak.example>'] };
    assert.deepEqual(fillConfig(TEMPLATE, stored)['recipients'], ['anna@oak.example', 'carl@oak.example'], 'from before they were read');
    assert.match(checkConfig(TEMPLATE, stored)[0]?.message ?? '', /ben@oak$/);
  });
  it('are not read in a list that is far too long, which is refused', () => {
    const recipients = Array.from({ length: 501 }, () => 'Ada <ada@example.com>');
    assert.deepEqual(canonicalConfig(TEMPLATE, { recipients }), { recipients });
    const read = canonicalConfig(TEMPLATE, { recipients: recipients.slice(1) });
    assert.deepEqual(read, { recipients: recipients.slice(1).map(() => 'ada@example.com') });
    assert.deepEqual(
      checkConfig(TEMPLATE, { recipients }).map(({ code }) => code),
      ['too_long'],
    );
  });

  it('from before are read when they are used', () => {
    const filled = fillConfig(TEMPLATE, given, client);
    assert.deepEqual(Object.fromEntries(Object.keys(saved).map((key) => [key, filled[key]])), saved);
  });
  it('need the country code where no country is known, and say so with an example', () => {
    const [problem] = checkConfig(TEMPLATE, { sender: '(312) 555-0100' });
    assert.match(problem?.message ?? '', /such as \+13125550100/);
  });
});

describe('inputs', () => {
  it('are renamed by alias in any case; the own spelling wins; other keys pass through', () => {
    assert.deepEqual(mapAliases(TEMPLATE, { From: '+1', to: '+2', CallSid: 'CA1' }), {
      callerNumber: '+1',
      businessNumber: '+2',
      CallSid: 'CA1',
    });
    assert.deepEqual(mapAliases(TEMPLATE, { From: 'alias', callerNumber: 'own' }), { callerNumber: 'own' });
    assert.deepEqual(mapAliases(TEMPLATE, { callerNumber: 'own', From: 'alias' }), { callerNumber: 'own' });
  });
  it('have their names looked up, which are read once for each template', () => {
    let read = 0;
    const counted = {
      ...input('callerNumber', 'phone', true),
      get aliases() {
        read += 1;
        return ['From'];
      },
    };
    const template = { ...TEMPLATE, inputs: [counted] };
    const form = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`field${n}`, '']));
    assert.deepEqual(mapAliases(template, form), form);
    const once = read;
    assert.deepEqual(mapAliases(template, form), form);
    assert.ok(once <= 5 && read === once, `read ${read} times`);
  });
  it('that come under several names are taken by the order of the template’s aliases, and an empty one after a filled one', () => {
    const template = { ...TEMPLATE, inputs: [input('fromEmail', 'email', false, ['From', 'from', 'sender'])] };
    const cases: [Record<string, string>, string][] = [
      [{ sender: 'bounce+1@relay.example', from: 'Ada <ada@example.com>' }, 'Ada <ada@example.com>'],
      [{ from: 'Ada <ada@example.com>', sender: 'bounce+1@relay.example' }, 'Ada <ada@example.com>'],
      [{ Sender: 'bounce+1@relay.example', FROM: 'ada@example.com' }, 'ada@example.com'],
      [{ sender: 's@example.com', From: ' ' }, 's@example.com'],
      [{ From: '', sender: 's@example.com' }, 's@example.com'],
      [{ sender: 's@example.com' }, 's@example.com'],
      [{ From: 'a@example.com', fromemail: 'own@example.com' }, 'own@example.com'],
      [{ fromEmail: '', sender: 's@example.com' }, 's@example.com'],
      [{ sender: 's@example.com', fromEmail: ' ' }, 's@example.com'],
      [{ sender: 's@example.com', fromEmail: 'own@example.com' }, 'own@example.com'],
      [{ From: ' ', fromEmail: '' }, ''],
    ];
    for (const [body, fromEmail] of cases) assert.deepEqual(mapAliases(template, body), { fromEmail }, JSON.stringify(body));
  });
  it('that are yes or no and come under several names are yes when one of them is, in any order', () => {
    const answered = { ...input('answered', 'boolean', false, ['accepted', 'declined']), trueWords: ['declined'], falseWords: ['open'] };
    const template = { ...TEMPLATE, inputs: [answered] };
    const cases: [Record<string, Json>, boolean | undefined][] = [
      [{ accepted: 'false', declined: 'true' }, true],
      [{ declined: 'true', accepted: 'false' }, true],
      [{ accepted: 'no', declined: 'yes' }, true],
      [{ accepted: 'open', declined: 'Declined' }, true],
      [{ accepted: ['false', 'true'], declined: 'no' }, true],
      [{ accepted: 'true', declined: 'false' }, true],
      [{ accepted: 'false', declined: 'false' }, false],
      [{ declined: '', accepted: 'no' }, false],
      [{ accepted: 'perhaps', declined: 'yes' }, true],
      [{ answered: 'no', declined: 'yes' }, false],
      [{ answered: '', accepted: 'no', declined: 'yes' }, true],
      [{ answered: 'n/a', accepted: 'no', declined: 'yes' }, true],
      [{ accepted: '-', declined: 'open' }, false],
      [{ accepted: '–', declined: 'None' }, undefined],
    ];
    for (const [body, value] of cases) {
      const read = readInput(template, mapAliases(template, body), { timezone: 'UTC', countries: [], locale: 'en' });
      assert.equal('input' in read ? read.input['answered'] : undefined, value, JSON.stringify(body));
    }
  });
  it('that are a state count by the words of their input: which state a sender means by 1, yes or true is not known', () => {
    const cancelled = { ...input('cancelled', 'boolean', false, ['canceled', 'status']), trueWords: ['cancelled'], falseWords: ['booked'] };
    const template = { ...TEMPLATE, inputs: [{ ...cancelled, states: ['status'] }] };
    const cases: [Record<string, Json>, JsonObject][] = [
      [{ status: 'cancelled' }, { cancelled: 'cancelled' }],
      [{ status: 'booked' }, { cancelled: 'booked' }],
      [{ status: 'perhaps' }, { cancelled: 'perhaps' }],
      [{ status: 1 }, { status: 1 }],
      [{ Status: 'Yes' }, { Status: 'Yes' }],
      [{ status: false }, { status: false }],
      [
        { status: 1, canceled: 1 },
        { status: 1, cancelled: 1 },
      ],
    ];
    for (const [body, mapped] of cases) assert.deepEqual(mapAliases(template, body), mapped, JSON.stringify(body));
  });
  it('that are a state of several inputs are of the one that knows its word, else of the first', () => {
    const state = { ...input('cancelled', 'boolean', false, ['status']), states: ['status'] };
    const cancelled = { ...state, trueWords: ['cancelled'], falseWords: ['booked'] };
    const template = { ...TEMPLATE, inputs: [cancelled, { ...state, key: 'confirmed', falseWords: ['pending'] }] };
    for (const [status, mapped] of [
      ['cancelled', { cancelled: 'cancelled' }],
      ['Booked', { cancelled: 'Booked' }],
      ['Pending', { confirmed: 'Pending' }],
      ['perhaps', { cancelled: 'perhaps' }],
      ['yes', { status: 'yes' }],
    ] as const)
      assert.deepEqual(mapAliases(template, { status }), mapped, status);
  });
  it('of a mail name the person by the address within the header, so that the stop list is found', () => {
    for (const text of ['Ada <Ada@Example.com>', '"Byron, Ada" <ada@example.com> ', 'ADA@example.com', '<ada@example.com>'])
      assert.equal(contactKey(text), 'ada@example.com', text);
    for (const text of ['Ada <ada>', '<>', 'ada@example.com <x>']) assert.equal(contactKey(text), null, text);
  });
  it('that are missing are named with an example, also of a group', () => {
    const check = checkInput(TEMPLATE, { callerNumber: '+13125550121', businessNumber: ' ' });
    assert.ok(!check.ok);
    assert.deepEqual(
      check.missing.map((one) => [one.key, one.example]),
      [
        ['businessNumber', 'example of businessNumber'],
        ['email', 'example of email'],
      ],
    );
    assert.deepEqual(checkInput(TEMPLATE, { callerNumber: '+1', businessNumber: '+2', name: 'Ada' }), { ok: true });
  });
  it('say whom the event is about, in one spelling', () => {
    assert.equal(contactOf(TEMPLATE, { callerNumber: '+1 (312) 555-0121' }), '+13125550121');
    assert.equal(contactOf(TEMPLATE, { email: ' Ada@Example.com' }), 'ada@example.com');
    assert.equal(contactOf(TEMPLATE, { callerNumber: 'anonymous' }), null);
    const { contactInput: _, ...withoutContact } = TEMPLATE;
    assert.equal(contactOf(withoutContact, { callerNumber: '+13125550121' }), null);
  });
  it('keep a person under one spelling, be it a phone or a mail address', () => {
    assert.equal(contactKey('+1 (312) 555-0121'), '+13125550121');
    assert.equal(contactKey(' Ada@Example.com '), 'ada@example.com');
    assert.equal(contactKey('Ada Byron'), null);
  });
  it('of a sample may name times around now', () => {
    const now = new Date('2027-01-01T12:00:00Z');
    assert.deepEqual(sampleInput({ at: '@now+90m', before: '@now-2d', text: 'see @now+1h', n: 1 }, now), {
      at: '2027-01-01T13:30:00.000Z',
      before: '2026-12-30T12:00:00.000Z',
      text: 'see @now+1h',
      n: 1,
    });
  });
  it('are shown with phones and addresses masked, wherever they stand', () => {
    const masked = maskInput(TEMPLATE, {
      callerNumber: '+13125550121',
      email: 'ada@example.com',
      name: 'Ada',
      extra: { note: ['call +442079460000'] },
    });
    assert.deepEqual(masked, {
      callerNumber: '+1 312 ··· 0121',
      email: 'a···@example.com',
      name: 'Ada',
      extra: { note: ['call +44 ··· 0000'] },
    });
  });
});

describe('runs as sentences', () => {
  const event = { callerNumber: '+13125550121' };
  const cases: [string, Parameters<typeof renderSentence>[1], Omit<Parameters<typeof renderSentence>[2], 'input'>, string][] = [
    ['running', 'RUNNING', {}, 'Texting +1 312 ··· 0121'],
    ['succeeded', 'SUCCEEDED', { output: { lead: { name: 'Ada' } } }, 'Texted +1 312 ··· 0121 about Ada'],
    ['succeeded without the value', 'SUCCEEDED', { output: null }, 'Texted +1 312 ··· 0121 about a visit'],
    ['failed', 'FAILED', { error: { code: 'x', message: 'no +13125550121' } }, 'Could not text +1 312 ··· 0121: no +1 312 ··· 0121'],
    ['stopped on purpose', 'SUCCEEDED', { output: { skipped: true, message: 'Night' } }, 'Left +1 312 ··· 0121 alone: Night'],
  ];
  for (const [what, status, facts, sentence] of cases) {
    it(`say what ${what} means`, () => assert.equal(renderSentence(TEMPLATE, status, { input: event, ...facts }), sentence));
  }
  it('use the stand-in word for a missing input', () => {
    assert.equal(renderSentence(TEMPLATE, 'RUNNING', { input: {} }), 'Texting someone');
  });
  it('stay a sentence, however much a stranger wrote into a form', () => {
    const sentence = renderSentence(TEMPLATE, 'SUCCEEDED', { input: event, output: { lead: { name: 'Ada '.repeat(200_000) } } });
    assert.match(sentence, /^Texted .* about Ada Ada/);
    assert.ok(sentence.length < 500);
  });
});
