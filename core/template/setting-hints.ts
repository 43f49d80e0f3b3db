import type { ConfigType } from './types.ts';

/**
 * Problems of a setting that a form can show as a field is left. Browser-safe. The service decides: a value that it accepts is never
 * refused here (core/template/settings.ts, which needs the metadata of all phone numbers).
 */

export type SettingForm = { type: string; maxLength?: number | null; min?: number | null; max?: number | null };

/** Returns what to enter instead, with an example; null for a value that may be right, and for an empty one. */
export function settingHint(setting: SettingForm, value: unknown): string | null {
  if (value === '' || value === null || value === undefined) return null;
  if (typeof value === 'number') return outOfRange(setting, value);
  if (Array.isArray(value)) return listHint(setting, value);
  if (typeof value !== 'string' || value.trim() === '') return null;
  if (setting.type === 'numberList') return 'Enter numbers, separated by commas, such as 24, 2.';
  const max = setting.maxLength ?? TEXT_MAX;
  if (value.length > max) return `This is ${value.length} characters long. Enter at most ${max}.`;
  return FORMS[setting.type as ConfigType]?.(value.trim()) ?? null; // a type without a rule has none
}

/** For a text and a list without a length of their own, also in settings.ts. */
export const TEXT_MAX = 2000;
export const ENTRIES_MAX = 50;

const FORMS: { readonly [type in ConfigType]?: (text: string) => string | null } = {
  phone: (text) =>
    (text.match(/\p{Nd}/gu)?.length ?? 0) < 5 || /@/.test(text)
      ? 'Enter a phone number with its country code, such as +1 312 555 0100.'
      : null,
  email: (text) => (/[^\s@]@[^\s@]+\.[^\s@]/.test(text) ? null : 'Enter an e-mail address, such as desk@example.com.'),
  url: (text) =>
    /\s/.test(text) || !/[^\s.]\.[^\s.]|^https?:\/\/[^\s]/i.test(text) ? 'Enter a link, such as https://example.com/book.' : null,
  'time-range': (text) =>
    (text.match(/\d{1,2}:\d{2}/g)?.length ?? 0) < 2 ? 'Enter both times, such as 21:00 until 08:00, or leave both empty.' : null,
};

function listHint(setting: SettingForm, values: readonly unknown[]): string | null {
  const max = setting.maxLength ?? ENTRIES_MAX;
  const entries = values.filter((one) => one !== '');
  if (entries.length > max) return `These are ${entries.length} entries. Enter at most ${max}.`;
  for (const one of entries) if (typeof one === 'number' && outOfRange(setting, one)) return outOfRange(setting, one);
  return null;
}

function outOfRange({ min, max }: SettingForm, value: number): string | null {
  const [low, high] = [min ?? null, max ?? null];
  if ((low === null || value >= low) && (high === null || value <= high)) return null;
  if (low !== null && high !== null) return `Enter a number between ${low} and ${high}, such as ${low}.`;
  return low === null ? `Enter at most ${high}.` : `Enter at least ${low}.`;
}
