// Reads the booking where one was named, decides whether a reminder is due this hour, and writes text and mail.

const HOUR_MS = 3_600_000;

// The reminders of one visit: the earliest that falls into the hour that begins now, and the next one to come.
const plan = (start, leadHours, now) => {
  const marks = leadHours
    .map((hours) => ({ hours, at: start - hours * HOUR_MS }))
    .filter((mark) => mark.hours > 0)
    .toSorted((one, other) => one.at - other.at);
  const due = marks.findLast((mark) => mark.at <= now && now - mark.at < HOUR_MS);
  const next = marks.find((mark) => mark.at > now);
  return { due, next: next === undefined ? undefined : new Date(next.at).toISOString() };
};

const cancelled = (booking) => ['cancelled', 'canceled', 'rejected'].includes(String(booking?.status ?? '').toLowerCase());

export const code = async (inputs) => {
  const input = inputs.input || {};
  const config = inputs.config || {};
  const client = inputs.client || {};
  const facts = inputs.facts || {};
  const booking = Array.isArray(inputs.bookings) ? inputs.bookings[0] : undefined;
  if (input.bookingUid && booking === undefined) return stop('booking_gone', 'The booking no longer exists');
  if (cancelled(booking)) return stop('booking_cancelled', 'The booking was cancelled');
  const start = new Date(booking?.start || input.startTime).getTime();
  if (Number.isNaN(start)) return fault('start_time_unreadable', 'The start of the visit is not a date and time');
  const now = new Date(facts.now || Date.now()).getTime();
  if (start <= now) return stop('already_started', 'The visit has begun or is over');
  const { due, next } = plan(start, (Array.isArray(config.leadHours) ? config.leadHours : []).map(Number), now);
  const later = next === undefined ? {} : { nextReminderAt: next };
  if (due === undefined) return stop('not_due', 'No reminder is due this hour', later);
  if (new Date(facts.lastContactAt || Number.NaN).getTime() >= due.at)
    return stop('already_reminded', 'This reminder went out before', later);

  const startTime = new Date(start).toISOString();
  const words = {
    firstName: firstName(input.attendeeName),
    businessName: client.name,
    startTime: localTime(startTime, client.timezone),
    rescheduleUrl: config.rescheduleUrl || client.businessProfile?.bookingUrl,
  };
  const text = fill(config.smsText, words);
  const mailText = fill(config.mailText, words);
  const noText = whyNoText({ number: input.attendeePhone, config, client, facts });
  const byText = text !== '' && toE164(config.fromNumber) !== null && noText === null;
  const byMail = mailText !== '' && isEmail(config.fromAddress) && isEmail(input.attendeeEmail);
  if (!byText && !byMail) {
    return noText?.reason
      ? stop(noText.reason, noText.message, later)
      : stop('no_way_to_reach', 'There is no phone number or mail address to remind', later);
  }
  const to = toE164(input.attendeePhone);
  return go({
    byText,
    byMail,
    startTime,
    leadHours: due.hours,
    ...later,
    ...(byText ? { contacted: to, text, form: smsForm({ to, from: config.fromNumber, text, optOutLine: config.optOutLine }) } : {}),
    ...(byMail ? { mail: reminderMail(input, config, client, mailText) } : {}),
  });
};

const reminderMail = (input, config, client, text) =>
  mailTo({
    to: String(input.attendeeEmail).trim(),
    fromAddress: config.fromAddress,
    mailName: client.mailName,
    subject: 'Your visit at ' + (client.name || 'our business'),
    text,
    html: paragraphs(text),
  });
