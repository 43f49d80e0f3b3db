// Picks the next free times out of the scheduling service's answer and writes the text that offers them.
export const code = async (inputs) => {
  const input = inputs.input || {};
  const config = inputs.config || {};
  const client = inputs.client || {};
  const days = inputs.days && typeof inputs.days === 'object' ? inputs.days : {};
  const times = Object.values(days)
    .flatMap((slots) => (Array.isArray(slots) ? slots : []))
    .map((slot) => String(slot?.start ?? slot?.time ?? slot))
    .filter((time) => !Number.isNaN(new Date(time).getTime()))
    .toSorted((one, other) => new Date(one).getTime() - new Date(other).getTime())
    .slice(0, Math.min(5, Math.max(1, Math.floor(Number(config.maxOffers) || 3))));
  if (times.length === 0) return stop('no_free_time', 'There is no free time in the coming days');
  const to = input.attendeePhone;
  const bookingUrl = config.bookingUrl || client.businessProfile?.bookingUrl;
  const words = {
    firstName: firstName(input.attendeeName),
    businessName: client.name,
    slots: times.map((time) => localTime(time, client.timezone, client.locale)).join('; '),
    bookingUrl,
  };
  const text = fill(withoutEmptyLink(config.message, 'bookingUrl', bookingUrl), words);
  if (text === '') return fault('message_missing', 'The message of this agent is empty');
  const form = smsForm({ to, from: config.fromNumber, text, link: bookingUrl, optOutLine: config.optOutLine, words });
  return go({ to, text, offered: times.length, form });
};
