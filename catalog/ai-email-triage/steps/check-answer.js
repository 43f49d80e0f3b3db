// Holds the model's answer to its form, then decides: urgent mail goes to the owner, simple mail gets the drafted
// reply when that is switched on. Addresses that answer by themselves never get one: two machines would write for ever. Mail that would be
// answered and cannot be ends the run with the reason.
const MACHINES = /^(?:(?:no[-_.]?reply|do[-_.]?not[-_.]?reply|bounces?)(?:[-_.+][\w.+=-]*)?|mailer[-_.]?daemon|postmaster|notifications?)@/;

const stopWithoutAnswer = (address, config, out) => {
  const sender = address.toLowerCase();
  if (sender === '') return stop('no_sender', 'The mail names no sender to answer', out);
  if (sender === config.fromAddress.toLowerCase()) return stop('own_address', 'The mail came from the business itself', out);
  return MACHINES.test(sender) ? stop('no_reply_address', 'Nobody reads mails at this address', out) : null;
};

const answerText = (answer) => (Array.isArray(answer) ? answer.map((part) => part?.text ?? '').join('') : String(answer ?? ''));

export const code = async (inputs) => {
  const input = inputs.input || {};
  const config = inputs.config || {};
  const client = inputs.client || {};
  const facts = inputs.facts || {};
  const answer = readAnswer(answerText(inputs.answer));
  if (answer === null) return fault('answer_unreadable', 'The language model did not answer with a label');
  const labels = Array.isArray(config.labels) && config.labels.length > 0 ? config.labels.map(String) : ['other'];
  const label =
    labels.find(
      (one) =>
        one.toLowerCase() ===
        String(answer.label ?? '')
          .trim()
          .toLowerCase(),
    ) ?? labels.at(-1);
  const urgent = answer.urgent === true || String(answer.urgent).toLowerCase() === 'true';
  const summary = clip(String(answer.summary ?? '').trim(), 400);
  const reply = clip(String(answer.reply ?? '').trim(), 3000);
  const sender = String(input.fromEmail ?? '');
  if (!config.fromAddress) return fault('sender_address_missing', 'This agent has no sender address in its settings');
  const toOwner = urgent && Boolean(config.ownerEmail);
  const sorted = { label, urgent, summary, reply, toOwner };
  const wantsReply = config.autoReply === true && !urgent;
  const stopped = wantsReply ? stopWithoutAnswer(sender, config, { ...sorted, toSender: false }) : null;
  if (stopped) return stopped;
  const toSender = wantsReply && reply.length >= 20 && facts.onStopList !== true && !hasWebAddress(reply);
  const frame = { fromAddress: config.fromAddress, mailName: client.mailName };
  const letter = toOwner
    ? ownerMail({ input, config, frame, sender, label, summary, reply })
    : toSender
      ? senderMail({ input, client, frame, sender, reply })
      : null;
  return go({
    ...sorted,
    toSender,
    ...(toSender ? { contacted: sender.toLowerCase() } : {}),
    ...(letter ? { mail: letter } : {}),
  });
};

const ownerMail = ({ input, config, frame, sender, label, summary, reply }) => {
  const text =
    'Urgent mail, sorted as “' +
    label +
    '”.\n\n' +
    summary +
    '\n\nFrom: ' +
    (input.fromEmail || 'unknown') +
    '\nSubject: ' +
    clip(input.subject, 200) +
    '\n\n' +
    clip(input.text, 6000) +
    (reply ? '\n\nDraft of an answer:\n' + reply : '');
  return mailTo({
    ...frame,
    to: config.ownerEmail,
    subject: 'Urgent: ' + clip(input.subject, 150),
    text,
    html: paragraphs(text),
    ...(sender ? { replyTo: sender } : {}),
  });
};

const senderMail = ({ input, client, frame, sender, reply }) => {
  const text = spaced(reply, [client.name, sender]) + (client.name ? '\n\n' + client.name : '');
  return mailTo({
    ...frame,
    to: sender,
    subject: ('Re: ' + clip(unlinkedSubject(String(input.subject ?? '').replace(/^re:\s*/i, '')), 150)).trim(),
    text,
    html: paragraphs(text),
  });
};
