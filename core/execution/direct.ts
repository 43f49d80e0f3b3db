import type { Template } from '../template/types.ts';
import { answersDirectly } from '../template/template.ts';
import { ENGINE_REFUSALS } from './dispatch.ts';

/**
 * A direct run: a chatbot calls the flow and waits for its answer (docs/adr/0029). The functions here decide what follows from what the engine
 * answered; nothing is sent twice without having asked the engine for the first.
 */

/**
 * How a flow answered a direct call.
 *
 * - `answered`: the flow gave its own answer; its run may still go on.
 * - `silent`: the engine took the event, and the flow gave no answer in time: it failed, has no such step, or no worker runs it. A run may exist.
 * - `not_found`, `gone`, `refused`, `unreachable`, `ambiguous`: as of a dispatch.
 */
export type DirectOutcome = 'answered' | 'silent' | 'not_found' | 'gone' | 'refused' | 'unreachable' | 'ambiguous';

/** The engine's answer about the run of a direct call. `unanswered`: it could not be asked. */
export type DirectLookup = 'ended' | 'running' | 'none' | 'unseen' | 'unanswered';

/** `look`: the engine is asked for the run. `again`: nothing was stored, so it is called once more after `waitMs`. */
export type DirectStep = { next: 'look'; waitMs: number } | { next: 'again'; waitMs: number } | { next: 'fail'; message: string };

/** A visitor waits: the engine gets this long to come back. */
const AWAY_MS = 5_000;
const AGAIN_MS = 500;
const MISS_WAIT_MS = 1_000;
/** Republishing hides a flow for a moment. */
const MISSES_MAX = 5;

/** Decides what follows a call. `awayMs`: since when the engine cannot be reached; `misses`: how often it did not find the flow. */
export function afterDirectCall(answer: DirectOutcome, past: { awayMs: number; misses: number }): DirectStep {
  switch (answer) {
    case 'answered':
    case 'silent':
    case 'ambiguous':
      return { next: 'look', waitMs: 0 };
    case 'unreachable':
      if (past.awayMs < AWAY_MS) return { next: 'again', waitMs: AGAIN_MS };
      return { next: 'fail', message: 'The automation platform could not be reached.' };
    case 'not_found':
      if (past.misses < MISSES_MAX) return { next: 'again', waitMs: MISS_WAIT_MS };
      return { next: 'fail', message: ENGINE_REFUSALS.not_found };
    case 'gone':
    case 'refused':
      return { next: 'fail', message: ENGINE_REFUSALS[answer] };
  }
}

/** `call`: the engine certainly has no run. `leave`: the engine cannot say, so the run is left to the timeout of all runs. */
export type LookupStep = { next: 'take' } | { next: 'call' } | { next: 'look'; waitMs: number } | { next: 'time_out' } | { next: 'leave' };

const LOOK_MS = 250;
const LOOK_MS_MAX = 2_000;

/** Decides what follows a lookup, the `looks`-th. `isOver`: the caller waits no longer. */
export function afterDirectLookup(found: DirectLookup, { looks, isOver }: { looks: number; isOver: boolean }): LookupStep {
  switch (found) {
    case 'ended':
      return { next: 'take' };
    case 'none':
      return isOver ? { next: 'time_out' } : { next: 'call' };
    case 'running':
      if (isOver) return { next: 'time_out' };
      break;
    case 'unseen':
    case 'unanswered':
      if (isOver) return { next: 'leave' };
      break;
  }
  return { next: 'look', waitMs: Math.min(LOOK_MS * 2 ** Math.min(looks, 10), LOOK_MS_MAX) };
}

/** Why an agent cannot be run directly, as a code and a sentence for the agency. */
export type DirectObjection = { code: 'flow_outdated' | 'not_for_chatbots'; message: string };

/**
 * Returns why the installed flow of an agent would give no answer, or null. An older flow lacks the step that answers. A flow that reads the
 * client's database needs the proof of an execution, which a direct call does not carry.
 */
export function objectionToDirectRun(template: Template, installedVersion: number | null): DirectObjection | null {
  if (template.steps.some((step) => step.kind === 'http' && step.provider === 'postgres'))
    return { code: 'not_for_chatbots', message: `“${template.title}” reads a database and cannot be run by a chatbot.` };
  if (installedVersion !== null && !answersDirectly(template, installedVersion))
    return {
      code: 'flow_outdated',
      message: `This agent was installed before it could answer a chatbot. Repair it, and “${template.title}” can be run from conversations.`,
    };
  return null;
}
