// Lets a draft through only when it is a mail one would be glad to have written: a body of sensible length,
// no link the model made up, no placeholder left open.
const answerText = (answer) => (Array.isArray(answer) ? answer.map((part) => part?.text ?? '').join('') : String(answer ?? ''));

// In place of a subject that the model left out.
const NO_SUBJECT = { en: 'Your enquiry', de: 'Ihre Anfrage', es: 'Su consulta' };

export const code = async (inputs) => {
  const input = inputs.input || {};
  const config = inputs.config || {};
  const client = inputs.client || {};
  const draft = readAnswer(answerText(inputs.answer));
  if (draft === null) return fault('draft_unreadable', 'The language model did not answer with a mail');
  const body = String(draft.body ?? '').trim();
  if (body.length < 40) return fault('draft_too_short', 'The draft was too short to send');
  if (body.length > 4000) return fault('draft_too_long', 'The draft was too long to send');
  if (hasWebAddress(body) || hasWebAddress(draft.subject)) return fault('draft_has_link', 'The draft held a link that no one has checked');
  if (hasPlaceholder(draft.subject + '\n' + body)) return fault('draft_has_placeholder', 'The draft held an open placeholder');
  const own = [client.name, input.leadEmail, inputs.to, domainOf(config.fromAddress)];
  const subject = clip(spacedSubject(String(draft.subject ?? ''), own) || inLocale(client.locale, NO_SUBJECT), 120);
  const signature = fill(config.signature, { businessName: client.name });
  const words = spaced(body, own);
  const text = signature === '' ? words : words + '\n\n' + signature;
  const mail = mailTo({
    to: input.leadEmail || inputs.to,
    fromAddress: config.fromAddress,
    mailName: client.mailName,
    subject,
    text,
    html: paragraphs(text),
  });
  return go({ subject, words: body.split(/\s+/).length, name: firstName(input.leadName), mail });
};
