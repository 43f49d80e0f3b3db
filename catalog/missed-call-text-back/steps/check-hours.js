// Decides whether this caller gets a text now, and writes it.
export const code = async (inputs) => {
  const input = inputs.input || {};
  const config = inputs.config || {};
  const client = inputs.client || {};
  const facts = inputs.facts || {};
  const no = whyNoText({ number: input.callerNumber, config, client, facts });
  if (no?.fault) return fault(no.fault, no.message);
  if (no) return stop(no.reason, no.message);
  const { callerNumber: to, businessNumber: from } = input;
  if (!from) return fault('business_number_not_e164', 'There is no business number to text from');
  if (to === from) return stop('own_number', 'The call came from the business itself');
  const bookingUrl = config.bookingUrl || client.businessProfile?.bookingUrl;
  const text = fill(withoutEmptyLink(config.message, 'bookingUrl', bookingUrl), {
    businessName: client.name,
    bookingUrl,
    callerNumber: to,
  });
  if (text === '') return fault('message_missing', 'The message of this agent is empty');
  return go({ to, text, form: smsForm({ to, from, text, link: bookingUrl, optOutLine: config.optOutLine }) });
};
