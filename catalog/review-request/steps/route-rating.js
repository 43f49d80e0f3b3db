// Happy or unrated customers are asked for a review by text; unhappy ones are told to the owner, never to the public.
export const code = async (inputs) => {
  const input = inputs.input || {};
  const config = inputs.config || {};
  const client = inputs.client || {};
  const facts = inputs.facts || {};
  const rating = input.rating === '' || input.rating === undefined || input.rating === null ? null : Number(input.rating);
  if (rating !== null && !(rating >= 0 && rating <= 5)) return fault('rating_out_of_range', 'The rating is not a number from 1 to 5');
  if (rating !== null && rating < Number(config.minRating)) return tellOwner(input, config, client, rating);

  const no = whyNoText({ number: input.customerPhone, config, client, facts });
  if (no?.fault) return fault(no.fault, no.message);
  if (no) return stop(no.reason, no.message);
  if (toE164(config.fromNumber) === null) return fault('sender_number_missing', 'This agent has no sender number in its settings');
  const reviewUrl = config.reviewUrl || client.businessProfile?.reviewUrl;
  if (!reviewUrl) return fault('review_link_missing', 'Neither the settings nor the business profile hold a review link');
  const to = toE164(input.customerPhone);
  const text = fill(config.askText, {
    firstName: firstName(input.customerName),
    businessName: client.name,
    service: input.service,
    reviewUrl,
  });
  return go({
    byText: true,
    byMail: false,
    contacted: to,
    text,
    form: smsForm({ to, from: config.fromNumber, text, optOutLine: config.optOutLine }),
  });
};

const tellOwner = (input, config, client, rating) => {
  if (!isEmail(config.ownerEmail) || !isEmail(config.fromAddress))
    return stop('owner_not_told', 'The rating was low, and the settings name no recipient');
  const text =
    input.customerName +
    ' gave ' +
    rating +
    ' of 5' +
    (input.service ? ' for ' + clip(input.service, 120) : '') +
    '.\n\nPhone: ' +
    (input.customerPhone || 'unknown') +
    '\n\nA call today often turns this around. They were not asked for a public review.';
  const mail = mailTo({
    to: config.ownerEmail.trim(),
    fromAddress: config.fromAddress,
    mailName: client.mailName,
    subject: 'A customer was not happy: ' + clip(input.customerName, 80),
    text,
    html: paragraphs(text),
  });
  return go({ byText: false, byMail: true, rating, mail });
};
