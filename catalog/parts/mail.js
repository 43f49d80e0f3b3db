// One mail in the form the mail service takes. A header may not hold a line break: it would start another header.
export const mailTo = ({ to, fromAddress, senderName, subject, text, html, replyTo }) => {
  const line = (value) =>
    String(value ?? '')
      .replace(/[\r\n]+/g, ' ')
      .trim();
  const name = line(senderName).replace(/[<>"]/g, '');
  return {
    from: name === '' ? line(fromAddress) : name + ' <' + line(fromAddress) + '>',
    to: Array.isArray(to) ? to.map(line) : [line(to)],
    subject: line(subject).slice(0, 200),
    text,
    ...(html ? { html } : {}),
    ...(replyTo ? { reply_to: line(replyTo) } : {}),
  };
};

export const paragraphs = (text) =>
  String(text)
    .split(/\n{2,}/)
    .map((part) => '<p>' + escapeHtml(part.trim()).replace(/\n/g, '<br>') + '</p>')
    .join('\n');
