import { isCostlyToText, type NoText, UNKNOWN_PEOPLE, whyNotTexted } from '../contact/texting.ts';
import { type NoNumber, readPhone } from './read/read-phone.ts';
import type { ConfigValue, Json, Template } from './types.ts';
import { isEmpty } from './value-forms.ts';

/** Whom the texts of a template go to, and what follows when that person may not be texted. See docs/behaviour/agents.md. */

/** Returns the inputs whose number is texted. */
export function textedInputs(template: Pick<Template, 'messages'>): string[] {
  return recipients(template, 'input', ['text']);
}

/** Returns the settings whose number is texted: someone of the business, whom the agency names. */
export function textedSettings(template: Pick<Template, 'messages'>): string[] {
  return recipients(template, 'config', ['text']);
}

function recipients(template: Pick<Template, 'messages'>, source: 'input' | 'config', channels: readonly ('text' | 'mail')[]): string[] {
  return template.messages.flatMap(({ channel, to }) => {
    const prefix = `{${source}.`;
    const key = channels.includes(channel) && to.startsWith(prefix) && to.endsWith('}') ? to.slice(prefix.length, -1) : '';
    return key === '' ? [] : [key];
  });
}

/**
 * Returns why the person an event is about gets no text from its client, or null. `input`: what was understood of the event (`readInput`); `came`: the
 * event as it came. `countries`: those the client may text; see `whyNotTexted`.
 */
export function noTextFor(
  template: Template,
  input: { readonly [key: string]: unknown },
  countries: readonly string[],
  came: { readonly [key: string]: unknown } = input,
): NoText | null {
  for (const key of textedInputs(template)) {
    const no = input[key] === undefined ? whyUnknown(template, key, came[key]) : whyNotTexted(input[key], countries);
    if (no !== null) return no;
  }
  return null;
}

/** Why a number was left out; null when none came. */
function whyUnknown(template: Template, key: string, came: unknown): NoText | null {
  if (came === undefined || came === null || (typeof came !== 'string' && isEmpty(came))) return null;
  const reading = readPhone(came as Json, { timezone: 'UTC', countries: [], locale: 'en' }); // of an event, from JSON or a form
  return unknownPerson(template, key, 'not' in reading ? reading.not : 'no_number');
}

/** Why a person has no number. Only a caller withholds one, whose input takes what phone systems name `From`; in any other it is not filled in. */
export function unknownPerson({ inputs }: Pick<Template, 'inputs'>, key: string, not: NoNumber['not']): NoText {
  const isCaller = inputs.some((one) => one.key === key && one.aliases.includes('From'));
  return UNKNOWN_PEOPLE[not === 'withheld' && !isCaller ? 'missing' : not];
}

/**
 * Returns whether the run of a person who gets no text ends before its flow: the flow does nothing but text them, or was installed before it obeyed
 * `facts.noText`. Any other does the rest of its work, such as a mail.
 */
export function endsWithoutText(template: Template, installedVersion: number): boolean {
  const textsOnly = template.messages.every(({ channel, to }) => channel === 'text' && to.startsWith('{input.'));
  return textsOnly || template.obeysNoTextSince === undefined || installedVersion < template.obeysNoTextSince;
}

/** Returns whether the person of an event wrote by WhatsApp, which Twilio says before the number. `came`: the event as it came. */
export function isByWhatsApp(template: Pick<Template, 'messages'>, came: { readonly [key: string]: unknown }): boolean {
  return textedInputs(template).some((key) => /^\s*whatsapp:/i.test(String(came[key] ?? '')));
}

/** Returns whether the agent texts one person again only when the hours of its settings are over (parts/sms.js). */
export function repeatsAfterHours(template: Pick<Template, 'config'>): boolean {
  return template.config.some(({ key }) => key === 'repeatAfterHours');
}

/** Returns the number (E.164) that an event has its agent text; null when it names none. */
export function textedNumber(template: Template, input: { readonly [key: string]: unknown }): string | null {
  const number = textedInputs(template).map((key) => input[key]);
  return number.find((one): one is string => typeof one === 'string' && one !== '') ?? null;
}

/** Returns the number (E.164) that an event has its agent text when it is another than its contact, so that both are looked up on the stop list. */
export function otherTextedNumber(template: Template, input: { readonly [key: string]: unknown }, contact: string | null): string | null {
  const number = textedNumber(template, input);
  return number === contact ? null : number;
}

/**
 * Returns whether a run may text this number of its event, so that it counts among the first contacts of its client; a number that no one texts, or one in a
 * country that the client does not text, does not. `countries`: see `whyNotTexted`.
 */
export function isFirstContactCounted(template: Template, number: string | null, countries: readonly string[]): boolean {
  return number !== null && number.startsWith('+') && textedInputs(template).length > 0 && whyNotTexted(number, countries) === null;
}

/** Returns whether the number that an event has its agent text is on the stop list: that of its contact (`contactOf`), or the other one. */
export function isNumberListed(
  template: Template,
  input: { readonly [key: string]: unknown },
  contact: string | null,
  listed: { contact: boolean; otherNumber: boolean },
): boolean {
  const number = textedNumber(template, input);
  return number !== null && (number === contact ? listed.contact : listed.otherNumber);
}

/** Returns the settings without recipients whose texts would cost a multiple. They are refused when they are saved; these are older. */
export function withoutCostlyRecipients(template: Template, config: { [key: string]: ConfigValue }): { [key: string]: ConfigValue } {
  const costly = textedSettings(template).filter((key) => isCostlyToText(config[key]));
  return costly.length === 0 ? config : { ...config, ...Object.fromEntries(costly.map((key) => [key, ''])) };
}

/** Returns the settings without recipients who are on the stop list of the client, such as an owner whose number answered STOP. `listed`: those of the settings, in lower case. */
export function withoutListedRecipients(
  template: Pick<Template, 'messages'>,
  config: { [key: string]: ConfigValue },
  listed: readonly string[],
): { [key: string]: ConfigValue } {
  if (listed.length === 0) return config;
  const isListed = (one: unknown): boolean => listed.includes(String(one).toLowerCase());
  const left = recipients(template, 'config', ['text', 'mail']).flatMap((key): [string, ConfigValue][] => {
    const value = config[key];
    if (Array.isArray(value)) return [[key, value.map(String).filter((one) => !isListed(one))]];
    return isListed(value) ? [[key, '']] : [];
  });
  return { ...config, ...Object.fromEntries(left) };
}
