import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createContext, runInContext } from 'node:vm';
import { flowFromTemplate, type FlowStep } from '@partner-portal/core/template/template.ts';
import { hasAddressOrDomain } from '@partner-portal/core/people/name.ts';
import { leftOut, mapAliases, readInput, type ReadingClient } from '@partner-portal/core/template/input.ts';
import { checkConfig, fillConfig } from '@partner-portal/core/template/settings.ts';
import { defaultTextsOf, findBundle, loadBundles, templateTextsOf } from './index.ts';
import { renderPreviews } from './preview.ts';

type Answer = {
  go: boolean;
  reason?: string;
  message?: string;
  fault?: { code: string; message: string };
  out: Record<string, unknown>;
  report?: Record<string, unknown>;
};

// Wednesday noon in Chicago: no quiet hours, no weekend.
const NOW = '2027-01-06T18:00:00.000Z';
const CLIENT = {
  id: null,
  name: 'Oak Street',
  mailName: '"Oak Street, Ltd."',
  timezone: 'America/Chicago',
  businessProfile: {
    hours: '',
    bookingUrl: 'https://oak.example/book',
    reviewUrl: 'https://oak.example/review',
    address: '',
    faqText: 'We open at nine.',
  },
};
const US: ReadingClient = { timezone: CLIENT.timezone, countries: ['US'], locale: 'en' };
const FACTS = { lastContactAt: null as string | null, onStopList: false, noText: null, noMail: null, isPlanned: false, now: NOW };
const NO_TEXT = { reason: 'number_not_textable', message: 'Premium-rate numbers are never texted' };
const NO_MAIL = { reason: 'on_stop_list', message: 'This person has asked not to be written to' };
const SENDERS = { fromNumber: '+13125550100', fromAddress: 'hello@oak.example', ownerEmail: 'owner@oak.example', quietHours: '' };

/**
 * Runs JavaScript as a bare isolate does: in a realm of its own that has the language and nothing else. Inputs and answer cross as JSON text, as in
 * the engine.
 */
async function runBare(source: string, inputs: object): Promise<unknown> {
  const realm = createContext({});
  runInContext(`${source.replace(/^export const code =/m, 'globalThis.code =').replace(/^export /gm, '')}\n;`, realm);
  const text: unknown = await runInContext(`code(JSON.parse(${JSON.stringify(JSON.stringify(inputs))})).then(JSON.stringify)`, realm);
  return JSON.parse(String(text));
}

/** Runs a code step exactly as it is shipped to the engine: parts and source in one text, nothing else in scope. */
async function run(template: string, step: string, inputs: object): Promise<Answer> {
  const bundle = findBundle(template);
  assert.ok(bundle);
  const flow = flowFromTemplate(bundle.template, {
    internalApiUrl: 'http://api.internal',
    connectionIds: {},
    displayName: template,
    codeSources: bundle.sources,
    pieceVersions: { webhook: '0', http: '0' },
  });
  const found = findStep(flow.trigger, step);
  assert.ok(found);
  // A parse boundary: the settings of a code step, as built by the compiler.
  const { sourceCode } = found.settings as { sourceCode: { code: string } };
  return (await runBare(sourceCode.code, inputs)) as Answer;
}

function findStep(step: FlowStep | null | undefined, name: string): FlowStep | undefined {
  if (!step) return undefined;
  if (step.name === name) return step;
  return [...(step.children ?? []), step.nextAction].map((one) => findStep(one, name)).find((one) => one !== undefined);
}

function event(template: string, input: object, config: object = {}, facts: object = {}, client: object = {}): object {
  const bundle = findBundle(template);
  assert.ok(bundle);
  const known = new Set(bundle.template.config.map((setting) => setting.key));
  const usable = Object.fromEntries(Object.entries({ ...SENDERS, ...config }).filter(([key]) => known.has(key)));
  return { input, config: fillConfig(bundle.template, usable, US), client: { ...CLIENT, ...client }, facts: { ...FACTS, ...facts } };
}

function formOf(answer: Answer): URLSearchParams {
  return new URLSearchParams(String(answer.out['form']));
}

describe('the realm that steps run in', () => {
  it('has the language and its time zones, and nothing of the web or of Node', async () => {
    const names = [
      'URLSearchParams',
      'URL',
      'btoa',
      'atob',
      'structuredClone',
      'TextEncoder',
      'crypto',
      'Buffer',
      'fetch',
      'setTimeout',
      'process',
      'require',
    ];
    const source = 'export const code = async ({ names }) => names.filter((name) => typeof globalThis[name] !== "undefined");';
    assert.deepEqual(await runBare(source, { names }), []);
    assert.deepEqual(await runBare(source, { names: ['Intl', 'encodeURIComponent'] }), ['Intl', 'encodeURIComponent']);
  });
});

describe('missed-call-text-back', () => {
  const call = { callerNumber: '+13125550121', businessNumber: '+13125550100' };
  const check = (input: object, config: object = {}, facts: object = {}) =>
    run('missed-call-text-back', 'check_hours', event('missed-call-text-back', input, config, facts));

  it('texts the caller with the booking link of the profile and the opt-out line', async () => {
    const answer = await check(call);
    assert.equal(answer.go, true);
    assert.equal(formOf(answer).get('To'), '+13125550121');
    assert.match(formOf(answer).get('Body') ?? '', /Oak Street.*https:\/\/oak\.example\/book Reply STOP to opt out\.$/);
  });
  it('says to a visitor of the chat, who did not call, nothing of a missed call, in every language', async () => {
    const template = findBundle('missed-call-text-back')?.template;
    assert.ok(template);
    for (const [locale, missed, asked] of [
      ['en', /^Sorry we missed your call at Oak Street\./, /^Thanks for getting in touch with Oak Street\. .*oak\.example\/book/],
      [
        'de',
        /^Leider haben wir Ihren Anruf bei Oak Street verpasst\./,
        /^Vielen Dank für Ihre Anfrage bei Oak Street\. .*oak\.example\/book/,
      ],
      ['es', /^Sentimos no haber atendido su llamada/, /^Gracias por ponerse en contacto con Oak Street\. .*oak\.example\/book/],
    ] as const) {
      const config = defaultTextsOf(template, locale);
      assert.match(String((await check(call, config)).out['text']), missed);
      assert.match(String((await check(call, config, { isForVisitor: true })).out['text']), asked);
    }
  });
  it('prefers the booking link of the settings', async () => {
    assert.match(String((await check(call, { bookingUrl: 'https://own.example' })).out['text']), /own\.example/);
  });
  const stops: [string, object, object, object, string][] = [
    ['someone who asked not to be texted', call, {}, { onStopList: true }, 'on_stop_list'],
    ['someone who may not be texted', call, {}, { noText: NO_TEXT }, 'number_not_textable'],
    ['someone texted within the set hours', call, {}, { lastContactAt: '2027-01-06T10:00:00Z' }, 'recently_contacted'],
    ['anyone at night, across midnight', call, { quietHours: '21:00-08:00' }, { now: '2027-01-06T05:00:00Z' }, 'quiet_hours'],
    ['the business itself', { ...call, callerNumber: '+13125550100' }, {}, {}, 'own_number'],
  ];
  for (const [who, input, config, facts, reason] of stops) {
    it(`leaves ${who} alone`, async () => {
      const answer = await check(input, config, facts);
      assert.deepEqual([answer.go, answer.reason], [false, reason]);
      assert.equal(answer.out['form'], undefined);
    });
  }
  it('texts again once the set hours are over, and at any hour without quiet hours', async () => {
    assert.equal((await check(call, {}, { lastContactAt: '2027-01-05T10:00:00Z' })).go, true);
    assert.equal((await check(call, { quietHours: '21:00-08:00' }, { now: '2027-01-06T14:00:01Z' })).go, true);
    assert.equal((await check(call, { repeatAfterHours: 0 }, { lastContactAt: NOW })).go, true);
  });
  it('reports a missing number as a fault, unless the service says why there is none', async () => {
    assert.equal((await check({ businessNumber: '+13125550100' })).fault?.code, 'number_not_e164');
    assert.equal((await check({ callerNumber: '+13125550121' })).fault?.code, 'business_number_not_e164');
    const withheld = { reason: 'caller_withheld', message: 'The caller withheld their number' };
    assert.equal((await check({ businessNumber: '+13125550100' }, {}, { noText: withheld })).reason, 'caller_withheld');
  });
  it('cuts what the provider would not take out of the middle: the link and the opt-out line always go out', async () => {
    const family = '👨‍👩‍👧‍👦';
    const link = `https://oak.example/${'b'.repeat(480)}`;
    const optOutLine = 'Reply STOP to opt out.';
    // Longer than a setting may be: names and other inputs fill it.
    const written = (message: string, bookingUrl: string) => {
      const inputs = event('missed-call-text-back', call) as { config: object };
      return run('missed-call-text-back', 'check_hours', { ...inputs, config: { ...inputs.config, message, bookingUrl, optOutLine } });
    };
    for (const letter of ['a', 'ä ', 'word ', family, `${family} `, 'e\u0301\u0323', '\ud83e'])
      for (const count of [60, 400, 800, 1599, 1600, 1601, 2400])
        for (const text of [
          `{bookingUrl} ${letter.repeat(count)}`,
          `${letter.repeat(count)} {bookingUrl}`,
          `${letter.repeat(count)} {bookingUrl} ${letter.repeat(count)}`,
        ]) {
          const answer = await written(text, link);
          const body = formOf(answer).get('Body') ?? '';
          assert.ok(body.length <= 1600, `${body.length} of ${letter} ${count}`);
          assert.ok(body.endsWith(` ${optOutLine}`) && body.includes(`${link}`), body.slice(-200));
          if (letter === family) assert.equal(body.replaceAll(family, '').includes('\u200d'), false, 'no half of a family');
        }
    const short = await written(`Hi. ${optOutLine} See {bookingUrl}`, link);
    assert.equal(formOf(short).get('Body'), `Hi. ${optOutLine} See ${link}`, 'nothing is cut or added when it fits');
    const again = await written(`${optOutLine} ${'word '.repeat(400)}`, '');
    assert.match(formOf(again).get('Body') ?? '', /word… Reply STOP to opt out\.$/);
  });
  it('encodes the text byte for byte as a form, whatever it holds', async () => {
    // The last one is half an emoji, as a text cut in the middle of it has.
    for (const text of ["Hi & welcome é (it's ~ok*!) %20 a=b+c", 'Zeile\r\nzwei „ß“ 🦷', 'cut \ud83e']) {
      const answer = await check(call, { message: text, optOutLine: '' });
      const sent = { To: '+13125550121', From: '+13125550100', Body: String(answer.out['text']) };
      assert.equal(answer.out['form'], new URLSearchParams(sent).toString());
    }
  });
  it('leaves no open placeholder in the text', async () => {
    const answer = await check(call, { message: 'Hi {unknown}, {bookingUrl} .' });
    assert.equal(answer.out['text'], 'Hi, https://oak.example/book.');
    for (const [message, text] of [
      ['Hola, {name}: {bookingUrl}', 'Hola: https://oak.example/book'],
      ['Hi, {name}! Welcome.', 'Hi! Welcome.'],
      ['Hola, {name}, reserve, {name}.', 'Hola, reserve.'],
    ])
      assert.equal((await check(call, { message })).out['text'], text);
  });
  it('falls back to UTC when the time zone is unknown', async () => {
    const inputs = event('missed-call-text-back', call, { quietHours: '17:00-19:00' }, {}, { timezone: 'Mars/Base' });
    assert.equal((await run('missed-call-text-back', 'check_hours', inputs)).reason, 'quiet_hours');
  });
});

describe('a call as phone systems post it', () => {
  const call = { callerNumber: '+13125550121', businessNumber: '+13125550100', CallSid: 'CA1', Direction: 'inbound' };
  const endOf = async (members: object) => {
    const { go, reason } = await run('missed-call-text-back', 'check_hours', event('missed-call-text-back', { ...call, ...members }));
    return go ? 'texted' : reason;
  };

  for (const [what, members, end] of [
    [
      'completed, of a system that knows no state of a line',
      { CallStatus: 'completed', CallSid: undefined, Direction: undefined },
      'call_answered',
    ],
    ['picked up by the phone system, and perhaps by no person', { CallStatus: 'completed' }, 'wrong_webhook'],
    ['that was forwarded to a person who answered', { CallStatus: 'completed', Direction: 'outbound-dial' }, 'call_answered'],
    ['that was forwarded from a number which it does not name', { CallStatus: 'no-answer', Direction: 'outbound-dial' }, 'wrong_webhook'],
    ['answered, in another case', { CallStatus: 'Answered' }, 'call_answered'],
    ['connected to a person', { CallStatus: 'in-progress', DialCallStatus: 'completed' }, 'call_answered'],
    [
      'connected to a person and recorded',
      { CallStatus: 'completed', DialCallStatus: 'answered', RecordingUrl: 'https://r.example' },
      'call_answered',
    ],
    ['made by the business', { CallStatus: 'no-answer', Direction: 'outbound-api' }, 'outgoing_call'],
    ['not answered', { CallStatus: 'no-answer' }, 'texted'],
    ['not answered by the person who was dialled', { CallStatus: 'completed', DialCallStatus: 'no-answer' }, 'texted'],
    ['not answered while the line goes on', { CallStatus: 'in-progress', DialCallStatus: 'busy' }, 'texted'],
    ['that ended with a message on the mailbox', { CallStatus: 'completed', RecordingUrl: 'https://r.example' }, 'texted'],
    ['answered by the person whom Plivo dialled', { CallStatus: 'in-progress', DialStatus: 'completed' }, 'call_answered'],
    ['not answered by the person whom Plivo dialled', { CallStatus: 'in-progress', DialStatus: 'timeout' }, 'texted'],
    ['made by the business, by sipgate', { Direction: undefined, direction: 'out', event: 'hangup', cause: 'cancel' }, 'outgoing_call'],
    ['made by the business, by Vonage', { Direction: undefined, direction: 'outbound', status: 'unanswered' }, 'outgoing_call'],
    ['picked up, by sipgate', { Direction: undefined, direction: 'in', event: 'answer' }, 'call_answered'],
    ['answered, by sipgate', { Direction: undefined, direction: 'in', event: 'hangup', cause: 'normalClearing' }, 'call_answered'],
    ['not answered, by sipgate', { Direction: undefined, direction: 'in', event: 'hangup', cause: 'noAnswer' }, 'texted'],
    ['answered, by Vonage', { Direction: undefined, direction: 'inbound', status: 'answered' }, 'call_answered'],
    ['not answered, by Vonage', { Direction: undefined, direction: 'inbound', status: 'unanswered' }, 'texted'],
    ['answered, of a system that names no direction', { Direction: undefined, status: 'answered' }, 'call_answered'],
    ['picked up, of a system that names no direction', { Direction: undefined, event: 'answer' }, 'call_answered'],
    ['recorded on the mailbox, which answered', { Direction: undefined, status: 'answered', RecordingUrl: 'https://r.example' }, 'texted'],
    ['not answered, of a system that names no direction', { Direction: undefined, status: 'unanswered' }, 'texted'],
    ['answered, by 3CX', { Direction: undefined, CallType: 'Inbound', Duration: '00:03:12' }, 'call_answered'],
    ['made by the business, by 3CX', { Direction: undefined, CallType: 'Outbound', Duration: '00:03:12' }, 'outgoing_call'],
    ['made by the business and not answered, by 3CX', { Direction: undefined, CallType: 'Notanswered' }, 'outgoing_call'],
    ['missed, by 3CX', { Direction: undefined, CallType: 'Missed', Duration: '00:00:00' }, 'texted'],
    ['missed, of a system that also says its direction', { Direction: undefined, CallType: 'inbound', status: 'missed' }, 'texted'],
    ['not answered, of a system whose type is a direction', { CallType: 'Inbound', CallStatus: 'no-answer' }, 'texted'],
    ['of a system that names no state', {}, 'texted'],
    [
      'that is a text',
      { CallSid: undefined, Direction: undefined, MessageSid: 'SM1', SmsStatus: 'received', Body: 'Are you open?' },
      'text_unread',
    ],
    ['that is a picture', { CallSid: undefined, Direction: undefined, MessageSid: 'SM1', Body: '', NumMedia: '1' }, 'text_unread'],
    ['that is a text by Plivo', { CallSid: undefined, Direction: undefined, MessageUUID: 'm1', Text: 'Are you open?' }, 'text_unread'],
    [
      'that is the state of a text',
      { CallSid: undefined, Direction: undefined, MessageSid: 'SM1', MessageStatus: 'delivered' },
      'not_a_call',
    ],
    ['with a note in its body', { Body: 'missed' }, 'texted'],
  ] as const)
    it(`${what}: ${end}`, async () => assert.equal(await endOf(members), end));
});

describe('lead-intake-cleaner', () => {
  const clean = (input: object, config: object = {}) =>
    run('lead-intake-cleaner', 'clean_lead', event('lead-intake-cleaner', input, config));

  it('brings one lead into one spelling', async () => {
    const lead = { name: 'ada  BYRON', email: ' Ada@Example.com ', phone: '(312) 555-0121', message: 'Do you have time on Friday?' };
    const { out } = await clean({ payload: lead });
    const canonical = await clean({ ...lead, email: 'Ada@example.com', phone: '+13125550121' });
    assert.deepEqual(canonical.out, out, 'inputs of their own come canonical');
    assert.deepEqual((await clean({ payload: lead, phone: '+13125550199' })).out['lead'], {
      ...(out['lead'] as object),
      phone: '+13125550199',
    });
    assert.deepEqual(out['lead'], {
      name: 'Ada Byron',
      email: 'ada@example.com',
      phone: '+13125550121',
      message: 'Do you have time on Friday?',
      quality: 100,
      verdict: 'ready',
      missing: [],
    });
  });
  it('reads a payload with other spellings of the keys', async () => {
    const { out } = await clean({ payload: { full_name: 'Ada Byron', email_address: 'ada@example.com' } });
    assert.equal(out['verdict'], 'ready');
  });
  it('merges the same person within a list and keeps the fuller lead', async () => {
    const list = [
      { email: 'ada@example.com' },
      { email: 'ADA@example.com', name: 'Ada Byron', phone: '+13125550121' },
      { email: 'bo@example.com' },
    ];
    const { out } = await clean({ payload: list });
    assert.equal(out['duplicates'], 1);
    assert.equal((out['leads'] as { name: string }[])[0]?.name, 'Ada Byron');
  });
  it('loses nothing of two leads that it merges, and merges no two people', async () => {
    const merged = async (...list: object[]) => {
      const { lead, leads, duplicates } = (await clean({ payload: list }, { blockList: ['casino'] })).out;
      const all = (leads ?? [lead]) as { name: string; email: string; phone: string; message: string; quality: number }[];
      const texts = all.map(({ name, email, phone, message, quality }) => [name, email, phone, message, quality].join('|'));
      return [String(duplicates), ...texts];
    };
    const wish = { name: 'Ada Byron', email: 'ada@example.com', message: 'I need a new roof this week' };
    const number = { email: 'ada@example.com', phone: '+13125550121' };
    const whole = 'Ada Byron|ada@example.com|+13125550121|I need a new roof this week|100';
    assert.deepEqual(await merged(wish, number), ['1', whole]);
    assert.deepEqual(await merged(number, wish), ['1', whole]);
    const { phone } = number;
    for (const list of [
      [number, wish, { phone }],
      [wish, { phone }, number],
      [{ phone }, wish, number],
    ])
      assert.deepEqual(await merged({ name: 'Bo' }, ...list), ['2', 'Bo||||15', whole], 'one that joins two');
    assert.deepEqual(
      (await merged(wish, wish, { ...wish, message: 'Please call me.' }))[1]?.split('|')[3],
      `${wish.message}\nPlease call me.`,
    );
    const [ada, tom] = [
      { ...number, name: 'Ada' },
      { ...number, name: 'Tom', email: 'tom@example.com' },
    ];
    assert.equal((await merged(ada, tom))[0], '0', 'two of one phone');
    assert.equal((await merged(ada, { ...ada, phone: '+13125550122' }))[0], '0', 'two of one address');
    assert.equal((await merged(ada, { ...ada, message: 'casino' }))[0], '0', 'one that is set aside');
  });
  it('sets aside a lead by whole words, addresses and domains of the block list, and by none within another word', async () => {
    const verdict = async (word: string, lead: object) =>
      (await clean({ email: 'maria@paseo.example', ...lead }, { blockList: [word] })).out['verdict'];
    for (const [word, lead] of [
      ['SEO', { message: 'Best seo, cheap' }],
      ['seo', { message: 'We do SEO.' }],
      ['spam.example', { email: 'a@mail.spam.example' }],
      ['@spam.example', { email: 'a@spam.example' }],
      ['a@spam.example', { email: 'a@spam.example' }],
      ['c++ (pro)', { message: 'learn C++ (pro) now' }],
      ['+1900', { phone: '+19005550199' }],
    ] as const)
      assert.equal(await verdict(word, lead), 'junk', word);
    for (const [word, lead] of [
      ['seo', { name: 'María Díaz', message: 'Deseo información sobre el curso, museo' }],
      ['sex', { message: 'Moving to Essex' }],
      ['spam.example', { email: 'a@notspam.example' }],
    ] as const)
      assert.equal(await verdict(word, lead), 'ready', word);
  });
  it('distinguishes incomplete, junk and ready leads', async () => {
    assert.equal((await clean({ name: 'Ada' })).out['verdict'], 'incomplete');
    assert.equal((await clean({ email: 'x@spam.example' }, { blockList: ['spam.example'] })).out['verdict'], 'junk');
    assert.equal((await clean({ email: 'x@fine.example' }, { blockList: ['spam.example'] })).out['verdict'], 'ready');
  });
  it('uses the country code of the settings for local numbers', async () => {
    const { out } = await clean({ payload: { phone: '020 7946 0000', email: 'a@b.example' } }, { countryCode: '+44' });
    assert.equal((out['lead'] as { phone: string }).phone, '+442079460000');
  });
  it('says there is nothing to do for an empty list', async () => {
    assert.equal((await clean({ payload: [] })).reason, 'no_leads');
  });
});

