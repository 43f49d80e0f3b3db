// Decides which nudge of a quote is due, and writes it. A nudge by text that falls into quiet hours is due before them. Says when the next one and all later ones will be, so that the service can come back then, also when this one fails.
const DAY_MS = 86_400_000;

const marksOf = (sentAt, config) =>
  (Array.isArray(config.delays) ? config.delays : [])
    .map(Number)
    .filter((days) => Number.isFinite(days) && days >= 0)
    .toSorted((one, other) => one - other)
    .slice(0, Math.max(1, Math.floor(Number(config.maxNudges) || 1)))
    .map((days) => sentAt + days * DAY_MS);

const followUps = (marks) => {
  const [next, ...later] = [...new Set(marks)].map((mark) => new Date(mark).toISOString());
  return { ...(next ? { nextNudgeAt: next } : {}), ...(later.length > 0 ? { laterNudges: later } : {}) };
};

export const code = async (inputs) => {
  const input = inputs.input || {};
  const config = inputs.config || {};
  const client = inputs.client || {};
  const facts = inputs.facts || {};
  if (input.answered === true) return stop('answered', 'The quote has been answered');
  if (facts.leftOut?.includes('answered'))
    return stop('answer_not_understood', 'It is not clear whether the quote was answered, so no nudge was sent');
  if (marksOf(0, config).length === 0) return fault('delays_missing', 'The settings name no day for a nudge');
  const now = new Date(facts.now || Date.now()).getTime();
  const sentAt = input.sentAt ? new Date(input.sentAt).getTime() : now;
  const canText = Boolean(input.customerPhone && config.fromNumber);
  // An agent that was set up for texts alone texts those who left both; so does one whose mails the customer has ended, while the number is not listed.
  const isTextWelcome = canText && !facts.noText && facts.numberOnStopList !== true && Boolean(config.smsText);
  const isMailed = Boolean(input.customerEmail) && (Boolean(config.fromAddress) || !canText) && !(facts.noMail && isTextWelcome);
  const byText = !isMailed && canText;
  const marks = marksOf(sentAt, config).map((mark) => (byText ? outsideQuietHours(mark, config.quietHours, client.timezone) : mark));
  const nudge = marks.findLastIndex((mark) => mark <= now) + 1;
  const next = marks[nudge];
  const later = followUps(marks.slice(nudge));
  const last = new Date(facts.lastContactAt || Number.NaN).getTime();
  if (nudge === 0) return stop('not_due', 'The first nudge is not due yet', later);
  // The last contact is one about this quote. Without a day, the days count from now: any contact before was this nudge.
  if (last >= (input.sentAt ? marks[nudge - 1] : 0)) return stop('already_nudged', 'This nudge went out before', later);
  if (next === undefined && now - marks[nudge - 1] > 7 * DAY_MS) return stop('all_done', 'The last nudge is long past');
  const words = { firstName: firstName(input.customerName), businessName: client.name, quoteUrl: input.quoteUrl };
  const mailText = fill(config.mailText, words);
  if (isMailed) {
    if (facts.noMail) return stop(facts.noMail.reason, facts.noMail.message, later);
    if (!config.fromAddress || mailText === '')
      return fault('mail_not_set_up', 'This agent has no sender address or mail text in its settings');
    const to = input.customerEmail;
    const mail = mailTo({
      to,
      fromAddress: config.fromAddress,
      mailName: client.mailName,
      subject: inLocale(client.locale, {
        en: 'Your quote from ' + (client.name || 'us'),
        de: 'Ihr Angebot von ' + (client.name || 'uns'),
        es: 'Su presupuesto de ' + (client.name || 'nuestra empresa'),
      }),
      text: mailText,
      html: paragraphs(mailText),
    });
    return go({ byMail: true, byText: false, contacted: to.toLowerCase(), nudge, ...later, mail });
  }
  return nudgeByText({ input, config, client, facts, words, nudge, later, ahead: marks.slice(nudge) });
};

// The end of the quiet hours, for a nudge that waited until they had begun, such as for credits. The next nudge goes out in its place when it is within a day.
const afterQuietHours = ({ config, client, facts, ahead }) => {
  const now = Math.floor(new Date(facts.now || Date.now()).getTime() / MINUTE_MS) * MINUTE_MS;
  const until = (at) => (rangeOf(config.quietHours).to - localMinutes(new Date(at), client.timezone) + DAY_MINUTES) % DAY_MINUTES;
  const end = now + until(now) * MINUTE_MS;
  // A clock change in between shows another time there.
  const off = ((until(end) + DAY_MINUTES / 2) % DAY_MINUTES) - DAY_MINUTES / 2;
  const at = end + off * MINUTE_MS;
  return followUps(ahead[0] !== undefined && ahead[0] - at < DAY_MS ? ahead : [at, ...ahead]);
};

const nudgeByText = ({ input, config, client, facts, words, nudge, later, ahead }) => {
  const text = fill(config.smsText, words);
  if (!input.customerPhone && facts.noText) return stop(facts.noText.reason, facts.noText.message, later);
  if (!input.customerPhone || !config.fromNumber || text === '')
    return stop('no_way_to_reach', 'There is no mail address or phone number to nudge', later);
  if (String(input.quoteUrl).length > LINK_MAX) return fault('quote_link_invalid', 'The link to the quote is too long for a text');
  // The address may be on the list while the number is not.
  const no = whyNoText({ number: input.customerPhone, config, client, facts: { ...facts, onStopList: facts.numberOnStopList } });
  if (no?.fault) return fault(no.fault, no.message);
  if (no) return stop(no.reason, no.message, no.reason === 'quiet_hours' ? afterQuietHours({ config, client, facts, ahead }) : later);
  const to = input.customerPhone;
  return go({
    byMail: false,
    byText: true,
    contacted: to,
    text,
    nudge,
    ...later,
    form: smsForm({ to, from: config.fromNumber, text, link: input.quoteUrl, optOutLine: config.optOutLine, words }),
  });
};
