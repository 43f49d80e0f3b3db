// Reads the booking where Cal.com has one, decides whether a reminder is due this hour, and writes text and mail. A reminder by text that falls into
// quiet hours is due before them; where the visit was booked later than that, it is not sent. A reminder that was due when its run was accepted stays due
// while the run waits. At the time of a planned one the newest that is past is due: settings may have changed since it was planned.

const HOUR_MS = 3_600_000;

// The reminders of one visit: the one that was due within the hour before the run was accepted, or before at any time for a planned run, and those to come.
const plan = (start, leadHours, { now, accepted, isPlanned }, moved) => {
  const marks = leadHours
    .filter((hours) => hours > 0)
    .map((hours) => ({ hours, at: moved(start - hours * HOUR_MS) }))
    .toSorted((one, other) => one.at - other.at || other.hours - one.hours);
  const due = marks.findLast((mark) => mark.at <= now && (isPlanned || accepted - mark.at < HOUR_MS));
  const ahead = new Set(marks.filter((mark) => mark.at > now).map((mark) => new Date(mark.at).toISOString()));
  return { due, ahead: [...ahead] };
};

const cancelled = (booking) => ['cancelled', 'canceled', 'rejected'].includes(String(booking?.status ?? '').toLowerCase());

export const code = async (inputs) => {
  const input = inputs.input || {};
  const config = inputs.config || {};
  const client = inputs.client || {};
  const facts = inputs.facts || {};
  const booking = Array.isArray(inputs.bookings) ? inputs.bookings[0] : undefined;
  if (input.cancelled === true) return stop('booking_cancelled', 'The booking was cancelled');
  if (inputs.calcomUid && booking === undefined) return stop('booking_gone', 'The booking no longer exists');
  if (cancelled(booking)) return stop('booking_cancelled', 'The booking was cancelled');
  if (!config.leadHours?.length) return fault('lead_hours_missing', 'The settings name no time before a visit for a reminder');
  const start = new Date(booking?.start || input.startTime).getTime();
  if (Number.isNaN(start)) return fault('start_time_unreadable', 'The start of the visit is not a date and time');
  const now = new Date(facts.now || Date.now()).getTime();
  // With the start, the service ends the plan of a visit that was moved.
  const startTime = new Date(start).toISOString();
  if (start <= now) return stop('already_started', 'The visit has begun or is over', { startTime });
  // As the service plans it, which does not know yet who may be texted.
  const isTexted = Boolean((input.attendeePhone || facts.noText) && config.fromNumber && config.smsText);
  const moved = (at) => (isTexted ? outsideQuietHours(at, config.quietHours, client.timezone) : at);
  const accepted = new Date(facts.acceptedAt || now).getTime();
  const times = { now, accepted, isPlanned: facts.isPlanned };
  const { due, ahead } = plan(start, Array.isArray(config.leadHours) ? config.leadHours : [], times, moved);
  const [next, ...laterReminders] = ahead;
  // All of them: one that fails or is missed ends no later one.
  const later = { startTime, ...(next ? { nextReminderAt: next } : {}), ...(laterReminders.length > 0 ? { laterReminders } : {}) };
  // Cal.com is asked again at each later one; of any other calendar an event says that it was confirmed.
  const isPending = booking ? Boolean(booking.status) && booking.status !== 'accepted' : input.confirmed === false;
  if (isPending) return stop('not_confirmed', 'The booking is not confirmed yet', booking ? later : { startTime });
  if (due === undefined) return stop('not_due', 'No reminder is due this hour', later);
  // The last contact and the last mail are ones about this visit.
  const wentOut = (at) => new Date(at || Number.NaN).getTime() >= due.at;
  const wasTexted = Boolean(input.attendeePhone) && wentOut(facts.lastContactAt);
  const wasMailed = wentOut(facts.lastMailAt);

  const rescheduleUrl = config.rescheduleUrl || client.businessProfile?.bookingUrl;
  const words = {
    firstName: firstName(input.attendeeName),
    businessName: client.name,
    startTime: localTime(startTime, client.timezone, client.locale),
    rescheduleUrl,
  };
  const text = fill(withoutEmptyLink(config.smsText, 'rescheduleUrl', rescheduleUrl), words);
  const mailText = fill(withoutEmptyLink(config.mailText, 'rescheduleUrl', rescheduleUrl), words);
  const noText = whyNoText({ number: input.attendeePhone, config, client, facts });
  const byText = text !== '' && Boolean(config.fromNumber) && noText === null && !wasTexted;
  const isMailed = mailText !== '' && Boolean(config.fromAddress && input.attendeeEmail);
  const byMail = isMailed && !facts.noMail && !wasMailed;
  if (!byText && !byMail) {
    if (wasTexted || wasMailed) return stop('already_reminded', 'This reminder went out before', later);
    const no = isMailed ? facts.noMail : noText;
    return no?.reason
      ? stop(no.reason, no.message, later)
      : stop('no_way_to_reach', 'There is no phone number or mail address to remind', later);
  }
  const to = input.attendeePhone;
  return go({
    byText,
    byMail,
    leadHours: due.hours,
    ...later,
    ...(byText
      ? {
          contacted: to,
          text,
          form: smsForm({ to, from: config.fromNumber, text, link: rescheduleUrl, optOutLine: config.optOutLine, words }),
        }
      : {}),
    ...(byMail ? { mailed: input.attendeeEmail.toLowerCase(), mail: reminderMail(input, config, client, mailText) } : {}),
  });
};

const reminderMail = (input, config, client, text) =>
  mailTo({
    to: input.attendeeEmail,
    fromAddress: config.fromAddress,
    mailName: client.mailName,
    subject: inLocale(client.locale, {
      en: 'Your visit at ' + (client.name || 'our business'),
      de: 'Ihr Termin bei ' + (client.name || 'uns'),
      es: 'Su cita en ' + (client.name || 'nuestra empresa'),
    }),
    text,
    html: paragraphs(text),
  });