describe('a list of leads', () => {
  const leads = (count: number) => Array.from({ length: count }, (_, at) => ({ name: 'Ada Byron', email: `ada${at}@example.com` }));
  const clean = (count: number) => run('lead-intake-cleaner', 'clean_lead', event('lead-intake-cleaner', { payload: leads(count) }));

  for (const count of [50, 200])
    it(`of ${count} is whole in the result of its run, and its step shows the beginning`, async () => {
      const seen = await clean(count);
      const chain = [{ name: 'clean_lead', label: 'Clean', kind: 'code', seen }];
      const answer = await run('lead-intake-cleaner', 'outcome', { run: { executionId: 'e1', workflowId: 'w1' }, chain, result: seen.out });
      const report = answer.report as { output: { leads: { email: string }[] }; steps: { output: { leads: object[] } }[] };
      assert.deepEqual(
        report.output.leads.map(({ email }) => email),
        leads(count).map(({ email }) => email),
      );
      assert.equal(report.steps[0]?.output.leads.length, 20);
    });
  it('of more than a result holds is set aside whole, so that no lead is lost unseen', async () => {
    const answer = await clean(201);
    assert.deepEqual([answer.go, answer.reason], [false, 'too_many_leads']);
  });
});

describe('appointment-reminder', () => {
  const visit = {
    attendeeName: 'Ada Byron',
    startTime: '2027-01-06T19:30:00Z',
    attendeePhone: '+13125550121',
    attendeeEmail: 'ada@example.com',
  };
  const check = (input: object, config: object = {}, facts: object = {}, bookings: unknown = '') =>
    run('appointment-reminder', 'still_booked', { ...event('appointment-reminder', input, config, facts), bookings });

  it('reminds by text and mail in the hour a reminder is due, in local time', async () => {
    const answer = await check(visit);
    assert.deepEqual([answer.out['byText'], answer.out['byMail'], answer.out['leadHours']], [true, true, 2]);
    assert.match(String(answer.out['text']), /Hi Ada.*Wednesday,? 6 January.*13:30/);
  });
  it('waits when none is due, and says when the next one is', async () => {
    const answer = await check({ ...visit, startTime: '2027-01-09T18:00:00Z' });
    assert.deepEqual([answer.reason, answer.out['nextReminderAt']], ['not_due', '2027-01-08T18:00:00.000Z']);
  });
  it('fails without an hour at which to remind, unless the visit was cancelled', async () => {
    assert.equal((await check(visit, { leadHours: [] })).fault?.code, 'lead_hours_missing');
    assert.equal((await check({ ...visit, cancelled: true }, { leadHours: [] })).reason, 'booking_cancelled');
  });
  it('sends no reminder for a cancelled or past visit', async () => {
    const booked = { ...visit, bookingUid: 'b1' };
    assert.equal((await check(booked, {}, {}, [{ status: 'cancelled', start: visit.startTime }])).reason, 'booking_cancelled');
    assert.equal((await check({ ...visit, startTime: '2027-01-06T17:00:00Z' })).reason, 'already_started');
    assert.equal((await check(booked, {}, {}, [{ status: 'accepted', start: visit.startTime }])).go, true);
  });
  it('goes by the time in the calendar when the visit was moved', async () => {
    const moved = await check({ ...visit, bookingUid: 'b1' }, {}, {}, [{ status: 'accepted', start: '2027-01-10T18:00:00Z' }]);
    assert.equal(moved.reason, 'not_due');
  });
  const quiet = { quietHours: '21:00-08:00', leadHours: [2] };
  // 8:15 in Chicago; two hours before is 6:15.
  const early = { ...visit, startTime: '2027-01-07T14:15:00Z' };
  const moments: [what: string, now: string, leadHours: number[], due: number | null, next: string | undefined][] = [
    ['is planned an hour before they begin', '2027-01-06T18:00:00Z', [2], null, '2027-01-07T02:00:00.000Z'],
    ['goes out then', '2027-01-07T02:00:00Z', [2], 2, undefined],
    ['goes out until they begin', '2027-01-07T02:59:00Z', [2], 2, undefined],
    ['is not sent any more to who booked in them', '2027-01-07T03:30:00Z', [2], null, undefined],
    ['is not sent after them either', '2027-01-07T14:05:00Z', [2], null, undefined],
    ['goes out once for two that fall into the same', '2027-01-07T02:00:00Z', [3, 2], 2, undefined],
    ['leaves one outside of them where it is', '2027-01-06T20:15:00Z', [18, 2], 18, '2027-01-07T02:00:00.000Z'],
  ];
  for (const [what, now, leadHours, due, next] of moments)
    it(`by text that falls into quiet hours ${what}`, async () => {
      const answer = await check({ ...early, attendeeEmail: '' }, { ...quiet, leadHours }, { now });
      assert.deepEqual([answer.out['leadHours'] ?? null, answer.out['nextReminderAt']], [due, next], answer.reason);
    });
  it('by mail only is sent at its own hour, also in quiet hours', async () => {
    const byMail = { ...early, attendeePhone: '' };
    const answer = await check(byMail, quiet, { now: '2027-01-07T12:15:00Z' });
    assert.deepEqual([answer.out['byText'], answer.out['byMail'], answer.out['leadHours']], [false, true, 2]);
    for (const facts of [{ onStopList: true }, { noText: NO_TEXT }]) {
      const noTexts = await check(early, quiet, { now: '2027-01-07T02:00:00Z', ...facts });
      assert.deepEqual([noTexts.out['byText'], noTexts.out['byMail']], [false, true], 'at the hour that the service planned');
    }
  });
  it('sends one reminder once', async () => {
    const both = { lastContactAt: '2027-01-06T17:45:00Z', lastMailAt: '2027-01-06T17:45:00Z' };
    assert.equal((await check(visit, {}, both)).reason, 'already_reminded');
    assert.equal((await check({ ...visit, attendeeEmail: '' }, {}, both)).reason, 'already_reminded');
  });
  it('is sent by the way that did not go out when its run is run again: who was mailed is texted, and mailed no more', async () => {
    const byText = await check(visit, {}, { lastMailAt: '2027-01-06T17:45:00Z' });
    assert.deepEqual([byText.out['byText'], byText.out['byMail'], byText.out['mailed']], [true, false, undefined], byText.reason);
    const byMail = await check(visit, {}, { lastContactAt: '2027-01-06T17:45:00Z' });
    assert.deepEqual([byMail.out['byText'], byMail.out['byMail'], byMail.out['contacted']], [false, true, undefined], byMail.reason);
    const before = await check(visit, {}, { lastMailAt: '2027-01-06T17:20:00Z' });
    assert.deepEqual([before.out['byText'], before.out['byMail']], [true, true], 'that mail was of another reminder');
    for (const facts of [{ onStopList: true }, { noText: NO_TEXT }])
      assert.equal((await check(visit, {}, { ...facts, lastMailAt: '2027-01-06T17:45:00Z' })).reason, 'already_reminded');
  });
  it('sends each reminder once, also of two runs that the service planned', async () => {
    const just = { lastContactAt: '2027-01-06T17:45:00Z', lastMailAt: '2027-01-06T17:45:00Z' };
    const found = [{ status: 'accepted', start: visit.startTime }];
    for (const isPlanned of [true, false])
      assert.equal((await check({ ...visit, bookingUid: 'b2' }, {}, { ...just, isPlanned }, found)).reason, 'already_reminded');
    const answer = await check({ ...visit, bookingUid: 'b2' }, {}, { isPlanned: true }, found);
    assert.deepEqual([answer.go, answer.out['byText'], answer.out['leadHours']], [true, true, 2], answer.reason);
  });
  it('names all later ones, so that none depends on how this one ends', async () => {
    const leads = { leadHours: [72, 48, 24, 2, 1] };
    const all = await check({ ...visit, startTime: '2027-01-09T18:30:00Z' }, leads);
    assert.deepEqual(
      [all.reason, all.out['nextReminderAt'], all.out['laterReminders']],
      [
        'not_due',
        '2027-01-06T18:30:00.000Z',
        ['2027-01-07T18:30:00.000Z', '2027-01-08T18:30:00.000Z', '2027-01-09T16:30:00.000Z', '2027-01-09T17:30:00.000Z'],
      ],
    );
    const due = await check(visit, { leadHours: [2, 1] });
    assert.deepEqual([due.out['nextReminderAt'], due.out['laterReminders']], ['2027-01-06T18:30:00.000Z', undefined]);
    const atNight = await check({ ...visit, startTime: '2027-01-07T14:15:00Z' }, { leadHours: [4, 3, 2], quietHours: '21:00-08:00' });
    assert.deepEqual([atNight.out['nextReminderAt'], atNight.out['laterReminders']], ['2027-01-07T02:00:00.000Z', undefined]);
  });
  it('goes out while the visit is ahead when its run had to wait, by text outside quiet hours only', async () => {
    const later = { ...visit, startTime: '2027-01-07T18:00:00Z' };
    const waited = (now: string, config: object = {}) =>
      check(later, { leadHours: [24, 2], ...config }, { isPlanned: true, acceptedAt: '2027-01-06T18:00:20.000Z', now });
    for (const now of ['2027-01-06T18:00:20.000Z', '2027-01-06T19:00:25.000Z', '2027-01-07T01:00:00.000Z']) {
      const answer = await waited(now);
      assert.deepEqual([answer.go, answer.out['byText'], answer.out['leadHours']], [true, true, 24], now);
      assert.equal(answer.out['nextReminderAt'], '2027-01-07T16:00:00.000Z');
    }
    const untilTheNext = await waited('2027-01-07T16:02:00.000Z');
    assert.deepEqual([untilTheNext.out['leadHours'], untilTheNext.out['nextReminderAt']], [2, undefined], 'in place of the next one');
    const atNight = await waited('2027-01-07T04:00:00.000Z', { quietHours: '21:00-08:00' });
    assert.deepEqual([atNight.go, atNight.out['byText'], atNight.out['byMail']], [true, false, true]);
    assert.equal((await waited('2027-01-07T18:00:00.000Z')).reason, 'already_started');
  });
  const changes: [what: string, now: string, config: object, remindedAt: string | null, end: unknown][] = [
    ['a longer lead time', '2027-01-05T19:30:05Z', { leadHours: [48] }, null, 48],
    ['a longer lead time on the day itself', '2027-01-06T17:30:05Z', { leadHours: [24] }, null, 24],
    ['one lead time of two', '2027-01-06T17:30:05Z', { leadHours: [24] }, '2027-01-05T19:30:09Z', 'already_reminded'],
    ['a shorter lead time', '2027-01-05T19:30:05Z', { leadHours: [2] }, null, 'not_due'],
    ['longer quiet hours', '2027-01-06T01:00:05Z', { leadHours: [18], quietHours: '17:00-20:00' }, null, 18],
  ];
  for (const [what, now, config, remindedAt, end] of changes)
    it(`that was planned before a change of settings is the newest that is past: ${what}`, async () => {
      const reached = { lastContactAt: remindedAt, lastMailAt: remindedAt };
      const answer = await check(visit, config, { isPlanned: true, acceptedAt: now, now, ...reached });
      assert.equal(answer.out['leadHours'] ?? answer.reason, end);
    });
  it('says whom it mailed, and mails no one again when the event is repeated', async () => {
    const byMail = { ...visit, attendeePhone: '', attendeeEmail: 'Ada@example.com' };
    assert.deepEqual([(await check(byMail)).out['mailed'], (await check(byMail)).out['contacted']], ['ada@example.com', undefined]);
    assert.equal((await check({ ...visit, attendeeEmail: '' })).out['mailed'], undefined);
    assert.equal((await check(byMail, {}, { lastMailAt: '2027-01-06T17:45:00Z' })).reason, 'already_reminded');
  });
  it('still mails a contact who opted out of texts', async () => {
    const answer = await check(visit, {}, { onStopList: true });
    assert.deepEqual([answer.out['byText'], answer.out['byMail'], answer.out['contacted']], [false, true, undefined]);
  });
  it('mails no one whose address is on the stop list', async () => {
    const byMail = await check({ ...visit, attendeePhone: '' }, {}, { onStopList: true, noMail: NO_MAIL });
    assert.deepEqual([byMail.go, byMail.reason, byMail.message], [false, NO_MAIL.reason, NO_MAIL.message]);
    const both = await check(visit, {}, { onStopList: true, noMail: NO_MAIL });
    assert.deepEqual([both.go, both.reason], [false, 'on_stop_list']);
    const byText = await check(visit, {}, { noMail: NO_MAIL });
    assert.deepEqual([byText.out['byText'], byText.out['byMail']], [true, false], 'the number is not listed');
  });
  it('still mails a contact who may not be texted', async () => {
    const answer = await check(visit, {}, { noText: NO_TEXT });
    assert.deepEqual([answer.out['byText'], answer.out['byMail'], answer.out['contacted']], [false, true, undefined]);
  });
});

describe('a visit of any calendar', () => {
  const CALCOM_UID = 'bk4Zq9eYhT2uXw8sLm3nPd';
  const visit = { attendeeName: 'Ada Byron', startTime: '2027-01-06T19:30:00Z', attendeePhone: '+13125550121' };
  const check = async (more: object, bookings: unknown = []) => {
    const template = findBundle('appointment-reminder')?.template;
    assert.ok(template);
    const raw = mapAliases(template, { ...visit, ...more });
    const read = readInput(template, raw, { timezone: 'America/Chicago', countries: ['US'], locale: 'en' });
    assert.ok('input' in read);
    const sent = event('appointment-reminder', read.input);
    const { calcomUid = '' } = (await run('appointment-reminder', 'which_calendar', sent)).out;
    return run('appointment-reminder', 'still_booked', { ...sent, calcomUid, bookings: calcomUid === '' ? '' : bookings });
  };
  const endOf = async (more: object, bookings?: unknown) => {
    const { go, reason } = await check(more, bookings);
    return go ? 'reminded' : reason;
  };

  for (const uid of [
    '3q5v1rk0@google.com',
    '7kukuqrfedlm2f9t0vr3ng4cdo',
    'zkras0xv0xwswx',
    'GBGBDCAADAEDCRZ2',
    '1284460191',
    '8f14e45f-ceea-467f-a83c-0a1b2c3d4e5f',
    '5d41402abc4b2a76b9719d911017c592',
    'Yk2nV9qP0dLxT3aBc5Ef',
    'https://api.calendly.example/events/1',
  ])
    it(`is reminded of with an id that Cal.com does not have: ${uid}`, async () => assert.equal(await endOf({ uid }), 'reminded'));
  it('is not reminded of when Cal.com no longer has its booking', async () =>
    assert.equal(await endOf({ uid: CALCOM_UID }), 'booking_gone'));
  for (const more of [
    { cancelled: true },
    { status: 'cancelled' },
    { status: 'Canceled', uid: '1284460191' },
    { canceled: 'true' },
    { cancelled: 1 },
    { status: 'no_show' },
    { status: 'CANCELLED_BY_CUSTOMER' },
    { status: 'CANCELLED_BY_SELLER' },
    { status: 'LateCancelled' },
    { status: 'late cancelled' },
    ...[
      'Late Cancel',
      'Late cancellation',
      'Event deleted',
      'booking.deleted',
      'appointment deleted',
      'Deleted by user',
      'DECLINED_BY_SELLER',
      'Termin gelöscht',
      'Eliminada',
      'Cita rechazada',
      'Stornierung',
      'Storno durch Kunde',
      'Absage',
      'Anulada por el cliente',
      'Anulado por la clínica',
      'Cancelación tardía',
      'void',
      'BOOKING_REJECTED',
    ].map((status) => ({ status })),
    { status: 'Canceled by invitee' },
    { status: 'vom Kunden storniert' },
    { status: 'Cancelada por el cliente' },
    ...['cancel', 'Storno', 'denied', 'abgelehnt'].map((status) => ({ status })),
    { status: 1, canceled: 'yes' },
  ])
    it(`is not reminded of once it was cancelled: ${JSON.stringify(more)}`, async () =>
      assert.equal(await endOf(more), 'booking_cancelled'));
  for (const more of [
    { cancelled: false },
    { status: 'confirmed' },
    ...[
      'Confirmed (free cancellation)',
      'Kostenlose Stornierung',
      'storno möglich',
      'Cancelación gratuita',
      'Booked / deleted duplicate',
    ].map((status) => ({ status })),
    { status: '' },
    { confirmed: true },
    { confirmed: '' },
    { status: 'rescheduled' },
    { status: 'any other' },
    { status: 'not cancelled' },
    { status: 'cancelled: no' },
    { status: 'Payment declined' },
    { status: 'Cancellation declined by host' },
    { status: 'no cancellation' },
    ...[1, '1', true, 'yes', 'Yes', 'on', 'ja', 'x', 0, '0', false, 'no', ['1']].map((status) => ({ status })),
  ])
    it(`is reminded of while it stands: ${JSON.stringify(more)}`, async () => assert.equal(await endOf(more), 'reminded'));
  for (const more of [
    ...[
      'pending',
      'PENDING',
      'Tentative',
      'requested',
      'waitlisted',
      'awaiting approval',
      'PENDING_APPROVAL',
      'needsAction',
      'unconfirmed',
    ].map((status) => ({ status })),
    ...['Angefragt', 'unbestätigt', 'pendiente', 'Sin confirmar'].map((Status) => ({ Status })),
    { confirmed: false },
    { confirmed: 'no', uid: '1284460191' },
  ])
    it(`is not reminded of while it is only asked for: ${JSON.stringify(more)}`, async () => {
      const answer = await check({ ...more, startTime: '2027-01-07T19:30:00Z' });
      assert.deepEqual(
        [answer.reason, answer.out],
        ['not_confirmed', { startTime: '2027-01-07T19:30:00.000Z' }],
        'its confirmation is an event',
      );
    });
  it('goes by Cal.com where that has its booking, also when the event said that it was only asked for', async () => {
    const found = [{ status: 'accepted', start: visit.startTime }];
    assert.equal(await endOf({ bookingUid: CALCOM_UID, status: 'pending' }, found), 'reminded');
  });
  it('is not reminded of while its booking waits for the business, and is looked at again', async () => {
    const start = '2027-01-07T19:30:00Z';
    const answer = await check({ startTime: start, bookingUid: CALCOM_UID }, [{ status: 'pending', start }]);
    assert.deepEqual([answer.reason, answer.out['nextReminderAt']], ['not_confirmed', '2027-01-06T19:30:00.000Z']);
    assert.equal(await endOf({ bookingUid: CALCOM_UID }, [{ status: 'accepted', start: visit.startTime }]), 'reminded');
  });
  it('names its start also when no reminder is due, so that an earlier plan of it ends', async () => {
    assert.equal((await check({ startTime: '2027-01-06T18:30:00Z' })).out['startTime'], '2027-01-06T18:30:00.000Z');
    assert.equal((await check({ startTime: '2027-01-06T17:30:00Z' })).out['startTime'], '2027-01-06T17:30:00.000Z');
  });
});

describe('no-show-rebooking', () => {
  const missed = { attendeePhone: '+13125550121', attendeeName: 'Ada Byron', eventTypeId: 7 };

  it('asks for the days ahead and offers the first free times in local time', async () => {
    const plan = await run('no-show-rebooking', 'plan_search', event('no-show-rebooking', missed));
    assert.deepEqual([plan.out['eventTypeId'], plan.out['end']], ['7', '2027-01-13T18:00:00.000Z']);
    const days = {
      '2027-01-08': [{ start: '2027-01-08T15:00:00.000Z' }],
      '2027-01-07': [{ start: '2027-01-07T16:00:00.000Z' }, { start: '2027-01-07T15:00:00.000Z' }],
    };
    const offer = await run('no-show-rebooking', 'write_offer', { ...event('no-show-rebooking', missed, { maxOffers: 2 }), days });
    assert.equal(offer.out['offered'], 2);
    assert.match(String(offer.out['text']), /Thursday,? 7 January.*09:00; Thursday,? 7 January.*10:00\. Book here/);
  });
  it('offers nothing when nothing is free, and needs a kind of visit', async () => {
    assert.equal(
      (await run('no-show-rebooking', 'write_offer', { ...event('no-show-rebooking', missed), days: {} })).reason,
      'no_free_time',
    );
    assert.equal(
      (await run('no-show-rebooking', 'plan_search', event('no-show-rebooking', { ...missed, eventTypeId: '' }))).fault?.code,
      'event_type_missing',
    );
  });
  it('takes the kind of visit of its settings where the event names none that there can be', async () => {
    const plan = (eventTypeId: unknown, config: object) =>
      run('no-show-rebooking', 'plan_search', event('no-show-rebooking', { ...missed, eventTypeId }, config));
    for (const id of [undefined, '', 0, -1, 5e-324, 1e21, 1.5, '7x'])
      assert.equal((await plan(id, { eventTypeId: 1207 })).out['eventTypeId'], '1207', String(id));
    assert.equal((await plan(-1, {})).fault?.code, 'event_type_missing');
  });
});

