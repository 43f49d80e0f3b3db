import type { Template } from '../template/types.ts';

/**
 * Events of something that has not ended, such as a call that rings: nothing follows from them yet, and the end is no repeat of them.
 * Rules: docs/behaviour/agents.md.
 */

/** How a run ends whose call has not: no one can have missed it. */
export const CALL_GOES_ON = {
  reason: 'wrong_webhook',
  message: 'The call had not ended: have the phone system report missed calls, once they are over',
} as const;

/** Returns the state of an event that its template knows as one before the end, in lower case; null for any other event. */
export function stateUnderWay(template: Pick<Template, 'goesOn'> | undefined, event: { readonly [key: string]: unknown }): string | null {
  if (template?.goesOn === undefined) return null;
  const { states, lacks } = template.goesOn;
  const textOf = (key: string): string => (typeof event[key] === 'string' ? event[key].trim().toLowerCase() : '');
  if (lacks.some((key) => textOf(key) !== '')) return null;
  return Object.entries(states).flatMap(([key, words]) => (words.includes(textOf(key)) ? [textOf(key)] : []))[0] ?? null;
}
