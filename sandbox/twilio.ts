import { randomBytes } from 'node:crypto';
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { fieldsOf, isGoodSecret, textOf, type Ask, type Reply, type StandIn } from './provider.ts';
import { countSegments } from './segments.ts';

/**
 * The telephony service: form-encoded message create with basic auth. The numbers +1500555000x behave as with the real service's test
 * credentials, and +1500<code>00 is refused with that code (README.md).
 */
export const twilio: StandIn = {
  storedPath: (path) => path.replace(/\/Accounts\/[^/.]+/, '/Accounts/{AccountSid}'),
  answer(ask) {
    const route = /^\/2010-04-01\/Accounts\/([^/.]+)(\/Messages)?\.json$/.exec(ask.path);
    const refused = checkAccount(ask, route?.[1]);
    if (refused !== null) return refused;
    if (route === null) return refusal(404, 20404, `The requested resource ${ask.path} was not found`);
    if (route[2] === undefined) {
      return ask.method === 'GET'
        ? { status: 200, body: { sid: route[1], friendly_name: 'Sandbox', status: 'active', type: 'Full' } }
        : methodRefused();
    }
    return ask.method === 'POST' ? createMessage(ask, route[1] ?? '') : methodRefused();
  },
};

const TO_ERRORS: { [number: string]: [number, (to: string, from: string) => string] } = {
  '+15005550001': [21211, (to) => `Invalid 'To' Phone Number: ${to}`],
  '+15005550002': [
    21612,
    (to, from) => `Message cannot be sent with the current combination of 'To' (${to}) and/or 'From' (${from}) parameters`,
  ],
  '+15005550003': [21408, (to) => `Permission to send an SMS has not been enabled for the region indicated by the 'To' number: ${to}`],
  '+15005550004': [21610, () => 'Attempt to send to unsubscribed recipient'],
  '+15005550009': [21614, (to) => `'To' number: ${to}, is not a valid mobile number`],
};

const FROM_ERRORS: { [number: string]: [number, (from: string) => string] } = {
  '+15005550001': [21212, (from) => `Invalid 'From' Number: ${from}`],
  '+15005550007': [
    21606,
    (from) => `The 'From' phone number provided (${from}) is not a valid message-capable phone number for this destination/account`,
  ],
  '+15005550008': [21611, (from) => `This 'From' number has exceeded the maximum number of queued messages: ${from}`],
};

const STATUS_OF: { readonly [code: number]: number } = { 20003: 401, 20005: 401, 20404: 404, 20429: 429, 63017: 429, 63038: 429 };

/** A number that plays a code: +1 500 216 1400 is refused with 21614. */
function playedCode(number: string): number | null {
  const found = /^\+1500([2-9]\d{4})00$/.exec(number);
  return found === null ? null : Number(found[1]);
}

function createMessage(ask: Ask, accountSid: string): Reply {
  const fields = fieldsOf(ask.body);
  const [sentTo, sentFrom, body] = [textOf(fields['To']), textOf(fields['From']), textOf(fields['Body'])];
  const [to, from] = [sentTo, sentFrom].map((number) => number.replace(/^whatsapp:/, '')) as [string, string]; // of two
  const service = textOf(fields['MessagingServiceSid']);
  if (to === '') return refusal(400, 21604, "A 'To' phone number is required.");
  if (!isNumber(to)) return refusal(400, 21211, `Invalid 'To' Phone Number: ${to}`);
  if (from === '' && service === '') return refusal(400, 21603, "A 'From' phone number is required.");
  if (service === '' && !isNumber(from)) return refusal(400, 21212, `Invalid 'From' Number: ${from}`);
  if (from !== '' && (to === sentTo) !== (from === sentFrom))
    return refusal(400, 21910, "Invalid 'From' and 'To' pair. 'From' and 'To' should be of the same channel");
  if (body === '') return refusal(400, 21602, 'Message body is required.');
  if (body.length > 1600) return refusal(400, 21617, 'The concatenated message body exceeds the 1600 character limit');
  if (to === from) return refusal(400, 21266, "'To' and 'From' number cannot be the same");
  const played = playedCode(from) ?? playedCode(to);
  if (played !== null) return refusal(STATUS_OF[played] ?? 400, played, `The sandbox refuses this number with ${played}`);
  const fromError = FROM_ERRORS[from];
  if (fromError !== undefined) return refusal(400, fromError[0], fromError[1](from));
  const toError = TO_ERRORS[to];
  if (toError !== undefined) return refusal(400, toError[0], toError[1](to, from));
  return { status: 201, body: messageRecord(accountSid, { to: sentTo, from: sentFrom, body, service }, ask.now) };
}

function messageRecord(accountSid: string, message: { to: string; from: string; body: string; service: string }, now: Date): object {
  const sid = `SM${randomBytes(16).toString('hex')}`;
  const uri = `/2010-04-01/Accounts/${accountSid}/Messages/${sid}`;
  const date = now.toUTCString().replace('GMT', '+0000');
  return {
    sid,
    account_sid: accountSid,
    messaging_service_sid: message.service === '' ? null : message.service,
    api_version: '2010-04-01',
    to: message.to,
    from: message.from === '' ? null : message.from,
    body: message.body,
    status: 'queued',
    direction: 'outbound-api',
    num_segments: String(countSegments(message.body)),
    num_media: '0',
    date_created: date,
    date_updated: date,
    date_sent: null,
    error_code: null,
    error_message: null,
    price: null,
    price_unit: 'USD',
    uri: `${uri}.json`,
    subresource_uris: { media: `${uri}/Media.json` },
  };
}

function checkAccount(ask: Ask, accountSid: string | undefined): Reply | null {
  const encoded = /^Basic\s+(\S+)$/i.exec(ask.headers.authorization ?? '')?.[1] ?? '';
  const [user = '', ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  const good = user !== '' && isGoodSecret(rest.join(':')) && (accountSid === undefined || accountSid === user);
  return good ? null : refusal(401, 20003, 'Authenticate');
}

/** E.164 of a length that its country has, without a zero that is dialled inside the country only (+4402…). */
function isNumber(text: string): boolean {
  const number = /^\+[1-9]\d{6,14}$/.test(text) ? parsePhoneNumberFromString(text, { extract: false }) : undefined;
  return number !== undefined && number.isPossible() && number.number === text;
}

function methodRefused(): Reply {
  return refusal(405, 20004, 'Method not allowed');
}

function refusal(status: number, code: number, message: string): Reply {
  return { status, body: { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status } };
}