describe('a placeholder in the opt-out line', () => {
  const phone = '+13125550121';
  const own = { optOutLine: '{businessName}: reply STOP to opt out. {nothing}' };
  const choice = (answer: object) => [{ message: { content: JSON.stringify(answer) } }];
  const texts: [template: string, step: string, inputs: object][] = [
    ['missed-call-text-back', 'check_hours', event('missed-call-text-back', { callerNumber: phone, businessNumber: '+13125550100' }, own)],
    ['review-request', 'route_rating', event('review-request', { customerName: 'Ada Byron', customerPhone: phone }, own)],
    [
      'no-show-rebooking',
      'write_offer',
      { ...event('no-show-rebooking', { attendeeName: 'Ada Byron', attendeePhone: phone }, own), days: { a: [{ start: NOW }] } },
    ],
    [
      'appointment-reminder',
      'still_booked',
      event('appointment-reminder', { attendeeName: 'Ada Byron', startTime: '2027-01-06T19:30:00Z', attendeePhone: phone }, own),
    ],
    [
      'quote-follow-up',
      'is_due',
      event(
        'quote-follow-up',
        { customerName: 'Ada Byron', customerPhone: phone, quoteUrl: 'https://oak.example/q/1', sentAt: '2027-01-04T12:00:00Z' },
        own,
      ),
    ],
    [
      'ai-faq-reply',
      'decide_reply',
      { ...event('ai-faq-reply', { from: phone, to: '+13125550100' }, own), answer: choice({ answer: 'Until six.', confidence: 1 }) },
    ],
    [
      'lead-qualifier',
      'check_score',
      { ...event('lead-qualifier', { leadName: 'Ada Byron' }, { ...own, ownerPhone: phone }), answer: choice({ score: 95 }) },
    ],
  ];
  for (const [template, step, inputs] of texts)
    it(`is filled in a text of ${template}, and no brace is sent`, async () => {
      const answer = await run(template, step, inputs);
      assert.equal(answer.go, true, answer.message ?? answer.fault?.message);
      assert.match(formOf(answer).get('Body') ?? '', /[^{}]* Oak Street: reply STOP to opt out\.$/);
      assert.doesNotMatch(formOf(answer).get('Body') ?? '', /[{}]/);
    });
  it('is in the text of each agent that has such a line', () =>
    assert.deepEqual(
      loadBundles()
        .filter(({ template }) => template.config.some(({ key }) => key === 'optOutLine'))
        .map(({ template }) => template.name)
        .toSorted(),
      texts.map(([template]) => template).toSorted(),
    ));
  it('is refused when the agent does not know it', () => {
    for (const [name] of texts) {
      const template = findBundle(name)?.template;
      assert.ok(template);
      const problems = (optOutLine: string) => checkConfig(template, { optOutLine }).map(({ code }) => code);
      assert.deepEqual(problems('{businessName}: reply STOP to opt out.'), [], name);
      assert.deepEqual(problems('{business}: reply STOP to opt out.'), ['unknown_placeholder'], name);
    }
  });
});

describe('a text whose link is empty', () => {
  const none = { businessProfile: { ...CLIENT.businessProfile, bookingUrl: '' } };
  const person = { attendeeName: 'Ada Byron', attendeePhone: '+13125550121', attendeeEmail: 'ada@example.com' };
  const visit = { ...person, startTime: '2027-01-06T19:30:00Z' };
  const call = { callerNumber: '+13125550121', businessNumber: '+13125550100' };
  const days = { '2027-01-08': [{ start: '2027-01-08T15:00:00.000Z' }] };
  const asked = (config: object, client: object) => ({
    call: () => run('missed-call-text-back', 'check_hours', event('missed-call-text-back', call, config, {}, client)),
    visit: () => run('appointment-reminder', 'still_booked', event('appointment-reminder', visit, config, {}, client)),
    offer: () => run('no-show-rebooking', 'write_offer', { ...event('no-show-rebooking', person, config, {}, client), days }),
  });

  it('leaves out what leads to it, and never asks to reply STOP in its place', async () => {
    const written = asked({}, none);
    assert.equal(formOf(await written.call()).get('Body'), 'Sorry we missed your call at Oak Street. Reply STOP to opt out.');
    const visited = await written.visit();
    assert.match(
      formOf(visited).get('Body') ?? '',
      /^Hi Ada, a reminder of your visit at Oak Street on Wednesday,? 6 January.* 13:30\. Reply STOP to opt out\.$/,
    );
    assert.match((visited.out['mail'] as { text: string }).text, /13:30\.$/);
    assert.match(formOf(await written.offer()).get('Body') ?? '', /These times are free: .*09:00\. Reply STOP to opt out\.$/);
    const linked = asked({}, {});
    assert.match(formOf(await linked.call()).get('Body') ?? '', /a time here: https:\/\/oak\.example\/book Reply STOP/);
    assert.match(formOf(await linked.visit()).get('Body') ?? '', /Need another time\? https:\/\/oak\.example\/book Reply STOP/);
    assert.match(formOf(await linked.offer()).get('Body') ?? '', /Book here: https:\/\/oak\.example\/book Reply STOP/);
  });

  it('keeps the sentences and lines around it', async () => {
    const written: [message: string, text: string][] = [
      ['Hi! Book at {bookingUrl}. We are in until 5 p.m. today.', 'Hi! We are in until 5 p.m. today.'],
      ['Hi!\nWant a time?\n{bookingUrl}\nSee you', 'Hi!\nSee you'],
      ['Sorry, {businessName} was busy.', 'Sorry, Oak Street was busy.'],
    ];
    for (const [message, text] of written) assert.equal((await asked({ message }, none).call()).out['text'], text, message);
    assert.equal((await asked({ message: 'Book: {bookingUrl}' }, none).call()).fault?.code, 'message_missing');
    assert.equal((await asked({ message: 'Book: {bookingUrl}' }, none).offer()).fault?.code, 'message_missing');
  });
});

describe('lead-follow-up-email', () => {
  const lead = { leadEmail: 'Ada@example.com', leadName: 'Ada Byron', message: 'Hello?' };
  const draft = (body: string) => ({
    ...event('lead-follow-up-email', lead),
    to: 'ada@example.com',
    answer: [{ type: 'text', text: `Here it is: ${JSON.stringify({ subject: 'About\r\nBcc: all@example.com', body })}` }],
  });
  const GOOD = 'Hello Ada, thank you for writing. Which day suits you for a short call?';

  it('sends a good draft with the signature, and never a second header', async () => {
    const answer = await run('lead-follow-up-email', 'check_draft', draft(GOOD));
    const mail = answer.out['mail'] as { subject: string; text: string; from: string };
    assert.equal(mail.subject, 'About Bcc: all@example.com');
    assert.equal(mail.from, '"Oak Street, Ltd." <hello@oak.example>');
    assert.match(mail.text, /short call\?\n\nKind regards\nOak Street$/);
  });
  it('shows a subject as it was written, and the address alone without a name that is encoded', async () => {
    const subject = '=?UTF-8?Q?Your_bank?=';
    const answer = [{ type: 'text', text: JSON.stringify({ subject, body: GOOD }) }];
    const inputs = { ...draft(GOOD), ...event('lead-follow-up-email', lead, {}, {}, { name: 'A, B', mailName: undefined }), answer };
    const mail = (await run('lead-follow-up-email', 'check_draft', inputs)).out['mail'] as { subject: string; from: string };
    assert.doesNotMatch(mail.subject, /=\?/);
    assert.equal(mail.from, 'hello@oak.example');
  });
  const bad: [string, string, string][] = [
    ['too short', 'Hi.', 'draft_too_short'],
    ['with a link', `${GOOD} https://evil.example`, 'draft_has_link'],
    ['with a domain', `${GOOD} Ada evil.example/x`, 'draft_has_link'],
    ['with an open placeholder', `${GOOD} [Your name]`, 'draft_has_placeholder'],
    ['too long', 'word '.repeat(1000), 'draft_too_long'],
  ];
  for (const [what, body, code] of bad) {
    it(`holds back a draft that is ${what}`, async () => {
      assert.equal((await run('lead-follow-up-email', 'check_draft', draft(body))).fault?.code, code);
    });
  }
  it('may name the business and the address that it is sent to, and breaks a domain in capitals', async () => {
    const body = `${GOOD} oak.street will write to Ada@example.com at 3 p.m., as eve@evil.example and Evil.Com say.`;
    const inputs = { ...draft(body), ...event('lead-follow-up-email', lead, {}, {}, { name: 'oak.street' }) };
    const answer = await run('lead-follow-up-email', 'check_draft', inputs);
    const mail = answer.out['mail'] as { to: string[]; text: string };
    assert.deepEqual(mail.to, ['Ada@example.com']);
    assert.match(mail.text, /oak\.street will write to Ada@example\.com at 3 p\.m\., as eve@evil\. example and Evil\. Com say\./);
  });
  it('keeps the address as it is kept on the stop list, and answers no machine', async () => {
    assert.equal((await run('lead-follow-up-email', 'clean_lead', event('lead-follow-up-email', lead))).out['to'], 'ada@example.com');
    assert.equal(
      (await run('lead-follow-up-email', 'clean_lead', event('lead-follow-up-email', { ...lead, leadEmail: 'no-reply@x.example' }))).reason,
      'no_reply_address',
    );
    assert.equal(
      (await run('lead-follow-up-email', 'clean_lead', event('lead-follow-up-email', { leadName: 'Ada' }))).fault?.code,
      'mail_address_invalid',
    );
  });
});

describe('lead-qualifier', () => {
  const lead = { leadName: 'Ada Byron', message: 'A roof please', leadPhone: '+13125550121' };
  const scored = (content: string, config: object = {}) =>
    run('lead-qualifier', 'check_score', {
      ...event('lead-qualifier', lead, { ownerPhone: '+13125550177', ...config }),
      answer: [{ message: { content } }],
    });

  it('alerts the owner about a hot lead and mails every lead', async () => {
    const hot = await scored('{"score": 85.4, "reason": "Clear need.", "nextStep": "Call."}');
    assert.deepEqual([hot.out['score'], hot.out['hot'], hot.out['byText'], hot.out['byMail']], [85, true, true, true]);
    assert.equal(formOf(hot).get('To'), '+13125550177');
    const cold = await scored('{"score": 20}');
    assert.deepEqual([cold.out['byText'], cold.out['byMail']], [false, true]);
  });
  it('calls an answer without a score a fault', async () => {
    assert.equal((await scored('I think it is great')).fault?.code, 'score_unreadable');
    for (const score of ['null', 'true', '""', '" "', '[]', '{}', '"high"', '"NaN"'])
      assert.equal((await scored(`{"score": ${score}, "reason": "Clear need."}`)).fault?.code, 'score_unreadable', score);
    for (const score of ['0', '"0"', '-3']) assert.equal((await scored(`{"score": ${score}}`)).out['score'], 0, score);
    assert.equal((await scored('{"score": " 85 "}')).out['score'], 85);
  });
});

describe('review-request', () => {
  const job = { customerName: 'Ada Byron', customerPhone: '+13125550121', rating: 5 };
  const route = (input: object, config: object = {}) => run('review-request', 'route_rating', event('review-request', input, config));

  it('asks happy and unrated customers, and notifies the owner about unhappy ones', async () => {
    assert.equal((await route(job)).out['byText'], true);
    assert.equal((await route({ ...job, rating: '' })).out['byText'], true);
    const unhappy = await route({ ...job, rating: '2' });
    assert.deepEqual([unhappy.out['byText'], unhappy.out['byMail'], unhappy.out['contacted']], [false, true, undefined]);
  });
  it('lets the owner read what an unhappy customer wrote', async () => {
    const textOf = async (comment: string) => ((await route({ ...job, rating: 2, comment })).out['mail'] as { text: string }).text;
    assert.match(await textOf('The roof leaks again.'), /\n\nPhone: \+13125550121\n\nThey wrote:\nThe roof leaks again\.\n\nA call today/);
    assert.doesNotMatch(await textOf(''), /They wrote/);
    assert.ok((await textOf('x'.repeat(9_000))).length < 4_500);
  });
  it('never asks an unhappy customer, even when no owner can be notified', async () => {
    const answer = await route({ ...job, rating: 1 }, { ownerEmail: '' });
    assert.deepEqual([answer.go, answer.reason], [false, 'owner_not_told']);
  });
  it('asks no one who may not be texted, and still notifies the owner about an unhappy one', async () => {
    const routed = (rating: number) =>
      run('review-request', 'route_rating', event('review-request', { ...job, rating }, {}, { noText: NO_TEXT }));
    assert.equal((await routed(5)).reason, 'number_not_textable');
    assert.equal((await routed(1)).out['byMail'], true);
  });
  it('passes on what a happy customer wrote and allowed to be quoted, by first name and without links, and nothing else', async () => {
    const said = { ...job, comment: 'Great work! See www.evil.example or +1 900 555 0199', mayQuote: true };
    const quote = (await route(said)).out['quote'];
    assert.deepEqual(quote, { words: 'Great work! See or', customer: 'Ada', rating: 5 });
    for (const change of [{ mayQuote: false }, { mayQuote: undefined }, { rating: '' }, { comment: '' }, { customerName: 'evil.example' }])
      assert.equal((await route({ ...said, ...change })).out['quote'], null, JSON.stringify(change));
    assert.equal((await route({ ...said, rating: 2 })).out['quote'], undefined);
  });
  for (const [field, value] of [
    ['consent', undefined],
    ['mayQuote', true],
    ['may_quote', true],
    ['quote_consent', true],
  ] as const)
    it(`takes the box “${field}” of a form ${value ? 'for the permission to quote' : 'for another one, such as to be texted'}`, () => {
      const template = findBundle('review-request')?.template;
      assert.ok(template);
      const sent = mapAliases(template, { customerName: 'Ada', customerPhone: '+13125550121', [field]: 'on' });
      const read = readInput(template, sent, { timezone: 'America/Chicago', countries: ['US'], locale: 'en' });
      assert.equal('input' in read ? read.input['mayQuote'] : 'refused', value);
    });
  it('names no service that could be tapped', async () => {
    const text = async (service: string) =>
      String((await route({ ...job, service }, { askText: 'About {service}: {reviewUrl}' })).out['text']);
    assert.match(
      await text('Roof/siding 2.0, call +1 900 555 0199 or Evil.Com evil.example/x http://x.example'),
      /^About Roof\/siding 2\.0, call or Evil\. Com: /,
    );
  });
  it('asks no one whose rating came as an object or a list', async () => {
    const template = findBundle('review-request')?.template;
    assert.ok(template);
    for (const rating of [{ value: 1 }, { score: 1, max: 5 }, [{ value: 1 }]]) {
      const read = readInput(template, { ...job, rating }, US);
      assert.ok('input' in read);
      const facts = { leftOut: leftOut(read.understood) };
      const answer = await run('review-request', 'route_rating', event('review-request', read.input, {}, facts));
      assert.deepEqual([answer.go, answer.reason], [false, 'rating_not_understood']);
    }
  });
  const ratings: [rating: string, value: number | null][] = [
    ['4', 4],
    ['4.0', 4],
    ['3,5', 3.5],
    ['2/5', 2],
    ['2 of 5', 2],
    ['2 out of 5 stars', 2],
    ['2 von 5', 2],
    ['2 de 5', 2],
    ['4/10', 2],
    ['3 stars', 3],
    ['1 Stern', 1],
    ['3★', 3],
    ['★★☆☆☆', 2],
    ['⭐⭐', 2],
    ['⭐️⭐️⭐️', 3],
    ['TWO', 2],
    ['0', 0],
    ...['great', '!', '90%', '#DIV/0!', '10', '6', '-1', '11/10', '7/5', '4 5', 'NaN', '1e1', '★★★★★★', '2/0'].map(
      (one): [string, null] => [one, null],
    ),
  ];
  for (const [rating, value] of ratings)
    it(`reads “${rating}” as ${value ?? 'no rating, which ends the run instead of asking'}`, async () => {
      const answer = await route({ ...job, rating }, { minRating: 5 });
      if (value === null) assert.deepEqual([answer.go, answer.reason], [false, 'rating_not_understood']);
      else assert.deepEqual([answer.out['byMail'], answer.out['rating']], [true, value]);
    });
});

describe('ai-faq-reply', () => {
  const message = { from: '+13125550121', body: 'When do you open?', to: '+13125550100' };
  const decide = (content: string, question = message.body) =>
    run('ai-faq-reply', 'decide_reply', {
      ...event('ai-faq-reply', message, { handoffEmail: 'desk@oak.example' }),
      answer: [{ message: { content } }],
      question,
    });

  it('takes from the model only that someone asks for no more texts, and returns the number', async () => {
    for (const stop of ['true', '"true"']) {
      const answer = await decide(`{"answer": "At nine.", "confidence": 0.9, "stop": ${stop}}`);
      assert.deepEqual([answer.go, answer.reason, answer.out['optOut']], [false, 'opted_out', '+13125550121']);
    }
    for (const stop of ['false', 'null', '"no"', '{}'])
      assert.equal((await decide(`{"answer": "At nine.", "confidence": 0.9, "stop": ${stop}}`)).out['byText'], true, stop);
    const listed = event('ai-faq-reply', { ...message, body: 'START' }, {}, { onStopList: true });
    assert.equal((await run('ai-faq-reply', 'check_message', listed)).reason, 'on_stop_list', 'no model is asked to lift an opt-out');
  });
  it('answers no machine, by what the model says of the text', async () => {
    const automatic = await decide('{"answer": "You are welcome!", "confidence": 0.9, "stop": false, "automatic": true}');
    assert.deepEqual([automatic.go, automatic.reason, automatic.out], [false, 'automatic_text', {}]);
    const { out } = await decide('{"answer": "At nine.", "confidence": 0.9, "stop": false, "automatic": ""}');
    assert.equal(out['byText'], true);
  });
  it('hands a text over by mail, without asking a model, where the writer opted out or lives abroad', async () => {
    const desk = { handoffEmail: 'desk@oak.example' };
    const abroad = { noText: { reason: 'country_not_allowed', message: 'This number is in a country that this business does not text' } };
    for (const [facts, mayNot, says] of [
      [{ onStopList: true }, 'on_stop_list', /has asked not to get texts\.\n\nFrom: \+13125550121\n\nThey wrote:\nWhen do you open\?$/],
      [abroad, 'country_not_allowed', /in a country that this business does not text\.\n\nFrom: .*\n\nThey wrote:\nWhen do you open\?$/],
    ] as const) {
      const read = (config: object, given: object = {}) =>
        run('ai-faq-reply', 'check_message', event('ai-faq-reply', { ...message, ...given }, config, facts));
      const { go, out } = await read(desk);
      assert.deepEqual([go, out], [true, { from: message.from, mayNot }]);
      const decided = await run('ai-faq-reply', 'decide_reply', {
        ...event('ai-faq-reply', message, desk, facts),
        mayNot,
        answer: '',
        question: '',
      });
      assert.deepEqual([decided.out['byText'], decided.out['byMail'], decided.out['mayNot']], [false, true, mayNot]);
      assert.match((decided.out['mail'] as { text: string }).text, says);
      assert.equal((await read({ ...desk, handoffEmail: '' })).reason, mayNot, 'without anyone to hand over to');
      assert.equal((await read(desk, { body: '' })).reason, mayNot, 'without words');
    }
  });
  it('puts the FAQ of the profile into the task', async () => {
    const barred = (body: string) =>
      run('ai-faq-reply', 'check_message', event('ai-faq-reply', { ...message, body }, {}, { noText: NO_TEXT }));
    assert.equal((await barred('Open?')).reason, 'number_not_textable');
    const answer = await run('ai-faq-reply', 'check_message', event('ai-faq-reply', message));
    assert.match(String(answer.out['system']), /We open at nine\./);
  });
  it('reads a text whole, as long as phone providers pass one on, and hands it over whole under the subject of its preview', async () => {
    // Ten segments of an SMS joined, and the most of WhatsApp.
    for (const length of [1_590, 4_096]) {
      const body = `${'My boiler leaks. '.repeat(300).slice(0, length - 10)} QUESTION?`;
      const { question } = (await run('ai-faq-reply', 'check_message', event('ai-faq-reply', { ...message, body }))).out;
      assert.equal(question, body);
      const { mail } = (await decide('{"answer": "", "confidence": 0.3}', body)).out as { mail: { subject: string; text: string } };
      assert.ok(mail.text.includes(body));
      const preview = findBundle('ai-faq-reply')?.template.messages?.find(({ step }) => step === 'hand_over');
      assert.equal(mail.subject, preview?.subject);
    }
  });
  it('replies when sure, and hands over when unsure or unreadable', async () => {
    assert.equal((await decide('{"answer": "At nine.", "confidence": 0.9}')).out['byText'], true);
    assert.equal((await decide('{"answer": "At nine.", "confidence": 0.3}')).out['byMail'], true);
    assert.equal((await decide('no idea')).out['byMail'], true);
    assert.equal((await decide('{"answer": "We open at [time].", "confidence": 0.9}')).out['byMail'], true, 'a place left open');
    for (const [content, unfit, says] of [
      [`{"answer": "${'x'.repeat(560)}", "confidence": 0.95}`, 'too_long', /^The agent’s answer to this text was too long to be sent\./],
      ['{"answer": "We open at [time].", "confidence": 0.95}', 'placeholder', /^The agent’s answer to this text left a place open\./],
      ['no idea', 'no_answer', /^The language model gave no answer to this text that could be used\./],
      ['{"answer": "", "confidence": 0.95}', 'no_answer', /^The language model gave no answer/],
      ['{"answer": "", "confidence": 0.2}', undefined, /^A text the agent was not sure about \(confidence 20 %\)\./],
      [`{"answer": "${'x'.repeat(560)}", "confidence": 0.2}`, undefined, /^A text the agent was not sure about/],
    ] as const) {
      const { out } = await decide(content);
      assert.deepEqual([out['byMail'], out['unfit']], [true, unfit], content);
      assert.match((out['mail'] as { text: string }).text, says);
    }
    assert.deepEqual((await decide('{"answer": "At nine.", "confidence": 30}')).out['confidence'], 0.3);
    assert.deepEqual((await decide('{"answer": "At nine.", "confidence": 90}')).out['byText'], true);
    for (const confidence of ['101', '-1', 'null', '"sure"']) {
      const { out } = await decide(`{"answer": "At nine.", "confidence": ${confidence}}`);
      assert.deepEqual([out['byMail'], out['confidence'], out['unread']], [true, 0, undefined], confidence);
    }
  });
});

