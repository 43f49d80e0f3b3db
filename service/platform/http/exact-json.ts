import { AppError } from '../refuse.ts';
import { type JsonProblem, type JsonScan, type JsonToken, DEPTH_MAX, PARTS_MAX, REPEATED_MAX, scanJson } from './scan-json.ts';

/** A JSON text as it was read, and what was noticed: members that came twice. */
export type ExactJson = { value: unknown; remarks: string[] };

/**
 * Parses a JSON text (UTF-8, no byte order mark) without loss: an integer beyond 2^53 and a decimal that a double does not hold become texts, and
 * a member that came twice has its last value and a remark. Members called `__proto__` are left out. Takes about twice the parse, and a few
 * times for the worst text. Refuses `malformed_json`, `too_large` and `validation_failed`.
 */
export function parseExactJson(bytes: Buffer): ExactJson {
  const scan = scanJson(bytes, { anyText: true, anyNames: true, exactNumbers: true });
  if (scan.problem) throw refusalOf(scan.problem);
  const value = parse(textOf(bytes, scan.longNumbers));
  const remarks = countMembers(value, scan.hasPrototype) < scan.members ? repeatedIn(bytes) : [];
  return { value, remarks };
}

/** Returns the refusal of a JSON text that is not parsed. */
export function refusalOf({ code, path, value }: JsonProblem): AppError {
  if (code === 'prototype') return malformed();
  if (code === 'too_many_parts') return new AppError('too_large', { detail: `The body must not hold more than ${PARTS_MAX} values.` });
  const messages = {
    too_deep: `This is nested deeper than ${DEPTH_MAX} levels.`,
    invalid_characters: 'This text contains a character that cannot be stored.',
    number_too_large: `${value ?? 'This'} is larger than any number can be here. Send it as text.`,
  };
  const detail = code === 'number_too_large' ? `"${path}" was not accepted: ${messages[code]}` : '1 field was not accepted.';
  return new AppError('validation_failed', { detail, errors: [{ field: path, code, message: messages[code] }] });
}

export function malformed(): AppError {
  return new AppError('malformed_json', { detail: 'The body could not be read as JSON.' });
}

/** Returns the text with quotes around the given numbers, which the parser then takes for texts. */
function textOf(bytes: Buffer, numbers: readonly JsonToken[]): string {
  if (numbers.length === 0) return bytes.toString('utf8');
  // One character for each byte, so that positions are those of the bytes.
  const given = bytes.toString('latin1');
  let text = '';
  let from = 0;
  for (const { start, end } of numbers) {
    text += `${given.slice(from, start)}"${given.slice(start, end)}"`;
    from = end;
  }
  return Buffer.from(text + given.slice(from), 'latin1').toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed();
  }
}

/** Returns how many members the objects of a value have, and deletes those called `__proto__`: an attack, never data. */
function countMembers(value: unknown, hasPrototype: boolean): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += countMembers(item, hasPrototype);
    return count;
  }
  const members = value as Record<string, unknown>; // an object
  for (const name of Object.keys(members)) count += 1 + countMembers(members[name], hasPrototype);
  if (hasPrototype && Object.hasOwn(members, '__proto__')) delete members['__proto__'];
  return count;
}

function repeatedIn(bytes: Buffer): string[] {
  const { repeated }: JsonScan = scanJson(bytes, { anyText: true, anyNames: true, repeated: true });
  const shown = repeated.map((path) => `"${path}"`).join(', ');
  const more = repeated.length === REPEATED_MAX ? ' and perhaps more' : '';
  return [`${shown}${more} came more than once. The last value counts.`];
}
