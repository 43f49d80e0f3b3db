import { shortened } from '../text/cut.ts';
import { isPlaceholder } from '../text/placeholder.ts';
import { storableText } from '../text/storable.ts';
import { toE164 } from '../contact/phone.ts';
import { endsNamedPlan } from './follow-ups.ts';
import { mailHeader } from './read/mail-header.ts';
import { readBoolean } from './read/read-boolean.ts';
import { readDatetime } from './read/read-datetime.ts';
import { readEmail } from './read/read-email.ts';
import { readMoney, readNumber } from './read/read-number.ts';
import { type NoNumber, readPhone } from './read/read-phone.ts';
import { readText } from './read/read-text.ts';
import { readUrl } from './read/read-url.ts';
import type { Reading, ReadingClient } from './read/reading.ts';
import { textedInputs, unknownPerson } from './texted.ts';
import type { Json, JsonObject, Template, TemplateInput } from './types.ts';
import { isEmpty } from './value-forms.ts';

/**
 * Reads the event of an execution by the types of its template, once, when it is accepted: steps get canonical values only. Pure, without a clock.
 * Rules: docs/behaviour/agents.md.
 */

export type { DateOrder, ReadingClient } from './read/reading.ts';

/** A remark on the input: an optional value that cannot be read and is left out, a person without a number, a list that was joined. */
export type InputRemark = { key: string; remark: string };
/** `came`: the value as it came, as JSON when it is not a text, cut at 200 characters. `message`: a sentence that names the input. */
export type InputProblem = { key: string; label: string; code: 'required' | 'invalid'; came: string; message: string; example: Json };
/** `input`: what steps get. `understood`: the values that are another one than came; null for one that is left out. */
export type InputReading =
  | { input: JsonObject; understood: { [key: string]: Json }; remarks: InputRemark[] }
  | { problems: InputProblem[] };

/**
 * Reads an event. A declared input is canonical after it, or left out; any other member stays as it came. A required value that is missing or cannot be
 * understood is a problem, an optional one a remark; one that ends the plan of a quote or visit which it names needs nothing else. The number of the event's person never is a problem: it is left out, and `noTextFor` says why.
 */
export function readInput(template: Template, raw: JsonObject, client: ReadingClient): InputReading {
  const input: JsonObject = { ...raw };
  const understood: { [key: string]: Json } = {};
  const remarks: InputRemark[] = [];
  const problems: InputProblem[] = [];
  const leave = (key: string, remark: string): void => {
    Reflect.deleteProperty(input, key);
    understood[key] = null;
    remarks.push({ key, remark });
  };
  for (const one of template.inputs) {
    const { key, required } = one;
    const own = valueOf(raw, key);
    const came = isEmpty(own) ? (firstHeader(raw, one.headers) ?? own) : own;
    const isPerson = one.type === 'phone' && isPersonInput(template, key);
    if (isNothing(one, came)) {
      if (required && isPerson && typeof came === 'string') leave(key, `${unknownPerson(template, key, 'withheld').message}.`);
      else if (required) problems.push(missingOf(one));
      else if (isLeftOutEmpty(one, came)) Reflect.deleteProperty(input, key);
      continue;
    }
    const reading = readValue(one, came as Json, client); // not empty, and from JSON or a form
    if ('not' in reading) {
      const { message } = unknownPerson(template, key, reading.not);
      if (required && !isPerson) problems.push(invalidOf(one, came as Json, 'is no number that texts can be sent from or to'));
      else leave(key, isPerson ? `${message}.` : `“${one.label}” is no phone number, so it is left out.`);
    } else if ('problem' in reading) {
      if (required) problems.push(invalidOf(one, came as Json, reading.problem));
      else leave(key, `“${one.label}” ${reading.problem}, so it is left out.`);
    } else if (required && isEmpty(reading.value)) problems.push(missingOf(one));
    else {
      if (reading.remark !== undefined) remarks.push({ key, remark: reading.remark });
      // A canonical value among the headers of a mail is no member of the event yet.
      if (reading.value === own) continue;
      input[key] = reading.value;
      understood[key] = reading.value;
    }
  }
  for (const keys of template.requireOneOf ?? []) {
    if (!keys.every((key) => isEmpty(valueOf(input, key)))) continue;
    const inputs = template.inputs.filter(({ key }) => keys.includes(key));
    const left = inputs.filter(({ key }) => understood[key] === null);
    const [first] = inputs.filter(({ key }) => key === keys[0]);
    if (left.length > 0) problems.push(...left.map((one) => invalidOf(one, raw[one.key] ?? null, 'cannot be understood')));
    else if (first !== undefined) problems.push(missingOf(first));
  }
  if (problems.length > 0 && endsNamedPlan(template, input, problems)) {
    for (const { key, code, message } of problems) if (code === 'invalid') leave(key, message);
    return { input, understood, remarks };
  }
  return problems.length > 0 ? { problems } : { input, understood, remarks };
}