const OWN_GROUP = { Precedence: 'list', 'List-ID': '<info.oak.example>', 'List-Post': '<mailto:info@oak.example>' };

describe('ai-email-triage', () => {
  const mail = { fromEmail: 'ada@example.com', subject: 'Invoice', text: 'Please check.' };
  const check = (answer: object, input: object = mail, config: object = {}) =>
    run('ai-email-triage', 'check_answer', {
      ...event('ai-email-triage', input, { autoReply: true, ...config }),
      answer: [{ text: JSON.stringify(answer) }],
    });
  const calm = { label: 'Billing', urgent: false, summary: 'An invoice.', reply: 'Thank you, we will check it today.' };

  it('notifies the owner of urgent mail and answers the rest', async () => {
    const urgent = await check({ ...calm, urgent: true });
    assert.deepEqual([urgent.out['toOwner'], urgent.out['toSender'], urgent.out['label']], [true, false, 'billing']);
    const simple = await check(calm);
    assert.deepEqual([simple.out['toOwner'], simple.out['toSender'], simple.out['contacted']], [false, true, 'ada@example.com']);
  });
  it('knows a label by its words, also one that was saved with a blank behind it', async () => {
    assert.equal((await check(calm, mail, { labels: ['billing ', ' ', 'other'] })).out['label'], 'billing');
    assert.equal((await check({ ...calm, label: 'none of these' }, mail, { labels: ['billing', 'other', ''] })).out['label'], 'other');
  });
  it('never answers a machine, itself, or unless it was switched on', async () => {
    assert.equal((await check(calm, { ...mail, fromEmail: 'no-reply@x.example' })).out['toSender'], false);
    assert.equal((await check(calm, { ...mail, fromEmail: 'hello@oak.example' })).out['toSender'], false);
    assert.equal((await check(calm, mail, { autoReply: false })).out['toSender'], false);
  });
  const unanswerable: [string, string, string][] = [
    ['no-reply@x.example', 'no_reply_address', 'Nobody reads mails at this address'],
    ['noreply+a1@x.example', 'no_reply_address', 'Nobody reads mails at this address'],
    ['no_reply.de@x.example', 'no_reply_address', 'Nobody reads mails at this address'],
    ['MAILER-DAEMON@mx.example', 'no_reply_address', 'Nobody reads mails at this address'],
    ['bounces+77-ada=example.com@relay.example', 'no_reply_address', 'Nobody reads mails at this address'],
    ['Hello@oak.example', 'own_address', 'The mail came from the business itself'],
    ['', 'no_sender', 'The mail names no sender to answer'],
  ];
  for (const [fromEmail, reason, message] of unanswerable)
    it(`says why no one can answer “${fromEmail}”, keeps what was sorted, and mails it when it is urgent`, async () => {
      const answer = await check(calm, { ...mail, fromEmail });
      assert.deepEqual([answer.go, answer.reason, answer.message], [false, reason, message]);
      assert.deepEqual([answer.out['label'], answer.out['summary'], answer.out['toSender']], ['billing', 'An invoice.', false]);
      const sorted = await check(calm, { ...mail, fromEmail }, { autoReply: false });
      assert.deepEqual([sorted.go, sorted.out['toSender']], [true, false]);
      const urgent = await check({ ...calm, urgent: true }, { ...mail, fromEmail });
      assert.deepEqual([urgent.go, urgent.out['toOwner'], urgent.out['urgent']], [true, true, true]);
    });
  it('mails its owner no urgent mail that the owner wrote or has, such as its own, which the mailbox of the owner forwards to it', async () => {
    type OwnMail = { reply_to: string; subject: string; text: string; html: string };
    for (const ownerLocale of ['en', 'de', 'es']) {
      const first = await run('ai-email-triage', 'check_answer', {
        ...event('ai-email-triage', mail, {}, {}, { ownerLocale }),
        answer: [{ text: JSON.stringify({ ...calm, urgent: true }) }],
      });
      const { reply_to: replyTo, subject, text, html } = first.out['mail'] as OwnMail;
      for (const autoReply of [true, false])
        for (const came of [
          { fromEmail: 'hello@oak.example', replyTo, subject, text },
          { fromEmail: 'hello@oak.example', replyTo, subject, text: html },
          { fromEmail: 'Owner@oak.example', replyTo, subject: `Fwd: ${subject}`, text: `-----\n${text}` },
          { fromEmail: 'owner@oak.example', subject: `FW: ${subject}`, text: 'See below.' },
        ]) {
          const { go, reason, out } = await check({ ...calm, urgent: true }, came, { autoReply });
          assert.deepEqual([go, reason, out['toOwner'], out['label'], out['mail']], [false, 'own_address', false, 'billing', undefined]);
        }
      const answered = { ...mail, subject: `Re: ${mail.subject}`, text: `It got worse!\n> ${text}` };
      assert.equal((await check({ ...calm, urgent: true }, answered)).out['toOwner'], true, 'a customer who quotes it');
    }
    for (const fromEmail of ['hello@oak.example', 'owner@oak.example']) {
      const form = await check({ ...calm, urgent: true }, { ...mail, fromEmail, replyTo: 'ada@example.com' });
      assert.equal(form.out['toOwner'], true, 'a form of the website');
    }
    const bare = await check({ ...calm, urgent: true }, { ...mail, fromEmail: 'hello@oak.example', replyTo: undefined });
    assert.equal(bare.out['toOwner'], true, 'a form of the website that names no address of its writer');
  });
  it('answers no owner who forwards a mail by hand, and the writer of a form that the owner’s address passes on', async () => {
    const forwarded = await check(calm, { ...mail, fromEmail: 'Owner@oak.example', subject: 'WG: Anfrage' });
    assert.deepEqual([forwarded.go, forwarded.reason, forwarded.out['toSender']], [false, 'own_address', false]);
    const form = await check(calm, { ...mail, fromEmail: 'owner@oak.example', replyTo: 'ada@example.com' });
    assert.deepEqual([form.out['toSender'], form.out['contacted']], [true, 'ada@example.com']);
  });
  const automatic: [what: string, event: object][] = [
    ['an automatic reply (RFC 3834)', { 'Auto-Submitted': 'auto-replied' }],
    ['a generated mail, in another case', { 'auto-submitted': 'Auto-Generated; owner-email="a@x.example"' }],
    ['a newsletter', { Precedence: 'bulk' }],
    ['a mailing list', { precedence: 'list' }],
    ['a mail that one can unsubscribe from', { 'List-Unsubscribe': '<https://x.example/leave>' }],
    ['a responder of old', { 'X-Autoreply': 'yes' }],
    ['Exchange, which wants no answer by a machine', { 'X-Auto-Response-Suppress': 'DR, OOF, AutoReply' }],
    ['a bounce', { 'Return-Path': '<>' }],
    ['Mailgun, in its list of headers', { 'message-headers': '[["Received","by mx1"],["Auto-Submitted","auto-replied"]]' }],
    ['SendGrid, in its text of headers', { headers: 'Received: by mx1\r\n by mx2\r\nPrecedence:\r\n bulk\r\nTo: a@x.example' }],
    ['Postmark, in its objects', { Headers: [{ Name: 'List-Id', Value: '<news.x.example>' }] }],
    ['a gateway, in an object', { headers: { 'auto-submitted': 'auto-replied' } }],
    ...[
      '[Ticket #812] We have received your request',
      'We have received your message',
      'Automatic reply: Invoice',
      'AW: Automatische Antwort: Rechnung',
      'Out of office: back on Monday',
      'Out of the Office Re: Invoice',
      'Abwesenheitsnotiz: Rechnung',
      'Abwesenheit: Rechnung',
      'Abwesend: Rechnung',
      'Abwesend',
      'Nicht im Büro: Rechnung',
      'Wir haben Ihre Anfrage erhalten',
      'Ausente: Factura',
      'RE: Ausencia: Factura',
      'Absent : Facture',
      'OOO: Invoice',
      'Respuesta automática: Factura',
      'Fuera de la oficina',
      'Hemos recibido su solicitud',
      'Réponse automatique : Facture',
      'Undeliverable: Invoice',
      'Delivery Status Notification (Failure)',
      '[Request received] Invoice',
      'Ticket Received - Invoice',
      'Your request (#4711) has been received',
      'Eingangsbestätigung Ihrer Anfrage',
      'Ihre Nachricht ist bei uns eingegangen',
      'Confirmación de recepción',
    ].map((subject): [string, object] => [`“${subject}”`, { subject }]),
  ];
  for (const [what, came] of automatic)
    it(`answers no machine: ${what}`, async () => {
      const answer = await check(calm, { ...mail, ...came });
      assert.deepEqual(
        [answer.go, answer.reason, answer.out['toSender'], answer.out['label']],
        [false, 'automatic_mail', false, 'billing'],
      );
      assert.equal((await check({ ...calm, urgent: true }, { ...mail, ...came })).out['toOwner'], true);
      assert.equal((await check(calm, { ...mail, ...came }, { autoReply: false })).go, true);
    });
  it('answers no machine that the language model knows, and asks it about that', async () => {
    const answer = await check({ ...calm, automatic: true });
    assert.deepEqual([answer.go, answer.reason, answer.out['label']], [false, 'automatic_mail', 'billing']);
    assert.equal((await check({ ...calm, automatic: 'false' })).out['toSender'], true);
    assert.equal((await check({ ...calm, automatic: true, urgent: true })).out['toOwner'], true);
    assert.match(JSON.stringify(findBundle('ai-email-triage')?.template.steps), /automatic is true only if no person wrote the mail/);
  });
  it('answers one person once in the hours of the settings, so that two machines do not write without end', async () => {
    const again = (minutes: number, config: object = {}, urgent = false) =>
      run('ai-email-triage', 'check_answer', {
        ...event(
          'ai-email-triage',
          mail,
          { autoReply: true, ...config },
          { lastContactAt: new Date(Date.parse(NOW) - minutes * 60_000).toISOString() },
        ),
        answer: [{ text: JSON.stringify({ ...calm, urgent }) }],
      });
    const soon = await again(1);
    assert.deepEqual([soon.go, soon.reason, soon.out['label']], [false, 'recently_contacted', 'billing']);
    assert.equal((await again(61)).out['toSender'], true);
    assert.equal((await again(1, { repeatAfterHours: 0 })).out['toSender'], true);
    assert.equal((await again(1, {}, true)).out['toOwner'], true);
  });
  for (const [what, came, reason] of [
    ['of its website', { fromEmail: 'wordpress@oak.example' }, 'own_domain'],
    ['below its domain', { fromEmail: 'form@www.oak.example' }, 'own_domain'],
    ['of its group, in place of the writer', { fromEmail: 'info@oak.example', ...OWN_GROUP }, 'own_domain'],
    ['of its group, which is its sender address', { fromEmail: 'hello@oak.example', ...OWN_GROUP }, 'own_domain'],
    ['of its group, to which answers go', { replyTo: 'owner@oak.example', ...OWN_GROUP }, 'own_domain'],
    ['of its website, by a machine', { fromEmail: 'backup@oak.example', 'Auto-Submitted': 'auto-generated' }, 'automatic_mail'],
    ['of its group, which names the writer', { fromEmail: 'hello@oak.example', replyTo: 'ada@example.com', ...OWN_GROUP }, undefined],
    ['of another business', { fromEmail: 'wordpress@notoak.example' }, undefined],
  ] as const)
    it(`answers no address of the business in place of a customer: ${what}`, async () => {
      const answer = await check(calm, { ...mail, ...came });
      assert.deepEqual([answer.reason, answer.out['toSender']], [reason, reason === undefined]);
    });
  it('tells the owner and the language model of attachments that no one passes on', async () => {
    for (const [came, count] of [
      [{ attachments: '2' }, 2],
      [{ 'attachment-count': '1' }, 1],
      [{ attachments: [{ Name: 'roof.jpg' }] }, 1],
      [{ attachments: 'none' }, 0],
    ] as const) {
      const { out } = await run('ai-email-triage', 'read_mail', event('ai-email-triage', { ...mail, ...came }));
      assert.equal(out['attachments'], count);
      assert.equal(/\nAttachments, which you do not see: \d/.test(String(out['prompt'])), count > 0);
    }
    const { out } = await run('ai-email-triage', 'check_answer', {
      ...event('ai-email-triage', mail),
      attachments: 2,
      answer: [{ text: JSON.stringify({ ...calm, urgent: true }) }],
    });
    assert.match((out['mail'] as { text: string }).text, /\nSubject: Invoice\nAttachments \(not passed on\): 2\n/);
  });
  const byPeople: object[] = [
    { 'Auto-Submitted': 'no', Precedence: 'normal', 'Return-Path': '<ada@example.com>' },
    { headers: 'Received: by mx1\r\nSubject: about Auto-Submitted: auto-replied\r\n\r\nPrecedence: bulk' },
    { headers: 'not JSON', 'message-headers': '[["Received"', Headers: [null, 7, 'List-Id'] },
    { 'X-Auto-Response-Suppress': 'None', list: 'List-Id: x', 'List-Id': '' },
    ...[
      'Re: [Ticket #812] Still broken',
      'Is the office out of order?',
      'Out of office hours appointment?',
      'My automatic door does not reply',
      'Abwesend am Freitag, bitte Termin verschieben',
      'Ausencia en la cita de ayer',
      'I have received your invoice',
    ].map((subject) => ({ subject })),
  ];
  for (const came of byPeople)
    it(`answers a person: ${JSON.stringify(came)}`, async () => {
      const answer = await check(calm, { ...mail, ...came });
      assert.deepEqual([answer.go, answer.out['toSender']], [true, true]);
    });
  // As Google adds them to each mail to a group; Groups of a Workspace are at the domain of the business.
  const group = (domain: string, more: Record<string, string> = {}): Record<string, string> => ({
    Precedence: 'list',
    'Mailing-list': `list info@${domain}; contact info+owners@${domain}`,
    'List-ID': `<info.${domain}>`,
    'List-Post': `<https://groups.google.com/a/${domain}/group/info/post>, <mailto:info@${domain}>`,
    'List-Help': `<https://support.google.com/a/${domain}/bin/topic.py?topic=25838>, <mailto:info+help@${domain}>`,
    'List-Archive': `<https://groups.google.com/a/${domain}/group/info/>`,
    'List-Unsubscribe': `<mailto:googlegroups-manage+1+unsubscribe@googlegroups.com>, <https://groups.google.com/a/${domain}/group/info/subscribe>`,
    ...more,
  });
  const asText = (headers: Record<string, string>) => ({
    headers: Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}`)
      .join('\r\n'),
  });
  for (const [what, came, config] of [
    ['as fields', group('oak.example'), {}],
    ['as a text of headers', asText(group('oak.example')), {}],
    ['by a sender address below the domain of the business', group('oak.example'), { fromAddress: 'hello@mail.oak.example' }],
    [
      'by a sender address elsewhere, and the owner at the domain',
      group('oak.example'),
      { fromAddress: 'oak@agency.example', ownerEmail: 'o@Oak.example' },
    ],
  ] as const)
    it(`answers a person who wrote to a group of the business: ${what}`, async () => {
      const answer = await check(calm, { ...mail, ...came }, config);
      assert.deepEqual([answer.go, answer.out['toSender']], [true, true], answer.reason);
    });
  for (const [what, came] of [
    ['of others', group('club.example')],
    ['of a domain whose end alone is that of the business', group('notoak.example')],
    [
      'of others, with the reader’s address in its link',
      group('club.example', { 'List-Unsubscribe': '<https://club.example/?info@oak.example>' }),
    ],
    ['of the business, to which another list wrote', group('oak.example', { 'List-Id': '<news.shop.example>' })],
    [
      'of the business, to which a newsletter wrote',
      asText({ ...group('oak.example'), 'list-unsubscribe': '<https://news.example/leave>' }),
    ],
    [
      'of the provider of the owner, which no one writes to',
      { 'List-Id': '<news.oak.example>', 'List-Unsubscribe': '<https://oak.example/leave>' },
    ],
    ['of the business, to which a machine wrote', group('oak.example', { 'Auto-Submitted': 'auto-replied' })],
    ['that no header names', { Precedence: 'list' }],
  ] as const)
    it(`answers no mail of a list ${what}`, async () => {
      assert.equal((await check(calm, { ...mail, ...came })).reason, 'automatic_mail');
    });
  it('marks its answer as one of a machine (RFC 3834), which other machines leave alone', async () => {
    assert.deepEqual(((await check(calm)).out['mail'] as { headers: object }).headers, {
      'Auto-Submitted': 'auto-replied',
      'X-Auto-Response-Suppress': 'All',
    });
    assert.equal(((await check({ ...calm, urgent: true })).out['mail'] as { headers?: object }).headers, undefined);
  });
  it('says that it held an answer back, and why', async () => {
    const heldBack = async (reply: string, config: object = {}) => (await check({ ...calm, reply }, mail, config)).out['heldBack'];
    assert.equal(await heldBack('Please look at https://x.example today.'), 'web_address');
    assert.equal(await heldBack('Thanks.'), 'too_short');
    assert.equal(await heldBack(calm.reply), undefined);
    assert.equal(await heldBack('Please look at https://x.example today.', { autoReply: false }), undefined);
  });
  it('answers the address of the sender', async () => {
    const answer = await check(calm, { ...mail, fromEmail: 'Ada@example.com' });
    assert.deepEqual([answer.out['contacted'], (answer.out['mail'] as { to: string[] }).to], ['ada@example.com', ['Ada@example.com']]);
    const ordinary = await check(calm, { ...mail, fromEmail: 'notification.office@x.example' });
    assert.equal(ordinary.out['toSender'], true);
  });
  it('answers where the mail of a contact form wants its answers, and lets the owner reply there', async () => {
    const form = { ...mail, fromEmail: 'wordpress@oak.example', replyTo: 'Ada@example.com' };
    const { go, out } = await check(calm, form);
    assert.deepEqual([go, out['contacted'], (out['mail'] as { to: string[] }).to], [true, 'ada@example.com', ['Ada@example.com']]);
    assert.equal((await check(calm, { ...form, fromEmail: 'no-reply@forms.example' })).out['contacted'], 'ada@example.com');
    assert.equal((await check(calm, { ...mail, replyTo: 'no-reply@forms.example' })).reason, 'no_reply_address');
    assert.equal((await check(calm, { ...form, fromEmail: 'hello@oak.example' })).reason, 'own_address', 'its own mail to the owner');
    const owner = (await check({ ...calm, urgent: true }, form)).out['mail'] as { reply_to: string; text: string };
    assert.equal(owner.reply_to, 'Ada@example.com');
    assert.match(owner.text, /\nFrom: wordpress@oak\.example\nReply to: Ada@example\.com\nSubject: Invoice\n/);
  });
  it('answers no one whose address is on the stop list, also where it is the one for answers', async () => {
    const noMail = { reason: 'on_stop_list', message: 'This person has asked not to be written to' };
    const listed = await run('ai-email-triage', 'check_answer', {
      ...event('ai-email-triage', { ...mail, replyTo: 'bo@example.com' }, { autoReply: true }, { noMail }),
      answer: [{ text: JSON.stringify(calm) }],
    });
    assert.deepEqual([listed.go, listed.out['toSender'], listed.out['label']], [true, false, 'billing']);
  });
  it('keeps to the labels of the settings', async () => {
    assert.equal((await check({ ...calm, label: 'made up' })).out['label'], 'other');
  });
  it('sends no link in its answer or its subject, since the sender of a mail may be another than it says', async () => {
    const mailOf = async (reply: string, subject: string) =>
      (await check({ ...calm, reply }, { ...mail, subject })).out['mail'] as { subject: string } | undefined;
    for (const reply of ['Please look at https://x.example today.', 'Please look at evil.example/x today.'])
      assert.equal(await mailOf(reply, 'Invoice'), undefined, reply);
    assert.equal((await mailOf(calm.reply, 'Re: Win at http://x.example, call +1 900 555 0199'))?.subject, 'Re: Win at call');
    assert.equal((await mailOf(calm.reply, 'RE: Invoice 1024 of Oak St.'))?.subject, 'Re: Invoice 1024 of Oak St.');
  });
});

describe('daily-sql-report', () => {
  const config = { recipients: ['owner@oak.example'], query: 'select 1' };
  const build = (extra: object, runDate: string = '2027-01-05') =>
    run('daily-sql-report', 'build_table', { ...event('daily-sql-report', { runDate }, config), ...extra });

  it('compares the day with the one a week before', async () => {
    const columns = ['day', 'orders', 'note'];
    const rows = [
      { day: '2026-12-29T00:00:00.000Z', orders: '40', note: 'a' },
      { day: '2027-01-05', orders: 50, note: '<b>' },
    ];
    const { out } = await build({ columns, rows, truncated: false });
    assert.deepEqual(out['changes'], ['orders: 50 (+25 % against 2026-12-29)']);
    assert.match((out['mail'] as { html: string }).html, /&lt;b&gt;/);
  });
  const dayRows: [what: string, timezone: string, days: [earlier: string, day: string, next: string]][] = [
    [
      'that begin at midnight in Berlin',
      'Europe/Berlin',
      ['2026-12-28T23:00:00.000Z', '2027-01-04T23:00:00.000Z', '2027-01-05T23:00:00.000Z'],
    ],
    [
      'that begin at midnight in Auckland',
      'Pacific/Auckland',
      ['2026-12-28T11:00:00.000Z', '2027-01-04T11:00:00.000Z', '2027-01-05T11:00:00.000Z'],
    ],
    [
      'that begin at midnight in Chicago',
      'America/Chicago',
      ['2026-12-29T06:00:00.000Z', '2027-01-05T06:00:00.000Z', '2027-01-06T06:00:00.000Z'],
    ],
    ['in UTC, east of it', 'Europe/Berlin', ['2026-12-29T00:00:00.000Z', '2027-01-05T00:00:00.000Z', '2027-01-06T00:00:00.000Z']],
    ['in UTC, west of it', 'America/Chicago', ['2026-12-29T00:00:00.000Z', '2027-01-05T00:00:00.000Z', '2027-01-06T00:00:00.000Z']],
    ['without a zone, east of UTC', 'Asia/Tokyo', ['2026-12-29T00:00:00', '2027-01-05T00:00:00', '2027-01-06T00:00:00']],
    ['without a zone, west of UTC', 'America/Chicago', ['2026-12-29T00:00:00', '2027-01-05T00:00:00', '2027-01-06T00:00:00']],
    ['without a time', 'America/Chicago', ['2026-12-29', '2027-01-05', '2027-01-06']],
    [
      'that are moments, east of UTC',
      'Europe/Berlin',
      ['2026-12-29T11:30:00.000Z', '2027-01-04T23:30:00.000Z', '2027-01-05T23:30:00.000Z'],
    ],
  ];
  for (const [what, timezone, [earlier, day, next]] of dayRows)
    it(`compares and shows days ${what} as those of the business`, async () => {
      const rows = [
        { day: earlier, orders: 40 },
        { day, orders: 50 },
        { day: next, orders: 2 },
      ];
      for (const ordered of [rows, rows.toReversed()]) {
        const { out } = await run('daily-sql-report', 'build_table', {
          ...event('daily-sql-report', { runDate: '2027-01-05' }, config, {}, { timezone }),
          columns: ['day', 'orders'],
          rows: ordered,
          truncated: false,
        });
        assert.deepEqual(out['changes'], ['orders: 50 (+25 % against 2026-12-29)']);
        assert.match((out['mail'] as { text: string }).text, /^2027-01-05\S*(?: 00:30)?\t50$/m);
        assert.doesNotMatch((out['mail'] as { text: string }).text, /Z\t/);
      }
    });
  it('shows moments in any column as the clock of the business does', async () => {
    const rows = [{ day: '2027-01-05', last: '2027-01-05T23:07:00.000Z', text: 'at 2027-01-05T23:07:00.000Z', never: null }];
    const { out } = await build({ columns: ['day', 'last', 'text', 'never'], rows, truncated: false });
    assert.match((out['mail'] as { text: string }).text, /^2027-01-05\t2027-01-05 17:07\tat 2027-01-05T23:07:00\.000Z$/m);
  });
  it('mails a report without rows, and says so', async () => {
    const { out } = await build({ columns: [], rows: [], truncated: '' });
    assert.match((out['mail'] as { text: string }).text, /found no rows/);
  });
  it('takes yesterday in the time zone of the client when no day is given', async () => {
    assert.equal((await build({ columns: [], rows: [] }, '')).out['day'], '2027-01-05');
  });
  it('is about the day that it is for the business', async () => {
    const dayOf = async (runDate: string) => (await build({ columns: ['day'], rows: [], truncated: false }, runDate)).out['day'];
    assert.equal(await dayOf('2027-01-06T03:00:00Z'), '2027-01-05');
    assert.equal(await dayOf('2027-01-05T00:00:00-06:00'), '2027-01-05');
    assert.equal(await dayOf('2027-01-06T06:00:00Z'), '2027-01-06');
  });
});

describe('a daily report of several rows', () => {
  const build = async (columns: string[], rows: unknown[][]) => {
    const config = { recipients: ['owner@oak.example'], query: 'select 1' };
    const inputs = { ...event('daily-sql-report', { runDate: '2027-01-05' }, config), columns, rows, truncated: false };
    const { out } = await run('daily-sql-report', 'build_table', inputs);
    return { changes: out['changes'], text: (out['mail'] as { text: string }).text };
  };

  it('for a day compares no product with another', async () => {
    const day = (date: string, ...sold: [string, number][]) => sold.map(([product, count]) => [date, product, count]);
    const columns = ['day', 'product', 'sold'];
    const now = day('2027-01-05', ['Brakes', 4], ['Tyres', 90]);
    const then = day('2026-12-29', ['Oil', 200], ['Brakes', 3]);
    assert.deepEqual((await build(columns, [...now, ...then])).changes, []);
    assert.deepEqual((await build(columns, [...now, ...then.slice(0, 1)])).changes, []);
    assert.deepEqual((await build(columns, [...now.slice(0, 1), ...then])).changes, ['sold: 4']);
    assert.deepEqual((await build(columns, [...now.slice(0, 1), ...then.slice(1)])).changes, ['sold: 4 (+33.3 % against 2026-12-29)']);
  });

  const days = Array.from({ length: 365 }, (_, at) => new Date(Date.UTC(2026, 0, 6 + at)).toISOString().slice(0, 10));
  for (const [what, rows] of [
    ['the oldest first', days.map((day, at) => [day, at])],
    ['the newest first', days.map((day, at) => [day, at]).toReversed()],
  ] as const)
    it(`shows the newest days of a query that returns ${what}, in its order`, async () => {
      const { text } = await build(['day', 'orders'], [...rows]);
      const shown = text.split('\n').filter((line) => /^\d{4}-\d\d-\d\d\t/.test(line));
      const wanted = rows.filter(([day]) => days.slice(-100).includes(String(day))).map((row) => row.join('\t'));
      assert.deepEqual(shown, wanted);
      assert.match(text, /Only the newest 100 of 365 rows are shown\./);
    });
  it('without days shows the last rows', async () => {
    const { text } = await build(
      ['name', 'orders'],
      days.map((_, at) => [`row ${at}`, at]),
    );
    assert.match(text, /^row 265\t265\nrow 266\t/m);
    assert.match(text, /Only the last 100 of 365 rows are shown\./);
  });
});

describe('weekly-insight-digest', () => {
  const config = { recipients: ['owner@oak.example'], query: 'select 1' };
  const pack = (columns: string[], rows: unknown[], extra: object = {}, input: object = {}) =>
    run('weekly-insight-digest', 'pack_rows', { ...event('weekly-insight-digest', input, config), columns, rows, ...extra });
  const packed = ({ out }: Answer) => String(out['prompt']).split('\nTable:\n')[1]?.split('\n').slice(1) ?? [];
  /** The days of a year that ends with 2027-01-05. */
  const days = Array.from({ length: 365 }, (_, index) => new Date(Date.UTC(2026, 0, 6 + index)).toISOString().slice(0, 10));

  it('packs the newest rows, and explains nothing when there are none', async () => {
    const rows = Array.from({ length: 300 }, (_, index) => ({ day: index }));
    const answer = await pack(['day'], rows);
    assert.deepEqual([packed(answer).length, packed(answer)[0], packed(answer).at(-1)], [120, '180', '299']);
    assert.equal(answer.out['rowCount'], 120);
    assert.equal((await pack(['day'], [])).reason, 'no_rows');
  });
  const orders: [what: string, rows: { day: string; orders: number }[]][] = [
    ['the oldest first', days.map((day, orders) => ({ day, orders }))],
    ['the newest first', days.map((day, orders) => ({ day, orders })).toReversed()],
    ['in no order', days.map((_, index) => ({ day: days[(index * 7) % 365] ?? '', orders: index }))],
  ];
  for (const [what, rows] of orders)
    it(`packs the newest days of a query that returns ${what}`, async () => {
      const found = packed(await pack(['day', 'orders'], rows)).map((line) => line.split('\t')[0]);
      assert.deepEqual(found, days.slice(-120));
    });
  it('leaves out the oldest of rows that are wide, and counts those that the model gets', async () => {
    const columns = ['day', ...Array.from({ length: 21 }, (_, index) => `figure_${index}`)];
    const rows = days.map((day) => Object.fromEntries(columns.map((column) => [column, column === 'day' ? day : 1234567.89])));
    const answer = await pack(columns, rows);
    const lines = packed(answer);
    assert.ok(String(answer.out['prompt']).length <= 20_000 && lines.length < 120 && lines.length > 50, String(lines.length));
    assert.ok(lines.at(-1)?.startsWith('2027-01-05\t1234567.89\t') && lines.at(-1)?.split('\t').length === 22);
    assert.deepEqual([answer.out['rowCount'], answer.out['found']], [lines.length, 365]);
  });
  it('names the day of the report, and shows days and times as those of the business', async () => {
    const rows = [{ day: '2027-01-05T06:00:00.000Z', last: '2027-01-06T05:07:00.000Z' }];
    for (const input of [{}, { runDate: '2027-01-05' }, { runDate: '2027-01-06T03:00:00Z' }]) {
      const answer = await pack(['day', 'last'], rows, {}, input);
      assert.match(String(answer.out['prompt']), /\nDay of the report: 2027-01-05\./);
      assert.deepEqual(packed(answer), ['2027-01-05\t2027-01-05 23:07']);
    }
  });
  it('says in the mail how many rows it was read from, and that the query found more than are read', async () => {
    const text = async (counts: object) => {
      const answer = 'Orders rose by a tenth, and Thursday was the best day of the week.';
      const { out } = await run('weekly-insight-digest', 'write_mail', {
        ...event('weekly-insight-digest', {}, config),
        answer,
        ...counts,
      });
      return (out['mail'] as { text: string }).text;
    };
    assert.match(await text({ rowCount: 7, found: 7, truncated: false }), /Read from 7 rows\. Written/);
    assert.match(await text({ rowCount: 120, found: 365, truncated: false }), /Read from the last 120 of 365 rows\. Written/);
    assert.match(
      await text({ rowCount: 120, found: 500, truncated: true }),
      /120 of 500 rows\. The query found more rows .* first 500 were read\. Written/,
    );
    const asked = await pack(['day'], [{ day: '2027-01-05' }], { truncated: true });
    assert.match(String(asked.out['prompt']), /only the first 1 were read/);
  });
});

describe('quote-follow-up', () => {
  const quote = {
    customerName: 'Ada Byron',
    quoteUrl: 'https://oak.example/q/1',
    customerEmail: 'ada@example.com',
    sentAt: '2027-01-04T12:00:00Z',
  };
  const check = (input: object, facts: object = {}) => run('quote-follow-up', 'is_due', event('quote-follow-up', input, {}, facts));

  it('nudges by mail when due and says when the next one is', async () => {
    const answer = await check(quote);
    assert.deepEqual([answer.out['byMail'], answer.out['nudge'], answer.out['nextNudgeAt']], [true, 1, '2027-01-09T12:00:00.000Z']);
  });
  it('names all later ones, so that none depends on how this one ends', async () => {
    const later = ['2027-01-09T12:00:00.000Z', '2027-01-14T12:00:00.000Z'];
    const first = await check({ ...quote, sentAt: NOW });
    assert.deepEqual(
      [first.reason, first.out['nextNudgeAt'], first.out['laterNudges']],
      ['not_due', '2027-01-08T18:00:00.000Z', ['2027-01-11T18:00:00.000Z', '2027-01-16T18:00:00.000Z']],
    );
    const due = await check(quote);
    assert.deepEqual([due.out['nextNudgeAt'], due.out['laterNudges']], [later[0], later.slice(1)]);
    const last = await check({ ...quote, sentAt: '2026-12-29T12:00:00Z' });
    assert.deepEqual([last.out['nextNudgeAt'], last.out['laterNudges']], ['2027-01-08T12:00:00.000Z', undefined]);
  });
  it('without a day is nudged once on day 0, also when it is viewed later or run again', async () => {
    const ask = (facts: object) =>
      run('quote-follow-up', 'is_due', event('quote-follow-up', { ...quote, sentAt: undefined }, { delays: [0, 3] }, facts));
    assert.equal((await ask({})).out['nudge'], 1);
    const again = await ask({ lastContactAt: '2027-01-06T16:00:00Z' });
    assert.deepEqual([again.reason, again.out['nextNudgeAt']], ['already_nudged', '2027-01-09T18:00:00.000Z']);
  });
  it('nudges by text without a mail address', async () => {
    const answer = await check({ ...quote, customerEmail: '', customerPhone: '+13125550121' });
    assert.deepEqual([answer.out['byText'], answer.out['contacted']], [true, '+13125550121']);
  });
  it('plans a nudge by text outside of quiet hours, and one by mail at any hour', async () => {
    // Sent at 22:30 in Chicago: the nudges two, five and ten days later fall into quiet hours.
    const late = { ...quote, sentAt: '2027-01-03T04:30:00Z' };
    const inQuiet = { quietHours: '21:00-08:00' };
    const ask = (input: object) => run('quote-follow-up', 'is_due', event('quote-follow-up', input, inQuiet));
    const byText = await ask({ ...late, customerEmail: '', customerPhone: '+13125550121' });
    assert.deepEqual([byText.out['nudge'], byText.out['nextNudgeAt']], [1, '2027-01-08T02:00:00.000Z']);
    const byMail = await ask(late);
    assert.deepEqual([byMail.out['nudge'], byMail.out['nextNudgeAt']], [1, '2027-01-08T04:30:00.000Z']);
  });
  it('that waited until quiet hours had begun goes out by text when they end, unless the next one comes within a day', async () => {
    const ask = (sentAt: string, now: string, config: object = {}) =>
      run(
        'quote-follow-up',
        'is_due',
        event(
          'quote-follow-up',
          { ...quote, sentAt, customerEmail: '', customerPhone: '+13125550121' },
          { quietHours: '21:00-08:00', ...config },
          { now },
        ),
      );
    const plan = ({ reason, out }: Answer) => [reason, out['nextNudgeAt'], out['laterNudges']];
    // At 23:00 and at 02:30 in Chicago.
    const later = ['2027-01-09T18:00:00.000Z', '2027-01-14T18:00:00.000Z'];
    for (const now of ['2027-01-07T05:00:10Z', '2027-01-07T08:30:00Z'])
      assert.deepEqual(plan(await ask('2027-01-04T18:00:00Z', now)), ['quiet_hours', '2027-01-07T14:00:00.000Z', later]);
    assert.deepEqual(plan(await ask('2027-01-04T18:00:00Z', '2027-01-09T08:30:00Z')), ['quiet_hours', later[0], later.slice(1)]);
    assert.deepEqual(plan(await ask('2027-01-04T18:00:00Z', '2027-01-15T08:30:00Z')), [
      'quiet_hours',
      '2027-01-15T14:00:00.000Z',
      undefined,
    ]);
    // The clock is put forward in between.
    assert.deepEqual(plan(await ask('2027-03-10T18:00:00Z', '2027-03-14T05:00:00Z', { delays: [2] })), [
      'quiet_hours',
      '2027-03-14T13:00:00.000Z',
      undefined,
    ]);
  });
  it('says when a link leaves no room in a text', async () => {
    const long = { ...quote, customerEmail: '', customerPhone: '+13125550121', quoteUrl: `https://oak.example/${'q'.repeat(1300)}` };
    assert.equal((await check(long)).fault?.code, 'quote_link_invalid');
  });
  const stops: [string, object, object, string][] = [
    ['it was answered', { ...quote, answered: true }, {}, 'answered'],
    ['it is too early', { ...quote, sentAt: NOW }, {}, 'not_due'],
    ['this nudge went out', quote, { lastContactAt: '2027-01-06T13:00:00Z' }, 'already_nudged'],
    [
      'this nudge went out before the service came back to it',
      quote,
      { lastContactAt: '2027-01-06T13:00:00Z', isPlanned: true },
      'already_nudged',
    ],
    ['all nudges are long past', { ...quote, sentAt: '2026-11-01T12:00:00Z' }, {}, 'all_done'],
    ['no contact can be reached', { ...quote, customerEmail: '' }, {}, 'no_way_to_reach'],
    [
      'the customer may not be texted',
      { ...quote, customerEmail: '', customerPhone: '+19005550199' },
      { noText: NO_TEXT },
      'number_not_textable',
    ],
  ];
  it('fails without a day for a nudge, unless the quote was answered', async () => {
    const never = (input: object) => run('quote-follow-up', 'is_due', event('quote-follow-up', input, { delays: [] }));
    assert.equal((await never(quote)).fault?.code, 'delays_missing');
    assert.equal((await never({ ...quote, answered: true })).reason, 'answered');
  });
  for (const [why, input, facts, reason] of stops) {
    it(`stays silent when ${why}`, async () => assert.equal((await check(input, facts)).reason, reason));
  }
  it('mails no one whose address is on the stop list, and still one whose number alone is', async () => {
    const answer = await check(quote, { onStopList: true, noMail: NO_MAIL });
    assert.deepEqual([answer.go, answer.reason, answer.message], [false, NO_MAIL.reason, NO_MAIL.message]);
    assert.equal((await check({ ...quote, customerPhone: '+13125550121' }, { onStopList: true })).out['byMail'], true);
  });
  it('texts someone whose address alone is on the stop list, and says of no number that it is', async () => {
    const both = { ...quote, customerPhone: '+13125550121' };
    const listed = { onStopList: true, noMail: NO_MAIL };
    for (const config of [{}, { fromAddress: '' }]) {
      const ask = (facts: object) => run('quote-follow-up', 'is_due', event('quote-follow-up', both, config, facts));
      const answer = await ask({ ...listed, numberOnStopList: false });
      assert.deepEqual([answer.out['byText'], answer.out['byMail'], answer.out['contacted']], [true, false, '+13125550121'], answer.reason);
      const onBoth = await ask({ ...listed, numberOnStopList: true });
      assert.deepEqual([onBoth.go, onBoth.reason], [false, 'on_stop_list']);
    }
    const abroad = await check(both, { ...listed, numberOnStopList: false, noText: NO_TEXT });
    assert.deepEqual([abroad.reason, abroad.message], [NO_MAIL.reason, NO_MAIL.message]);
    assert.equal(
      (await check({ ...quote, customerEmail: '', customerPhone: '+13125550121' }, { onStopList: true, numberOnStopList: true })).reason,
      'on_stop_list',
    );
  });
  it('ends with the reason of a customer without mail who withheld their number', async () => {
    const noText = { reason: 'caller_withheld', message: 'The caller withheld their number' };
    const answer = await check({ ...quote, customerEmail: undefined }, { noText });
    assert.deepEqual([answer.go, answer.reason, answer.message], [false, noText.reason, noText.message]);
    assert.equal((await check(quote, { noText })).out['byMail'], true);
    assert.equal((await check({ ...quote, customerEmail: undefined })).reason, 'no_way_to_reach');
  });
});

