// Holds the model's answer to its form, then decides: urgent mail goes to the owner, simple mail gets the drafted
// reply when that is switched on. Addresses that answer by themselves never get one: two machines would write for ever.
const MACHINES = /^(no-?reply|do-?not-?reply|mailer-daemon|postmaster|bounce[\w.+-]*|notifications?)@/i;

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
  const sender = String(input.fromEmail ?? '')
    .trim()
    .toLowerCase();
  if (!isEmail(config.fromAddress)) return fault('sender_address_missing', 'This agent has no sender address in its settings');
  const toOwner = urgent && isEmail(config.ownerEmail);
  const mayReply =
    config.autoReply === true &&
    !urgent &&
    reply.length >= 20 &&
    isEmail(sender) &&
    !MACHINES.test(sender) &&
    sender !== String(config.fromAddress).trim().toLowerCase();
  const toSender = mayReply && facts.onStopList !== true && !/https?:\/\//i.test(reply);
  const frame = { fromAddress: config.fromAddress, mailName: client.mailName };
  const letter = toOwner
    ? ownerMail({ input, config, frame, label, summary, reply })
    : toSender
      ? senderMail({ input, client, frame, sender, reply })
      : null;
  return go({
    label,
    urgent,
    summary,
    reply,
    toOwner,
    toSender,
    ...(toSender ? { contacted: sender } : {}),
    ...(letter ? { mail: letter } : {}),
  });
};

const ownerMail = ({ input, config, frame, label, summary, reply }) => {
  const text =
    'Urgent mail, sorted as “' +
    label +
    '”.\n\n' +
    summary +
    '\n\nFrom: ' +
    input.fromEmail +
    '\nSubject: ' +
    clip(input.subject, 200) +
    '\n\n' +
    clip(input.text, 6000) +
    (reply ? '\n\nDraft of an answer:\n' + reply : '');
  return mailTo({
    ...frame,
    to: config.ownerEmail.trim(),
    subject: 'Urgent: ' + clip(input.subject, 150),
    text,
    html: paragraphs(text),
    ...(isEmail(input.fromEmail) ? { replyTo: input.fromEmail } : {}),
  });
};

const senderMail = ({ input, client, frame, sender, reply }) => {
  const text = reply + (client.name ? '\n\n' + client.name : '');
  return mailTo({
    ...frame,
    to: sender,
    subject: 'Re: ' + clip(String(input.subject ?? '').replace(/^re:\s*/i, ''), 150),
    text,
    html: paragraphs(text),
  });
};
