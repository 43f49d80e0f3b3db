// What the language model reads of the mail: words alone, and few enough that neither a style sheet nor a long or crafted mail fills its window.
// Gateways name the attachments of a mail as a number, others as a list; the service leaves out what a form has of them.
const countOf = (attachments) => (Array.isArray(attachments) ? attachments.length : Number(attachments) || 0);

export const code = async (inputs) => {
  const input = inputs.input || {};
  const attachments = countOf(input.attachments ?? input['attachment-count']);
  const lines = [
    'From: ' + clip(input.fromEmail, 320),
    'Subject: ' + clip(input.subject, 500),
    ...(attachments > 0 ? ['Attachments, which you do not see: ' + attachments] : []),
  ];
  return go({ prompt: lines.join('\n') + '\n\n' + excerpt(input.text), attachments });
};
