import type { NoMail, Template } from './types.ts';

/** Whom the mails of a template go to, and what follows when that person is on the stop list. See docs/behaviour/agents.md. */

const ON_STOP_LIST: NoMail = { reason: 'on_stop_list', message: 'This person has asked not to be written to' };

/** Returns the inputs whose address is mailed: the first that came is. */
export function mailedInputs({ messages, inputs }: Pick<Template, 'messages' | 'inputs'>): string[] {
  return messages.flatMap(({ channel, to }) => {
    const [, key] = /^\{input\.(\w+)\}$/.exec(to) ?? [];
    if (channel !== 'mail' || key === undefined) return [];
    return [...inputs.filter(({ insteadOf }) => insteadOf === key).map((one) => one.key), key];
  });
}

/** Returns the address that an event has its agent mail, in lower case as the stop list has it; null when it names none. */
export function mailedAddress(template: Pick<Template, 'messages' | 'inputs'>, input: { readonly [key: string]: unknown }): string | null {
  const address = mailedInputs(template).map((key) => input[key]);
  return address.find((one): one is string => typeof one === 'string' && one !== '')?.toLowerCase() ?? null;
}

/** Returns why the person an event is about gets no mail, or null. `listed`: addresses of the event that are on the stop list of its client. */
export function noMailFor(
  template: Pick<Template, 'messages' | 'inputs'>,
  input: { readonly [key: string]: unknown },
  listed: readonly string[],
): NoMail | null {
  const address = mailedAddress(template, input);
  return address !== null && listed.includes(address) ? ON_STOP_LIST : null;
}

/** Returns whether the run of a person who gets no mail ends before its flow: the flow was installed before it obeyed `facts.noMail`. */
export function endsWithoutMail({ obeysNoMailSince }: Pick<Template, 'obeysNoMailSince'>, installedVersion: number): boolean {
  return obeysNoMailSince !== undefined && installedVersion < obeysNoMailSince;
}
