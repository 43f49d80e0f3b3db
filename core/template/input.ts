import { toE164 } from '../contact/phone.ts';
import type { Json, JsonObject, Template, TemplateInput } from './types.ts';
import { isEmail, isEmpty } from './value-forms.ts';

/** Checks and maps the input of an execution against its template. */

export type InputCheck = { ok: true } | { ok: false; missing: { key: string; label: string; example: Json }[] };

/**
 * Maps the keys of a posted form to the template's input keys. An exact key wins over an alias, an earlier alias of the template over a later
 * one, in any order of the form, and a value over an empty one; unknown keys are kept.
 */
export function mapAliases(template: Template, body: { readonly [key: string]: Json }): JsonObject {
  const mapped: JsonObject = {};
  const ranks = new Map<string, number>();
  for (const [name, value] of Object.entries(body)) {
    const input = template.inputs.find((one) => one.key === name) ?? findByAlias(template.inputs, name);
    const key = input?.key ?? name;
    if (input === undefined || key === name) mapped[key] = value;
    else if (!(key in body)) {
      const rank = isEmpty(value) ? Number.MAX_SAFE_INTEGER : rankOf(input, name);
      if (key in mapped && rank >= (ranks.get(key) ?? 0)) continue;
      mapped[key] = value;
      ranks.set(key, rank);
    }
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
 * and of the last contact. When the template's contact input is empty, the next phone or e-mail input is used. A succeeded execution
 * returns the same value as `output.contacted`.
 */
export function contactOf(template: Template, input: { readonly [key: string]: unknown }): string | null {
  const first = template.inputs.find((one) => one.key === template.contactInput);
  if (first === undefined) return null;
  const others = template.inputs.filter((one) => one !== first && (one.type === 'phone' || one.type === 'email'));
  const found = [first, ...others].find((one) => !isEmpty(input[one.key]));
  const value = found === undefined ? undefined : input[found.key];
  return typeof value === 'string' ? contactKey(value) : null;
}

/** Normalizes a contact: a phone number to E.164, an e-mail address, also of `Name <address>`, to lower case; null for any other text. */
export function contactKey(value: string): string | null {
  const text = (/<([^<>]*)>\s*$/.exec(value)?.[1] ?? value).trim();
  return isEmail(text) ? text.toLowerCase() : toE164(text);
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

/** The place of a name among the aliases of its input; before them when it is the key in another case. */
function rankOf({ aliases }: TemplateInput, name: string): number {
  const folded = name.toLowerCase();
  return aliases.includes(name) ? aliases.indexOf(name) : aliases.findIndex((alias) => alias.toLowerCase() === folded);
}

function findByAlias(inputs: TemplateInput[], name: string): TemplateInput | undefined {
  const folded = name.toLowerCase();
  return (
    inputs.find((one) => one.aliases.includes(name)) ??
    inputs.find((one) => one.key.toLowerCase() === folded || one.aliases.some((alias) => alias.toLowerCase() === folded))
  );
}
