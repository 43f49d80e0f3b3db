// A wish to get no more texts ends the run: the model may find one that the service did not, and never takes one back.
// Sure enough: the answer goes out as a text. Unsure, unreadable, too long or with a place left open for a word: a person takes over.
const kindOf = (type) => (/^image\//i.test(type) ? 'picture' : /^audio\//i.test(type) ? 'voice' : /^\w+\//.test(type) ? 'file' : 'message');

// Twilio names ten at most, the first of them also as the input.
const mediaOf = (input) => {
  const others = Array.from({ length: 9 }, (_, at) => String(input['MediaUrl' + (at + 1)] ?? ''));
  return [String(input.mediaUrl ?? ''), ...others].filter((url) => /^https?:\/\/\S{1,500}$/.test(url));
};

// What the owner reads, in the language of the client.
const OWNER_WORDS = {
  en: {
    subject: 'A text needs your answer',
    unsure: (percent) => 'A text the agent was not sure about (confidence ' + percent + ' %).',
    unfit: {
      too_long: 'The agent’s answer to this text was too long to be sent.',
      placeholder: 'The agent’s answer to this text left a place open.',
      no_answer: 'The language model gave no answer to this text that could be used.',
    },
    kinds: { picture: 'A picture', voice: 'A voice message', file: 'A file', message: 'A message' },
    several: (count) => count + ' pictures or files',
    unseen: (count) =>
      'A text with ' + (count === 1 ? 'a picture or file' : count + ' pictures or files') + ', which the agent does not read.',
    wordless: ' without words, which the agent does not read.',
    from: 'From: ',
    wrote: 'They wrote:',
    sent: 'They sent:',
    answer: 'The agent would have said:',
  },
  de: {
    subject: 'Eine SMS braucht Ihre Antwort',
    unsure: (percent) => 'Bei dieser SMS war der Agent nicht sicher (Sicherheit ' + percent + ' %).',
    unfit: {
      too_long: 'Die Antwort des Agenten auf diese SMS war zu lang zum Senden.',
      placeholder: 'In der Antwort des Agenten auf diese SMS blieb eine Stelle offen.',
      no_answer: 'Das Sprachmodell gab auf diese SMS keine brauchbare Antwort.',
    },
    kinds: { picture: 'Ein Bild', voice: 'Eine Sprachnachricht', file: 'Eine Datei', message: 'Eine Nachricht' },
    several: (count) => count + ' Bilder oder Dateien',
    unseen: (count) =>
      'Eine SMS mit ' + (count === 1 ? 'einem Bild oder einer Datei' : count + ' Bildern oder Dateien') + '; der Agent liest das nicht.',
    wordless: ' ohne Text; der Agent liest das nicht.',
    from: 'Von: ',
    wrote: 'Nachricht:',
    sent: 'Gesendet:',
    answer: 'Der Agent hätte geantwortet:',
  },
  es: {
    subject: 'Un SMS necesita su respuesta',
    unsure: (percent) => 'El agente no estaba seguro con este SMS (seguridad: ' + percent + ' %).',
    unfit: {
      too_long: 'La respuesta del agente a este SMS era demasiado larga para enviarla.',
      placeholder: 'La respuesta del agente a este SMS dejó un hueco sin rellenar.',
      no_answer: 'El modelo de lenguaje no dio una respuesta útil a este SMS.',
    },
    kinds: { picture: 'Una imagen', voice: 'Un mensaje de voz', file: 'Un archivo', message: 'Un mensaje' },
    several: (count) => count + ' imágenes o archivos',
    unseen: (count) =>
      'Un SMS con ' + (count === 1 ? 'una imagen o un archivo' : count + ' imágenes o archivos') + ', que el agente no lee.',
    wordless: ' sin texto, que el agente no lee.',
    from: 'De: ',
    wrote: 'Mensaje:',
    sent: 'Envió:',
    answer: 'El agente habría dicho:',
  },
};

// Why no text may answer, by its reason.
const MAY_NOT = {
  on_stop_list: {
    en: 'A text that the agent may not answer by text: this number has asked not to get texts.',
    de: 'Eine SMS, auf die der Agent nicht per SMS antworten darf: Diese Nummer wünscht keine SMS.',
    es: 'Un SMS al que el agente no puede responder por SMS: este número pidió no recibir SMS.',
  },
  country_not_allowed: {
    en: 'A text that the agent may not answer by text: this number is in a country that this business does not text.',
    de: 'Eine SMS, auf die der Agent nicht per SMS antworten darf: Diese Nummer liegt in einem Land, in das dieses Unternehmen keine SMS sendet.',
    es: 'Un SMS al que el agente no puede responder por SMS: este número es de un país al que esta empresa no envía SMS.',
  },
};

// From 0 to 1; some models count in percent. Any other number says nothing.
const shareOf = (said) => {
  const number = Number(said) || 0;
  if (number < 0 || number > 100) return 0;
  return number > 1 ? number / 100 : number;
};

// Why an answer of which the model is sure is not sent; empty where it is sent, or where the model is not sure.
const whyUnfit = (reply, isRead, isConfident) => {
  if (reply === '') return isRead && !isConfident ? '' : 'no_answer';
  if (!isConfident) return '';
  return reply.length > 480 ? 'too_long' : hasPlaceholder(reply) ? 'placeholder' : '';
};

export const code = async (inputs) => {
  const input = inputs.input || {};
  const config = inputs.config || {};
  const client = inputs.client || {};
  const { mayNot } = inputs;
  const question = mayNot ? clip(String(input.body ?? '').trim(), 5000) : inputs.question;
  const choices = Array.isArray(inputs.answer) ? inputs.answer : [];
  const answer = readAnswer(choices[0]?.message?.content);
  if (String(answer?.stop) === 'true') return stop('opted_out', 'They asked not to get texts any more', { optOut: input.from });
  // Two machines that answer each other would write without end.
  if (String(answer?.automatic) === 'true') return stop('automatic_text', 'The text was sent by a machine');
  const reply = String(answer?.answer ?? '').trim();
  const confidence = shareOf(answer?.confidence);
  const sender = input.to;
  const isConfident = confidence >= config.minConfidence;
  const media = mediaOf(input);
  // A picture may be the question: neither the model nor a person saw it.
  const isUnseen = Boolean(question) && media.length > 0;
  const unfit = whyUnfit(reply, answer !== null, isConfident);
  const sure = isConfident && unfit === '' && !isUnseen;
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
      isUnseen && question
        ? 'A picture or file came, and the settings name no one to hand it over to'
        : question
          ? 'The agent was not sure, and its settings name no one to hand over to'
          : 'A message without words came, and the settings name no one to hand it over to',
    );
  const words = inLocale(client.ownerLocale, OWNER_WORDS);
  const text = [
    mayNot
      ? inLocale(client.ownerLocale, MAY_NOT[mayNot])
      : isUnseen
        ? words.unseen(media.length)
        : question
          ? words.unfit[unfit] || words.unsure(Math.round(confidence * 100))
          : (media.length > 1 ? words.several(media.length) : words.kinds[kindOf(String(input.MediaContentType0 ?? ''))]) + words.wordless,
    words.from + input.from,
    ...(question ? [words.wrote + '\n' + question] : []),
    ...(media.length > 0 ? [words.sent + '\n' + media.join('\n')] : []),
    ...(reply ? [words.answer + '\n' + clip(reply, 1000)] : []),
  ].join('\n\n');
  const mail = mailTo({
    to: config.handoffEmail,
    fromAddress: config.fromAddress,
    mailName: client.mailName,
    subject: words.subject,
    text,
    html: paragraphs(text),
  });
  return go({
    byText: false,
    byMail: true,
    ...(mayNot ? { mayNot } : isUnseen ? { unseen: media.length } : question ? { confidence, ...(unfit && { unfit }) } : { unread: true }),
    mail,
  });
};
