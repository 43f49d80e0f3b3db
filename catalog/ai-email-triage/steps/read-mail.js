// What the language model reads of the mail: words alone, and few enough that neither a style sheet nor a long or crafted mail fills its window.
export const code = async (inputs) => {
  const input = inputs.input || {};
  const lines = ['From: ' + clip(input.fromEmail, 320), 'Subject: ' + clip(input.subject, 500)];
  return go({ prompt: lines.join('\n') + '\n\n' + excerpt(input.text) });
};
