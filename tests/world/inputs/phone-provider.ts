import { randomBytes } from 'node:crypto';
import { form, json, phone, someone, TEXTING, TEXTS_ONLY, TIMED, words } from '../events.ts';
import type { ClientName } from '../clients.ts';
import type { Expected, Row, TemplateName } from '../row.ts';

/**
 * What phone systems send. Fields: Twilio (voice and messaging webhooks), Vonage (msisdn), Plivo, sipgate.io, Telnyx, Aircall, RingCentral and Quo (nested JSON),
 * Asterisk (caller ID texts), 3CX. Placeholders of withheld numbers: https://help.twilio.com/articles/223179988.
 */

const MISSED: readonly TemplateName[] = ['missed-call-text-back'];
const FAQ: readonly TemplateName[] = ['ai-faq-reply'];
const TO = '+13125550100';

/** Calls and messages have ids of their own: the same one twice is the same event. */
const sid = (kind: 'CA' | 'SM'): string => kind + randomBytes(16).toString('hex');

const [STOPPED_THERE, ELSEWHERE, HELPED, VONAGE, WHATSAPP, PLIVO] = [someone(), someone(), someone(), someone(), someone(), someone()];

/** A missed call as Twilio posts it. */
const twilioCall = (from: string, more: Record<string, string> = {}) =>
  form({ CallSid: sid('CA'), AccountSid: 'AC1', From: from, To: TO, Direction: 'inbound', ...more });
/** A text as Twilio posts it. */
const twilioText = (from: string, body: string, more: Record<string, string> = {}) =>
  form({ MessageSid: sid('SM'), AccountSid: 'AC1', From: from, To: TO, Body: body, NumMedia: '0', ...more });

const CALLERS: readonly TemplateName[] = ['missed-call-text-back', 'ai-faq-reply'];
const WITHHELD: Expected = { stopped: 'caller_withheld' };
const withheld = (name: string, came: string, templates: readonly TemplateName[] = MISSED): Row => ({
  name,
  templates,
  send: phone(came),
  // Only a caller withholds a number; a form's field was not filled in.
  expect: (template) => (CALLERS.includes(template) ? WITHHELD : { stopped: 'no_phone_number' }),
});

const understood = (
  name: string,
  came: string | number,
  number: string,
  templates: readonly TemplateName[] = MISSED,
  client: ClientName = 'chicago',
): Row => ({
  name,
  templates,
  client,
  send: phone(came),
  // The rows share a person, whom reminders and nudges reach once.
  expect: (template) => (TIMED.includes(template) ? { phone: number } : { phone: number, texts: [{ to: number, includes: ['STOP'] }] }),
});

const notTextable = (name: string, came: string, templates: readonly TemplateName[] = MISSED): Row => ({
  name,
  templates,
  send: phone(came),
  expect: { stopped: 'number_not_textable' },
});

