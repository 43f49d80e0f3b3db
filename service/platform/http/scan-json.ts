/** Deeper than any real input. Beyond it, schemas and the database would run out of stack. */
export const DEPTH_MAX = 100;
/** Members and items of one body. A full 1 MiB of rows of a database has fewer; parsing and checking more than that blocks the process. */
export const PARTS_MAX = 65_536;

/** `path` names the first five levels of the place, `rows.3.name`. */
export type JsonProblem = {
  code: 'too_deep' | 'invalid_characters' | 'too_many_parts' | 'prototype' | 'number_too_large';
  path: string;
  /** The number that is too large, as it was written. */
  value?: string;
};
/** A token of the text, by its bytes; `end` is exclusive. */
export type JsonToken = { start: number; end: number };
export type JsonScan = {
  /** The first reason not to parse the text, or null. Whether it is JSON at all is for the parser to say. */
  problem: JsonProblem | null;
  /** The text of the wanted member of the outermost object; null where it has none. The last one counts, as for the parser. */
  member: string | null;
  /** Members of all objects of the text, repeated ones included. */
  members: number;
  /** There are members called `__proto__`, which were accepted. */
  hasPrototype: boolean;
  /** Numbers that a double does not hold, in order; found with `exactNumbers`. */
  longNumbers: JsonToken[];
  /** Paths of members that came before in their object; found with `repeated`, the first `REPEATED_MAX` of them. */
  repeated: string[];
};
/**
 * `anyText`: the characters that no column stores are accepted, NUL and unpaired surrogates. `member`: the name to look for. `anyNames`: members
 * called `__proto__` are accepted. `exactNumbers`: numbers that a double does not hold are listed, and those beyond every double are a problem.
 * `repeated`: members that came before are listed, which takes a set of names for each open object.
 */
export type ScanOptions = { anyText: boolean; member?: string; anyNames?: boolean; exactNumbers?: boolean; repeated?: boolean };
export const REPEATED_MAX = 5;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const ESCAPE_U = 0x75;
const [PLUS, MINUS, POINT, LETTER_E] = [0x2b, 0x2d, 0x2e, 0x65];
const [ZERO, NINE] = [0x30, 0x39];
const [ARRAY_START, ARRAY_END, OBJECT_START, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Judges the bytes of a JSON text before it is parsed, in one pass and without allocating: its depth, its number of parts, characters that
 * cannot be stored, and members called `__proto__`. The path of a problem is put together only for that problem.
 */
export function scanJson(bytes: Buffer, options: ScanOptions): JsonScan {
  const { anyText, member: wanted, anyNames = false, exactNumbers = false } = options;
  const places = PLACES.begin(bytes);
  const longNumbers: JsonToken[] = [];
  const names = options.repeated ? new Names() : null;
  let members = 0;
  let hasPrototype = false;
  let depth = 0;
  let parts = 0;
  let isKey = false;
  // Whether the next text is the value of the wanted member.
  let isWanted = false;
  let member: string | null = null;
  const result = (problem: JsonProblem | null): JsonScan => ({
    problem,
    member,
    members,
    hasPrototype,
    longNumbers,
    repeated: names?.repeated ?? [],
  });
  const problem = (code: JsonProblem['code']): JsonScan => result({ code, path: places.path(depth) });
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      const text = endOfText(bytes, at + 1, anyText);
      if (isKey) {
        places.key(depth, at, text.end);
        members += 1;
        if (isNamed(bytes, at, text, '__proto__')) {
          if (!anyNames) return problem('prototype');
          hasPrototype = true;
        }
        names?.add(depth, text.hasEscape ? textOf(bytes, at, text.end) : bytes.toString('utf8', at + 1, text.end), places);
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
      if (depth > DEPTH_MAX) return result({ code: 'too_deep', path: places.path(DEPTH_MAX) });
      isKey = byte === OBJECT_START;
      isWanted = false;
      places.open(depth, isKey);
      names?.open(depth);
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
    } else if (exactNumbers && (byte === MINUS || isDigit(byte))) {
      const end = endOfNumber(bytes, at + 1);
      const holds = holdsNumber(bytes, at, end);
      if (holds === 'beyond') return result({ code: 'number_too_large', path: places.path(depth), value: shownNumber(bytes, at, end) });
      if (holds === 'rounded') longNumbers.push({ start: at, end });
      at = end - 1;
    }
  }
  return result(null);
}

/** The names of each open object, to find those that came before. */
class Names {
  readonly repeated: string[] = [];
  /** Whether a name of the level was listed. */
  readonly #levels: Map<string, boolean>[] = [];

