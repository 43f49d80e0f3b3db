import { toE164 } from '../contact/phone.ts';
import { isCostlyToText, type NoText, whyNotTexted } from '../contact/texting.ts';
import type { ConfigValue, Template } from './types.ts';

/** Whom the texts of a template go to, and what follows when that person may not be texted. See docs/behaviour/agents.md. */

/** Returns the inputs whose number is texted. */
export function textedInputs(template: Pick<Template, 'messages'>): string[] {
  return recipients(template, 'input');
}

/** Returns the settings whose number is texted: someone of the business, whom the agency names. */
export function textedSettings(template: Pick<Template, 'messages'>): string[] {
  return recipients(template, 'config');
}

function recipients(template: Pick<Template, 'messages'>, source: 'input' | 'config'): string[] {
  return template.messages.flatMap(({ channel, to }) => {
    const key = channel === 'text' ? new RegExp(`^\\{${source}\\.(\\w+)\\}$`).exec(to)?.[1] : undefined;
    return key === undefined ? [] : [key];
  });
}

/** Returns why the person an event is about gets no text from its client, or null. `countries`: those the client may text; see `whyNotTexted`. */
export function noTextFor(template: Template, input: { readonly [key: string]: unknown }, countries: readonly string[]): NoText | null {
  for (const key of textedInputs(template)) {
    const no = whyNotTexted(input[key], countries);
    if (no !== null) return no;
  }
  return null;
}

/**
 * Returns whether the run of a person who gets no text ends before its flow: the flow does nothing but text them, or was installed before it obeyed
 * `facts.noText`. Any other does the rest of its work, such as a mail.
 */
export function endsWithoutText(template: Template, installedVersion: number): boolean {
  const textsOnly = template.messages.every(({ channel, to }) => channel === 'text' && to.startsWith('{input.'));
  return textsOnly || template.obeysNoTextSince === undefined || installedVersion < template.obeysNoTextSince;
}

/** Returns the number that an event has its agent text, as it is given; null when it names none. */
export function textedNumber(template: Template, input: { readonly [key: string]: unknown }): string | null {
  const number = textedInputs(template).map((key) => input[key]);
  return number.find((one): one is string => typeof one === 'string' && one !== '') ?? null;
}

/** Returns the number (E.164) that an event has its agent text when it is another than its contact, so that both are looked up on the stop list. */
export function otherTextedNumber(template: Template, input: { readonly [key: string]: unknown }, contact: string | null): string | null {
  const given = textedNumber(template, input);
  const number = given === null ? null : toE164(given);
  return number === contact ? null : number;
}

/** Returns whether a run may text its contact, so that it counts among the first contacts of its client; a number that no one texts does not. */
export function isFirstContactCounted(template: Template, contact: string | null): boolean {
  return contact !== null && contact.startsWith('+') && textedInputs(template).length > 0 && whyNotTexted(contact, []) === null;
}

/** Returns the settings without recipients whose texts would cost a multiple. They are refused when they are saved; these are older. */
export function withoutCostlyRecipients(template: Template, config: { [key: string]: ConfigValue }): { [key: string]: ConfigValue } {
  const costly = textedSettings(template).filter((key) => isCostlyToText(config[key]));
  return costly.length === 0 ? config : { ...config, ...Object.fromEntries(costly.map((key) => [key, ''])) };
}
