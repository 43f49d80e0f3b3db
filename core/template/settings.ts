import { toE164 } from '../contact/phone.ts';
import type { ConfigValue, Json, JsonObject, Template, TemplateConfig, TemplateInput } from './types.ts';

/** Settings and inputs of an agent, held against its template. Pure. Source: product.md §5.3, §5.7, §8. */

export type Config = { [key: string]: ConfigValue };

export type ConfigProblem = {
  key: string;
  code: 'unknown' | 'wrong_type' | 'too_long' | 'out_of_range' | 'invalid' | 'not_a_choice';
  message: string;
};

export type InputCheck = { ok: true } | { ok: false; missing: { key: string; label: string; example: Json }[] };

/** All settings of the template with the given values over the defaults. Values the template does not know are dropped. */
export function fillConfig(template: Template, config: { readonly [key: string]: unknown }): Config {
  return Object.fromEntries(
    template.config.map((setting) => {
      const value = config[setting.key];
      return [setting.key, isConfigValue(value) && checkSetting(setting, value) === null ? value : setting.default];
    }),
  );
}

/** What is wrong with the given settings; an empty list means they may be saved. Absent settings are fine: defaults fill them. */
export function checkConfig(template: Template, config: { readonly [key: string]: unknown }): ConfigProblem[] {
  return Object.entries(config).flatMap(([key, value]) => {
    const setting = template.config.find((one) => one.key === key);
    if (setting === undefined) return [{ key, code: 'unknown' as const, message: `This agent has no setting “${key}”.` }];
    const problem = checkSetting(setting, value);
    return problem === null ? [] : [{ key, ...problem }];
  });
}

/** Settings an agent cannot work without that are still empty, after defaults and the client's business profile. Saving is allowed meanwhile. */
export function missingSettings(
  template: Template,
  config: { readonly [key: string]: unknown },
  businessProfile: { readonly [key: string]: string | null | undefined } = {},
): TemplateConfig[] {
  const filled = fillConfig(template, config);
  return template.config.filter((setting) => {
    if (setting.required !== true) return false;
    const own = filled[setting.key];
    const fromProfile = setting.fromProfile === undefined ? '' : (businessProfile[setting.fromProfile] ?? '');
    return isEmpty(own) && fromProfile.trim() === '';
  });
}

/**
 * Renames the keys of a posted form to the template's input keys. A key spelled as the template spells it wins over an
 * alias; keys the template does not know pass through (product.md §9, row 33).
 */
export function mapAliases(template: Template, body: { readonly [key: string]: Json }): JsonObject {
  const mapped: JsonObject = {};
  for (const [name, value] of Object.entries(body)) {
    const input = template.inputs.find((one) => one.key === name) ?? findByAlias(template.inputs, name);
    const key = input?.key ?? name;
    const exact = key === name;
    if (exact || !(key in mapped || key in body)) mapped[key] = value;
  }
  return mapped;
}

/** Whether every input the template needs is there, and if not, which and what one looks like. */
export function checkInput(template: Template, input: { readonly [key: string]: unknown }): InputCheck {
  const missing = template.inputs.filter((one) => one.required && isEmpty(input[one.key]));
  const groups = (template.requireOneOf ?? []).filter((keys) => keys.every((key) => isEmpty(input[key])));
  const fromGroups = groups.flatMap((keys) => template.inputs.filter((one) => one.key === keys[0]));
  const all = [...missing, ...fromGroups];
  if (all.length === 0) return { ok: true };
  return { ok: false, missing: all.map(({ key, label, example }) => ({ key, label, example })) };
}

/**
 * The person an event is about, as a phone number (E.164) or a mail address in lower case, or null: the key under which
 * stop list and last contact are kept. Where the template's contact input is empty, the next phone or mail input stands
 * in. A succeeded run names the same value as `output.contacted`.
 */
export function contactOf(template: Template, input: { readonly [key: string]: unknown }): string | null {
  const first = template.inputs.find((one) => one.key === template.contactInput);
  if (first === undefined) return null;
  const others = template.inputs.filter((one) => one !== first && (one.type === 'phone' || one.type === 'email'));
  const found = [first, ...others].find((one) => !isEmpty(input[one.key]));
  const value = found === undefined ? undefined : input[found.key];
  return typeof value === 'string' ? contactKey(value) : null;
}

/** The one spelling under which a person is kept: a phone number as E.164, a mail address in lower case; null for anything else. */
export function contactKey(value: string): string | null {
  const text = value.trim();
  return TEXT_FORMS['email']?.accepts(text) === true ? text.toLowerCase() : toE164(text);
}

