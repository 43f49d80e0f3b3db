// Holds the model's answer to its form, then decides who hears of the lead.
export const code = async (inputs) => {
  const input = inputs.input || {};
  const config = inputs.config || {};
  const client = inputs.client || {};
  const choices = Array.isArray(inputs.answer) ? inputs.answer : [];
  const answer = readAnswer(choices[0]?.message?.content);
  const number = Number(answer?.score);
  if (answer === null || !Number.isFinite(number)) return fault('score_unreadable', 'The language model did not answer with a score');
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
  const alert = clip(['Hot lead (' + score + ' of 100): ' + about, why, next && 'Next: ' + next].filter(Boolean).join(' '), 480);
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
    ...(byMail ? { mail: summaryMail({ input, config, client, score, reason, nextStep, hot, contact }) } : {}),
  });
};

const summaryMail = ({ input, config, client, score, reason, nextStep, hot, contact }) => {
  const text =
    (hot ? 'Hot lead' : 'New lead') +
    ': ' +
    input.leadName +
    '\nScore: ' +
    score +
    ' of 100\nWhy: ' +
    reason +
    '\nNext step: ' +
    nextStep +
    (contact ? '\nContact: ' + contact : '') +
    (input.budget ? '\nBudget: ' + clip(input.budget, 100) : '') +
    '\n\nThey wrote:\n' +
    clip(input.message, 4000);
  const subject = (hot ? 'Hot lead: ' : 'Lead: ') + clip(input.leadName, 80) + ' (' + score + ')';
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