const WITHHELD_CALLERS: readonly Row[] = [
  withheld('Twilio, "anonymous"', 'anonymous', TEXTING),
  withheld('Twilio, the keypad digits of ANONYMOUS', '+266696687', TEXTING),
  withheld('Twilio, the keypad digits of RESTRICTED', '+7378742833', TEXTING),
  withheld('Twilio, the keypad digits of UNAVAILABLE', '+86282452253', TEXTS_ONLY),
  withheld('Twilio, the keypad digits of BLOCKED', '+2562533', TEXTS_ONLY),
  withheld('Twilio, the keypad digits of UNKNOWN', '+8656696', TEXTS_ONLY),
  withheld('Twilio, +464', '+464', TEXTS_ONLY),
  withheld('Twilio, the keypad digits of ANONYMOUS without a plus sign', '266696687'),
  withheld('RingCentral, "Anonymous"', 'Anonymous', TEXTS_ONLY),
  withheld('Vonage, "Restricted"', 'Restricted', TEXTING),
  withheld('Vonage, "unknown"', 'unknown'),
  withheld('Plivo, "unavailable"', 'unavailable'),
  withheld('Telnyx, "UNAVAILABLE"', 'UNAVAILABLE'),
  withheld('3CX, "Private"', 'Private'),
  withheld('Aircall, "No caller ID"', 'No caller ID'),
  withheld('a Fritz!Box, "Unbekannt"', 'Unbekannt'),
  withheld('a German exchange, "Rufnummer unterdrückt"', 'Rufnummer unterdrückt'),
  withheld('a Spanish exchange, "número oculto"', 'número oculto'),
  withheld('a SIP trunk, anonymous@anonymous.invalid', 'anonymous@anonymous.invalid'),
  withheld('a SIP trunk, sip:anonymous@anonymous.invalid', 'sip:anonymous@anonymous.invalid', TEXTS_ONLY),
  withheld('Twilio, a call between SIP users', 'sip:alice@oak.sip.twilio.com', TEXTS_ONLY),
  withheld('Twilio, a call from a browser (client:)', 'client:alice', TEXTING),
  withheld('Asterisk, "Anonymous" <anonymous>', '"Anonymous" <anonymous>'),
  withheld('a call tracker, "n/a"', 'n/a'),
  withheld('a call tracker, a dash', '-'),
  withheld('a script, the word null', 'null'),
  withheld('an old exchange, zeros', '0000000000'),
  {
    ...withheld('an empty number', ''),
    decided: 'The issue lists the empty number among withheld callers; a field that is missing altogether stays missing_input.',
  },
  {
    name: 'a form whose phone field was left empty',
    templates: ['review-request', 'no-show-rebooking', 'quote-follow-up', 'appointment-reminder'],
    send: phone(''),
    expect: { stopped: 'no_phone_number' },
  },
  { name: 'Twilio, a form whose From is empty', templates: MISSED, send: twilioCall(''), expect: WITHHELD },
  {
    name: 'Twilio, a form from a withheld caller',
    templates: MISSED,
    send: twilioCall('+266696687', { Caller: '+266696687' }),
    expect: WITHHELD,
  },
  {
    name: 'sipgate, from=anonymous',
    templates: MISSED,
    client: 'berlin',
    send: form({ event: 'newCall', direction: 'in', from: 'anonymous', to: '4930901820' }),
    expect: WITHHELD,
  },
  {
    name: 'a lead from a call tracker whose caller was withheld',
    templates: ['lead-qualifier'],
    send: phone('anonymous', { leadEmail: 'ada@example.com' }),
    expect: { phone: null, texts: [], mails: [{ to: 'owner@oak.example', excludes: ['anonymous'] }] },
  },
  {
    name: 'a customer with a mail address whose number is withheld',
    templates: ['quote-follow-up', 'appointment-reminder'],
    send: (template) =>
      phone('Restricted', { [template === 'quote-follow-up' ? 'customerEmail' : 'attendeeEmail']: 'withheld@example.com' })(template),
    expect: { phone: null, texts: [], mails: [{ to: 'withheld@example.com' }] },
  },
  {
    name: 'an unhappy customer whose number is withheld',
    templates: ['review-request'],
    send: phone('unknown', { rating: 1 }),
    expect: { phone: null, texts: [], mails: [{ to: 'owner@oak.example', includes: ['1 of 5'] }] },
  },
];