/** The sample input with `@now±…` texts turned into times around `now`. */
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

function findByAlias(inputs: TemplateInput[], name: string): TemplateInput | undefined {
  const folded = name.toLowerCase();
  return (
    inputs.find((one) => one.aliases.includes(name)) ??
    inputs.find((one) => one.key.toLowerCase() === folded || one.aliases.some((alias) => alias.toLowerCase() === folded))
  );
}

function isEmpty(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '';
  if (Array.isArray(value)) return value.length === 0;
  return value === undefined || value === null;
}

function isConfigValue(value: unknown): value is ConfigValue {
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string') || value.every((item) => typeof item === 'number');
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

type Problem = Omit<ConfigProblem, 'key'>;

function checkSetting(setting: TemplateConfig, value: unknown): Problem | null {
  switch (setting.type) {
    case 'number':
      return checkNumber(setting, value);
    case 'boolean':
      return typeof value === 'boolean' ? null : wrongType(setting, 'yes or no');
    case 'list':
      return checkList(setting, value, 'string');
    case 'numberList':
      return checkList(setting, value, 'number');
    default:
      return checkText(setting, value);
  }
}

function checkNumber(setting: TemplateConfig, value: unknown): Problem | null {
  if (typeof value !== 'number' || !Number.isFinite(value)) return wrongType(setting, 'a number');
  const { min, max } = setting;
  if ((min !== undefined && value < min) || (max !== undefined && value > max)) {
    return { code: 'out_of_range', message: `“${setting.label}” must be ${rangeWords(min, max)}.` };
  }
  return null;
}

function rangeWords(min: number | undefined, max: number | undefined): string {
  if (min !== undefined && max !== undefined) return `between ${min} and ${max}`;
  return min === undefined ? `at most ${max}` : `at least ${min}`;
}

function checkList(setting: TemplateConfig, value: unknown, kind: 'string' | 'number'): Problem | null {
  if (!Array.isArray(value)) return wrongType(setting, 'a list');
  if (value.length > (setting.maxLength ?? 50))
    return { code: 'too_long', message: `“${setting.label}” may hold at most ${setting.maxLength ?? 50} entries.` };
  for (const item of value) {
    if (typeof item !== kind) return wrongType(setting, kind === 'string' ? 'a list of texts' : 'a list of numbers');
    if (typeof item === 'string' && item.length > 500)
      return { code: 'too_long', message: `An entry of “${setting.label}” is longer than 500 characters.` };
    if (kind === 'number') {
      const problem = checkNumber(setting, item);
      if (problem !== null) return problem;
    }
    if (setting.choices !== undefined && !setting.choices.includes(String(item))) return notAChoice(setting);
  }
  return null;
}

const TEXT_FORMS: { [type: string]: { accepts: (text: string) => boolean; words: string } } = {
  url: { accepts: isWebAddress, words: 'a web address that starts with https:// or http://' },
  email: { accepts: (text) => /^[^\s@<>,;"]+@[^\s@<>,;"]+\.[^\s@<>,;".]{2,}$/.test(text), words: 'a mail address' },
  phone: { accepts: (text) => toE164(text) !== null, words: 'a phone number such as +13125550100' },
  'time-range': { accepts: isTimeRange, words: 'a time range such as 21:00-08:00' },
  model: { accepts: (text) => /^[\w.:\-/]{2,80}$/.test(text), words: 'the name of a model' },
};

function checkText(setting: TemplateConfig, value: unknown): Problem | null {
  if (typeof value !== 'string') return wrongType(setting, 'a text');
  const max = setting.maxLength ?? 2000;
  if (value.length > max) return { code: 'too_long', message: `“${setting.label}” may be at most ${max} characters long.` };
  if (value.trim() === '') return null;
  const form = TEXT_FORMS[setting.type];
  if (form !== undefined && !form.accepts(value.trim())) return { code: 'invalid', message: `“${setting.label}” must be ${form.words}.` };
  if (setting.choices !== undefined && !setting.choices.includes(value)) return notAChoice(setting);
  return null;
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:\/\//i.test(text) && !/\s/.test(text);
}

function isTimeRange(text: string): boolean {
  const clock = '([01]?\\d|2[0-3]):[0-5]\\d';
  return new RegExp(`^${clock}\\s*-\\s*${clock}$`).test(text);
}

function wrongType(setting: TemplateConfig, words: string): Problem {
  return { code: 'wrong_type', message: `“${setting.label}” must be ${words}.` };
}

function notAChoice(setting: TemplateConfig): Problem {
  return { code: 'not_a_choice', message: `“${setting.label}” must be one of: ${(setting.choices ?? []).join(', ')}.` };
}