/** Returns what steps get of an event that was read before: `readInput`'s `input`, from what is stored. */
export function inputOf(template: Template | undefined, came: JsonObject, understood: { readonly [key: string]: Json } | null): JsonObject {
  const input = { ...came };
  for (const [key, value] of Object.entries(understood ?? {})) {
    if (value === null) Reflect.deleteProperty(input, key);
    else input[key] = value;
  }
  for (const one of template?.inputs ?? []) if (isLeftOutEmpty(one, valueOf(input, one.key))) Reflect.deleteProperty(input, one.key);
  return input;
}

/** Returns the inputs that came and were left out, because they could not be understood. */
export function leftOut(understood: { readonly [key: string]: unknown } | null): string[] {
  return Object.keys(understood ?? {}).filter((key) => understood?.[key] === null);
}

function valueOf(input: { readonly [key: string]: unknown }, key: string): unknown {
  return Object.hasOwn(input, key) ? input[key] : undefined;
}

function firstHeader(raw: JsonObject, headers: readonly string[] = []): string | null {
  return headers.map((name) => mailHeader(raw, name)).find((value) => value !== null) ?? null;
}

/** Whether nothing was entered: for a yes or no also a dash or "n/a". */
function isNothing({ type }: TemplateInput, value: unknown): boolean {
  return isEmpty(value) || (type === 'boolean' && typeof value === 'string' && isPlaceholder(value));
}

/** An empty value of another type than a text is none. */
function isLeftOutEmpty(input: TemplateInput, value: unknown): boolean {
  return isNothing(input, value) && !(typeof value === 'string' && (input.type === 'text' || input.type === 'longtext'));
}

const personInputs = new WeakMap<Template, ReadonlySet<string>>();

/** Whether an input is the number of the person an event is about: its contact, or whom it texts. The business's own number is not. */
function isPersonInput(template: Template, key: string): boolean {
  const known = personInputs.get(template);
  if (known !== undefined) return known.has(key);
  const keys = new Set([...textedInputs(template), ...(template.contactInput === undefined ? [] : [template.contactInput])]);
  personInputs.set(template, keys);
  return keys.has(key);
}

/** Reads one value by the type of its input. */
function readValue(input: TemplateInput, raw: Json, client: ReadingClient): Reading | NoNumber {
  switch (input.type) {
    case 'phone':
      return readPhone(raw, client);
    case 'email':
      return readEmail(raw);
    case 'datetime':
      return readDatetime(raw, client, input);
    case 'boolean':
      return readBoolean(raw, input);
    case 'number':
      return readNumber(raw, client, input);
    case 'money':
      return readMoney(raw, client);
    case 'url':
      return readUrl(raw);
    case 'text':
    case 'longtext':
      return readText(raw, { isLong: input.type === 'longtext' });
    case 'object':
      return { value: raw };
    default:
      return input.type satisfies never;
  }
}

const CAME_MAX = 200;

/** Returns a value as it came, for people: JSON for what is no text, cut at 200 characters. */
export function cameAs(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return storableText(shortened(text, CAME_MAX));
}

function missingOf({ key, label, example }: TemplateInput): InputProblem {
  return { key, label, code: 'required', came: '', message: `${label} is missing.`, example };
}

function invalidOf({ key, label, example }: TemplateInput, came: Json, problem: string): InputProblem {
  const shown = cameAs(came);
  return {
    key,
    label,
    code: 'invalid',
    came: shown,
    message: `“${label}” ${problem}: ${shown}. Send, for example, ${cameAs(example)}.`,
    example,
  };
}

export type InputCheck = { ok: true } | { ok: false; missing: { key: string; label: string; example: Json }[] };

/**
 * Maps the keys of a posted form to the template's input keys. An exact key wins over an alias, an earlier alias of the template over a later
 * one, in any order of the form, and a value over an empty one. The aliases of a yes or no are flags of their own, so any that says yes wins.
 * Unknown keys are kept, and so is a state that is a plain yes or no: which state a sender means by 1 is not known.
 */
export function mapAliases(template: Template, body: { readonly [key: string]: Json }): JsonObject {
  const mapped: JsonObject = {};
  const ranks = new Map<string, number>();
  const names = namesOf(template);
  for (const [name, value] of Object.entries(body)) {
    const folded = name.toLowerCase();
    const ofState = names.states.get(folded)?.find((one) => 'value' in readBoolean(value, one));
    const found = names.keys.get(name) ?? ofState ?? names.aliases.get(name) ?? names.folded.get(folded);
    const input = found !== undefined && isPlainState(found, name, value) ? undefined : found;
    if (input === undefined) {
      mapped[name] = value;
      continue;
    }
    const { key } = input;
    const rank = rankOf(input, name, value);
    if (rank >= (ranks.get(key) ?? Infinity)) continue;
    mapped[key] = value;
    ranks.set(key, rank);
  }
  return mapped;
}

/** Checks that every required input is present; lists the missing ones with an example each. */
export function checkInput(template: Template, input: { readonly [key: string]: unknown }): InputCheck {
  const missing = template.inputs.filter((one) => one.required && isEmpty(input[one.key]));
  const groups = (template.requireOneOf ?? []).filter((keys) => keys.every((key) => isEmpty(input[key])));
  const fromGroups = groups.flatMap((keys) => template.inputs.filter((one) => one.key === keys[0]));
  const all = [...missing, ...fromGroups];
  if (all.length === 0) return { ok: true };
  return { ok: false, missing: all.map(({ key, label, example }) => ({ key, label, example })) };
}