const NO_PHONES: readonly Row[] = [
  notTextable('a short code', '72975', TEXTS_ONLY),
  notTextable('a short code of six digits', '262966', FAQ),
  notTextable('an alphanumeric sender', 'AMAZON', FAQ),
  notTextable('an alphanumeric sender with a digit', 'Uber4U', FAQ),
  notTextable('a RCS sender', 'rcs:oak_street_agent', FAQ),
  notTextable('an emergency number', '911', TEXTS_ONLY),
  notTextable('a premium-rate number', '+19005550199', TEXTING),
  notTextable('a toll-free number', '(800) 555-0199', TEXTS_ONLY),
  notTextable('a satellite phone', '+8816123456789', TEXTS_ONLY),
  { ...notTextable('a number without its area code', '555-0121', TEXTS_ONLY), decided: 'No one can say which area code is meant.' },
  notTextable('a number with one digit too few', '+1 312 555 012', TEXTS_ONLY),
  { name: 'a caller from abroad', templates: TEXTS_ONLY, send: phone('+33612345678'), expect: { stopped: 'country_not_allowed' } },
  {
    name: 'a text from abroad',
    templates: FAQ,
    send: twilioText('+33612345678', 'I am at the door, where is the key?'),
    expect: { phone: '+33612345678', texts: [], mails: [{ to: 'desk@oak.example', includes: ['where is the key?'] }] },
  },
  {
    name: 'a caller from abroad, dialled with 011',
    templates: TEXTS_ONLY,
    send: phone('011 49 1512 3456789'),
    expect: { stopped: 'country_not_allowed' },
  },
  { name: 'the business itself', templates: MISSED, send: phone(TO), expect: { texts: [], output: { reason: 'own_number' } } },
];

const NOTATIONS: readonly Row[] = [
  understood('E.164', '+13125550121', '+13125550121', TEXTING),
  understood('Plivo, without the plus sign', '13125550121', '+13125550121', TEXTS_ONLY),
  understood('Vonage, a JSON number', 13125550121, '+13125550121'),
  understood('ten digits', '3125550121', '+13125550121', TEXTING),
  understood('(312) 555-0121', '(312) 555-0121', '+13125550121', TEXTING),
  understood('312.555.0121', '312.555.0121', '+13125550121'),
  understood('1-312-555-0121', '1-312-555-0121', '+13125550121'),
  understood('+1 (312) 555-0121', '+1 (312) 555-0121', '+13125550121'),
  understood('a tel: link', 'tel:+1-312-555-0121', '+13125550121'),
  understood('a tel: link with an extension', 'tel:+13125550121;ext=204', '+13125550121'),
  {
    name: 'Twilio, a WhatsApp sender, who is answered there',
    templates: FAQ,
    send: twilioText('whatsapp:+13125550121', 'When are you open on Saturday?', { To: `whatsapp:${TO}` }),
    expect: { phone: '+13125550121', texts: [{ to: 'whatsapp:+13125550121' }] },
  },
  understood('an extension after x', '(312) 555-0121 x204', '+13125550121', TEXTS_ONLY),
  understood('an extension after ext.', '+1 312 555 0121 ext. 204', '+13125550121'),
  understood('an extension after #', '312-555-0121 #204', '+13125550121'),
  understood(
    'invisible characters around a number, as iOS copies it',
    '\u202a+1\u00a0(312)\u00a0555\u20110121\u202c',
    '+13125550121',
    TEXTING,
  ),
  understood('en dashes', '312\u2013555\u20130121', '+13125550121'),
  understood('zero-width spaces', '+1312\u200b555\u200b0121', '+13125550121'),
  understood('full-width digits', '\uff0b\uff11\uff13\uff11\uff12\uff15\uff15\uff15\uff10\uff11\uff12\uff11', '+13125550121'),
  understood('Arabic-Indic digits', '+\u0661\u0663\u0661\u0662\u0665\u0665\u0665\u0660\u0661\u0662\u0661', '+13125550121'),
  understood('two numbers, by a comma', '+1 312 555 0121, +1 312 555 0122', '+13125550121'),
  understood('two numbers, by a slash', '312-555-0121 / 312-555-0122', '+13125550121'),
  understood('two numbers, by "or"', '312-555-0121 or 312-555-0122', '+13125550121'),
  understood('Asterisk, a name before the number', '"Ada Byron" <3125550121>', '+13125550121'),
  understood('spaces and a line break around', ' +13125550121\r\n', '+13125550121'),
  understood('Germany: +49 (0)30', '+49 (0)1512 3456789', '+4915123456789', MISSED, 'berlin'),
  understood('Germany: 0049', '0049 1512 3456789', '+4915123456789', TEXTS_ONLY, 'berlin'),
  understood('Germany: national with a slash', '0151/23456789', '+4915123456789', TEXTING, 'berlin'),
  understood('Germany: national in pairs', '0151 / 23 45 67 89', '+4915123456789', MISSED, 'berlin'),
  understood('Germany: trunk zero after the country code', '+49 0151 23456789', '+4915123456789', MISSED, 'berlin'),
  {
    ...understood('Germany, sipgate: the country code without a plus sign', '4915123456789', '+4915123456789', MISSED, 'berlin'),
    decided: 'German numbers begin with 0 at home, so these digits begin with the country code.',
  },
  understood('Germany: a landline', '030 901821', '+4930901821', MISSED, 'berlin'),
  understood('Spain: nine digits', '612 34 56 78', '+34612345678', TEXTS_ONLY, 'madrid'),
  understood('Spain: 0034', '0034 612 345 678', '+34612345678', MISSED, 'madrid'),
  understood('Spain: 34 without a plus sign', '34612345678', '+34612345678', MISSED, 'madrid'),
  understood('Britain: 07…', '07400 123457', '+447400123457', TEXTS_ONLY, 'london'),
  understood('Britain: +44 (0)', '+44 (0)7400 123457', '+447400123457', TEXTS_ONLY, 'london'),
  understood('Britain: +4407…', '+4407400123457', '+447400123457', MISSED, 'london'),
  understood('Britain: 447… without a plus sign', '447400123457', '+447400123457', MISSED, 'london'),
  understood('Australia: 04…', '0412 345 678', '+61412345678', TEXTS_ONLY, 'sydney'),
  understood('Australia: 0011 61', '0011 61 412 345 678', '+61412345678', MISSED, 'sydney'),
  {
    name: 'a number of the business in national notation',
    templates: MISSED,
    send: json({ callerNumber: '+13125550121', businessNumber: '(312) 555-0100' }),
    expect: { value: { businessNumber: TO }, texts: [{ to: '+13125550121' }] },
  },
  {
    name: 'a form whose plus sign was not encoded',
    templates: MISSED,
    send: () => ({ body: `From=+13125550121&To=+13125550100`, contentType: 'application/x-www-form-urlencoded' }),
    expect: { phone: '+13125550121', texts: [{ to: '+13125550121' }] },
  },
];

