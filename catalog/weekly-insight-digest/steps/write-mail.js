// Puts the explanation into a mail. A model that says nothing, or far too much, is not sent on.
const answerText = (answer) => (Array.isArray(answer) ? answer.map((part) => part?.text ?? '').join('') : String(answer ?? ''));

const readFrom = ({ rowCount, found, truncated }) =>
  'Read from ' +
  (found > rowCount ? 'the last ' + rowCount + ' of ' + found + ' rows.' : rowCount + (rowCount === 1 ? ' row.' : ' rows.')) +
  (truncated === true ? ' The query found more rows than can be read; only the first ' + found + ' were read.' : '');

export const code = async (inputs) => {
  const config = inputs.config || {};
  const client = inputs.client || {};
  const digest = answerText(inputs.answer).trim();
  if (digest.length < 40) return fault('digest_empty', 'The language model explained nothing');
  if (!config.fromAddress) return fault('sender_address_missing', 'This agent has no sender address in its settings');
  const to = config.recipients.map((one) => String(one).trim()).filter(isEmail);
  const text =
    clip(digest, 3000) +
    '\n\n' +
    readFrom(inputs) +
    ' Written by a language model; the numbers in your own reports are the ones that count.';
  const mail = mailTo({
    to,
    fromAddress: config.fromAddress,
    mailName: client.mailName,
    subject: 'Your week in five sentences',
    text,
    html: paragraphs(text),
  });
  return go({ digest: clip(digest, 900), mail });
};