describe('the state of a quote', () => {
  const quote = {
    customerName: 'Ada Byron',
    quoteUrl: 'https://oak.example/q/2',
    customerEmail: 'ada@example.com',
    sentAt: '2027-01-04T12:00:00Z',
  };
  const template = findBundle('quote-follow-up')?.template;
  const endOf = async (answered: string) => {
    assert.ok(template);
    const read = readInput(template, { ...quote, answered }, { timezone: 'America/Chicago', countries: ['US'], locale: 'en' });
    assert.ok('input' in read);
    const answer = await run('quote-follow-up', 'is_due', event('quote-follow-up', read.input, {}, { leftOut: leftOut(read.understood) }));
    return answer.go ? 'nudged' : answer.reason;
  };

  for (const [states, end] of [
    [
      [
        'Invoiced',
        'converted',
        'Closed Won',
        'closedlost',
        'document.completed',
        'paid',
        'Expired',
        'canceled',
        'zugesagt',
        'Erledigt',
        'pagado',
        'closed_won',
        'CLOSED_LOST',
        'ClosedWon',
        'changes_requested',
        'Sold',
        'Dismissed',
        'document.waiting_pay',
        'aceptada',
        'Rechazada',
        'aprobada',
        'facturada',
      ],
      'answered',
    ],
    [
      [
        ...'sent|Awaiting response|In Review|new|gesendet|visto|awaiting_response|AwaitingResponse|PENDING_APPROVAL|submitted|emailed'.split(
          '|',
        ),
        ...'unanswered|not answered|unbeantwortet|enviada|Vista|pendiente de respuesta|en revision'.split('|'),
        ...'|-|–| — |n/a|N.A.|#N/A|None|null|k. A.'.split('|'),
      ],
      'nudged',
    ],
    [['perhaps', 'In negotiation', '?', 'not closed won'], 'answer_not_understood'],
  ] as const)
    for (const state of states) it(`“${state}”: ${end}`, async () => assert.equal(await endOf(state), end));
});