const SHAPES: readonly Row[] = [
  {
    name: 'Twilio, a missed call as a form',
    templates: MISSED,
    send: twilioCall('+13125550121', { CallStatus: 'no-answer', StirVerstat: 'TN-Validation-Passed-A' }),
    expect: { phone: '+13125550121', texts: [{ to: '+13125550121' }] },
  },
  {
    name: 'Twilio, a call that was answered, as a form',
    templates: MISSED,
    send: twilioCall('+13125550121', { CallStatus: 'in-progress', DialCallStatus: 'completed', DialCallDuration: '42' }),
    expect: { phone: '+13125550121', stopped: 'call_answered', texts: [] },
  },
  {
    name: 'Twilio, a text at the address of an agent for calls',
    templates: MISSED,
    send: twilioText('+13125550121', 'When are you open on Saturday?'),
    expect: { stopped: 'text_unread', texts: [] },
  },
  {
    name: 'Twilio, a text as a form',
    templates: FAQ,
    send: twilioText('+13125550121', 'When are you open on Saturday?'),
    expect: { texts: [{ to: '+13125550121', includes: ['9 to 13'] }] },
  },
  {
    name: 'Twilio, Caller and Called only',
    templates: MISSED,
    send: form({ Caller: '+13125550121', Called: TO }),
    expect: { phone: '+13125550121', texts: [{ to: '+13125550121' }] },
  },
  {
    name: 'Plivo, a missed call as a form',
    templates: MISSED,
    send: form({ CallUUID: 'a1', From: '13125550121', To: '13125550100', Event: 'Hangup' }),
    expect: { phone: '+13125550121', texts: [{ to: '+13125550121' }] },
  },
  {
    name: 'sipgate, a call with its users (user[] twice)',
    templates: MISSED,
    client: 'berlin',
    send: form([
      ['event', 'newCall'],
      ['direction', 'in'],
      ['from', '4915123456789'],
      ['to', '4930901820'],
      ['user[]', 'Alice'],
      ['user[]', 'Bob'],
    ]),
    expect: { stopped: 'wrong_webhook', isFree: true },
    decided: 'It begins to ring. Whether someone answers is not known yet.',
  },
  {
    name: 'sipgate, a call that no one answered, at its end',
    templates: MISSED,
    client: 'berlin',
    send: form({ event: 'hangup', cause: 'noAnswer', direction: 'in', from: '4915123456789', to: '4930901820', callId: '1' }),
    expect: { phone: '+4915123456789', texts: [{ to: '+4915123456789' }] },
  },
  {
    name: 'sipgate, a call that the business makes',
    templates: MISSED,
    client: 'berlin',
    send: form({ event: 'hangup', cause: 'normalClearing', direction: 'out', from: '4930901820', to: '4915123456789' }),
    expect: { stopped: 'outgoing_call' },
  },
  {
    name: 'Plivo, a call that the dialled person answered',
    templates: MISSED,
    send: form({
      CallUUID: 'a2',
      From: '13125550121',
      To: '13125550100',
      Direction: 'inbound',
      CallStatus: 'in-progress',
      DialStatus: 'completed',
    }),
    expect: { stopped: 'call_answered' },
  },
  {
    name: 'Twilio, every state of one call that no one answers',
    templates: MISSED,
    send: () => {
      const CallSid = sid('CA');
      return ['ringing', 'in-progress', 'no-answer', 'completed'].map((CallStatus) =>
        twilioCall('+13125550121', { CallSid, CallStatus })(),
      );
    },
    expect: { runs: 3, texts: [{ to: '+13125550121' }] },
  },
  {
    name: 'Vonage, an inbound text as a form (msisdn)',
    templates: FAQ,
    send: form({ msisdn: '13125550121', to: '13125550100', text: 'Hello', messageId: '0A' }),
    expect: { refused: { status: 422, code: 'missing_input', field: 'from' } },
  },
  {
    name: 'Telnyx, its envelope',
    templates: FAQ,
    send: json({ data: { event_type: 'message.received', payload: { from: { phone_number: '+13125550121' }, text: 'Hi' } } }),
    expect: { refused: { status: 422, code: 'missing_input', field: 'from' } },
  },
  {
    name: 'Aircall, its envelope',
    templates: MISSED,
    send: json({
      resource: 'call',
      event: 'call.hungup',
      data: { raw_digits: '+1 312-555-0121', missed_call_reason: 'no_available_agent' },
    }),
    expect: { refused: { status: 422, code: 'missing_input', field: 'callerNumber' } },
  },
  {
    name: 'RingCentral, its envelope',
    templates: MISSED,
    send: json({ body: { parties: [{ from: { phoneNumber: '+13125550121' }, missedCall: true }] } }),
    expect: { refused: { status: 422, code: 'missing_input', field: 'callerNumber' } },
  },
  {
    name: 'Quo, its envelope',
    templates: FAQ,
    send: json({ object: { type: 'message.received', data: { object: { from: '+13125550121', body: 'Hi' } } } }),
    expect: { refused: { status: 422, code: 'missing_input', field: 'body' } },
  },
  {
    name: '3CX, a template of its CRM integration',
    templates: MISSED,
    send: json({ callerNumber: '3125550121', businessNumber: '3125550100', Duration: '00:00:00', CallType: 'Missed' }),
    expect: { phone: '+13125550121', value: { businessNumber: TO }, texts: [{ to: '+13125550121' }] },
  },
  {
    name: '3CX, a call that was answered',
    templates: MISSED,
    send: json({ callerNumber: '3125550121', businessNumber: '3125550100', Duration: '00:03:12', CallType: 'Inbound' }),
    expect: { stopped: 'call_answered' },
  },
  {
    name: 'a list of numbers',
    templates: MISSED,
    send: json({ callerNumber: ['+13125550121', '+13125550122'], businessNumber: TO }),
    expect: { phone: '+13125550121', texts: [{ to: '+13125550121' }] },
  },
  {
    name: 'the number of the business missing',
    templates: MISSED,
    send: json({ callerNumber: '+13125550121' }),
    expect: { refused: { status: 422, code: 'missing_input', field: 'businessNumber' } },
  },
  {
    name: 'no caller at all',
    templates: MISSED,
    send: json({ businessNumber: TO }),
    expect: { refused: { status: 422, code: 'missing_input', field: 'callerNumber' } },
  },
  {
    name: 'Twilio, the same event twice with its token',
    templates: MISSED,
    send: () =>
      [1, 2].map(() => ({
        ...phone('+13125550121')('missed-call-text-back'),
        headers: { 'i-twilio-idempotency-token': 'd1f7a2c0-6f0e-4d0e' },
      })),
    expect: { runs: 1, texts: [{ to: '+13125550121' }] },
  },
];

