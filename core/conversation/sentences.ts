import type { HandoffReason } from '@partner-portal/contract/vocabulary.ts';

/** What a chatbot says when no model says it: short, honest, and without a promise that is not kept. */

const PERSON = 'I have passed this on to a person, who will reply to you here.';

const HAND_OVERS: Readonly<Record<Exclude<HandoffReason, 'taken_over'>, string>> = {
  visitor: PERSON,
  phrase: PERSON,
  unsure: `I do not know that. ${PERSON}`,
  quota: `I cannot answer right now. ${PERSON}`,
  failure: `I am sorry, I cannot answer right now. ${PERSON}`,
};

/** Returns what is said when a conversation is handed over. `said`: what the model wrote before it. */
export function handOverSentence(reason: HandoffReason, said = ''): string {
  if (reason === 'unsure' && said !== '') return `${said} ${PERSON}`;
  return reason === 'taken_over' ? PERSON : HAND_OVERS[reason];
}

export const UNKNOWN_SENTENCE = 'I am sorry, I do not know that.';
export const TOO_MANY_RUNS_SENTENCE = 'I have done this several times already. Please try again later, or ask me for a person.';

/** Asks for what an agent needs. */
export function askSentence(missing: readonly string[]): string {
  const listed = missing.length < 2 ? missing.join('') : `${missing.slice(0, -1).join(', ')} and ${missing.at(-1) ?? ''}`;
  return `Gladly. For that I still need: ${listed}.`;
}

/** What came of an agent's run, as far as the visitor is concerned. */
export type RunKind = 'succeeded' | 'failed' | 'refused' | 'unavailable' | 'unknown';

/** Returns what is said about a run when the model cannot say it. The run's own summary is written for the agency. */
export function runSentence(kind: RunKind): string {
  switch (kind) {
    case 'succeeded':
      return 'That is done.';
    case 'failed':
      return `I am sorry, that did not work. ${PERSON}`;
    case 'refused':
    case 'unavailable':
      return `I am sorry, I cannot do that right now. ${PERSON}`;
    case 'unknown':
      return `I do not know whether that worked. ${PERSON}`;
  }
}

/** Returns why a run hands the conversation over; null when it does not. */
export function handoffAfterRun(kind: RunKind, refusal?: string): HandoffReason | null {
  if (kind === 'succeeded') return null;
  return refusal === 'quota_exceeded' ? 'quota' : 'failure';
}
