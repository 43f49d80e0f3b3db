export type Token =
  | { kind: 'number'; value: number; start: number; end: number }
  | { kind: 'string'; value: string; start: number; end: number }
  | { kind: 'name'; value: string; start: number; end: number }
  | { kind: 'sign'; value: string; start: number; end: number };

// Longest first: "===" must not be read as "==" and "=".
const SIGNS = [
  '===',
  '!==',
  '&&',
  '||',
  '??',
  '?.',
  '==',
  '!=',
  '<=',
  '>=',
  '+',
  '-',
  '*',
  '/',
  '%',
  '<',
  '>',
  '!',
  '?',
  ':',
  '.',
  ',',
  '(',
  ')',
  '[',
  ']',
];
const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '0': '\0' };
const NAME_START = /[\p{L}_$]/u;
// The engine's connection ids may hold "-" and ":" in the dot form; only after `connections.` are they part of a name.
const NAME_PART = /[\p{L}\p{N}_$]/u;
const CONNECTION_PART = /[\p{L}\p{N}_$:/-]/u;

function readString(source: string, start: number): { value: string; end: number } | undefined {
  const quote = source.charAt(start);
  let value = '';
  for (let at = start + 1; at < source.length; at += 1) {
    const letter = source.charAt(at);
    if (letter === quote) return { value, end: at + 1 };
    if (letter === '\\') {
      at += 1;
      const escaped = source.charAt(at);
      if (escaped === 'u') {
        const code = Number.parseInt(source.slice(at + 1, at + 5), 16);
        if (Number.isNaN(code)) return undefined;
        value += String.fromCharCode(code);
        at += 4;
      } else value += ESCAPES[escaped] ?? escaped;
    } else value += letter;
  }
  return undefined;
}

function readWhile(source: string, start: number, part: RegExp): number {
  let end = start;
  while (end < source.length && part.test(source.charAt(end))) end += 1;
  return end;
}

function afterConnectionsDot(tokens: Token[]): boolean {
  const dot = tokens.at(-1);
  const root = tokens.at(-2);
  const before = tokens.at(-3);
  return dot?.value === '.' && root?.kind === 'name' && root.value === 'connections' && before?.value !== '.';
}

/** Splits one expression into tokens; undefined when it holds something that is no token. */
export function tokenize(source: string): Token[] | undefined {
  const tokens: Token[] = [];
  let at = 0;
  while (at < source.length) {
    const letter = source.charAt(at);
    if (/\s/.test(letter)) {
      at += 1;
    } else if (letter === "'" || letter === '"') {
      const text = readString(source, at);
      if (text === undefined) return undefined;
      tokens.push({ kind: 'string', value: text.value, start: at, end: text.end });
      at = text.end;
    } else if (NAME_START.test(letter)) {
      const end = readWhile(source, at, afterConnectionsDot(tokens) ? CONNECTION_PART : NAME_PART);
      tokens.push({ kind: 'name', value: source.slice(at, end), start: at, end });
      at = end;
    } else if (/[0-9]/.test(letter)) {
      const match = /^(?:\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/.exec(source.slice(at))?.[0] ?? letter;
      tokens.push({ kind: 'number', value: Number(match), start: at, end: at + match.length });
      at += match.length;
    } else {
      const sign = SIGNS.find((candidate) => source.startsWith(candidate, at));
      if (sign === undefined) return undefined;
      tokens.push({ kind: 'sign', value: sign, start: at, end: at + sign.length });
      at += sign.length;
    }
  }
  return tokens;
}