describe('a preview of a text', () => {
  const phone = '+13125550121';
  const call = { callerNumber: phone, businessNumber: '+13125550100' };
  const visit = { attendeeName: 'Byron, Ada', startTime: '2027-01-06T19:30:00Z', attendeePhone: phone };
  const job = { customerName: 'Mr. Smith', customerPhone: phone, service: 'www.evil.example cleaning' };
  const withoutLinks = { businessProfile: { ...CLIENT.businessProfile, bookingUrl: '' } };
  const line = { optOutLine: '{businessName}: reply STOP to opt out.' };
  for (const [what, template, step, input, config, client] of [
    ['without a link', 'missed-call-text-back', 'check_hours', call, {}, withoutLinks],
    ['with the link of the profile', 'missed-call-text-back', 'check_hours', call, {}, {}],
    [
      'that holds the opt-out line',
      'missed-call-text-back',
      'check_hours',
      call,
      { message: 'Sorry! Reply STOP to opt out. {bookingUrl}' },
      {},
    ],
    ['with a placeholder in the opt-out line', 'missed-call-text-back', 'check_hours', call, line, {}],
    [
      'that is too long',
      'missed-call-text-back',
      'check_hours',
      call,
      { message: `{businessName} ${'{callerNumber} '.repeat(20)} {bookingUrl}` },
      { name: 'Oak '.repeat(400) },
    ],
    ['to a family name and a first name', 'appointment-reminder', 'still_booked', visit, {}, withoutLinks],
    [
      'with a service that holds a link',
      'review-request',
      'route_rating',
      job,
      { askText: 'Hi {firstName}, thanks for the {service}: {reviewUrl}' },
      {},
    ],
  ] as const)
    it(`${what} is the text that is sent`, async () => {
      const inputs = event(template, input, config, {}, client);
      const sent = formOf(await run(template, step, inputs)).get('Body');
      const bundle = findBundle(template);
      assert.ok(bundle && sent);
      const { config: settings, client: shownClient } = inputs as { config: object; client: typeof CLIENT };
      const [shown] = renderPreviews(bundle.template, { input: { ...input }, config: { ...settings }, client: shownClient });
      assert.deepEqual([shown?.body, shown?.characters], [sent, sent.length]);
    });
  it('that is empty shows none, since none is sent', () => {
    const template = findBundle('appointment-reminder')?.template;
    assert.ok(template);
    const [shown] = renderPreviews(template, { input: visit, config: { smsText: '' }, client: CLIENT });
    assert.equal(shown?.body, '');
  });
});

describe('the outcome step', () => {
  const code = (name: string, seen: object) => ({ name, label: name, kind: 'code', seen });
  const call = (name: string, provider: string, seen: object, extra: object = {}) => ({
    name,
    label: name,
    kind: 'http',
    provider,
    seen,
    shown: { sid: 'SM1', empty: '' },
    ...extra,
  });
  const went = { go: true, reason: '', message: '', fault: '', out: { to: '+13125550121', form: 'To=…' } };
  const outcome = async (chain: object[], result: object = {}) => {
    const answer = await run('missed-call-text-back', 'outcome', { run: { executionId: 'e1', workflowId: 'w1' }, chain, result });
    assert.ok(answer.report);
    return answer.report;
  };

  it('reports a successful execution with its result and without outgoing bodies', async () => {
    const report = await outcome([code('check', went), call('send', 'twilio', { status: 201, response: '' })], {
      contacted: '+13125550121',
      nothing: '',
    });
    assert.deepEqual(report, {
      executionId: 'e1',
      workflowId: 'w1',
      status: 'SUCCEEDED',
      output: { contacted: '+13125550121' },
      steps: [
        { name: 'check', status: 'succeeded', output: { to: '+13125550121' } },
        { name: 'send', status: 'succeeded', output: { sid: 'SM1' } },
      ],
    });
  });
  it('reports a stop as a success with its reason, and the rest as skipped', async () => {
    const report = await outcome([
      code('check', { go: false, reason: 'quiet_hours', message: 'Night', fault: '', out: { nextAt: 'x' } }),
      call('send', 'twilio', {}),
    ]);
    assert.equal(report['status'], 'SUCCEEDED');
    assert.deepEqual(report['output'], { skipped: true, nextAt: 'x', reason: 'quiet_hours', message: 'Night' });
    assert.deepEqual(
      (report['steps'] as { status: string }[]).map((step) => step.status),
      ['succeeded', 'skipped'],
    );
  });
  // What they mean is decided by the service (core/provider/refusals.test.ts).
  const refusals: [string, object, string, string][] = [
    [
      'twilio',
      { status: 400, body: { code: 21211, message: 'raw' } },
      'twilio_400_21211',
      'Twilio did not accept the request (400, 21211)',
    ],
    [
      'openai',
      { status: 401, body: { error: { code: 'invalid_api_key', message: 'sk-secret' } } },
      'openai_401_invalid_api_key',
      'OpenAI did not accept the request (401, invalid_api_key)',
    ],
    [
      'anthropic',
      { status: 404, body: { error: { type: 'not_found_error' } } },
      'anthropic_404_not_found_error',
      'Anthropic did not accept the request (404, not_found_error)',
    ],
    [
      'resend',
      { status: 422, body: { name: 'validation_error', message: 'raw' } },
      'resend_422_validation_error',
      'Resend did not accept the request (422, validation_error)',
    ],
    ['twilio', { status: 307, body: '' }, 'twilio_307', 'Twilio did not accept the request (307)'],
    ['resend', { status: 503, body: '' }, 'resend_503', 'Resend did not accept the request (503)'],
    ['calcom', { status: 429, body: {} }, 'calcom_429', 'Cal.com did not accept the request (429)'],
    [
      'postgres',
      { status: 422, body: { code: 'validation_failed', detail: 'The query must be read-only.' } },
      'postgres_validation_failed',
      'The query must be read-only.',
    ],
  ];
  for (const [provider, response, code_, message] of refusals) {
    it(`explains ${code_} in plain words and never passes the original text on`, async () => {
      const report = await outcome([
        call('send', provider, { status: '', response }),
        call('after', 'resend', { status: '', response: '' }),
      ]);
      assert.equal(report['status'], 'FAILED');
      assert.deepEqual(report['error'], { code: code_, message, stepName: 'send' });
      assert.deepEqual((report['steps'] as object[])[0], { name: 'send', status: 'failed', error: message });
      assert.deepEqual((report['steps'] as object[])[1], { name: 'after', status: 'skipped' });
      assert.doesNotMatch(JSON.stringify(report), /raw|sk-secret/);
    });
  }
  it('reports what it had worked out also when a provider refused it', async () => {
    const chain = [code('check', went), call('send', 'twilio', { status: '', response: { status: 400, body: { code: 21614 } } })];
    const report = await outcome(chain, { contacted: '+13125550121', nextReminderAt: '2027-01-05T13:00:00.000Z', messageId: '' });
    assert.deepEqual(report['output'], { contacted: '+13125550121', nextReminderAt: '2027-01-05T13:00:00.000Z' });
  });
  it('takes only 200 to 299 for done: an engine hands over a redirect as if it were', async () => {
    const usage = { model: 'gpt-4.1-mini', inputTokens: 12, outputTokens: 3 };
    for (const status of [200, 201, 299])
      assert.equal((await outcome([call('send', 'twilio', { status, response: '' })]))['status'], 'SUCCEEDED');
    for (const status of [199, 300, 302, 399]) {
      const report = await outcome([
        call('send', 'openai', { status, response: '' }, { usage }),
        call('after', 'resend', { status: '', response: '' }),
      ]);
      assert.deepEqual([report['status'], report['usage']], ['FAILED', undefined], String(status));
      assert.deepEqual((report['steps'] as object[])[1], { name: 'after', status: 'skipped' });
    }
  });
  it('names a provider that gave no answer, and a code step that threw', async () => {
    assert.equal(
      ((await outcome([call('send', 'twilio', { status: '', response: '' })]))['error'] as { code: string }).code,
      'twilio_unreachable',
    );
    assert.equal(
      ((await outcome([call('send', 'twilio', { status: '', response: { status: 500 } })]))['error'] as { code: string }).code,
      'twilio_unreachable',
    );
    assert.equal(
      ((await outcome([code('check', { go: '', reason: '', message: '', fault: '', out: '' })]))['error'] as { code: string }).code,
      'step_failed',
    );
  });
  it('skips what was not wanted without calling it a failure', async () => {
    const chain = [
      code('check', went),
      { ...call('text', 'twilio', { status: '' }), when: { is: 'true', value: false } },
      call('mail', 'resend', { status: 200 }),
    ];
    assert.equal((await outcome(chain))['status'], 'SUCCEEDED');
  });
  it('fails a run by a call that may fail, and says what the steps after it did', async () => {
    const mail = {
      ...call('mail', 'resend', { status: '', response: { status: 429, body: { name: 'daily_quota_exceeded' } } }),
      mayFail: true,
    };
    const ends = async (text: object) => {
      const report = await outcome([code('check', went), mail, call('text', 'twilio', text), call('after', 'twilio', { status: 201 })], {
        messageId: 'SM1',
      });
      const steps = (report['steps'] as { name: string; status: string }[]).map(({ name, status }) => `${name} ${status}`);
      assert.deepEqual([report['status'], report['output']], ['FAILED', { messageId: 'SM1' }]);
      return [(report['error'] as { code: string; stepName: string }).code, ...steps];
    };
    const [error, ...before] = ['resend_429_daily_quota_exceeded', 'check succeeded', 'mail failed'];
    assert.deepEqual(await ends({ status: 201 }), [error, ...before, 'text succeeded', 'after succeeded']);
    assert.deepEqual(await ends({ status: '', response: { status: 503, body: 'x' } }), [error, ...before, 'text failed', 'after skipped']);
  });
  it('reports tokens also of a run that failed later', async () => {
    const usage = { model: 'gpt-4.1-mini', inputTokens: 12, outputTokens: 3 };
    const report = await outcome([
      call('ask', 'openai', { status: 200 }, { usage }),
      code('check', { go: false, fault: { code: 'x', message: 'y' }, out: {} }),
    ]);
    assert.deepEqual(report['usage'], { provider: 'openai', ...usage });
  });
  it('leaves the run id out when the event had none', async () => {
    const { report } = await run('missed-call-text-back', 'outcome', {
      run: { executionId: '', workflowId: '' },
      chain: [code('check', went)],
      result: {},
    });
    assert.ok(report && !('executionId' in report));
  });
});

describe('the language of a client', () => {
  const visit = {
    attendeeName: 'Ada Byron',
    startTime: '2027-01-07T18:00:00Z',
    attendeePhone: '+13125550121',
    attendeeEmail: 'ada@example.com',
  };
  const rows: [locale: string | undefined, time: string, visit: string, quote: string, week: string][] = [
    ['en', 'Thursday 7 January at 19:00', 'Your visit at Oak Street', 'Your quote from Oak Street', 'Your week in five sentences'],
    ['de', 'Donnerstag, 7. Januar um 19:00', 'Ihr Termin bei Oak Street', 'Ihr Angebot von Oak Street', 'Ihre Woche in fünf Sätzen'],
    ['es', 'jueves 7 de enero a las 19:00', 'Su cita en Oak Street', 'Su presupuesto de Oak Street', 'Su semana en cinco frases'],
    ['xx', 'Thursday 7 January at 19:00', 'Your visit at Oak Street', 'Your quote from Oak Street', 'Your week in five sentences'],
    [undefined, 'Thursday 7 January at 19:00', 'Your visit at Oak Street', 'Your quote from Oak Street', 'Your week in five sentences'],
  ];
  const subjectOf = ({ out }: Answer) => (out['mail'] as { subject: string }).subject;
  for (const [locale, time, visitSubject, quoteSubject, weekSubject] of rows) {
    const client = { timezone: 'Europe/Berlin', locale };
    it(`${locale ?? 'none'}: is that of the dates and subjects that its customers read`, async () => {
      const reminder = await run('appointment-reminder', 'still_booked', {
        ...event('appointment-reminder', visit, { leadHours: [24], smsText: 'am {startTime}.', mailText: 'am {startTime}.' }, {}, client),
        bookings: '',
      });
      assert.deepEqual([reminder.out['text'], subjectOf(reminder)], [`am ${time}.`, visitSubject]);
      const offer = await run('no-show-rebooking', 'write_offer', {
        ...event('no-show-rebooking', { attendeePhone: '+13125550121', eventTypeId: 7 }, { message: '{slots}' }, {}, client),
        days: { '2027-01-07': [{ start: visit.startTime }] },
      });
      assert.equal(offer.out['text'], time);
      const quote = {
        customerName: 'Ada',
        quoteUrl: 'https://oak.example/q/1',
        customerEmail: 'ada@example.com',
        sentAt: '2027-01-04T12:00:00Z',
      };
      assert.equal(subjectOf(await run('quote-follow-up', 'is_due', event('quote-follow-up', quote, {}, {}, client))), quoteSubject);
      const digest = await run('weekly-insight-digest', 'write_mail', {
        ...event('weekly-insight-digest', {}, { recipients: ['owner@oak.example'] }, {}, client),
        answer: 'Orders rose by a tenth, and Thursday was the best day of the week.',
        rowCount: 7,
        found: 7,
        truncated: false,
      });
      assert.equal(subjectOf(digest), weekSubject);
    });
  }
  it('is that of the digest that its language model writes', async () => {
    const asked = async (locale: string) =>
      String(
        (
          await run('weekly-insight-digest', 'pack_rows', {
            ...event('weekly-insight-digest', {}, { recipients: ['owner@oak.example'] }, {}, { locale }),
            columns: ['day'],
            rows: [['2027-01-05']],
          })
        ).out['prompt'],
      );
    assert.match(await asked('de'), /Language of the answer: German/);
    assert.doesNotMatch(await asked('en'), /Language of the answer/);
  });
  it('is the same in a preview', async () => {
    for (const locale of ['en', 'de', 'es'] as const) {
      const reminder = findBundle('appointment-reminder')?.template;
      assert.ok(reminder);
      const config = {
        leadHours: [24],
        smsText: 'am {startTime}.',
        mailText: 'am {startTime}.',
        fromNumber: '+13125550100',
        fromAddress: 'a@oak.example',
      };
      const given = event('appointment-reminder', visit, config, {}, { timezone: 'Europe/Berlin', locale });
      const { out } = await run('appointment-reminder', 'still_booked', { ...given, bookings: '' });
      const client = { name: CLIENT.name, timezone: 'Europe/Berlin', locale };
      const shown = renderPreviews(templateTextsOf(reminder, locale), { input: visit, config, client });
      assert.equal(shown.find(({ channel }) => channel === 'mail')?.subject, (out['mail'] as { subject: string }).subject);
      assert.ok(shown.find(({ channel }) => channel === 'text')?.body.startsWith(String(out['text'])));
    }
  });
});

describe('the language of the owner', () => {
  const owner = (ownerLocale: string) => ({ locale: 'en', ownerLocale });
  type Mail = { subject: string; text: string; html: string };
  const mailOf = ({ out }: Answer) => out['mail'] as Mail;
  const lead = { leadName: 'Ada Byron', leadPhone: '+13125550121', message: 'A new roof' };
  const scored = JSON.stringify({ score: 85, reason: 'Dringend.', nextStep: 'Anrufen.' });
  const score = (locale: string) =>
    run('lead-qualifier', 'check_score', {
      ...event('lead-qualifier', lead, { ownerPhone: '+13125550101' }, {}, owner(locale)),
      answer: [{ message: { content: scored } }],
    });
  const sorted = (locale: string, subject = '') =>
    run('ai-email-triage', 'check_answer', {
      ...event('ai-email-triage', { fromEmail: 'ada@example.com', subject, text: 'Wasser!' }, {}, {}, owner(locale)),
      answer: [{ text: JSON.stringify({ label: 'booking', urgent: true, summary: 'Wasser.', reply: 'Wir kommen gleich vorbei.' }) }],
    });
  const rated = (locale: string) =>
    run(
      'review-request',
      'route_rating',
      event('review-request', { customerName: 'Ada', rating: '2,5', service: 'Dach' }, {}, {}, owner(locale)),
    );
  const unsure = (locale: string, question: string, input: object = {}) =>
    run('ai-faq-reply', 'decide_reply', {
      ...event('ai-faq-reply', { from: '+13125550121', ...input }, { handoffEmail: 'desk@oak.example' }, {}, owner(locale)),
      question,
      answer: [{ message: { content: JSON.stringify({ answer: 'Um neun.', confidence: 0.4 }) } }],
    });
  const report = (locale: string, rows: unknown[][], truncated = false) =>
    run('daily-sql-report', 'build_table', {
      ...event('daily-sql-report', { runDate: '2027-01-05' }, { recipients: ['owner@oak.example'], title: 'T' }, {}, owner(locale)),
      columns: ['day', 'orders', 'code'],
      rows,
      truncated,
    });

  it('is that of a lead’s score, in the mail and in the text', async () => {
    for (const [locale, alert, subject, words] of [
      [
        'en',
        'Hot lead (85 of 100): Ada Byron, +13125550121. Dringend. Next: Anrufen.',
        'Hot lead: Ada Byron (85)',
        ['Score: 85 of 100', 'They wrote:'],
      ],
      [
        'de',
        'Heiße Anfrage (85 von 100): Ada Byron, +13125550121. Dringend. Nächster Schritt: Anrufen.',
        'Heiße Anfrage: Ada Byron (85)',
        ['Bewertung: 85 von 100', 'Nachricht:'],
      ],
      [
        'es',
        'Contacto muy interesado (85 de 100): Ada Byron, +13125550121. Dringend. Siguiente paso: Anrufen.',
        'Contacto muy interesado: Ada Byron (85)',
        ['Puntuación: 85 de 100', 'Mensaje:'],
      ],
    ] as const) {
      const answer = await score(locale);
      assert.ok(formOf(answer).get('Body')?.startsWith(alert), String(formOf(answer).get('Body')));
      assert.equal(mailOf(answer).subject, subject);
      for (const word of words) assert.ok(mailOf(answer).text.includes(word), mailOf(answer).text);
    }
  });
  it('is that of urgent mail', async () => {
    assert.equal(mailOf(await sorted('en')).subject, 'Urgent: (no subject)');
    const german = mailOf(await sorted('de'));
    assert.equal(german.subject, 'Dringend: (ohne Betreff)');
    assert.match(
      german.text,
      /^Dringende E-Mail, einsortiert als „booking“\.[^]*\nVon: ada@[^]*\nBetreff: \(ohne Betreff\)[^]*\nEntwurf einer Antwort:\n/,
    );
    const spanish = mailOf(await sorted('es', 'Agua'));
    assert.equal(spanish.subject, 'Urgente: Agua');
    assert.match(
      spanish.text,
      /^Correo urgente, clasificado como «booking»\.[^]*\nDe: ada@[^]*\nAsunto: Agua[^]*\nBorrador de respuesta:\n/,
    );
  });
  it('is that of a low rating, with its decimal mark', async () => {
    assert.match(mailOf(await rated('en')).text, /^Ada gave 2\.5 of 5 for Dach\.\n\nPhone: unknown/);
    const german = mailOf(await rated('de'));
    assert.equal(german.subject, 'Ein Kunde war nicht zufrieden: Ada');
    assert.match(german.text, /^Ada hat 2,5 von 5 für Dach gegeben\.\n\nTelefon: unbekannt/);
    assert.match(mailOf(await rated('es')).text, /^Ada dio 2,5 de 5 por Dach\.\n\nTeléfono: desconocido/);
  });
  it('is that of a text that is handed over', async () => {
    const german = mailOf(await unsure('de', 'Wann?'));
    assert.equal(german.subject, 'Eine SMS braucht Ihre Antwort');
    assert.match(german.text, /\(Sicherheit 40 %\)\.\n\nVon: \+1[^]*\nNachricht:\nWann\?[^]*\nDer Agent hätte geantwortet:\nUm neun\./);
    const picture = { mediaUrl: 'https://media.example/1', MediaContentType0: 'image/jpeg' };
    assert.match(mailOf(await unsure('de', '', picture)).text, /^Ein Bild ohne Text; der Agent liest das nicht\.[^]*\nGesendet:\nhttps/);
    assert.match(mailOf(await unsure('es', '', picture)).text, /^Una imagen sin texto, que el agente no lee\./);
    assert.match(mailOf(await unsure('en', '', picture)).text, /^A picture without words, which the agent does not read\./);
  });
  it('is that of a report, its days and numbers too', async () => {
    const rows = [
      ['2026-12-29', '8.00', 'a1.5'],
      ['2027-01-05', '9.50', 'b2'],
    ];
    const english = await report('en', rows);
    assert.equal(mailOf(english).subject, 'T, 2027-01-05');
    assert.match(mailOf(english).text, /orders: 9\.50 \(\+18\.8 % against 2026-12-29\)\n/);
    const german = await report('de', rows);
    assert.equal(mailOf(german).subject, 'T, 05.01.2027');
    assert.match(
      mailOf(german).text,
      /orders: 9,50 \(\+18,8 % gegenüber 29\.12\.2026\)\n[^]*29\.12\.2026\t8,00\ta1\.5\n05\.01\.2027\t9,50\tb2/,
    );
    assert.match(mailOf(german).html, /<td[^>]*>05\.01\.2027<\/td><td[^>]*>9,50<\/td>/);
    assert.equal(german.out['day'], '2027-01-05');
    assert.match(mailOf(await report('es', rows)).text, /^T, 05\/01\/2027\norders: 9,50 \(\+18,8 % frente al 29\/12\/2026\)/);
    assert.match(mailOf(await report('de', [])).text, /Die Abfrage lieferte keine Zeilen\./);
    const many = Array.from({ length: 101 }, (_, at) => [`2026-0${1 + Math.floor(at / 28)}-${String(1 + (at % 28)).padStart(2, '0')}`, at]);
    assert.match(
      mailOf(await report('es', many, true)).text,
      /Se muestran las 100 filas más recientes de 101\.\n.*solo se leyeron las primeras 101\./,
    );
  });
  it('is that of what language models write for it, while they answer others in theirs, formally', () => {
    const prompts = ['lead-qualifier', 'ai-email-triage'].map((name) => JSON.stringify(findBundle(name)?.template.steps));
    for (const prompt of prompts) assert.ok(prompt.includes('{{trigger.body.client.ownerLocale}}'));
    const formal = /In German use Sie, in Spanish usted, unless they use du or tú\./;
    assert.match(String(prompts[1]), formal);
    for (const [name, file] of [
      ['lead-follow-up-email', 'steps/clean-lead.js'],
      ['ai-faq-reply', 'steps/check-message.js'],
    ] as const)
      assert.match(findBundle(name)?.sources[file] ?? '', formal);
  });
  it('is the same in a preview', async () => {
    for (const locale of ['en', 'de', 'es'] as const) {
      const shown = (name: string, input: object) => {
        const template = findBundle(name)?.template ?? assert.fail();
        const config = { ownerPhone: '+13125550101', ...SENDERS };
        return renderPreviews(templateTextsOf(template, locale), { input: { ...input }, config, client: { name: 'Oak', locale } });
      };
      const [hot] = (await score(locale)).out['mail'] ? String(formOf(await score(locale)).get('Body')).split(' (') : [];
      const alert = shown('lead-qualifier', lead).find(({ channel }) => channel === 'text')?.body;
      assert.ok(hot && alert?.startsWith(`${hot}: Ada Byron`), alert);
      const rating = shown('review-request', { customerName: 'Ada', rating: '2' }).find(({ step }) => step === 'mail_owner');
      assert.ok(mailOf(await rated(locale)).subject.startsWith(String(rating?.subject)));
      assert.equal(rating?.body.split('2')[0], mailOf(await rated(locale)).text.split('2')[0]);
    }
  });
});

