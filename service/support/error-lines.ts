import { isId } from '#platform/ids.ts';
import { z } from 'zod';
import { parseJson } from '#platform/parse-json.ts';

/** Lines of a log that say what went wrong, with what they may say to a person outside. */
export type ErrorLines = {
  /** Lines that were read; those that are no JSON of the service among them. */
  read: number;
  notJson: number;
  /** The newest warnings and errors, at most `most` of each. */
  errors: Line[];
  warnings: Line[];
};

export type Line = { [name: string]: string | number | boolean | null | Line };

/** Fields that hold ids, names of code, codes or numbers (docs/log.md). All others are left out: addresses, paths, texts of other systems. */
const FIELDS = [
  'time',
  'msg',
  'requestId',
  'method',
  'route',
  'status',
  'ms',
  'partnerId',
  'clientId',
  'executionId',
  'workflowId',
  'attemptId',
  'credentialId',
  'eventId',
  'deliveryId',
  'endpointId',
  'mailId',
  'job',
  'jobId',
  'code',
  'kind',
  'state',
  'step',
  'attempt',
  'n',
  'trace_id',
  'from',
  'event',
  'exitCode',
  'signal',
] as const;

/** Written by the service itself, so nothing in them is covered. */
const PLAIN: ReadonlySet<string> = new Set(['time', 'route', 'trace_id']);

const FRAMES = 6;

const lineShape = z.looseObject({ level: z.string(), err: z.looseObject({}).optional() });

/** Reads the warnings and errors of a log. `hide` covers what a message may hold. */
export function readErrorLines(text: string, hide: (text: string) => string, most: number): ErrorLines {
  const found: ErrorLines = { read: 0, notJson: 0, errors: [], warnings: [] };
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    found.read += 1;
    // A prefix of the container's name and a time may stand before it.
    const { data } = lineShape.safeParse(parseJson(line.slice(Math.max(0, line.indexOf('{')))));
    if (data === undefined) found.notJson += 1;
    else if (data.level === 'error' || data.level === 'fatal') found.errors.push(shown(data, hide));
    else if (data.level === 'warn') found.warnings.push(shown(data, hide));
  }
  return { ...found, errors: found.errors.slice(-most), warnings: found.warnings.slice(-most) };
}

function shown(line: z.infer<typeof lineShape>, hide: (text: string) => string): Line {
  const kept = Object.fromEntries(
    FIELDS.flatMap((name): [string, string | number | boolean][] => {
      const value = line[name];
      if (typeof value === 'string') return [[name, PLAIN.has(name) ? value : hide(firstLine(value))]];
      return typeof value === 'number' || typeof value === 'boolean' ? [[name, value]] : [];
    }),
  );
  return line.err === undefined ? kept : { ...kept, err: shownError(line.err, hide) };
}

/** Further lines of a message are the text and the stack of an error, which `err` has. */
const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';

function shownError(error: Record<string, unknown>, hide: (text: string) => string): Line {
  const { type, code, message, stack } = error;
  return {
    type: typeof type === 'string' ? hide(type) : null,
    code: typeof code === 'string' || typeof code === 'number' ? hide(String(code)) : null,
    message: typeof message === 'string' ? hide(message) : null,
    stack: typeof stack === 'string' ? framesOf(stack) : null,
  };
}

/** Function and place of the first frames: the text before them repeats the message. */
function framesOf(stack: string): string {
  const frames = [...stack.matchAll(/^[ \t]+at (?:(?:async )?([\w.<>$ [\]]+) \()?(?:file:\/\/)?(?:[^\s()]*\/)?([\w.-]+:\d+:\d+)\)?$/gm)];
  return frames
    .slice(0, FRAMES)
    .map(([, name = 'anonymous', place]) => `${name} ${place}`)
    .join(', ');
}

/** Shorter texts would hide words that are no secrets. */
const SECRET_LENGTH_MIN = 6;

/**
 * Returns a function that covers, in a message: the given secrets, what stands in quotes, addresses but for their host's kind, e-mail addresses, phone numbers
 * and words that are long and mixed enough to be a key. UUIDs stay, since they lead to the rest.
 */
export function hiderOf(secrets: readonly string[]): (text: string) => string {
  const known = secrets.filter((secret) => secret.length >= SECRET_LENGTH_MIN).toSorted((a, b) => b.length - a.length);
  return (text) => {
    const covered = known.reduce((left, secret) => left.replaceAll(secret, '[secret]'), text);
    return covered
      .replace(/\b[a-z][a-z\d+.-]*:\/\/[^\s"'<>]+/gi, '[address]')
      .replace(/"[^"]*"|“[^”]*”|'[^'\n]*'(?=[\s.,:;)]|$)|`[^`]*`/g, '[quoted]')
      .replace(/[^\s@"'<>()]+@[^\s@"'<>()]+/g, '[e-mail]')
      .replace(/[\w+/=-]{16,}/g, (word) => (isId(word) || !/\d/.test(word) || !/[a-z]/i.test(word) ? word : '[hidden]'))
      .replace(/(?<![\w-])\+?\d[\d ().-]{6,}\d(?![\w-])/g, (digits) => (/^\d{4}-\d{2}-\d{2}/.test(digits) ? digits : '[number]'));
  };
}
