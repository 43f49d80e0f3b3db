// Decides whether this caller gets a text now, and writes it.

const word = (value) => String(value ?? '').toLowerCase();

// A phone system may post every call. What became of the call to a person counts before the state of the line; where a message was left on the
// mailbox, the line alone says "completed" too. The line of the caller is also "completed" where a greeting alone picked it up.
const stateOf = ({ DialCallStatus, CallStatus, RecordingUrl }) => word(DialCallStatus || (RecordingUrl ? '' : CallStatus));
const stopNoMissedCall = (input) => {
  const direction = word(input.Direction);
  const isForwarded = direction === 'outbound-dial';
  const state = stateOf(input);
  if (direction.startsWith('outbound') && !isForwarded) return stop('outgoing_call', 'The business made this call');
  if (!isForwarded && state === 'completed' && !input.DialCallStatus && (direction || input.CallSid))
    return stop('wrong_webhook', 'The phone system does not say whether a person answered: have it report missed calls only');
  if (['completed', 'answered'].includes(state)) return stop('call_answered', 'The call was answered');
  // It names the person who was dialled in place of the number that was called, which is the one to text from.
  if (isForwarded) return stop('wrong_webhook', 'The phone system reported a call that it placed itself: have it report incoming calls');
  return null;
};

export const code = async (inputs) => {
  const input = inputs.input || {};
  const config = inputs.config || {};
  const client = inputs.client || {};
  const facts = inputs.facts || {};
  const ended = stopNoMissedCall(input);
  if (ended) return ended;
  const no = whyNoText({ number: input.callerNumber, config, client, facts });
  if (no?.fault) return fault(no.fault, no.message);
  if (no) return stop(no.reason, no.message);
  const { callerNumber: to, businessNumber: from } = input;
  if (!from) return fault('business_number_not_e164', 'There is no business number to text from');
  if (to === from) return stop('own_number', 'The call came from the business itself');
  const bookingUrl = config.bookingUrl || client.businessProfile?.bookingUrl;
  const words = { businessName: client.name, bookingUrl, callerNumber: to };
  const text = fill(withoutEmptyLink(config.message, 'bookingUrl', bookingUrl), words);
  if (text === '') return fault('message_missing', 'The message of this agent is empty');
  return go({ to, text, form: smsForm({ to, from, text, link: bookingUrl, optOutLine: config.optOutLine, words }) });
};
