// Fills {name} placeholders. An unknown name becomes nothing, so that no brace ever reaches a customer,
// and the blanks it leaves behind are closed.
export const fill = (text, values) =>
  String(text ?? '')
    .replace(/\{(\w+)\}/g, (_, key) => String(values[key] ?? ''))
    .replace(/[ \t]{2,}/g, ' ')
    .replace(/ +([.,!?;:])/g, '$1')
    .trim();

// Cuts at a word where possible, never in the middle of a surrogate pair.
export const clip = (text, max) => {
  const letters = Array.from(String(text ?? ''));
  if (letters.length <= max) return letters.join('');
  const cut = letters.slice(0, max - 1).join('');
  const space = cut.lastIndexOf(' ');
  return (space > max / 2 ? cut.slice(0, space) : cut) + '…';
};

export const escapeHtml = (text) =>
  String(text ?? '').replace(/[&<>"']/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[sign]);

export const isEmail = (text) => /^[^\s@<>,;"]+@[^\s@<>,;"]+\.[^\s@<>,;".]{2,}$/.test(String(text ?? '').trim());

export const firstName = (name) =>
  String(name ?? '')
    .trim()
    .split(/\s+/)[0] ?? '';

// A weekday and clock time as the client's customers read it.
export const localTime = (iso, timezone) => {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '';
  const shape = { weekday: 'long', day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };
  try {
    return new Intl.DateTimeFormat('en-GB', { ...shape, timeZone: timezone || 'UTC' }).format(date);
  } catch {
    return new Intl.DateTimeFormat('en-GB', { ...shape, timeZone: 'UTC' }).format(date);
  }
};
