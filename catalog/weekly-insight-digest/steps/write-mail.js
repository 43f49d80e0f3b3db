// Puts the explanation into a mail. A model that says nothing, or far too much, is not sent on.
const answerText = (answer) => (Array.isArray(answer) ? answer.map((part) => part?.text ?? '').join('') : String(answer ?? ''));

const SUBJECT = { en: 'Your week in five sentences', de: 'Ihre Woche in fünf Sätzen', es: 'Su semana en cinco frases' };

const readFrom = (locale, { rowCount, found, truncated }) => {
  const isPart = found > rowCount;
  const one = rowCount === 1;
  const read = inLocale(locale, {
    en: 'Read from ' + (isPart ? 'the last ' + rowCount + ' of ' + found + ' rows.' : rowCount + (one ? ' row.' : ' rows.')),
    de: 'Gelesen aus ' + (isPart ? 'den letzten ' + rowCount + ' von ' + found + ' Zeilen.' : rowCount + (one ? ' Zeile.' : ' Zeilen.')),
    es: 'Leído de ' + (isPart ? 'las últimas ' + rowCount + ' de ' + found + ' filas.' : rowCount + (one ? ' fila.' : ' filas.')),
  });
  const more = inLocale(locale, {
    en: ' The query found more rows than can be read; only the first ' + found + ' were read.',
    de: ' Die Abfrage lieferte mehr Zeilen, als gelesen werden können; nur die ersten ' + found + ' wurden gelesen.',
    es: ' La consulta devolvió más filas de las que se pueden leer; solo se leyeron las primeras ' + found + '.',
  });
  const care = inLocale(locale, {
    en: ' Written by a language model; the numbers in your own reports are the ones that count.',
    de: ' Von einem Sprachmodell geschrieben; es gelten die Zahlen in Ihren eigenen Berichten.',
    es: ' Escrito por un modelo de lenguaje; valen las cifras de sus propios informes.',
  });
  return read + (truncated === true ? more : '') + care;
};

export const code = async (inputs) => {
  const config = inputs.config || {};
  const client = inputs.client || {};
  const digest = answerText(inputs.answer).trim();
  if (digest.length < 40) return fault('digest_empty', 'The language model explained nothing');
  if (!config.fromAddress) return fault('sender_address_missing', 'This agent has no sender address in its settings');
  const to = config.recipients.map((one) => String(one).trim()).filter(isEmail);
  const text = clip(digest, 3000) + '\n\n' + readFrom(client.locale, inputs);
  const mail = mailTo({
    to,
    fromAddress: config.fromAddress,
    mailName: client.mailName,
    subject: inLocale(client.locale, SUBJECT),
    text,
    html: paragraphs(text),
  });
  return go({ digest: clip(digest, 900), mail });
};
