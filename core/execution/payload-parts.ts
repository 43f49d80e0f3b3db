import { maskText } from '../contact/mask.ts';
import { isSecretKey } from './payload.ts';

/** Every contact has one. */
const CONTACT_SIGN = /[@\d]/;

/** About how much of a text is read between two parts. */
export const PART_LENGTH = 16_384;

/**
 * Yields a JSON text in which members named like secrets read "[hidden]" and everything else is whole; `isMasked`: contacts in its strings are
 * masked too. It comes in parts, some of them empty, each after a moment only: a payload of megabytes would hold the thread if it were parsed
 * and written at once.
 */
export function* payloadParts(text: string, isMasked: boolean): Generator<string, void> {
  /** Buffered input that is not yielded yet: `part`, and the text from `from`. */
  let part = '';
  let from = 0;
  let rested = 0;
  for (let at = text.indexOf('"'); at !== -1;) {
    const open = at;
    at = endOfString(text, open);
    const value = valueOf(text, at);
    if (value !== -1) {
      if (isSecretKey(parseString(text, open, at)) && !isEmpty(text, value)) {
        part += `${text.slice(from, value)}"[hidden]"`;
        at = yield* endOfValue(text, value);
        from = at;
      }
    } else if (isMasked && at - open > PART_LENGTH) {
      part += text.slice(from, open + 1);
      for (const piece of piecesOf(parseString(text, open, at))) {
        yield part;
        part = JSON.stringify(maskText(piece)).slice(1, -1);
      }
      from = at - 1;
    } else if (isMasked) {
      const string = parseString(text, open, at);
      const masked = CONTACT_SIGN.test(string) ? maskText(string) : string;
      if (masked !== string) {
        part += text.slice(from, open) + JSON.stringify(masked);
        from = at;
      }
    }
    if (at - rested >= PART_LENGTH) {
      yield part + text.slice(from, at);
      part = '';
      from = at;
      rested = at;
    }
    at = text.indexOf('"', at);
  }
  yield part + text.slice(from);
}

/** Returns where the value of a member starts if the string that ends here is its name, else -1. */
function valueOf(text: string, end: number): number {
  const colon = behindBlanks(text, end);
  return text[colon] === ':' ? behindBlanks(text, colon + 1) : -1;
}

function behindBlanks(text: string, from: number): number {
  let at = from;
  while (' \n\r\t'.includes(text[at] ?? '-')) at += 1;
  return at;
}

function isEmpty(text: string, value: number): boolean {
  return text.startsWith('null', value) || text.startsWith('""', value);
}

/** Returns the index behind the quote that closes a string. */
function endOfString(text: string, open: number): number {
  for (let quote = text.indexOf('"', open + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let before = quote;
    while (text[before - 1] === '\\') before -= 1;
    if ((quote - before) % 2 === 0) return quote + 1;
  }
  return text.length;
}

/** Returns the index behind a value, and yields on the way through a long one. */
function* endOfValue(text: string, start: number): Generator<string, number> {
  if (text[start] === '"') return endOfString(text, start);
  if (text[start] !== '{' && text[start] !== '[') {
    const rest = /[,\]}\s]/g;
    rest.lastIndex = start;
    return rest.exec(text)?.index ?? text.length;
  }
  const sign = /["[\]{}]/g;
  sign.lastIndex = start;
  let depth = 0;
  let rested = start;
  for (let found = sign.exec(text); found; found = sign.exec(text)) {
    if (found[0] === '"') sign.lastIndex = endOfString(text, found.index);
    else depth += found[0] === '{' || found[0] === '[' ? 1 : -1;
    if (depth === 0) return sign.lastIndex;
    if (sign.lastIndex - rested < PART_LENGTH) continue;
    rested = sign.lastIndex;
    yield '';
  }
  return text.length;
}

function parseString(text: string, open: number, end: number): string {
  const raw = text.slice(open + 1, end - 1);
  return raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw; // a string of a JSON text
}

/** Cuts a long string between two words, where no contact is. */
function* piecesOf(string: string): Generator<string> {
  const cut = /(?<=[a-z]) (?=[a-z])/gi;
  for (let from = 0; from < string.length;) {
    cut.lastIndex = from + PART_LENGTH;
    const to = cut.lastIndex < string.length ? (cut.exec(string)?.index ?? string.length) : string.length;
    yield string.slice(from, to);
    from = to;
  }
}