/** The provider's word on a person: the run is stopped with its reason and costs nothing. */
const refusedAt = (name: string, to: string, reason: string): Row => ({
  name,
  templates: TEXTS_ONLY,
  shop: 'refused by the provider',
  send: phone(to),
  expect: { output: { skipped: true, reason }, isFree: true },
});

/** The numbers that the provider documents for its test credentials. */
const PROVIDER_REFUSALS: readonly Row[] = [
  refusedAt('Twilio, to an invalid number (21211)', '+15005550001', 'number_unknown'),
  refusedAt('Twilio, to a number it cannot route to (21612)', '+15005550002', 'number_unreachable'),
  refusedAt('Twilio, to a region without permission (21408)', '+15005550003', 'region_not_enabled'),
  refusedAt('Twilio, to someone who opted out there (21610)', '+15005550004', 'opted_out_at_provider'),
  refusedAt('Twilio, to a landline (21614)', '+15005550009', 'not_mobile'),
  {
    name: 'Twilio, to someone who opted out there, the next time',
    templates: MISSED,
    shop: 'refused by the provider',
    round: 2,
    send: phone('+15005550004'),
    expect: { stopped: 'on_stop_list' },
  },
];

/** The field in which Twilio says which keyword it has answered. */
const OPT_OUT_TYPES: readonly Row[] = [
  {
    name: 'Twilio, OptOutType STOP',
    templates: FAQ,
    shop: 'opt-outs at the provider',
    send: twilioText(STOPPED_THERE, 'Bitte nicht mehr', { OptOutType: 'STOP' }),
    expect: { stopped: 'opted_out' },
  },
  {
    name: 'Twilio, OptOutType STOP, at another agent',
    templates: MISSED,
    shop: 'opt-outs at the provider',
    send: twilioText(ELSEWHERE, 'STOP', { OptOutType: 'STOP' }),
    expect: { stopped: 'opted_out' },
  },
  {
    name: 'Twilio, a call of someone who opted out by OptOutType',
    templates: MISSED,
    shop: 'opt-outs at the provider',
    round: 2,
    send: phone(STOPPED_THERE),
    expect: { stopped: 'on_stop_list' },
  },
  {
    name: 'Twilio, OptOutType HELP',
    templates: FAQ,
    shop: 'opt-outs at the provider',
    send: twilioText(HELPED, 'HELP', { OptOutType: 'HELP' }),
    expect: { stopped: 'answered_by_provider' },
  },
  {
    name: 'Twilio, OptOutType START after an opt-out',
    templates: FAQ,
    shop: 'opt-outs at the provider',
    round: 3,
    send: twilioText(STOPPED_THERE, 'START', { OptOutType: 'START' }),
    expect: { stopped: 'opted_in' },
  },
  {
    name: 'Twilio, a call of someone who opted in again',
    templates: MISSED,
    shop: 'opt-outs at the provider',
    round: 4,
    send: phone(STOPPED_THERE),
    expect: { texts: [{ to: STOPPED_THERE }] },
  },
  {
    name: 'Vonage, STOP from msisdn',
    templates: FAQ,
    shop: 'opt-outs at the provider',
    send: json({ msisdn: VONAGE.slice(1), to: '13125550100', text: 'STOP' }),
    expect: { stopped: 'opted_out' },
  },
  {
    name: 'Twilio, STOP by WhatsApp',
    templates: FAQ,
    shop: 'opt-outs at the provider',
    send: twilioText(`whatsapp:${WHATSAPP}`, 'STOP'),
    expect: { stopped: 'opted_out' },
  },
  {
    name: 'a call of someone who said STOP by WhatsApp',
    templates: MISSED,
    shop: 'opt-outs at the provider',
    round: 2,
    send: phone(WHATSAPP),
    expect: { stopped: 'on_stop_list' },
  },
  {
    name: 'Plivo, STOP without a plus sign',
    templates: FAQ,
    shop: 'opt-outs at the provider',
    send: form({ From: PLIVO.slice(1), To: '13125550100', Text: 'Stop' }),
    expect: { stopped: 'opted_out' },
  },
  {
    name: 'a call of someone who said STOP without a plus sign',
    templates: MISSED,
    shop: 'opt-outs at the provider',
    round: 2,
    send: phone(PLIVO),
    expect: { stopped: 'on_stop_list' },
  },
];

