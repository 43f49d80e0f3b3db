// Decides whether this caller gets a text now, and writes it.

const word = (value) => String(value ?? '').toLowerCase();

// A phone system may post every call; a call that has not ended never comes here (goesOn). What became of the call to a person (Twilio, Plivo) counts
// before the state of the line (Twilio, Vonage, sipgate, 3CX); where a message was left on the mailbox, the line alone says "completed" too. The line
// of the caller is also "completed" where a greeting alone picked it up. Without a direction, status and event may be about something else than the
// line, unless one says that it was answered.
const PICKED_UP = ['answered', 'answer'];
const lineOf = ({ CallStatus, direction, status, event, cause, CallType }) =>
  CallStatus ||
  (direction && (status || (word(event) === 'hangup' ? cause : event))) ||
  [status, event].find((one) => PICKED_UP.includes(word(one))) ||
  CallType;
const ANSWERED = ['completed', 'answered', 'answer', 'normalclearing', 'inbound'];
// 3CX names an outgoing call that no one answered so; a missed one is "Missed".
const OUTGOING = ['outbound', 'notanswered'];
const stopNoMissedCall = (input) => {
  const direction = word(input.Direction || input.direction);
  const isForwarded = direction === 'outbound-dial';
  const dialled = word(input.DialCallStatus || input.DialStatus);
  const state = dialled || (input.RecordingUrl ? '' : word(lineOf(input)));
  if ((direction.startsWith('out') && !isForwarded) || OUTGOING.includes(state))
    return stop('outgoing_call', 'The business made this call');
  // The line of a call that no one took is "completed" or "inbound" too.
  if (!dialled && !isForwarded && [input.status, input.event, input.CallType].some((one) => word(one).includes('missed'))) return null;
  if (!isForwarded && state === 'completed' && !dialled && (direction || input.CallSid))
    return stop('wrong_webhook', 'The phone system does not say whether a person answered: have it report missed calls only');
  if (ANSWERED.includes(state)) return stop('call_answered', 'The call was answered');
  // It names the person who was dialled in place of the number that was called, which is the one to text from.
  if (isForwarded) return stop('wrong_webhook', 'The phone system reported a call that it placed itself: have it report incoming calls');
  return null;
};

// A number's webhook for texts may lead here too, so that opt-outs are stored: no one called. Members of Twilio, Plivo and Vonage.
const OF_TEXTS = ['MessageSid', 'SmsSid', 'SmsMessageSid', 'MessageStatus', 'SmsStatus', 'MessageUUID'];
// Other systems name a notice of a call so, too.
const OF_TEXTS_WITH_WORDS = ['message_uuid', 'messageId'];
const stopText = (input) => {
  const isSet = (name) => (input[name] ?? '') !== '';
  const isOfText = [...OF_TEXTS, 'Body'].some(isSet) || (isSet('text') && OF_TEXTS_WITH_WORDS.some(isSet));
  if (isSet('CallSid') || !isOfText) return null;
  return ['Body', 'Text', 'text', 'NumMedia'].some((name) => isSet(name) && input[name] !== '0')
    ? stop('text_unread', 'This was a text, not a call: no one has answered it')
    : stop('not_a_call', 'This was a report about a text, not a call');
};

export const code = async (inputs) => {
  const input = inputs.input || {};
  const config = inputs.config || {};
  const client = inputs.client || {};
  const facts = inputs.facts || {};
  const ended = stopText(input) ?? stopNoMissedCall(input);
  if (ended) return ended;
  const no = whyNoText({ number: input.callerNumber, config, client, facts });
  if (no?.fault) return fault(no.fault, no.message);
  if (no) return stop(no.reason, no.message);
  const { callerNumber: to, businessNumber: from } = input;
  if (!from) return fault('business_number_not_e164', 'There is no business number to text from');
  if (to === from) return stop('own_number', 'The call came from the business itself');
  const bookingUrl = config.bookingUrl || client.businessProfile?.bookingUrl;
  const words = { businessName: client.name, bookingUrl, callerNumber: to };
  // A visitor of the chat did not call.
  const message = facts.isForVisitor === true ? config.visitorMessage : config.message;
  const text = fill(withoutEmptyLink(message, 'bookingUrl', bookingUrl), words);
  if (text === '') return fault('message_missing', 'The message of this agent is empty');
  return go({ to, text, form: smsForm({ to, from, text, link: bookingUrl, optOutLine: config.optOutLine, words }) });
};
