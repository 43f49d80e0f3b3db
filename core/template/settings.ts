import { callingCode } from '../contact/phone.ts';
import { isCostlyToText } from '../contact/texting.ts';
import { hasEncodedWord } from '../people/name.ts';
import { readTimeRange, writeTimeRange } from '../schedule/time-range.ts';
import { readBoolean } from './read/read-boolean.ts';
import { readEmail, readEmails } from './read/read-email.ts';
import { readNumber } from './read/read-number.ts';
import { type NoNumber, readPhone } from './read/read-phone.ts';
import { readText } from './read/read-text.ts';
import { readUrl } from './read/read-url.ts';
import type { Reading, ReadingClient } from './read/reading.ts';
import { ENTRIES_MAX, TEXT_MAX } from './setting-hints.ts';
import { textedSettings } from './texted.ts';
import type { ConfigType, ConfigValue, Json, Template, TemplateConfig } from './types.ts';
import { isEmail, isEmpty } from './value-forms.ts';

/** Checks the settings of an agent against its template and fills in defaults. */

export type Config = { [key: string]: ConfigValue };

export type ConfigProblem = {
  key: string;
  code: 'unknown' | 'wrong_type' | 'too_long' | 'out_of_range' | 'invalid' | 'not_a_choice' | 'unknown_placeholder' | 'required';
  message: string;
};

/** Characters of an entry of a list. */
const ENTRY_LENGTH_MAX = 500;
/** A longer list is refused without being read. */
const ENTRIES_READ_MAX = 500;

/** Reads numbers without a client: they need their country code. */
const ANYONE: ReadingClient = { timezone: 'UTC', countries: [], locale: 'en' };

/**
 * Returns all settings of the template: valid given values, else the defaults. Unknown keys are dropped. Values from before they were read when they were
 * saved are canonical after it, where they can be understood. A country code that is empty is the one of the client's country.
 */
export function fillConfig(template: Template, config: { readonly [key: string]: unknown }, client: ReadingClient = ANYONE): Config {
  return Object.fromEntries(
    template.config.map((setting) => {
      const value = usable(setting, canonical(setting, config[setting.key], client));
      const filled = isConfigValue(value) && checkSetting(setting, value) === null ? value : setting.default;
      return [setting.key, setting.fromCountry === true && filled === '' ? callingCode(client.countries) : filled];
    }),
  );
}

/** A list from before its entries were read keeps those that are addresses. */
function usable({ items }: TemplateConfig, value: unknown): unknown {
  return items === 'email' && Array.isArray(value) ? value.filter((item) => typeof item === 'string' && isEmail(item)) : value;
}

/** Returns the given settings as they are saved: canonical where they can be understood. Those that cannot are left to `checkConfig`. */
export function canonicalConfig(
  template: Template,
  config: { readonly [key: string]: unknown },
  client: ReadingClient = ANYONE,
): { [key: string]: unknown } {
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => {
      const setting = template.config.find((one) => one.key === key);
      return [key, setting === undefined ? value : canonical(setting, value, client)];
    }),
  );
}

/** Reads the value of a setting as that of an input is read; returns it as it is when it cannot be. */
function canonical(setting: TemplateConfig, value: unknown, client: ReadingClient): unknown {
  if (Array.isArray(value) && value.length > ENTRIES_READ_MAX) return value;
  if (setting.type === 'numberList' && Array.isArray(value)) return value.map((item: Json) => valueOf(readNumber(item, client), item));
  if (setting.items === 'email' && Array.isArray(value))
    return value
      .map((item: Json): Json[] => (typeof item === 'string' && item.length <= ENTRY_LENGTH_MAX ? readEmails(item) : [item]))
      .flat();
  if (setting.type === 'list' && Array.isArray(value)) return value.map(entryOf).filter((entry) => entry !== '');
  if (typeof value !== 'string' || value.trim() === '') return value;
  return READERS[setting.type](value, client);
}

/** Returns a text that was given for a setting of a type as it is saved; as it is when it cannot be read, or is not. */
const READERS: { readonly [type in ConfigType]: (text: string, client: ReadingClient) => Json } = {
  text: (text) => valueOf(readText(text, { isLong: false }), text),
  longtext: (text) => valueOf(readText(text, { isLong: true }), text),
  number: (text, client) => valueOf(readNumber(text, client), text),
  boolean: (text) => valueOf(readBoolean(text, {}), text),
  url: (text) => valueOf(readUrl(text), text),
  email: (text) => valueOf(readEmail(text), text),
  phone: (text, client) => valueOf(readPhone(text, client), text),
  'time-range': (text) => {
    const range = readTimeRange(text);
    return range ? writeTimeRange(range) : text;
  },
  list: asItIs,
  numberList: asItIs,
  model: asItIs,
};