/** What providers send again. */
const REPEATED: readonly Row[] = [
  {
    name: 'Twilio, the same call twice by its CallSid',
    templates: MISSED,
    send: () => {
      const call = twilioCall('+13125550121');
      return [call(), call()];
    },
    expect: { runs: 1, texts: [{ to: '+13125550121' }] },
  },
  {
    name: 'Twilio, the same text twice by its MessageSid',
    templates: FAQ,
    send: () => {
      const text = twilioText('+13125550121', 'When are you open on Saturday?');
      return [text(), text()];
    },
    expect: { runs: 1, texts: [{ to: '+13125550121' }] },
  },
  {
    name: 'two calls of one caller',
    templates: MISSED,
    send: () => [twilioCall('+13125550121')(), twilioCall('+13125550121')()],
    expect: { runs: 2, texts: [{ to: '+13125550121' }, { to: '+13125550121' }] },
  },
];

/** Messages that hold no words. */
const TEXTS_WITHOUT_WORDS: readonly Row[] = [
  {
    name: 'Twilio, a picture without a text',
    templates: FAQ,
    send: twilioText('+13125550121', '', { NumMedia: '1', MediaUrl0: 'https://api.twilio.com/m.jpg', MediaContentType0: 'image/jpeg' }),
    expect: { texts: [], mails: [{ to: 'desk@oak.example', includes: ['+13125550121', 'A picture without words'] }] },
    decided: 'A model reads no picture here, so a person does.',
  },
  {
    name: 'a text of spaces',
    templates: FAQ,
    send: words('   '),
    expect: { refused: { status: 422, code: 'missing_input', field: 'body' } },
  },
  { name: 'a reaction, as phones of another maker send it', templates: FAQ, send: words('Liked “See you on Saturday”'), expect: {} },
];

export const PHONE_PROVIDERS: readonly Row[] = [
  ...WITHHELD_CALLERS,
  ...NO_PHONES,
  ...NOTATIONS,
  ...SHAPES,
  ...PROVIDER_REFUSALS,
  ...OPT_OUT_TYPES,
  ...REPEATED,
  ...TEXTS_WITHOUT_WORDS,
];
