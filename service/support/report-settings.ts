import { SETTINGS, type Setting, type SettingName } from '../settings.ts';

/** Where a setting comes from, with its value where that says nothing about a person and opens nothing. */
export type ReportedSetting = { from: 'environment' | 'settings file' | 'default' | 'not set'; value?: string; entries?: number };

export type GivenSetting = { from: 'environment' | 'settings file'; text: string };

/**
 * Reports every setting by its name. Never the value of a secret or a free text. Numbers, choices and switches are shown as they are, addresses without
 * login, path and query, lists by their length.
 */
export function reportSettings(given: ReadonlyMap<string, GivenSetting>): Record<string, ReportedSetting> {
  const names = Object.keys(SETTINGS) as SettingName[]; // the keys of the record
  return Object.fromEntries(names.map((name) => [name, reportOne(SETTINGS[name], given.get(name))]));
}

function reportOne(setting: Setting<unknown>, given: GivenSetting | undefined): ReportedSetting {
  if (given === undefined) return setting.fallback === null ? { from: 'not set' } : { from: 'default', value: setting.fallback };
  const { from, text } = given;
  if (setting.secret) return { from };
  const parsed = setting.read.safeParse(text);
  if (!parsed.success) return { from, value: '[malformed]' };
  const { data } = parsed;
  if (typeof data === 'number' || typeof data === 'boolean') return { from, value: String(data) };
  if (Array.isArray(data)) return { from, entries: data.length };
  if (!setting.read.safeParse('no setting would be called so').success && typeof data === 'string') return { from, value: shownText(data) };
  return { from };
}

/** A choice as it is; of an address its scheme and host. */
function shownText(text: string): string {
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return new URL(text).origin;
  return /^[\w-]{1,30}$/.test(text) ? text : '[set]';
}

/** Texts of secret settings, whole and by the parts that open something, to look for in all that is collected. */
export function secretTexts(given: ReadonlyMap<string, GivenSetting>): string[] {
  return [...given].flatMap(([name, { text }]) => {
    if (!Object.hasOwn(SETTINGS, name) || !SETTINGS[name as SettingName].secret) return []; // a name of the record
    return [text, ...partsOf(text), decode(text)].filter((part) => part !== '');
  });
}

/** For an address, its passwords alone: its host and user are words that other texts have too. */
function partsOf(text: string): string[] {
  if (!/^[a-z]+:\/\//i.test(text) || !URL.canParse(text)) return text.split(/[\s,;:=]+/);
  const { password, searchParams } = new URL(text);
  return [password, decode(password), searchParams.get('password') ?? ''];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