function asItIs(text: string): Json {
  return text;
}

/** An entry of a list of texts, without the blanks around it. */
function entryOf(item: Json): Json {
  return typeof item === 'string' ? String(valueOf(readText(item, { isLong: true }), item)).trim() : item;
}

function valueOf(reading: Reading | NoNumber, otherwise: Json): Json {
  return 'value' in reading ? reading.value : otherwise;
}

/** Validates the given settings as `canonicalConfig` returns them; an empty list means they may be saved. Absent settings get their defaults. */
export function checkConfig(
  template: Template,
  config: { readonly [key: string]: unknown },
  client: ReadingClient = ANYONE,
): ConfigProblem[] {
  return Object.entries(canonicalConfig(template, config, client)).flatMap(([key, value]) => {
    const setting = template.config.find((one) => one.key === key);
    if (setting === undefined) return [{ key, code: 'unknown' as const, message: `This agent has no setting “${key}”.` }];
    const problem =
      checkSetting(setting, value) ??
      checkPlaceholders(template, setting, value) ??
      checkRecipient(template, setting, value) ??
      checkEncodedWord(setting, value);
    return problem === null ? [] : [{ key, ...problem }];
  });
}

/**
 * Returns the required settings that would be empty after a change and were not before: an agent that is on would fail from its next run
 * on. Those that were empty already stay allowed, so that they can be filled in one by one.
 */
export function emptiedSettings(
  template: Template,
  configs: { before: { readonly [key: string]: unknown }; after: { readonly [key: string]: unknown } },
  businessProfile: { readonly [key: string]: string | null | undefined } = {},
): ConfigProblem[] {
  const before = missingSettings(template, configs.before, businessProfile).map(({ key }) => key);
  return missingSettings(template, configs.after, businessProfile)
    .filter(({ key }) => !before.includes(key))
    .map(({ key, label }) => ({
      key,
      code: 'required' as const,
      message: `Runs fail without “${label}”. To leave it empty, turn the agent off first.`,
    }));
}

/** Returns required settings that are empty after defaults and the client's business profile are applied. Saving is allowed nevertheless. */
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

