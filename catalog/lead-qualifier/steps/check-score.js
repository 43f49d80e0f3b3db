// What the owner reads, in the language of the client.
const OWNER_WORDS = {
  en: {
    hot: 'Hot lead',
    fresh: 'New lead',
    lead: 'Lead',
    of: 'of',
    score: 'Score',
    why: 'Why',
    next: 'Next',
    nextStep: 'Next step',
    contact: 'Contact',
    budget: 'Budget',
    message: 'They wrote',
  },
  de: {
    hot: 'Heiße Anfrage',
    fresh: 'Neue Anfrage',
    lead: 'Anfrage',
    of: 'von',
    score: 'Bewertung',
    why: 'Grund',
    next: 'Nächster Schritt',
    nextStep: 'Nächster Schritt',
    contact: 'Kontakt',
    budget: 'Budget',
    message: 'Nachricht',
  },
  es: {
    hot: 'Contacto muy interesado',
    fresh: 'Contacto nuevo',
    lead: 'Contacto',
    of: 'de',
    score: 'Puntuación',
    why: 'Motivo',
    next: 'Siguiente paso',
    nextStep: 'Siguiente paso',
    contact: 'Contacto',
    budget: 'Presupuesto',
    message: 'Mensaje',
  },
};

// No score is not a score of 0.
const scoreOf = (said) => (typeof said === 'number' || (typeof said === 'string' && said.trim() !== '') ? Number(said) : Number.NaN);

// Holds the model's answer to its form, then decides who hears of the lead.
export const code = async (inputs) => {
  const input = inputs.input || {};
  const config = inputs.config || {};
  const client = inputs.client || {};
  const choices = Array.isArray(inputs.answer) ? inputs.answer : [];
  const answer = readAnswer(choices[0]?.message?.content);
  const number = scoreOf(answer?.score);
  if (!Number.isFinite(number)) return fault('score_unreadable', 'The language model did not answer with a score');
  const score = Math.round(Math.max(0, Math.min(100, number)));
  const reason = clip(String(answer.reason ?? '').trim(), 300);
  const nextStep = clip(String(answer.nextStep ?? '').trim(), 300);
  const hot = score >= config.hotScore;
  const contact = [input.leadPhone, input.leadEmail].filter(Boolean).join(', ');
  const owner = config.ownerPhone;
  const byText = hot && Boolean(owner && config.fromNumber);
  const byMail = Boolean(config.ownerEmail && config.fromAddress);
  const [why, next] = [unlinked(reason), unlinked(nextStep)];
  const about = [unlinked(input.leadName), contact].filter(Boolean).join(', ') + '.';
  const words = inLocale(client.ownerLocale, OWNER_WORDS);
  const alert = clip(
    [words.hot + ' (' + score + ' ' + words.of + ' 100): ' + about, why, next && words.next + ': ' + next].filter(Boolean).join(' '),
    480,
  );
  return go({
    score,
    reason,
    nextStep,
    hot,
    byText,
    byMail,
    ...(byText
      ? {
          form: smsForm({
            to: owner,
            from: config.fromNumber,
            text: alert,
            optOutLine: config.optOutLine,
            words: { businessName: client.name },
          }),
        }
      : {}),
    ...(byMail ? { mail: summaryMail({ words, input, config, client, score, reason, nextStep, hot, contact }) } : {}),
  });
};

const summaryMail = ({ words, input, config, client, score, reason, nextStep, hot, contact }) => {
  const text =
    [
      (hot ? words.hot : words.fresh) + ': ' + input.leadName,
      words.score + ': ' + score + ' ' + words.of + ' 100',
      words.why + ': ' + reason,
      words.nextStep + ': ' + nextStep,
      ...(contact ? [words.contact + ': ' + contact] : []),
      ...(input.budget ? [words.budget + ': ' + clip(input.budget, 100)] : []),
    ].join('\n') +
    '\n\n' +
    words.message +
    ':\n' +
    clip(input.message, 4000);
  const subject = (hot ? words.hot : words.lead) + ': ' + clip(input.leadName, 80) + ' (' + score + ')';
  return mailTo({
    to: config.ownerEmail,
    fromAddress: config.fromAddress,
    mailName: client.mailName,
    subject,
    text,
    html: paragraphs(text),
    ...(input.leadEmail ? { replyTo: input.leadEmail } : {}),
  });
};
