/** What steers a terminal, a header or the direction of reading has no place in a name: line breaks, control and bidi marks, zero widths. */
const STEERING = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]+/gu;

/** A text that somebody typed, as one short line: for subjects, sender names and sentences. */
export function plainLine(text: string, max: number): string {
  const line = text.replace(STEERING, ' ').replace(/\s+/g, ' ').trim();
  return line.length <= max ? line : `${line.slice(0, max - 1).trimEnd()}…`;
}

/** A text that somebody typed in several lines: its line breaks stay, nothing else that steers. */
export function plainLines(text: string, max: number): string {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => plainLine(line, max))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
    .slice(0, max);
}