/**
 * Returns the contact an event is about, as a phone number (E.164) or a lower-case e-mail address, or null: the key of the stop list
 * and of the last contact. An input that replaces the template's contact input comes before it; when all are empty, the next person's number or e-mail input is used. A succeeded execution
 * returns the same value as `output.contacted`. `input`: as `readInput` returns it.
 */
export function contactOf(template: Template, input: { readonly [key: string]: unknown }): string | null {
  const first = template.inputs.find((one) => one.key === template.contactInput);
  if (first === undefined) return null;
  const inPlace = template.inputs.filter(({ insteadOf }) => insteadOf === first.key);
  const others = template.inputs.filter(
    (one) =>
      one !== first && !inPlace.includes(one) && (one.type === 'email' || (one.type === 'phone' && isPersonInput(template, one.key))),
  );
  const found = [...inPlace, first, ...others].find((one) => !isEmpty(input[one.key]));
  const value = found === undefined ? undefined : input[found.key];
  if (typeof value !== 'string') return null;
  return /^\+[1-9]\d{7,14}$/.test(value) ? value : contactKey(value);
}

/** Normalizes a contact: a phone number to E.164, an e-mail address, also of `Name <address>`, to lower case; null for any other text. */
export function contactKey(value: string, countries: readonly string[] = []): string | null {
  const address = value.includes('@') ? readEmail(value) : null;
  return address !== null && 'value' in address ? String(address.value).toLowerCase() : toE164(value, countries);
}

/** Returns the sample input with `@now±…` texts resolved relative to `now`. */
export function sampleInput(input: JsonObject, now: Date): JsonObject {
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => [key, typeof value === 'string' ? resolveTime(value, now) : value]),
  );
}

const UNIT_MS: { [unit: string]: number } = { m: 60_000, h: 3_600_000, d: 86_400_000 };

function resolveTime(value: string, now: Date): string {
  const found = /^@now([+-])(\d+)([mhd])$/.exec(value);
  if (found === null) return value;
  const shift = Number(found[2]) * (UNIT_MS[found[3] ?? ''] ?? 0);
  return new Date(now.getTime() + (found[1] === '-' ? -shift : shift)).toISOString();
}

function saysYes(input: TemplateInput, value: Json): boolean {
  if (input.type !== 'boolean') return false;
  const reading = readBoolean(value, input);
  return 'value' in reading && reading.value === true;
}

function isStateOf({ states = [] }: TemplateInput, name: string): boolean {
  return states.some((state) => state.toLowerCase() === name.toLowerCase());
}

function isPlainState(input: TemplateInput, name: string, value: Json): boolean {
  return isStateOf(input, name) && 'value' in readBoolean(value, {});
}

const OWN_NAME = -3;
const SAYS_YES = -2;

/** The lowest rank of the names that an input came under is taken: empty values come last, the key itself first in both, in another case before the aliases. */
function rankOf(input: TemplateInput, name: string, value: Json): number {
  const { key, aliases } = input;
  if (isNothing(input, value)) return name === key ? Number.MAX_SAFE_INTEGER - 1 : Number.MAX_SAFE_INTEGER;
  if (name === key) return OWN_NAME;
  if (saysYes(input, value)) return SAYS_YES;
  const folded = name.toLowerCase();
  return aliases.includes(name) ? aliases.indexOf(name) : aliases.findIndex((alias) => alias.toLowerCase() === folded);
}

type InputName = ReadonlyMap<string, TemplateInput>;
/**
 * The inputs of a template by key, by alias, and by both in lower case: the first that has a name. A state may be one of several inputs: it is of
 * the first that knows its word.
 */
type InputNames = { keys: InputName; aliases: InputName; folded: InputName; states: ReadonlyMap<string, TemplateInput[]> };

/** Made once for each template: a form may have a thousand names. */
const namesOfTemplates = new WeakMap<Template, InputNames>();

function namesOf(template: Template): InputNames {
  const known = namesOfTemplates.get(template);
  if (known !== undefined) return known;
  const { inputs } = template;
  // The first of equal names is set last.
  const firstBy = (namesOfInput: (input: TemplateInput) => readonly string[]): InputName =>
    new Map(inputs.toReversed().flatMap((input) => namesOfInput(input).map((name): [string, TemplateInput] => [name, input])));
  const lower = (names: readonly string[]): string[] => names.map((name) => name.toLowerCase());
  const states = [...new Set(inputs.flatMap((one) => lower(one.states ?? [])))];
  const names = {
    keys: firstBy(({ key }) => [key]),
    aliases: firstBy(({ aliases }) => aliases),
    folded: firstBy(({ key, aliases }) => lower([key, ...aliases])),
    states: new Map(states.map((state) => [state, inputs.filter((one) => isStateOf(one, state))])),
  };
  namesOfTemplates.set(template, names);
  return names;
}
