/** Members under which mail gateways pass on the headers of a mail. */
const MEMBERS = ['headers', 'Headers', 'message-headers'] as const;

/**
 * Returns the first value of a header of a mail, such as `reply-to`, from what a gateway passes on: a text of lines, JSON in a text, a list of pairs
 * or of objects, or an object. The catalog's step that knows the mails of machines reads the same forms (catalog/ai-email-triage).
 */
export function mailHeader(event: { readonly [key: string]: unknown }, name: string): string | null {
  for (const key of MEMBERS)
    for (const [header, value] of Object.hasOwn(event, key) ? pairsOf(event[key]) : [])
      if (typeof header === 'string' && header.trim().toLowerCase() === name && typeof value === 'string' && value.trim() !== '')
        return value.trim();
  return null;
}

function pairsOf(headers: unknown): readonly (readonly unknown[])[] {
  if (typeof headers === 'string') return /^\s*[[{]/.test(headers) ? pairsOf(jsonOf(headers)) : linesOf(headers);
  if (Array.isArray(headers))
    return headers.map((one: unknown) => (Array.isArray(one) ? one : [member(one, 'name'), member(one, 'value')]));
  return typeof headers === 'object' && headers !== null ? Object.entries(headers) : [];
}

function member(value: unknown, name: 'name' | 'value'): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.entries(value).find(([key]) => key.toLowerCase() === name)?.[1];
}

/** The lines before the text of the mail; one that begins with a blank goes on with the line before. */
function linesOf(text: string): [string, string][] {
  const [head = ''] = text.split(/\r?\n\r?\n/, 1);
  return head
    .replace(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/)
    .map((line) => [line.slice(0, Math.max(0, line.indexOf(':'))), line.slice(line.indexOf(':') + 1)]);
}

/** A text that is no JSON has no headers. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
