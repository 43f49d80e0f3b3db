// One mail in the form the mail service takes. A header may not hold a line break: it would start another header. The name of the sender comes
// encoded (client.mailName), since a library does that and code steps have none; without one the address stands alone.
export const mailTo = ({ to, fromAddress, mailName, subject, text, html, replyTo }) => {
  const line = (value) =>
    String(value ?? '')
      .replace(/[\r\n]+/g, ' ')
      .trim();
  const name = line(mailName);
  return {
    from: name === '' ? line(fromAddress) : name + ' <' + line(fromAddress) + '>',
    to: Array.isArray(to) ? to.map(line) : [line(to)],
    // Mail programs decode encoded words (=?utf-8?…?=), so what others wrote could show another subject than it says.
    subject: head(line(subject).replace(/=\?/g, '= ?'), 200),
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
