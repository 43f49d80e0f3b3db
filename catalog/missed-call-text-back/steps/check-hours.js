// Decides whether this caller gets a text now, and writes it.
export const code = async (inputs) => {
  const input = inputs.input || {};
  const config = inputs.config || {};
  const client = inputs.client || {};
  const facts = inputs.facts || {};
  const no = whyNoText({ number: input.callerNumber, config, client, facts });
  if (no?.fault) return fault(no.fault, no.message);
  if (no) return stop(no.reason, no.message);
  const from = toE164(input.businessNumber);
  if (from === null) return fault('business_number_not_e164', 'The business number is not E.164, for example +13125550100');
  const to = toE164(input.callerNumber);
  if (to === from) return stop('own_number', 'The call came from the business itself');
  const text = fill(config.message, {
    businessName: client.name,
    bookingUrl: config.bookingUrl || client.businessProfile?.bookingUrl,
    callerNumber: to,
  });
  if (text === '') return fault('message_missing', 'The message of this agent is empty');
  return go({ to, text, form: smsForm({ to, from, text, optOutLine: config.optOutLine }) });
};