function isConfigValue(value: unknown): value is ConfigValue {
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string') || value.every((item) => typeof item === 'number');
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

type Problem = Omit<ConfigProblem, 'key'>;

function checkSetting(setting: TemplateConfig, value: unknown): Problem | null {
  return CHECKS[setting.type](setting, value);
}

const CHECKS: { readonly [type in ConfigType]: (setting: TemplateConfig, value: unknown) => Problem | null } = {
  text: checkText,
  longtext: checkText,
  number: checkNumber,
  boolean: (setting, value) => (typeof value === 'boolean' ? null : wrongType(setting, 'yes or no')),
  url: checkForm(isWebAddress, 'a web address such as https://example.com'),
  email: checkForm(isEmail, 'an e-mail address such as ada@example.com'),
  phone: checkForm((text) => /^\+[1-9]\d{6,14}$/.test(text), 'a phone number such as +13125550100'),
  'time-range': checkForm((text) => readTimeRange(text) !== null, 'a time range such as 21:00-08:00'),
  list: (setting, value) => checkList(setting, value, 'string'),
  numberList: (setting, value) => checkList(setting, value, 'number'),
  model: checkForm((text) => /^[\w.:\-/]{2,80}$/.test(text), 'the name of a model'),
};

function checkNumber(setting: TemplateConfig, value: unknown): Problem | null {
  if (typeof value !== 'number' || !Number.isFinite(value)) return wrongType(setting, 'a number');
  const { min, max } = setting;
  if ((min !== undefined && value < min) || (max !== undefined && value > max)) {
    return { code: 'out_of_range', message: `“${setting.label}” must be ${describeRange(min, max)}.` };
  }
  return null;
}

function describeRange(min: number | undefined, max: number | undefined): string {
  if (min !== undefined && max !== undefined) return `between ${min} and ${max}`;
  return min === undefined ? `at most ${max}` : `at least ${min}`;
}

function checkList(setting: TemplateConfig, value: unknown, kind: 'string' | 'number'): Problem | null {
  if (!Array.isArray(value)) return wrongType(setting, 'a list');
  if (value.length > (setting.maxLength ?? ENTRIES_MAX))
    return { code: 'too_long', message: `“${setting.label}” may hold at most ${setting.maxLength ?? ENTRIES_MAX} entries.` };
  for (const item of value) {
    if (typeof item !== kind) return wrongType(setting, kind === 'string' ? 'a list of texts' : 'a list of numbers');
    if (typeof item === 'string' && item.length > ENTRY_LENGTH_MAX)
      return { code: 'too_long', message: `An entry of “${setting.label}” is longer than ${ENTRY_LENGTH_MAX} characters.` };
    if (kind === 'number') {
      const problem = checkNumber(setting, item);
      if (problem !== null) return problem;
    }
    if (setting.choices !== undefined && !setting.choices.includes(String(item))) return notAChoice(setting);
    if (setting.items === 'email' && !isEmail(String(item)))
      return {
        code: 'invalid',
        message: `Each entry of “${setting.label}” must be an e-mail address such as ada@example.com: ${String(item).slice(0, 60)}`,
      };
  }
  return null;
}

function checkText(setting: TemplateConfig, value: unknown): Problem | null {
  if (typeof value !== 'string') return wrongType(setting, 'text');
  const max = setting.maxLength ?? TEXT_MAX;
  return value.length > max ? { code: 'too_long', message: `“${setting.label}” may be at most ${max} characters long.` } : null;
}

/** Returns a check of texts that are empty, or of a form that `expected` names. */
function checkForm(accepts: (text: string) => boolean, expected: string) {
  return (setting: TemplateConfig, value: unknown): Problem | null => {
    const problem = checkText(setting, value);
    if (problem !== null || typeof value !== 'string' || value.trim() === '' || accepts(value.trim())) return problem;
    return { code: 'invalid', message: `“${setting.label}” must be ${expected}.` };
  };
}

/** Placeholders that the texts of a template know, as its defaults and hints name them. */
function placeholdersOf({ default: text, help }: TemplateConfig): string[] {
  return typeof text === 'string' ? [...`${text} ${help ?? ''}`.matchAll(/\{(\w+)\}/g)].map((found) => found[1] ?? '') : [];
}

/** An unknown placeholder would reach people as a blank, or with its braces. Texts of a template without placeholders may hold braces. */
function checkPlaceholders(template: Template, setting: TemplateConfig, value: unknown): Problem | null {
  if (typeof value !== 'string' || placeholdersOf(setting).length === 0) return null;
  const known = [...new Set(template.config.flatMap(placeholdersOf))];
  const unknown = [...value.matchAll(/\{([^{}]{0,60})\}/g)].map((found) => found[1] ?? '').find((name) => !known.includes(name));
  if (unknown === undefined) return null;
  const names = known.map((name) => `{${name}}`);
  return { code: 'unknown_placeholder', message: `“{${unknown}}” is not a placeholder. Use ${listOf(names)}.` };
}

/** No one is texted where a text may cost a multiple, also when the agency names the number. */
function checkRecipient(template: Template, setting: TemplateConfig, value: unknown): Problem | null {
  if (!textedSettings(template).includes(setting.key) || !isCostlyToText(value)) return null;
  return {
    code: 'invalid',
    message: `“${setting.label}” may not be a premium-rate, shared-cost or satellite number: texts to it may cost a multiple.`,
  };
}

/** A line of text may stand in a header of a mail, where an encoded word would show another name. Stored ones are escaped when they are sent. */
function checkEncodedWord(setting: TemplateConfig, value: unknown): Problem | null {
  if (setting.type !== 'text' || typeof value !== 'string' || !hasEncodedWord(value)) return null;
  return { code: 'invalid', message: `“${setting.label}” cannot contain a text encoded for mail headers (=?…?=).` };
}

function listOf(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:\/\//i.test(text) && !/\s/.test(text);
}

function wrongType(setting: TemplateConfig, expected: string): Problem {
  return { code: 'wrong_type', message: `“${setting.label}” must be ${expected}.` };
}

function notAChoice(setting: TemplateConfig): Problem {
  return { code: 'not_a_choice', message: `“${setting.label}” must be one of: ${(setting.choices ?? []).join(', ')}.` };
}