  open(depth: number): void {
    this.#levels[depth] = new Map();
  }

  add(depth: number, name: string, places: Places): void {
    const level = this.#levels[depth];
    const isListed = level?.get(name);
    if (isListed === false && this.repeated.length < REPEATED_MAX) this.repeated.push(places.path(depth));
    if (isListed !== true) level?.set(name, isListed === false);
  }
}

/** Where the pass is: for each open level the current key or index. */
class Places {
  #bytes: Buffer = Buffer.alloc(0);
  readonly #isObject = new Uint8Array(DEPTH_MAX + 1);
  /** Start of the key of an object, or index in an array. */
  readonly #start = new Int32Array(DEPTH_MAX + 1);
  readonly #end = new Int32Array(DEPTH_MAX + 1);
  begin(bytes: Buffer): this {
    this.#bytes = bytes;
    return this;
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

/** As many digits as every double holds. */
const SAFE_DIGITS = 15;

/** Returns where a number ends. Digits, signs, point and exponent belong to it. */
function endOfNumber(bytes: Buffer, from: number): number {
  let at = from;
  for (; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (!isDigit(byte) && byte !== POINT && byte !== PLUS && byte !== MINUS && (byte | 0x20) !== LETTER_E) break;
  }
  return at;
}

/** Returns whether a double holds a number exactly as written, only rounded, or not at all. Text that is not a number is left to the parser. */
function holdsNumber(bytes: Buffer, start: number, end: number): 'exact' | 'rounded' | 'beyond' {
  if (isShort(bytes, start, end)) return 'exact';
  const kind = kindOf(bytes, start, end);
  if (kind === 'none') return 'exact';
  const text = bytes.toString('latin1', start, end);
  const value = Number(text);
  if (!Number.isFinite(value)) return 'beyond';
  if (kind === 'integer') return Number.isSafeInteger(value) ? 'exact' : 'rounded';
  const shortest = String(value);
  return shortest === text || significant(text) === significant(shortest) ? 'exact' : 'rounded';
}

/** Whether every double holds it: few digits, and an exponent of at most two. */
function isShort(bytes: Buffer, start: number, end: number): boolean {
  let digits = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? 0;
    if ((byte | 0x20) === LETTER_E) {
      const sign = bytes[at + 1];
      return end - at <= (sign === MINUS || sign === PLUS ? 4 : 3);
    }
    if (isDigit(byte)) digits += 1;
    if (digits > SAFE_DIGITS) return false;
  }
  return true;
}

/** Checks a number by the grammar of JSON. A regular expression would cost more than all other work on a number. */
function kindOf(bytes: Buffer, start: number, end: number): 'integer' | 'decimal' | 'none' {
  let at = bytes[start] === MINUS ? start + 1 : start;
  const whole = at;
  at = endOfDigits(bytes, at);
  if (at === whole || (bytes[whole] === ZERO && at > whole + 1)) return 'none';
  if (at === end) return 'integer';
  if (bytes[at] === POINT) {
    const from = at + 1;
    at = endOfDigits(bytes, from);
    if (at === from) return 'none';
  }
  if (((bytes[at] ?? 0) | 0x20) === LETTER_E) {
    const from = bytes[at + 1] === MINUS || bytes[at + 1] === PLUS ? at + 2 : at + 1;
    at = endOfDigits(bytes, from);
    if (at === from) return 'none';
  }
  return at === end ? 'decimal' : 'none';
}

function endOfDigits(bytes: Buffer, from: number): number {
  let at = from;
  while (isDigit(bytes[at])) at += 1;
  return at;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE;
}

/** The digits that count and the power of ten of the first, in one notation: equal for `12.50` and `1.25e1`. */
function significant(text: string): string {
  const sign = text.startsWith('-') ? '-' : '';
  const [mantissa = '', power = '0'] = text.slice(sign.length).toLowerCase().split('e');
  const [whole = '', decimals = ''] = mantissa.split('.');
  const digits = whole + decimals;
  const first = digits.search(/[1-9]/);
  if (first === -1) return '0';
  return `${sign}${withoutZeros(digits.slice(first))}e${Number(power) + whole.length - first}`;
}

/** Not a regular expression: one that ends with `0+$` takes quadratic time on a long number. */
function withoutZeros(digits: string): string {
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === ZERO) end -= 1;
  return digits.slice(0, end);
}

function shownNumber(bytes: Buffer, start: number, end: number): string {
  const text = bytes.toString('latin1', start, Math.min(end, start + 40));
  return end - start > 40 ? `${text}…` : text;
}

/** One for all passes, since one is made at a time: making it costs more than reading a small event. */
const PLACES = new Places();

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
