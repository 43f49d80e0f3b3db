// A wish to get no more texts ends the run: the model may find one that the service did not, and never takes one back.
// Sure enough: the answer goes out as a text. Unsure, unreadable or too long: a person takes over.
const kindOf = (type) =>
  /^image\//i.test(type) ? 'A picture' : /^audio\//i.test(type) ? 'A voice message' : /^\w+\//.test(type) ? 'A file' : 'A message';

export const code = async (inputs) => {
  const input = inputs.input || {};
  const config = inputs.config || {};
  const client = inputs.client || {};
  const choices = Array.isArray(inputs.answer) ? inputs.answer : [];
  const answer = readAnswer(choices[0]?.message?.content);
  if (String(answer?.stop) === 'true') return stop('opted_out', 'They asked not to get texts any more', { optOut: input.from });
  const reply = String(answer?.answer ?? '').trim();
  const confidence = Math.max(0, Math.min(1, Number(answer?.confidence) || 0));
  const sender = input.to;
  const sure = reply !== '' && reply.length <= 480 && confidence >= config.minConfidence;
  if (sure && !sender) return fault('business_number_not_e164', 'There is no business number to text from');
  if (sure) {
    const to = input.from;
    // As Twilio names the numbers of WhatsApp; it takes no text from one channel to another.
    const channel = inputs.facts?.isWhatsApp === true ? 'whatsapp:' : '';
    return go({
      byText: true,
      byMail: false,
      contacted: to,
      reply,
      confidence,
      form: smsForm({
        to: channel + to,
        from: channel + sender,
        text: reply,
        optOutLine: config.optOutLine,
        words: { businessName: client.name },
      }),
    });
  }
  if (!config.handoffEmail || !config.fromAddress)
    return fault(
      'handoff_missing',
      inputs.question
        ? 'The agent was not sure, and its settings name nobody to hand over to'
        : 'A message without words came, and the settings name no one to hand it over to',
    );
  const text =
    (inputs.question
      ? 'A text the agent was not sure about (confidence ' + Math.round(confidence * 100) + ' %).'
      : kindOf(String(input.MediaContentType0 ?? '')) + ' without words, which the agent does not read.') +
    '\n\nFrom: ' +
    input.from +
    (inputs.question ? '\n\nThey wrote:\n' + inputs.question : '') +
    (input.mediaUrl ? '\n\nThey sent:\n' + input.mediaUrl : '') +
    (reply ? '\n\nThe agent would have said:\n' + clip(reply, 1000) : '');
  const mail = mailTo({
    to: config.handoffEmail,
    fromAddress: config.fromAddress,
    mailName: client.mailName,
    subject: 'A text needs your answer',
    text,
    html: paragraphs(text),
  });
  return go({ byText: false, byMail: true, confidence, mail });
};
