import { createHash } from 'node:crypto';
import type { ErrorCode } from '@partner-portal/contract/errors.ts';
import type { HandoffReason, TurnState } from '@partner-portal/contract/vocabulary.ts';
import { wishesForPerson } from './wishes.ts';

/**
 * The life of a turn, the answer to what a visitor wrote:
 *
 *   received → deciding            a process claims it
 *   deciding → done                the model's reply, a question back, or a hand-over
 *   deciding → running             the model chose an agent: recorded before the agent runs
 *   running → composing            the agent's outcome is recorded; it never runs again for this turn
 *   composing → done               the reply about the outcome
 *   any of them → failed           no answer could be given: an honest sentence instead
 *
 * A process that dies leaves the state. Another one continues there: calls of the model keep their id and are charged once, a run keeps the
 * turn's id and happens once, and a turn ends once.
 */
const NEXT: Readonly<Record<TurnState, readonly TurnState[]>> = {
  received: ['deciding', 'failed'],
  deciding: ['running', 'done', 'failed'],
  running: ['composing', 'failed'],
  composing: ['done', 'failed'],
  done: [],
  failed: [],
};

/** Returns whether a turn may go from one state to another. */
export function mayFollow(from: TurnState, to: TurnState): boolean {
  return NEXT[from].includes(to);
}

/** How often a turn is taken over from processes that died or could not go on, before it fails. */
export const ATTEMPTS_MAX = 4;
/** Agents that one conversation may run in an hour. */
export const RUNS_PER_HOUR = 10;
/** Turns that the model did not answer in a row, from which on the agency is alerted. A failed agent alerts at once. */
export const FAILURES_ALERTED = 3;

/** Returns the id of a turn's model call: the same after a crash, and sorted by the time of the turn. */
export function callIdOf(turnId: string, step: 'decide' | 'compose'): string {
  const hash = createHash('sha256').update(`${turnId} ${step}`).digest('hex');
  // UUIDv7: the turn's time, then version and variant, then the hash.
  return `${turnId.slice(0, 15)}${hash.slice(0, 3)}-8${hash.slice(3, 6)}-${hash.slice(6, 18)}`;
}

/** Why a turn has no answer: the state it ends in, the reason of the hand-over, and whether it counts as a failure of the chatbot. */
export type Failing = { reason: 'quota' | 'budget' | 'failure'; isFailure: boolean };

/** Returns what follows from an error of the model's call. A quota or budget that is used up is no fault of the chatbot: it has an alert of its own. */
export function afterModelError(code: ErrorCode | null): Failing {
  if (code === 'chat_budget_exceeded') return { reason: 'budget', isFailure: false };
  return code === 'quota_exceeded' ? { reason: 'quota', isFailure: false } : { reason: 'failure', isFailure: true };
}

/** Returns the hand-over that a message asks for by its words: one of the client's phrases, or a plain wish for a person. */
export function handoffByWords(text: string, phrases: readonly string[]): HandoffReason | null {
  const words = fold(text);
  if (phrases.some((phrase) => fold(phrase) !== ' ' && words.includes(fold(phrase)))) return 'phrase';
  return wishesForPerson(text) ? 'visitor' : null;
}

/** Lower case, words only, with a blank at each end, so that a phrase matches whole words. */
function fold(text: string): string {
  return ` ${text
    .toLowerCase()
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `.replace(/^ +$/, ' ');
}