describe('the first name in a text', () => {
  /** The part as each step has it. */
  const firstNames = async (names: readonly string[]) => {
    const part = findBundle('review-request')?.sources['parts/text.js'];
    return (await runBare(`${part}\nexport const code = async ({ names }) => names.map(firstName);`, { names })) as string[];
  };

  const names: Readonly<Record<string, readonly [name: string, first: string][]>> = {
    'the first word, with a space after a dot in it': [
      ['Ada Byron', 'Ada'],
      ['  Ada', 'Ada'],
      ['J.Smith', 'J. Smith'],
      ['Ma.Teresa Cruz', 'Ma. Teresa'],
      ['Md.Rahman', 'Md. Rahman'],
      ['O’Connor', 'O’Connor'],
      ['Anne-Marie', 'Anne-Marie'],
      ['د.أحمد', 'د. أحمد'],
      ['Ömer Öz', 'Ömer'],
      ['Ed Sr', 'Ed'],
      ['Don Draper', 'Don'],
      ['', ''],
    ],
    'what follows the comma of a family name': [
      ['Byron, Ada', 'Ada'],
      ['Byron,Ada Augusta', 'Ada'],
      ['García López, Ana', 'Ana'],
      ['Byron, Dr. Ada', 'Ada'],
      ['Dr. Byron, Ada', 'Ada'],
      ['Ada Byron,', 'Ada'],
      ['Ada Byron, MD', 'Ada'],
      ['Ada Byron, M.D.', 'Ada'],
      ['Charles Babbage, Jr.', 'Charles'],
      ['Müller, Frau', ''],
    ],
    'no title, and nothing where only the family name is left': [
      ['Mr. Smith', ''],
      ['Mr Smith', ''],
      ['Mrs. Ada Byron', 'Ada'],
      ['Ms Ada Byron', 'Ada'],
      ['Dr. Müller', ''],
      ['Dr.Müller', ''],
      ['Frau Müller', ''],
      ['Fr. Müller', ''],
      ['Hr.Müller', ''],
      ['Frau Petra Müller', 'Petra'],
      ['Herr Prof. Dr. Jürgen Groß', 'Jürgen'],
      ['Dr. med. Petra Kühn', 'Petra'],
      ['Sra. García', ''],
      ['Sr. Juan García', 'Juan'],
      ['SEÑORA GARCÍA', ''],
      ['M.Sc. Petra Kühn', 'Petra'],
      ['Mr. & Mrs. Smith', ''],
      ['Herr und Frau Müller', ''],
      ['Dr.', ''],
    ],
    'no particle of a family name': [
      ['Frau von der Leyen', ''],
      ['Frau Von der Leyen', ''],
      ['Herr van den Berg', ''],
      ['von der Leyen', ''],
      ['Sra. De la Cruz', ''],
      ['Mr. De Niro', ''],
      ['Frau Petra von der Heide', 'Petra'],
      ['von der Heide, Petra', 'Petra'],
      ['Van Morrison', 'Van'],
    ],
    'no degree, and nothing where only the family name is left': [
      ['Dipl.-Ing. Max Weiß', 'Max'],
      ['Mr. Don Lee Smith', 'Don'],
      ['Sr. Don Carmelo Ruiz', 'Carmelo'],
      ['Herr Dipl.-Ing. Max Weiß', 'Max'],
      ['Dipl.Ing. Max Weiß', 'Max'],
      ['Dipl.-Ing Max Weiß', 'Max'],
      ['Dipl-Ing Max Weiß', 'Max'],
      ['Dr.-Ing. Anna Weiß', 'Anna'],
      ['Dr. med. dent. Anna Weiß', 'Anna'],
      ['Dr. med Anna Weiß', 'Anna'],
      ['Dr.med.Anna Weiß', 'Anna'],
      ['Dr. h.c. Anna Weiß', 'Anna'],
      ['Dr. phil. Weiß', ''],
      ['Dr. Phil McGraw', 'Phil'],
      ['Univ.-Prof. Anna Weiß', 'Anna'],
      ['Frau Dipl.-Psych. Weiß', ''],
      ['Capt. Ada Byron', 'Ada'],
      ['Ada.', 'Ada.'],
      ['Max Weiß, Dipl.-Ing.', 'Max'],
      ['Weiß, Dipl.-Ing. Max', 'Max'],
      ['Weiß, Dr.', ''],
    ],
    'that of a person in Spanish': [
      ['Mª Carmen Ruiz', 'María'],
      ['M.ª José Ruiz', 'María'],
      ['Dña. Carmen Ruiz', 'Carmen'],
      ['D.ª Carmen Ruiz', 'Carmen'],
      ['Sr. Don Carmelo Ruiz', 'Carmelo'],
      // "Don" may be the name of a person, too.
      ['Don Carmelo Ruiz', ''],
      ['Sres. Ruiz', ''],
      ['Sres Ruiz', ''],
      ['Arq. Ana Ruiz', 'Ana'],
      ['Maître Dupont', ''],
    ],
    'none of a business': [
      ['Firma Weiß', ''],
      ['Fa. Weiß', ''],
      ['Praxis Dr. Weiß', ''],
      ['Zahnarztpraxis Dr. Anna Weiß', ''],
      ['Kanzlei Weiß', ''],
      ['Clínica Dental Ruiz', ''],
      ['Fa Ngum', 'Fa'],
    ],
    'nothing where the word is none': ['n/a', 'N/A', '-', '--', '?', '.', 'J.', 'x', '0', '👋'].map((name) => [name, '']),
  };
  for (const [what, rows] of Object.entries(names))
    it(`is ${what}`, async () => {
      assert.deepEqual(
        await firstNames(rows.map(([name]) => name)),
        rows.map(([, first]) => first),
      );
    });

  const links = [
    '=HYPERLINK("http://x.example")',
    'http://x.example',
    'HTTPS://x',
    'www.evil',
    'evil.example/x',
    'evil.example',
    'bit.ly',
    'Evil.Com/x',
    'müller.de',
    'evil。example',
    'evil\u200b.example',
    'ｅｖｉｌ．ｃｏｍ',
    'ada@example.com',
    'tel:1900',
    'javascript:alert(1)',
    '+19005550199',
    '1-900-555-0199',
    '+1 900 555 0199',
    '10.0.0.1',
    'x.xn--p1ai',
  ];
  for (const name of links) it(`is none in ${name}`, async () => assert.deepEqual(await firstNames([name]), ['']));

  it('is nothing that the service takes for an address or a domain in a name', async () => {
    const names = [
      ...links,
      'Evil.Com',
      'EVIL.COM',
      'T.Co',
      'Dr.Li',
      'Evil.Example.Com',
      'Evil․Com',
      'Evil\u2060.\u2060Com',
      'J.Smith',
      'Ada',
    ];
    assert.ok(names.filter(hasAddressOrDomain).length > 15);
    for (const first of await firstNames(names)) assert.equal(hasAddressOrDomain(first), false, first);
  });
});

describe('what a language model reads of a stranger', () => {
  const STYLE = '.a{color:red;padding:0}'.repeat(9_000);
  const rows: [name: string, step: string, read: (text: string) => object][] = [
    ['ai-email-triage', 'read_mail', (text) => ({ fromEmail: 'ada@example.com', subject: 'S'.repeat(9_000), text })],
    ['lead-qualifier', 'read_lead', (message) => ({ leadName: 'A'.repeat(9_000), budget: 'B'.repeat(9_000), message })],
  ];
  for (const [name, step, read] of rows) {
    const promptOf = async (text: string) => {
      const { prompt } = (await run(name, step, event(name, read(text)))).out;
      assert.ok(typeof prompt === 'string' && prompt.isWellFormed());
      assert.ok(prompt.length < 10_000, `${prompt.length} characters`);
      return prompt;
    };
    it(`is the words of an HTML text, and of a long one its begin and its end: ${name}`, async () => {
      const html = await promptOf(
        `<!DOCTYPE html><html><head><style>${STYLE}</style></head><body><p>Water in the <b>basement</b> &amp; hall</p></body></html>`,
      );
      assert.ok(html.endsWith('Water in the basement & hall'), html.slice(-200));
      const long = await promptOf(`My boiler leaks. ${'Much has happened. '.repeat(12_000)}Please come today.`);
      assert.match(long, /My boiler leaks\. .*…\n\[…\]\n.*Please come today\.$/s);
      assert.match(await promptOf(`${'😀'.repeat(60_000)}x`), /…\n\[…\]\n(?:😀)+x$/u);
    });
    it(`is a short text as it came: ${name}`, async () => {
      const text = 'Is 1 < 2?\n\nAda';
      assert.ok((await promptOf(text)).endsWith(text));
    });
    it(`is all that the flow asks the model about: ${name}`, () => {
      const call = findBundle(name)?.template.steps.find(({ kind }) => kind === 'http');
      assert.ok(call?.kind === 'http');
      assert.match(JSON.stringify(call.request.json), new RegExp(`"content":"\\{\\{${step}\\.out\\.prompt\\}\\}"`));
      assert.doesNotMatch(JSON.stringify(call.request.json), /trigger\.body\.input/);
    });
  }
});

describe('a message that lacks a part', () => {
  const calm = { label: 'other', urgent: true, summary: 'Water.', reply: '' };
  const urgent = async (input: object) =>
    (
      await run('ai-email-triage', 'check_answer', {
        ...event('ai-email-triage', { fromEmail: 'ada@example.com', ...input }),
        answer: [{ text: JSON.stringify(calm) }],
      })
    ).out['mail'] as { subject: string; text: string };

  it('a mail without a subject, or of HTML alone, reaches the owner in words', async () => {
    const noSubject = await urgent({ subject: ' ', text: 'Water in the basement!' });
    assert.equal(noSubject.subject, 'Urgent: (no subject)');
    assert.match(noSubject.text, /\nSubject: \(no subject\)\n\nWater in the basement!$/);
    const text = '<!DOCTYPE html><head><title>x</title></head><p class="a">Water &lt;now&gt; &#8364;5</p><br>\n<div>Ada</div><style>p{}';
    assert.match((await urgent({ subject: 'Help', text })).text, /\nSubject: Help\n\nWater <now> €5\nAda$/);
    const headless = '<html><head><meta name="x"><body><p>Water &#xD800;</p></body></html>';
    assert.ok((await urgent({ subject: 'Help', text: headless })).text.endsWith('\n\nWater \uFFFD'), 'the end of a head may be left out');
    const plain = '1 < 2 & <ada@example.com> wrote:\n\n  if (a<b) …';
    assert.ok((await urgent({ subject: 'Help', text: plain })).text.endsWith(plain), 'a text that is none stays as it is');
    const named =
      '<p>F&uuml;r M&Ouml;LLER&nbsp;&#x27;heute&#X27; &euro;&thinsp;5&ndash;6 &amp;lt; &constructor; &#xFFFFFF; &#99999999;</p>';
    assert.match(
      (await urgent({ subject: 'Help', text: named })).text,
      /\n\nFür MÖLLER 'heute' €&thinsp;5–6 &lt; &constructor; &#xFFFFFF; &#99999999;$/,
    );
    for (const [html, words] of [
      ['<table><tr><td>Name</td><td>Ada</td></tr><tr><th>Guests</th><td>2</td><td>150.00</td></tr></table>', 'Name Ada\nGuests 2 150.00'],
      ['<p>Rooms<ul><li>One<li>Two</ul><dl><dt>Phone</dt><dd>312</dd></dl>', 'Rooms\nOne\nTwo\nPhone\n312'],
      ['<p>1<hr>2</p><blockquote>3</blockquote><button>Yes</button><button>No</button>', '1\n2\n3\nYes No'],
    ] as const)
      assert.ok((await urgent({ subject: 'Help', text: html })).text.endsWith(`\n\n${words}`), html);
    assert.match((await urgent({ subject: 'Photo' })).text, /\nSubject: Photo\n\n$/);
  });
  it('a picture without words goes to a person, and no model is asked', async () => {
    const sent = { from: '+13125550121', to: '+13125550100', mediaUrl: 'https://api.twilio.com/m.jpg' };
    const read = await run('ai-faq-reply', 'check_message', event('ai-faq-reply', sent));
    assert.deepEqual([read.go, read.out['question']], [true, '']);
    const decide = (more: object, config: object = { handoffEmail: 'desk@oak.example' }) =>
      run('ai-faq-reply', 'decide_reply', { ...event('ai-faq-reply', { ...sent, ...more }, config), answer: '', question: '' });
    const handed = await decide({});
    assert.deepEqual(
      [handed.out['byText'], handed.out['byMail'], handed.out['unread'], handed.out['confidence']],
      [false, true, true, undefined],
    );
    for (const [type, what] of [
      [undefined, 'A message'],
      ['image/jpeg', 'A picture'],
      ['audio/ogg', 'A voice message'],
      ['application/pdf', 'A file'],
    ] as const)
      assert.equal(
        ((await decide({ MediaContentType0: type })).out['mail'] as { text: string }).text,
        `${what} without words, which the agent does not read.\n\nFrom: +13125550121\n\nThey sent:\nhttps://api.twilio.com/m.jpg`,
      );
    const several = await decide({ NumMedia: '2', MediaUrl1: 'https://api.twilio.com/2.jpg', MediaUrl2: 'no address' });
    assert.match(
      (several.out['mail'] as { text: string }).text,
      /^2 pictures or files without words, [^]*\nThey sent:\nhttps:\/\/api\.twilio\.com\/m\.jpg\nhttps:\/\/api\.twilio\.com\/2\.jpg$/,
    );
    const { fault } = await decide({}, { handoffEmail: '' });
    assert.deepEqual(
      [fault?.code, fault?.message],
      ['handoff_missing', 'A message without words came, and the settings name no one to hand it over to'],
    );
    assert.equal((await run('ai-faq-reply', 'check_message', event('ai-faq-reply', { ...sent, mediaUrl: '' }))).reason, 'empty_text');
  });
});

it('a text with pictures goes to a person with all of them, however sure the model is, and says what came with it', async () => {
  const decide = (more: object) =>
    run('ai-faq-reply', 'decide_reply', {
      ...event(
        'ai-faq-reply',
        { from: '+13125550121', to: '+13125550100', body: 'Can you fix this?', ...more },
        { handoffEmail: 'd@oak.example' },
      ),
      answer: [{ message: { content: '{"answer": "Yes, a call-out costs 80 dollars.", "confidence": 0.9}' } }],
      question: 'Can you fix this?',
    });
  const { out } = await decide({ mediaUrl: 'https://m.example/1', MediaUrl1: 'https://m.example/2', MediaUrl2: 'https://m.example/3' });
  assert.deepEqual([out['byText'], out['byMail'], out['unseen']], [false, true, 3]);
  assert.equal(
    (out['mail'] as { text: string }).text,
    'A text with 3 pictures or files, which the agent does not read.\n\nFrom: +13125550121\n\nThey wrote:\nCan you fix this?\n\nThey sent:\nhttps://m.example/1\nhttps://m.example/2\nhttps://m.example/3\n\nThe agent would have said:\nYes, a call-out costs 80 dollars.',
  );
  assert.equal((await decide({})).out['byText'], true);
});

describe('a message by WhatsApp', () => {
  it('is answered there, from the number that it was sent to, and a text by a text', async () => {
    const reply = async (facts: object) =>
      run('ai-faq-reply', 'decide_reply', {
        ...event('ai-faq-reply', { from: '+13125550121', to: '+14155238886', body: 'Open?' }, {}, facts),
        answer: [{ message: { content: '{"answer": "At nine.", "confidence": 0.9}' } }],
        question: 'Open?',
      });
    const there = await reply({ isWhatsApp: true });
    assert.deepEqual([formOf(there).get('To'), formOf(there).get('From')], ['whatsapp:+13125550121', 'whatsapp:+14155238886']);
    assert.equal(there.out['contacted'], '+13125550121');
    const byText = await reply({ isWhatsApp: false });
    assert.deepEqual([formOf(byText).get('To'), formOf(byText).get('From')], ['+13125550121', '+14155238886']);
  });
});

describe('a name that no one answers to', () => {
  const rows: Readonly<Record<string, readonly [name: string, first: string][]>> = {
    'is none where programs stored that there is none': [
      'None',
      'null',
      'undefined',
      'NULL NULL',
      'NA',
      'nan',
      'Unknown',
      'Anonymous',
      'Guest',
      'Unbekannt',
      'Gast',
      'Desconocido',
      'No Name',
      'Not provided',
      'Keine Angabe',
      'Sin nombre',
      'Invitado',
      'Anónimo',
      'Kunde',
      'Customer',
    ].map((name): [string, string] => [name, '']),
    'is none of a family or of a company': [
      ['The Smith Family', ''],
      ['Smith Family', ''],
      ['Familie Müller', ''],
      ['Müller, Familie', ''],
      ['Fam. Müller', ''],
      ['Eheleute Schmidt', ''],
      ['Familia García', ''],
      ['Müller GmbH', ''],
      ['Acme Inc.', ''],
      ['Ada Byron, Acme Inc.', 'Ada'],
      ['Byron, Ada Jr.', 'Ada'],
    ],
    'is no title in front of a family name, nor one of two people': [
      ['Dra. Ana Ruiz', 'Ana'],
      ['Dra. Ruiz', ''],
      ['Lic. Maria Ruiz', 'Maria'],
      ['Mister Smith', ''],
      ['Fräulein Smith', ''],
      ['Doña Ana Ruiz', 'Ana'],
      ['Mr. Smith & Ms. Jones', ''],
      ['Herr Müller und Frau Schmidt', ''],
      ['Ada & Bob Byron', 'Ada'],
      ['Don Draper', 'Don'],
    ],
    'is without the brackets and quotes around it': [
      ['(Bob) Smith', 'Bob'],
      ['"Bob" Smith', 'Bob'],
      ['Robert (Bob) Smith', 'Robert'],
      ['(evil.example) Smith', ''],
    ],
    'is that of a person whose name has such a word in it': [
      ['Nona None', 'Nona'],
      ['Guest Ada', 'Guest'],
      ['Na Li', 'Na'],
    ],
  };
  for (const [what, names] of Object.entries(rows))
    it(what, async () => {
      const part = findBundle('review-request')?.sources['parts/text.js'];
      const given = names.map(([name]) => name);
      const first = await runBare(`${part}\nexport const code = async ({ names }) => names.map(firstName);`, { names: given });
      assert.deepEqual(
        first,
        names.map(([, one]) => one),
      );
    });
});

describe('an address that no one reads', () => {
  const unread = [
    'messages-noreply@linkedin.example',
    'forms-receipts-noreply@google.example',
    'booking_noreply@x.example',
    'noreply2@x.example',
    'calendar-notification@google.example',
    'donotreply@x.example',
    'Do_Not_Reply@x.example',
    'no_reply@x.example',
    'noreply+1@x.example',
    'nicht-antworten@x.example',
    'no-responder@x.example',
    'bounces+77-ada=example.com@relay.example',
  ];
  const read = ['casino-reply@x.example', 'nora.eply@x.example', 'notification.office@x.example', 'reply@x.example'];
  const triaged = (fromEmail: string) =>
    run('ai-email-triage', 'check_answer', {
      ...event('ai-email-triage', { fromEmail, subject: 'Invoice', text: 'Please check.' }, { autoReply: true }),
      answer: [{ text: JSON.stringify({ label: 'billing', urgent: false, reply: 'Thank you, we will check it today.' }) }],
    });
  const written = (leadEmail: string) =>
    run('lead-follow-up-email', 'clean_lead', event('lead-follow-up-email', { leadEmail, leadName: 'Ada' }));

  for (const address of unread)
    it(`is ${address}: no agent answers it`, async () => {
      assert.equal((await triaged(address)).reason, 'no_reply_address');
      assert.equal((await written(address)).reason, 'no_reply_address');
    });
  for (const address of read)
    it(`is not ${address}`, async () => {
      assert.deepEqual([(await triaged(address)).go, (await written(address)).go], [true, true]);
    });
});

