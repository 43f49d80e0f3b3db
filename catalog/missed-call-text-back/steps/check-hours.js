// Decides whether this caller gets a text now, and writes it.

const word = (value) => String(value ?? '').toLowerCase();

// A phone system may post every call. What became of the call to a person counts before the state of the line; where a message was left on the
// mailbox, the line alone says "completed" too.
const isAnswered = ({ DialCallStatus, CallStatus, RecordingUrl }) =>
  ['completed', 'answered'].includes(word(DialCallStatus || (RecordingUrl ? '' : CallStatus)));

export const code = async (inputs) => {
  const input = inputs.input || {};
  const config = inputs.config || {};
  const client = inputs.client || {};
  const facts = inputs.facts || {};
  if (word(input.Direction).startsWith('outbound')) return stop('outgoing_call', 'The business made this call');
  if (isAnswered(input)) return stop('call_answered', 'The call was answered');
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
