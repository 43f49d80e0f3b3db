import { isUtf8 } from 'node:buffer';
import { parse } from 'node:querystring';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { shortened } from '@partner-portal/core/text/cut.ts';
import { AppError } from '../refuse.ts';
import { decoderOf, READ_AS_WESTERN, withoutMark } from './decode-text.ts';

/** The fields of a form: texts, and lists and objects where names say so. */
export type FormValue = string | FormValue[] | { [name: string]: FormValue };
export type Form = { fields: { [name: string]: FormValue }; remarks: string[] };

/** Values of each name, in the order in which they came. */
type Fields = Map<string, string[]>;

/** Brackets deeper than this, and in longer names, belong to the name. */
const LEVELS_MAX = 4;
const NAME_LENGTH_MAX = 200;
/** How many fields a form has at most, in either encoding. Each costs far more than its bytes, and no form that people fill in has as many. */
const FIELDS_MAX = 1_000;
/** A form with more parts is refused. */
export const PARTS_MAX = FIELDS_MAX + 1;
const PARTS = { fields: FIELDS_MAX, parts: PARTS_MAX, fieldNameSize: NAME_LENGTH_MAX, headerPairs: 20, headerSize: 4_096 };

/**
 * Reads a form of application/x-www-form-urlencoded. A field that came several times is a list, as is `a[]` under the name `a`; `a[b]` is a member
 * of the object `a`. The charset is that of the Content-Type, else of the field `_charset_`, else UTF-8, and windows-1252 for a form that is no
 * UTF-8. Refuses `unsupported_media_type` for an unknown charset and `too_large` for too many fields.
 */
export function readUrlencoded(given: Buffer, charset: string | undefined): Form {
  const text = withoutMark(given).toString('latin1');
  if (countOf(text, '&') >= FIELDS_MAX) throw tooManyFields();
  const named = charset ?? /(?:^|&)_charset_=([\w.:-]{1,40})(?:&|$)/.exec(text)?.[1];
  const decoder = createDecoder(named);
  // A field without a name says nothing.
  const parsed = parse(text, '&', '=', {
    maxKeys: 0,
    decodeURIComponent: (part) => (isPlain(part) ? part : decoder.decode(unescape(part))),
  });
  const fields: Fields = new Map();
  for (const [name, value = ''] of Object.entries(parsed)) {
    const values = typeof value === 'string' ? [value] : value;
    const plain = name.replace(/^\uFEFF/, '');
    fields.set(plain, [...(fields.get(plain) ?? []), ...values]);
  }
  fields.delete('');
  return { fields: nest(fields), remarks: decoder.remarks };
}

/**
 * Reads a form of multipart/form-data whose bytes are all there; nothing is written to a file. The fields are those of `readUrlencoded`, and each
 * may have a charset of its own. An empty file, as a browser sends for one that was not chosen, is left out; so is any other with a remark where
 * `leavesFilesOut`. Refuses `unsupported_media_type` for a file and an unknown charset, `too_large` for too many fields, `validation_failed` for a
 * broken form.
 */
export function readMultipart(bytes: Buffer, contentType: string, leavesFilesOut = false): Promise<Form> {
  const { promise, resolve, reject } = Promise.withResolvers<Form>();
  const form = openForm(contentType, bytes.length, leavesFilesOut ? FIELDS_MAX : 1);
  const fields: Fields = new Map();
  const files: string[] = [];
  form.on('file', (name: string, source: BusboyFileStream, filename: string | undefined) => {
    if (leavesFilesOut) source.once('data', () => void files.push(filename || name)).resume();
    else source.on('data', () => reject(holdsFile(name, filename)));
    source.once('error', () => reject(broken()));
  });
  form.on('field', (name: string | undefined, value: string, isNameCut: boolean) => {
    if (isNameCut) return reject(broken(`The name of a field is longer than ${NAME_LENGTH_MAX} characters.`));
    if (!name) return undefined;
    const values = fields.get(name);
    if (values) values.push(value);
    else fields.set(name, [value]);
    return undefined;
  });
  for (const limit of ['fieldsLimit', 'partsLimit'] as const) form.once(limit, () => reject(tooManyFields()));
  form.once('filesLimit', () => reject(holdsFile('', undefined)));
  form.once('error', () => reject(broken()));
  form.once('finish', () => {
    try {
      const { fields: decoded, remarks } = decodeParts(fields);
      resolve({ fields: decoded, remarks: files.length > 0 ? [...remarks, leftOut(files)] : remarks });
    } catch (error) {
      reject(error);
    }
  });
  form.end(bytes);
  return promise;
}

function openForm(contentType: string, bytes: number, files: number): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      // One unit for each byte, decoded once all fields are known: a field may name the charset of another.
      defCharset: 'latin1',
      limits: { ...PARTS, files, fieldSize: bytes, fileSize: bytes },
      isPartAFile: (_name, _type, filename) => filename !== undefined,
    });
  } catch {
    throw broken();
  }
}

/** Gateways of mail name the charset of each field in `charsets`, JSON; browsers that of all in `_charset_`. */
function decodeParts(fields: Fields): Form {
  const [named] = fields.get('_charset_') ?? [];
  const ofFields = charsetsIn(fields.get('charsets')?.[0]);
  const decoders = new Map<string, Decoder>();
  const decoded: Fields = new Map();
  for (const [name, values] of fields) {
    const own = ofFields[name] ?? named;
    const charset = typeof own === 'string' ? own.slice(0, 40) : '';
    const decoder = decoders.get(charset) ?? createDecoder(charset || undefined);
    decoders.set(charset, decoder);
    decoded.set(
      name,
      values.map((value) => (isBytes(value) ? decoder.decode(Buffer.from(value, 'latin1')) : value)),
    );
  }
  return { fields: nest(decoded), remarks: [...new Set([...decoders.values()].flatMap(({ remarks }) => remarks))] };
}

