/** Deeper than any real input. Beyond it, schemas and the database would run out of stack. */
export const DEPTH_MAX = 100;
/** Members and items of one body. A full 1 MiB of rows of a database has fewer; parsing and checking more than that blocks the process. */
export const PARTS_MAX = 65_536;

/** `path` names the first five levels of the place, `rows.3.name`. */
export type JsonProblem = { code: 'too_deep' | 'invalid_characters' | 'too_many_parts' | 'prototype'; path: string };
export type JsonScan = {
  /** The first reason not to parse the text, or null. Whether it is JSON at all is for the parser to say. */
  problem: JsonProblem | null;
  /** The text of the wanted member of the outermost object; null where it has none. The last one counts, as for the parser. */
  member: string | null;
};
/** `anyText`: the characters that no column stores are accepted, NUL and unpaired surrogates. `member`: the name to look for. */
export type ScanOptions = { anyText: boolean; member?: string };

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const ESCAPE_U = 0x75;
const [ARRAY_START, ARRAY_END, OBJECT_START, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Judges the bytes of a JSON text before it is parsed, in one pass and without allocating: its depth, its number of parts, characters that
 * cannot be stored, and members called `__proto__`. The path of a problem is put together only for that problem.
 */
export function scanJson(bytes: Buffer, { anyText, member: wanted }: ScanOptions): JsonScan {
  const places = new Places(bytes);
  let depth = 0;
  let parts = 0;
  let isKey = false;
  // Whether the next text is the value of the wanted member.
  let isWanted = false;
  let member: string | null = null;
  const problem = (code: JsonProblem['code']): JsonScan => ({ problem: { code, path: places.path(depth) }, member });
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      const text = endOfText(bytes, at + 1, anyText);
      if (isKey) {
        places.key(depth, at, text.end);
        if (isNamed(bytes, at, text, '__proto__')) return problem('prototype');
        isWanted = depth === 1 && wanted !== undefined && isNamed(bytes, at, text, wanted);
        if (isWanted) member = null;
      } else if (isWanted) {
        member = textOf(bytes, at, text.end);
        isWanted = false;
      }
      if (text.isUnstorable) return problem('invalid_characters');
      isKey = false;
      at = text.end;
    } else if (byte === OBJECT_START || byte === ARRAY_START) {
      depth += 1;
      if (depth > DEPTH_MAX) return { problem: { code: 'too_deep', path: places.path(DEPTH_MAX) }, member };
      isKey = byte === OBJECT_START;
      isWanted = false;
      places.open(depth, isKey);
      parts += 1;
    } else if (byte === COMMA) {
      isKey = places.next(depth);
      isWanted = false;
      parts += 1;
      if (parts > PARTS_MAX) return problem('too_many_parts');
    } else if (byte === OBJECT_END || byte === ARRAY_END) {
      isKey = false;
      isWanted = false;
      depth -= 1;
      // More ends than starts: the parser refuses it.
      if (depth < 0) break;
    }
  }
  return { problem: null, member };
}

/** Where the pass is: for each open level the current key or index. */
class Places {
  readonly #bytes: Buffer;
  readonly #isObject = new Uint8Array(DEPTH_MAX + 1);
  /** Start of the key of an object, or index in an array. */
  readonly #start = new Int32Array(DEPTH_MAX + 1);
  readonly #end = new Int32Array(DEPTH_MAX + 1);
  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  open(depth: number, isObject: boolean): void {
    this.#isObject[depth] = isObject ? 1 : 0;
    this.#start[depth] = 0;
    this.#end[depth] = 0;
  }

  key(depth: number, start: number, end: number): void {
    this.#start[depth] = start;
    this.#end[depth] = end;
  }

  /** Moves on after a comma. Returns whether a key follows. */
  next(depth: number): boolean {
    if (this.#isObject[depth] === 1) return true;
    this.#start[depth] = (this.#start[depth] ?? 0) + 1;
    return false;
  }

  path(depth: number): string {
    const names: string[] = [];
    for (let level = 1; level <= Math.min(depth, 5); level++) {
      const [start = 0, end = 0] = [this.#start[level], this.#end[level]];
      if (this.#isObject[level] === 0) names.push(String(start));
      else if (end > start) names.push(textOf(this.#bytes, start, end).replaceAll('\u0000', '').toWellFormed().slice(0, 80));
    }
    return names.join('.');
  }
}

type Text = { end: number; hasEscape: boolean; isUnstorable: boolean };

/** Returns the end of a text that starts at `from`, and whether it holds what no column stores. */
function endOfText(bytes: Buffer, from: number, anyText: boolean): Text {
  let hasEscape = false;
  let isUnstorable = false;
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) return { end: at, hasEscape, isUnstorable };
    if (byte !== BACKSLASH) continue;
    hasEscape = true;
    at += 1;
    if (anyText || bytes[at] !== ESCAPE_U) continue;
    const unit = codeUnit(bytes, at + 1);
    if (unit === 0 || (unit >= 0xdc00 && unit <= 0xdfff)) isUnstorable = true;
    if (unit < 0xd800 || unit > 0xdbff) continue;
    const low = bytes[at + 5] === BACKSLASH && bytes[at + 6] === ESCAPE_U ? codeUnit(bytes, at + 7) : 0;
    if (low >= 0xdc00 && low <= 0xdfff) at += 6;
    else isUnstorable = true;
  }
  return { end: bytes.length, hasEscape, isUnstorable };
}

/** Returns the code unit that four hexadecimal digits write; -1 for anything else, which the parser refuses. */
function codeUnit(bytes: Buffer, from: number): number {
  let value = 0;
  for (let at = from; at < from + 4; at++) {
    const byte = bytes[at] ?? 0;
    const digit = byte >= 0x30 && byte <= 0x39 ? byte - 0x30 : (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66 ? (byte | 0x20) - 0x57 : -1;
    if (digit === -1) return -1;
    value = value * 16 + digit;
  }
  return value;
}

/** Whether the text has this name of letters, also when written with escapes. */
function isNamed(bytes: Buffer, start: number, { end, hasEscape }: Text, name: string): boolean {
  if (!hasEscape && end - start - 1 !== name.length) return false;
  let at = start + 1;
  for (let index = 0; index < name.length; index++) {
    const isEscape = bytes[at] === BACKSLASH;
    if ((isEscape ? codeUnit(bytes, at + 2) : bytes[at]) !== name.charCodeAt(index)) return false;
    at += isEscape ? 6 : 1;
  }
  return at === end;
}

/** Returns the text whose quotes stand at `start` and `end`; an empty one where it cannot be read. */
function textOf(bytes: Buffer, start: number, end: number): string {
  try {
    return String(JSON.parse(bytes.toString('utf8', start, end + 1)));
  } catch {
    return '';
  }
}