describe('a draft of a model', () => {
  const good = 'Hello Ada, thank you for writing. Which day suits you for a short call?';
  const drafted = (subject: string, body: string, config: object = {}) =>
    run('lead-follow-up-email', 'check_draft', {
      ...event('lead-follow-up-email', { leadEmail: 'ada@example.com', leadName: 'Ada' }, config),
      to: 'ada@example.com',
      answer: [{ type: 'text', text: JSON.stringify({ subject, body }) }],
    });
  const replied = (reply: string, config: object = {}) =>
    run('ai-email-triage', 'check_answer', {
      ...event('ai-email-triage', { fromEmail: 'ada@example.com', subject: 'Photos', text: 'Where to?' }, { autoReply: true, ...config }),
      answer: [{ text: JSON.stringify({ label: 'other', urgent: false, reply }) }],
    });
  const textOf = ({ out }: Answer) => (out['mail'] as { text: string }).text;

  for (const [subject, body] of [
    ['Your request, [Customer Name]', good],
    ['Your request', `${good} Best, {firstName}`],
    ['Your request', `${good}\nBest,\n<Your Name>`],
    ['Your request', `${good} Best, <Name>`],
    ['Your request', `${good} {{name}}`],
    ['Your request, {{ customer_name }}', good],
  ] as const)
    it(`is not sent with an open placeholder: ${subject}, ${JSON.stringify(body.slice(good.length))}`, async () => {
      assert.equal((await drafted(subject, body)).fault?.code, 'draft_has_placeholder');
      const answer = await replied(`${subject}. ${body}`);
      assert.deepEqual([answer.out['toSender'], answer.out['heldBack']], [false, 'placeholder']);
    });
  it('is sent with the signs of a placeholder around anything else', async () => {
    const body = `${good} 3 < 5, [1] and {} are none.`;
    assert.equal((await drafted('Re [1]', body)).go, true);
    assert.equal((await replied(body)).out['toSender'], true);
  });
  it('names addresses of the business whole, and no others', async () => {
    const own = `${good} Send them to photos@oak.example or Hello@oak.example, see oak.example.`;
    assert.ok(textOf(await drafted('Photos', own)).startsWith(own));
    assert.ok(textOf(await replied(own)).startsWith(own));
    const others = `${good} Not eve@evil.example, evil-oak.example, oak.example.evil.zone, my.oak.example or oak.examples.`;
    const broken = `${good} Not eve@evil. example, evil-oak. example, oak. example. evil. zone, my. oak. example or oak. examples.`;
    assert.ok(textOf(await drafted('Photos', others)).startsWith(broken), textOf(await drafted('Photos', others)));
    assert.ok(textOf(await replied(others)).startsWith(broken));
  });
  it('is written for a business whose name holds any signs', async () => {
    for (const name of ['A+B (Oak) [x] $^|?*.{} \\ / - é', '-', '.', '(']) {
      const inputs = event('lead-follow-up-email', { leadEmail: 'ada@example.com', leadName: 'Ada' }, {}, {}, { name });
      const answer = [{ type: 'text', text: JSON.stringify({ subject: 'Photos', body: `${good} evil.example` }) }];
      const { out } = await run('lead-follow-up-email', 'check_draft', { ...inputs, answer, to: 'ada@example.com' });
      assert.match((out['mail'] as { text: string }).text, /evil\. example/, name);
    }
  });
  it('has no link of a stranger in its subject', async () => {
    assert.equal(
      ((await drafted('About evil.example and oak.example', good)).out['mail'] as { subject: string }).subject,
      'About evil. example and oak.example',
    );
  });
});

describe('a text without its link', () => {
  const call = { callerNumber: '+13125550121', businessNumber: '+13125550100' };
  const none = { businessProfile: { ...CLIENT.businessProfile, bookingUrl: '' } };
  const written: [message: string, text: string][] = [
    ['Sorry we missed you. Book here: {bookingUrl} See you soon, Dr. Oak', 'Sorry we missed you. See you soon, Dr. Oak'],
    ['Hi! Book: {bookingUrl} Or call us again tomorrow', 'Hi! Or call us again tomorrow'],
    ['Hi! Book: {bookingUrl} or call us again tomorrow', 'Hi!'],
    ['Sie können z. B. hier buchen: {bookingUrl} Danke!', 'Danke!'],
    ['Hallo! Sie können z.B. hier buchen: {bookingUrl}', 'Hallo!'],
    ['Hello! You called St. Mary Dental, so book: {bookingUrl}', 'Hello!'],
    ['Hallo! Buchen Sie unter {bookingUrl} Ihren Termin.', 'Hallo!'],
    ['You called at 5 p.m. Book here: {bookingUrl}', 'You called at 5 p.m.'],
    ['sorry we missed you. book here: {bookingUrl}', 'sorry we missed you.'],
    ['Sorry, we missed you at 5 Main St. Book here: {bookingUrl}', 'Sorry, we missed you at 5 Main St.'],
    ['Visit us at 5 North Oak Dr. You can book here: {bookingUrl}', 'Visit us at 5 North Oak Dr.'],
    ['Visit us on Main St. Book here: {bookingUrl}', 'Visit us on Main St.'],
    ['Call us at Gate B. Book here: {bookingUrl}', 'Call us at Gate B.'],
    ['Bis bald im Raum A. Termin: {bookingUrl}', 'Bis bald im Raum A.'],
    ['Wir sind in der Frankfurter Str. Termin buchen: {bookingUrl}', 'Wir sind in der Frankfurter Str.'],
    ['Estamos en Mayor 5, 2.º B. Reserve aquí: {bookingUrl}', 'Estamos en Mayor 5, 2.º B.'],
    ['Hallo! Die Praxis St. Anna erreichen Sie hier: {bookingUrl}', 'Hallo!'],
    ['Hallo! Die Praxis Dr. A. Müller erreichen Sie hier: {bookingUrl}', 'Hallo!'],
    ['Hello! You called John F. Kennedy Dental, so book: {bookingUrl}', 'Hello!'],
  ];
  for (const [message, text] of written)
    it(`keeps whole sentences, and those behind it: ${message}`, async () => {
      const answer = await run('missed-call-text-back', 'check_hours', event('missed-call-text-back', call, { message }, {}, none));
      assert.equal(answer.out['text'], text);
    });
});

describe('a quote of an agent that only texts', () => {
  const quote = {
    customerName: 'Ada Byron',
    quoteUrl: 'https://oak.example/q/1',
    customerEmail: 'ada@example.com',
    customerPhone: '+13125550121',
    sentAt: '2027-01-04T12:00:00Z',
  };
  const check = (input: object, config: object) => run('quote-follow-up', 'is_due', event('quote-follow-up', input, config));

  it('is nudged by text also where the event has an address, and by mail once a sender address is set', async () => {
    const byText = await check(quote, { fromAddress: '' });
    assert.deepEqual([byText.out['byText'], byText.out['contacted']], [true, '+13125550121'], byText.fault?.message);
    assert.equal((await check(quote, {})).out['byMail'], true);
    assert.equal((await check(quote, { fromAddress: '', fromNumber: '' })).fault?.code, 'mail_not_set_up');
    assert.equal((await check({ ...quote, customerPhone: '' }, { fromAddress: '' })).fault?.code, 'mail_not_set_up');
  });
});

describe('a rating as forms write it', () => {
  const route = (rating: string) =>
    run(
      'review-request',
      'route_rating',
      event('review-request', { customerName: 'Ada', customerPhone: '+13125550121', rating }, { minRating: 5 }),
    );
  const rows: [rating: string, value: number | null][] = [
    ['5 - Excellent', 5],
    ['2 – poor', 2],
    ['5 (Excellent)', 5],
    ['3: so so', 3],
    ['Rating: 5', 5],
    ['Bewertung: 4,5', 4.5],
    ['★★★★★ 5.0', 5],
    ['★★☆☆☆ (2)', null],
    ['5*', 5],
    ['4 stars out of 5', 4],
    ['8 Punkte von 10', 4],
    ['Five stars', 5],
    ['4 sobre 5', 4],
    ['8 sobre 10', 4],
    ['1 sobre 5', 1],
    ['4 de 5 estrellas', 4],
    ['4 sur 5', 4],
    ['4,0 von 5,0', 4],
    ['fünf', 5],
    ['Fuenf Sterne', 5],
    ['cinco', 5],
    ['cinco estrellas', 5],
    ['cinq étoiles', 5],
    ['vier von fünf', 4],
    ['four out of five stars', 4],
    ['dos sobre cinco', 2],
    ['5 = sehr zufrieden', 5],
    ['5 = mangelhaft', null],
    ['4 = ausreichend', null],
    ['1 = sehr gut', null],
    ...[
      '5 - sehr unzufrieden',
      '5 = gar nicht zufrieden',
      '5 (Very dissatisfied)',
      '5 - not at all satisfied',
      '5 - muy insatisfecho',
      '5 - nada satisfecha',
      '5 - pésimo',
      '4 = malo',
      '5 unhappy',
      '5 - poco satisfecho',
      '5 - überhaupt nicht zufrieden',
      '10/10 - unzufrieden',
      '1 - sehr zufrieden',
      '1 - Very satisfied',
      '1 = muy satisfecho',
      '2 (happy)',
      '4 - eher unzufrieden',
      '4 - weniger zufrieden',
      '4 - eher nicht zufrieden',
      '4 - somewhat dissatisfied',
      '4 - slightly dissatisfied',
      '4 - bastante insatisfecho',
      '4 - algo insatisfecho',
      '4 - not good',
      '4 - nicht so gut',
      '5 - gar nicht gut',
      '5 - worst',
      '5 - very disappointed',
      '5 - nie wieder!',
      '5 - Strongly disagree',
      '5 - en desacuerdo',
      '5 - stimme überhaupt nicht zu',
      '2 - eher zufrieden',
      '2 - Somewhat satisfied',
      '1 - strongly agree',
      '1 - stimme voll und ganz zu',
      '1 - best',
    ].map((one): [string, null] => [one, null]),
    ['5 - Very satisfied', 5],
    ['5 - muy satisfecho', 5],
    ['5 - strongly agree', 5],
    ['2 - slightly satisfied', 2],
    ['1 - sehr unzufrieden', 1],
    ['1 - not satisfied', 1],
    ['2 - nicht zufrieden', 2],
    ['1 = muy malo', 1],
    ['5 - normalmente', 5],
    ['1 - not great', 1],
    ['1 (great price, no show)', 1],
    ['1 - I would be happy to get a call back', 1],
    ['1 - alles andere als zufrieden', 1],
    ['4 - not bad', 4],
    ['5 - could not be more satisfied', 5],
    ['5 - sehr unzufrieden, nie wieder', null],
    ['Ihre Bewertung: 4', 4],
    ['Note: 5', null],
    ['five of ten', null],
    ['cinco días tarde', null],
    ['5 - not 1', null],
    ['1-5', null],
    ['2 (of 3)', null],
    ['Rating', null],
  ];
  for (const [rating, value] of rows)
    it(`“${rating}” is ${value ?? 'none that is understood'}`, async () => {
      const answer = await route(rating);
      if (value === null) assert.deepEqual([answer.go, answer.reason], [false, 'rating_not_understood']);
      else if (value === 5) assert.equal(answer.out['byText'], true, answer.reason);
      else assert.deepEqual([answer.out['byMail'], answer.out['rating']], [true, value], answer.reason);
    });
});

describe('the alert about a hot lead', () => {
  const alert = async (lead: object, answer: object) => {
    const { out } = await run('lead-qualifier', 'check_score', {
      ...event(
        'lead-qualifier',
        { leadName: 'Ada Byron', message: 'A roof', leadPhone: '+13125550121', ...lead },
        { ownerPhone: '+13125550177' },
      ),
      answer: [{ message: { content: JSON.stringify({ score: 90, ...answer }) } }],
    });
    return new URLSearchParams(String(out['form'])).get('Body');
  };
  it('has no link that the lead wrote, and only what the model said', async () => {
    assert.equal(
      await alert({ leadName: 'Ada https://evil.example/login' }, { reason: 'See evil.example.', nextStep: 'Call.' }),
      'Hot lead (90 of 100): Ada, +13125550121. See Next: Call. Reply STOP to opt out.',
    );
    assert.equal(await alert({}, {}), 'Hot lead (90 of 100): Ada Byron, +13125550121. Reply STOP to opt out.');
    assert.equal(
      await alert({}, { reason: 'Clear need.', nextStep: '' }),
      'Hot lead (90 of 100): Ada Byron, +13125550121. Clear need. Reply STOP to opt out.',
    );
  });
});

describe('a lead of a list', () => {
  const leadOf = async (source: object, config: object = {}) =>
    (await run('lead-intake-cleaner', 'clean_lead', event('lead-intake-cleaner', { payload: source }, config))).out['lead'] as {
      [field: string]: unknown;
    };
  const phones: [came: string, countryCode: string, phone: string][] = [
    ['+44 (0)20 7946 0121', '+1', '+442079460121'],
    ['0044 (0) 20 7946 0121', '+1', '+442079460121'],
    ['312-555-0121 x12', '+1', '+13125550121'],
    ['(312) 555-0121 ext. 12', '+1', '+13125550121'],
    ['312-555-0121 #4', '+1', '+13125550121'],
    ['030 12345678 DW 12', '+49', '+493012345678'],
    ['030 12345678 Durchwahl 12', '+49', '+493012345678'],
    ['91 123 45 67 extensión 4', '+34', '+34911234567'],
    ['49 151 23456789', '+49', '+4915123456789'],
    ['0151 23456789', '+49', '+4915123456789'],
    ['4931 123456', '+49', '+494931123456'],
    ['06 6982 1234', '+39', '+390669821234'],
    ['34 612 345 678', '+34', '+34612345678'],
    ['1 312 555 0121', '+1', '+13125550121'],
    // No number of North America.
    ['0151 23456789', '+1', ''],
    ['612 34 56 78', '+1', ''],
    ['+1 012 555 0121', '+1', ''],
    ['+1 (312) 555-0121', '', '+13125550121'],
  ];
  for (const [came, countryCode, phone] of phones)
    it(`has its phone put right: ${came} for ${countryCode} is ${phone}`, async () =>
      assert.equal((await leadOf({ phone: came }, { countryCode }))['phone'], phone));

  it('has no number made up where neither the settings nor the client name a country', async () => {
    const cleaned = async (phone: string) => {
      const given = { input: { payload: { phone } }, config: { countryCode: '' } };
      return ((await run('lead-intake-cleaner', 'clean_lead', given)).out['lead'] as { phone: string }).phone;
    };
    assert.deepEqual([await cleaned('0171 1234567'), await cleaned('+49 171 1234567')], ['', '+491711234567']);
  });
  for (const [came, name] of [
    [{ first: 'Ada', last: 'Byron' }, 'Ada Byron'],
    [{ last: 'Byron', first: 'Ada' }, 'Ada Byron'],
    [{ prefix: 'Dr.', first: 'Ada', middle: '', last: 'Byron', suffix: null }, 'Dr. Ada Byron'],
    [{ value: 'Ada Byron' }, 'Ada Byron'],
    [['Ada Byron'], 'Ada Byron'],
    [{}, ''],
    [[], ''],
    [{ first: '', last: { x: ' ' } }, ''],
  ] as const)
    it(`has a name in parts as one text: ${JSON.stringify(came)}`, async () => {
      assert.equal((await leadOf({ name: came, email: 'ada@example.com' }))['name'], name);
    });
  it('has its name in the next field where one is without words', async () => {
    assert.equal((await leadOf({ name: { first: ' ' }, first_name: 'Ada', last_name: 'Byron' }))['name'], 'Ada Byron');
  });
  for (const came of [
    'Ada Byron <ada@example.com>',
    '"Byron, Ada" <Ada@Example.com>',
    '<ada@example.com>',
    'Ada Byron ada@example.com',
    'ada@example.com, byron@example.com',
    'ada@example.com; byron@example.com',
    'mailto:ada@example.com',
    'ada @ example.com',
    ['ada@example.com', 'byron@example.com'],
    { value: 'ada@example.com', type: 'work' },
  ])
    it(`has its address found in ${JSON.stringify(came)}`, async () => {
      assert.equal((await leadOf({ name: 'Ada Byron', email: came }))['email'], 'ada@example.com');
    });
  for (const came of ['Ada Byron <ada>', 'ada@example', '<>', { type: 'work' }])
    it(`has no address of ${JSON.stringify(came)}`, async () => {
      const lead = await leadOf({ name: 'Ada Byron', email: came });
      assert.deepEqual([lead['email'], lead['missing']], ['', ['email']]);
    });
  for (const came of [['312-555-0121', '312-555-0122'], '312-555-0121; 312-555-0122', { number: '(312) 555-0121', type: 'cell' }])
    it(`has its phone found in ${JSON.stringify(came)}`, async () => {
      assert.equal((await leadOf({ name: 'Ada Byron', phone: came }, { countryCode: '+1' }))['phone'], '+13125550121');
    });

  it('has its fields found under the names that forms and programs give them', async () => {
    const whole = { name: 'Ada Byron', email: 'ada@example.com', phone: '+13125550121', message: 'Do you have time on Friday?' };
    for (const names of [
      ['Full Name', 'E-Mail', 'Phone Number', 'Your Message'],
      ['full-name', 'email_address', 'Mobile Phone', 'Comment'],
      ['Name', 'EMAIL', 'Telephone', 'message'],
    ]) {
      const lead = await leadOf(Object.fromEntries(Object.values(whole).map((value, at) => [names[at], value])));
      assert.deepEqual({ ...lead, quality: 0, verdict: '', missing: [] }, { ...whole, quality: 0, verdict: '', missing: [] }, names.join());
    }
    assert.equal((await leadOf({ first_name: 'Ada', last_name: 'BYRON' }))['name'], 'Ada Byron');
    assert.equal((await leadOf({ 'First Name': 'Ada' }))['name'], 'Ada');
    assert.equal((await leadOf({ name: 'Ada Byron', first_name: 'A.' }))['name'], 'Ada Byron', 'a whole name comes first');
  });
  it('has its fields found under the names that forms in German, Spanish and French give them', async () => {
    const values = ['anna@example.com', '+491711234567', 'Haben Sie am Freitag Zeit?'];
    for (const [name, others] of [
      [{ Vorname: 'Anna', Nachname: 'Weiß' }, ['E-Mail', 'Telefon', 'Nachricht']],
      [{ Vorname: 'Anna', Name: 'Weiß' }, ['E-Mail-Adresse', 'Handynummer', 'Ihre Nachricht:']],
      [{ Nombre: 'Anna', Apellidos: 'Weiß' }, ['Correo electrónico', 'Teléfono', 'Mensaje']],
      [{ 'Nombre completo': 'Anna Weiß' }, ['Correo', 'Móvil', 'Comentarios']],
      [{ Prénom: 'Anna', Nom: 'Weiß' }, ['Courriel', 'Téléphone portable', 'Votre message']],
    ] as const) {
      const lead = await leadOf({ ...name, ...Object.fromEntries(others.map((key, at) => [key, values[at]])) });
      assert.deepEqual([lead['name'], lead['email'], lead['phone'], lead['message']], ['Anna Weiß', ...values], others.join());
      assert.equal(lead['quality'], 100);
    }
    for (const [source, name] of [
      [{ Nombre: 'María José', Apellidos: 'Ruiz' }, 'María José Ruiz'],
      [{ name: 'Ada', firstName: 'Ada', lastName: 'Byron' }, 'Ada Byron'],
      [{ name: 'Ada Byron', firstName: 'Ada', lastName: 'Byron' }, 'Ada Byron'],
    ] as const)
      assert.equal((await leadOf(source))['name'], name);
  });
  it('is found in the fields of a form, next to the inputs of the agent', async () => {
    const template = findBundle('lead-intake-cleaner')?.template;
    assert.ok(template);
    for (const form of [
      { Vorname: 'Anna', Nachname: 'Weiß', 'E-Mail': 'anna@example.com', Telefon: '0171 1234567', Nachricht: 'Haben Sie Zeit?' },
      { Vorname: 'Anna', Name: 'Weiß', 'E-Mail': 'anna@example.com', Telefon: '0171 1234567', Nachricht: 'Haben Sie Zeit?' },
      {
        Nombre: 'Anna',
        Apellidos: 'Weiß',
        'Correo electrónico': 'anna@example.com',
        Teléfono: '0171 1234567',
        Mensaje: 'Haben Sie Zeit?',
      },
    ]) {
      const reading = readInput(template, mapAliases(template, form), { timezone: 'Europe/Berlin', countries: ['DE'], locale: 'de' });
      assert.ok('input' in reading, JSON.stringify(reading));
      const { out } = await run('lead-intake-cleaner', 'clean_lead', event('lead-intake-cleaner', reading.input));
      const lead = out['lead'] as { [field: string]: unknown };
      assert.deepEqual(
        [lead['name'], lead['email'], lead['phone'], lead['message']],
        ['Anna Weiß', 'anna@example.com', '+491711234567', 'Haben Sie Zeit?'],
      );
    }
  });
  const names: [came: string, name: string][] = [
    ...[
      'Jürgen von Hagen',
      'von Hagen',
      'María de la Cruz',
      'Juan de Dios',
      'José Luis y Ana',
      'Dr. med. Anna Weiß',
      'J.R.R. Tolkien',
      'Ada McByron',
      'Müller AG',
      'Ada Byron III',
      '李 小龙',
    ].map((name): [string, string] => [name, name]),
    ['jürgen von hagen', 'Jürgen von Hagen'],
    ['JÜRGEN VON HAGEN', 'Jürgen von Hagen'],
    ['MARÍA DE LA CRUZ', 'María de la Cruz'],
    ['María DE LA CRUZ', 'María de la Cruz'],
    ['KARL-HEINZ SCHMIDT-MEIER', 'Karl-Heinz Schmidt-Meier'],
    ['karl-heinz schmidt-meier', 'Karl-Heinz Schmidt-Meier'],
    ["sinéad O'BRIEN", "Sinéad O'Brien"],
    ['sinéad o’brien', 'Sinéad O’Brien'],
    ['Ada byron', 'Ada Byron'],
    ['van morrison', 'Van Morrison'],
    ['DE NIRO', 'De Niro'],
    ['ada BYRON', 'Ada Byron'],
    ['ADA BYRON III', 'Ada Byron III'],
    ['j.r. tolkien', 'J.R. Tolkien'],
  ];
  for (const [came, name] of names)
    it(`has its name put right: ${came} is ${name}`, async () => assert.equal((await leadOf({ name: came }))['name'], name));
});