function charsetsIn(text: string | undefined): { [field: string]: unknown } {
  if (text === undefined || text.length > 4_096) return {};
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
  } catch {
    return {};
  }
}

type Decoder = { decode(bytes: Buffer): string; remarks: string[] };

/** Without a charset a value is UTF-8 where its bytes are valid as such, else windows-1252, which old forms send without saying so. */
function createDecoder(charset: string | undefined): Decoder {
  const remarks: string[] = [];
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    const known = decoderOf(charset);
    return { decode: (bytes) => known.decode(bytes), remarks };
  }
  return {
    remarks,
    decode(bytes) {
      if (isUtf8(bytes)) return bytes.toString('utf8');
      if (charset !== undefined) return bytes.toString('utf8');
      if (remarks.length === 0) remarks.push(READ_AS_WESTERN);
      return western.decode(bytes);
    },
  };
}

/** Returns the bytes that a part of a form stands for; its characters are bytes already. */
function unescape(part: string): Buffer {
  return Buffer.from(
    part.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
}

const western = new TextDecoder('windows-1252');

function isPlain(part: string): boolean {
  return !/[%\u0080-\u00ff]/.test(part);
}

function isBytes(text: string): boolean {
  return /[\u0080-\u00ff]/.test(text) && !/[\u0100-\uffff]/.test(text);
}

function countOf(text: string, character: string): number {
  let count = 0;
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) count += 1;
  return count;
}

/** Values of one name; `isList`: also when it is one. */
type Leaf = { values: string[]; isList: boolean };
/** Members of a list or an object, in order; those of a list have positions or no name. */
type Branch = Map<string, Branch | Leaf>;

function nest(fields: Fields): Form['fields'] {
  const root: Branch = new Map();
  for (const [name, values] of fields) if (!place(root, pathOf(name), values)) addLeaf(root, name, values, false);
  return membersOf(root);
}

/** Returns the parts of `a[b][]`; the name alone where it has no brackets that are read. */
function pathOf(name: string): string[] {
  if (name.length > NAME_LENGTH_MAX || !name.endsWith(']')) return [name];
  const found = /^([^[\]]+)((?:\[[^[\]]*\])+)$/.exec(name);
  const [, first = '', rest = ''] = found ?? [];
  const levels = rest.slice(1, -1).split('][');
  return found === null || levels.length > LEVELS_MAX ? [name] : [first, ...levels];
}

/** Puts the values at their place. Returns false where a field without brackets is in the way. */
function place(root: Branch, path: readonly string[], values: string[]): boolean {
  const isList = path.length > 1 && path.at(-1) === '';
  const steps = isList ? path.slice(0, -1) : path;
  let branch = root;
  for (const [at, step] of steps.slice(0, -1).entries()) {
    const key = at === 0 ? step : keyIn(branch, step);
    const next = branch.get(key) ?? new Map<string, Branch | Leaf>();
    if (!(next instanceof Map)) return false;
    branch.set(key, next);
    branch = next;
  }
  const last = steps.at(-1) ?? '';
  addLeaf(branch, steps.length === 1 ? last : keyIn(branch, last), values, isList);
  return true;
}

/** `a[][b]` is a member of the next item. The blank is in no position that a sender writes. */
function keyIn(branch: Branch, step: string): string {
  return step === '' ? ` ${branch.size}` : step;
}

function addLeaf(branch: Branch, name: string, values: string[], isList: boolean): void {
  const known = branch.get(name);
  if (known instanceof Map) for (const value of values) known.set(keyIn(known, ''), { values: [value], isList: false });
  else branch.set(name, known ? { values: [...known.values, ...values], isList: true } : { values, isList });
}

function valueOf(branch: Branch | Leaf): FormValue {
  if (!(branch instanceof Map)) return branch.isList || branch.values.length > 1 ? branch.values : (branch.values[0] ?? '');
  // Positions that leave some out mean something, such as which boxes were ticked.
  const isList = [...branch.keys()].every((key, at) => key.trimStart() === String(at));
  return isList ? [...branch.values()].map(valueOf) : membersOf(branch);
}

function membersOf(branch: Branch): { [name: string]: FormValue } {
  const members: { [name: string]: FormValue } = {};
  for (const [key, value] of branch) if (key !== '__proto__') members[key.trimStart()] = valueOf(value);
  return members;
}

function tooManyFields(): AppError {
  return new AppError('too_large', { detail: `A form must not have more than ${FIELDS_MAX} fields.` });
}

function holdsFile(name: string, filename: string | undefined): AppError {
  const which = name === '' ? '' : ` The field "${name.slice(0, 80)}" holds ${filename ? `"${filename.slice(0, 80)}"` : 'one'}.`;
  return new AppError('unsupported_media_type', { detail: `Send the form without files.${which}` });
}

function leftOut(files: readonly string[]): string {
  const names = files.slice(0, 10).map((name) => `"${shortened(name, 80)}"`);
  return `${files.length === 1 ? 'A file was' : `${files.length} files were`} left out: ${names.join(', ')}${files.length > names.length ? ', …' : ''}.`;
}

function broken(detail = 'The form could not be read.'): AppError {
  return new AppError('validation_failed', { detail, errors: [{ field: '', code: 'malformed', message: detail }] });
}
