// Holds the model's answer to its form, then decides: urgent mail goes to the owner, simple mail gets the drafted
// reply when that is switched on. Machines never get one: two of them would write for ever. Mail that would be answered and cannot be ends the run
// with the reason.
// Headers of the mail as gateways pass them on: members of the event, a text of lines, a list of pairs or objects, or an object.
const jsonOf = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};
const linesOf = (text) =>
  (text.split(/\r?\n\r?\n/)[0] ?? '')
    .replace(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/)
    .map((line) => [line.slice(0, Math.max(0, line.indexOf(':'))), line.slice(line.indexOf(':') + 1)]);
const pairsOf = (headers) => {
  if (typeof headers === 'string') return /^\s*[[{]/.test(headers) ? pairsOf(jsonOf(headers)) : linesOf(headers);
  if (Array.isArray(headers)) return headers.map((one) => (Array.isArray(one) ? one : [one?.name ?? one?.Name, one?.value ?? one?.Value]));
  return Object.entries(headers ?? {});
};
const headersOf = (input) =>
  [...Object.entries(input), ...['headers', 'Headers', 'message-headers'].flatMap((key) => pairsOf(input[key]))]
    .filter(([name, value]) => typeof name === 'string' && typeof value === 'string')
    .map(([name, value]) => [name.trim().toLowerCase(), value.trim().toLowerCase()])
    .filter(([, value]) => value !== '');

const AUTOMATIC_HEADERS = [
  [/^auto-submitted$/, /^(?!no\b)/],
  [/^precedence$/, /^(?:bulk|list|junk|auto_reply)\b/],
  [/^list-(?:id|post|help|owner|archive|subscribe|unsubscribe|unsubscribe-post)$/, /./],
  [/^x-auto-?(?:reply|respond)$/, /^(?!no\b)/],
  [/^x-auto-response-suppress$/, /\b(?:all|autoreply)\b/],
  [/^return-path$/, /^<>$/],
];
// How mail programs and help desks begin the subjects that they write by themselves, in the languages of the portal and French.
const AUTOMATIC_SUBJECT =
  /^(?:(?:re|aw|fwd?|wg|rv) ?: *)*(?:auto(?:matic)?[- ]?(?:reply|response)\b|out of (?:the )?office\b|(?:undeliverable|undelivered mail|mail delivery failed|delivery status notification)\b|automatische (?:antwort|rückantwort)|abwesenheits|nicht im büro|unzustellbar|respuesta automática|fuera de (?:la )?oficina|no se puede entregar|réponse automatique|absence du bureau|(?:abwesen(?:heit|d)|ausente|ausencia|absente?|absence|ooo) *(?:[:!]|$))/i;
// A person who answers one writes "Re:" before it.
const RECEIPT =
  /^\[(?:ticket|case|request|anfrage|vorgang|caso|solicitud)\b[^\]]*\d|^\[request received\]|^ticket received\b|^eingangsbestätigung\b|^confirmación de recepción\b|your (?:request|message|ticket|enquiry|inquiry)(?: \(?#?\w+\)?)? has been received|ihre (?:anfrage|nachricht|e-?mail) ist (?:bei uns )?eingegangen|we(?: have|['’]ve)? received your (?:request|message|ticket|e-?mail|enquiry|inquiry)|wir haben ihre (?:anfrage|nachricht|e-?mail) erhalten|hemos recibido (?:su|tu) (?:solicitud|mensaje|correo|consulta)/i;

const OFFICE_HOURS = /out of (?:the )?office hours\b/i;

// People write to a list of the business itself, such as the group that its address is; each of its mails has the headers of a list (RFC 2369, 2919).
const hostsOf = (value) => value.match(/(?<![\p{L}\p{N}-])[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu) ?? [];
const ownDomainsOf = (config) =>
  [config.fromAddress, config.ownerEmail].map((address) => domainOf(address).toLowerCase()).filter((domain) => domain.includes('.'));
const isOwn = (hosts, own) =>
  hosts.some((host) => own.some((domain) => host === domain || host.endsWith('.' + domain) || domain.endsWith('.' + host)));
// "<info.oak.example>" is the list “info” of oak.example.
const hostsOfId = (value) => hostsOf(value).flatMap((host) => [host, host.slice(host.indexOf('.') + 1)].filter((one) => one.includes('.')));
const isOfOwnList = (headers, own) => {
  const of = (wanted) => headers.filter(([name]) => name === wanted).map(([, value]) => value);
  const posts = of('list-post');
  return (
    posts.length > 0 && posts.every((value) => isOwn(hostsOf(value), own)) && of('list-id').every((value) => isOwn(hostsOfId(value), own))
  );
};
const withoutOwnList = (headers, own) => {
  if (!isOfOwnList(headers, own)) return headers;
  // A newsletter to the group keeps the address of its own by which one leaves it.
  const isOfList = ([name, value]) =>
    name === 'list-unsubscribe' ? isOwn(hostsOf(value), own) : name.startsWith('list-') || (name === 'precedence' && value === 'list');
  return headers.filter((header) => !isOfList(header));
};

const isAutomatic = (input, config) => {
  const subject = String(input.subject ?? '').trim();
  return (
    (AUTOMATIC_SUBJECT.test(subject) && !OFFICE_HOURS.test(subject)) ||
    (RECEIPT.test(subject) && !/^(?:re|aw|rv) ?:/i.test(subject)) ||
    withoutOwnList(headersOf(input), ownDomainsOf(config)).some(([name, value]) =>
      AUTOMATIC_HEADERS.some(([names, values]) => names.test(name) && values.test(value)),
    )
  );
};

// Where the writer wants answers (RFC 5322, 3.6.2): a website that passes on its form names the person so.
const answerTo = (input) => String(input.replyTo || (input.fromEmail ?? ''));

const lower = (address) => String(address ?? '').toLowerCase();
const isOwnAddress = (address, config) => address !== '' && [config.fromAddress, config.ownerEmail].map(lower).includes(address);
const stopOwn = (out) => stop('own_address', 'The mail came from the business itself', out);

const stopWithoutAnswer = (input, config, facts, answer, out) => {
  const reader = lower(answerTo(input));
  if (reader === '') return stop('no_sender', 'The mail names no sender to answer', out);
  // Mail of the agent itself to the owner comes from there, with its writer to answer. A group sends mail of customers in its own name.
  const isByBusiness = lower(input.fromEmail) === lower(config.fromAddress) || isOwnAddress(reader, config);
  if (isByBusiness && (isPassedOn(input) || !isOfOwnList(headersOf(input), ownDomainsOf(config)))) return stopOwn(out);
  if (isUnread(reader)) return stop('no_reply_address', 'Nobody reads mails at this address', out);
  if (isAutomatic(input, config) || isYes(answer.automatic)) return stop('automatic_mail', 'The mail was sent by a machine', out);
  // The website or a group of the business: the person who wrote would not get the answer.
  if (isOwn([domainOf(reader)], [domainOf(config.fromAddress).toLowerCase()]))
    return stop('own_domain', 'The mail came from an address of the business, so its writer gets no answer', out);
  // RFC 3834, 2: two machines that no one recognises would write without end.
  if (contactedWithin(config.repeatAfterHours, facts.lastContactAt, facts.now))
    return stop('recently_contacted', 'This address got an answer a short while ago', out);
  return null;
};

// An answer that no one reads before it goes out names no web address, which may be one that the mail put there, and leaves no place for a name open.
const whyHeldBack = (reply) =>
  reply.length < 20 ? 'too_short' : hasWebAddress(reply) ? 'web_address' : hasPlaceholder(reply) ? 'placeholder' : null;

// RFC 3834, 5: another machine answers no mail that is marked so.
const MACHINE_ANSWER = { 'Auto-Submitted': 'auto-replied', 'X-Auto-Response-Suppress': 'All' };

// What the owner reads, in the language of the client.
const OWNER_WORDS = {
  en: {
    urgent: 'Urgent',
    passedOn: 'Urgent mail, sorted as',
    sorted: (label) => ' “' + label + '”.',
    from: 'From',
    replyTo: 'Reply to',
    subject: 'Subject',
    attachments: 'Attachments (not passed on)',
    draft: 'Draft of an answer',
    noSubject: '(no subject)',
    unknown: 'unknown',
  },
  de: {
    urgent: 'Dringend',
    passedOn: 'Dringende E-Mail, einsortiert als',
    sorted: (label) => ' „' + label + '“.',
    from: 'Von',
    replyTo: 'Antwort an',
    subject: 'Betreff',
    attachments: 'Anhänge (nicht weitergeleitet)',
    draft: 'Entwurf einer Antwort',
    noSubject: '(ohne Betreff)',
    unknown: 'unbekannt',
  },
  es: {
    urgent: 'Urgente',
    passedOn: 'Correo urgente, clasificado como',
    sorted: (label) => ' «' + label + '».',
    from: 'De',
    replyTo: 'Responder a',
    subject: 'Asunto',
    attachments: 'Archivos adjuntos (no se reenvían)',
    draft: 'Borrador de respuesta',
    noSubject: '(sin asunto)',
    unknown: 'desconocido',
  },
};

const isPassedOn = (input) => Object.values(OWNER_WORDS).some(({ passedOn }) => String(input.text ?? '').includes(passedOn));

// What the owner wrote or has: the mailbox of an owner may forward all of its mail to the agent, which would mail it there again without end.
// A website may pass on its form from the address of the business, with or without its writer to answer.
const isKnownToOwner = (input, config) => {
  const from = lower(input.fromEmail);
  if (isPassedOn(input) && isOwnAddress(from, config)) return true;
  return (
    from !== '' && from === lower(config.ownerEmail) && from !== lower(config.fromAddress) && isOwnAddress(lower(answerTo(input)), config)
  );
};

const isYes = (value) => String(value).toLowerCase() === 'true';

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
  const urgent = isYes(answer.urgent);
  const summary = clip(String(answer.summary ?? '').trim(), 400);
  const reply = clip(String(answer.reply ?? '').trim(), 3000);
  const sender = answerTo(input);
  if (!config.fromAddress) return fault('sender_address_missing', 'This agent has no sender address in its settings');
  const toOwner = urgent && Boolean(config.ownerEmail);
  const sorted = { label, urgent, summary, reply, toOwner };
  const wantsReply = config.autoReply === true && !urgent;
  if (urgent && isKnownToOwner(input, config)) return stopOwn({ ...sorted, toOwner: false, toSender: false });
  const stopped = wantsReply ? stopWithoutAnswer(input, config, facts, answer, { ...sorted, toSender: false }) : null;
  if (stopped) return stopped;
  const mayAnswer = wantsReply && facts.onStopList !== true && !facts.noMail;
  const heldBack = mayAnswer ? whyHeldBack(reply) : null;
  const toSender = mayAnswer && heldBack === null;
  const frame = { fromAddress: config.fromAddress, mailName: client.mailName };
  const letter = toOwner
    ? ownerMail({
        words: inLocale(client.ownerLocale, OWNER_WORDS),
        input,
        attachments: inputs.attachments,
        config,
        frame,
        sender,
        label,
        summary,
        reply,
      })
    : toSender
      ? senderMail({ input, client, frame, sender, reply })
      : null;
  return go({
    ...sorted,
    toSender,
    ...(heldBack ? { heldBack } : {}),
    ...(toSender ? { contacted: sender.toLowerCase() } : {}),
    ...(letter ? { mail: letter } : {}),
  });
};

const subjectOf = (input, max, words) => clip(String(input.subject ?? '').trim(), max) || words.noSubject;

const ownerMail = ({ words, input, attachments, config, frame, sender, label, summary, reply }) => {
  const text =
    [
      words.passedOn + words.sorted(label),
      summary,
      words.from +
        ': ' +
        (input.fromEmail || words.unknown) +
        (sender && sender !== input.fromEmail ? '\n' + words.replyTo + ': ' + sender : '') +
        '\n' +
        words.subject +
        ': ' +
        subjectOf(input, 200, words) +
        (attachments > 0 ? '\n' + words.attachments + ': ' + attachments : ''),
      clip(plainOf(String(input.text ?? '')), 6000),
    ].join('\n\n') + (reply ? '\n\n' + words.draft + ':\n' + reply : '');
  return mailTo({
    ...frame,
    to: config.ownerEmail,
    subject: words.urgent + ': ' + subjectOf(input, 150, words),
    text,
    html: paragraphs(text),
    ...(sender ? { replyTo: sender } : {}),
  });
};

const senderMail = ({ input, client, frame, sender, reply }) => {
  const text = spaced(reply, [client.name, sender, domainOf(frame.fromAddress)]) + (client.name ? '\n\n' + client.name : '');
  const letter = mailTo({
    ...frame,
    to: sender,
    subject: ('Re: ' + clip(unlinkedSubject(String(input.subject ?? '').replace(/^re:\s*/i, '')), 150)).trim(),
    text,
    html: paragraphs(text),
  });
  return { ...letter, headers: MACHINE_ANSWER };
};
