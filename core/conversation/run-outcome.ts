import type { HandoffReason } from '@partner-portal/contract/vocabulary.ts';

/** The outcome of an agent's run, as far as it concerns the visitor. */
export type RunKind = 'succeeded' | 'failed' | 'refused' | 'unavailable' | 'unknown';

/** Returns why a run hands the conversation over; null when it does not. */
export function handoffAfterRun(kind: RunKind, refusal?: string): HandoffReason | null {
  if (kind === 'succeeded') return null;
  if (refusal === 'chat_budget_exceeded') return 'budget';
  return refusal === 'quota_exceeded' ? 'quota' : 'failure';
}

/**
 * Returns whether an agent ended early on purpose, without its work: on a stop list, in a quiet hour. Such a run has succeeded. An agent that
 * planned a reminder or a nudge for later did its work.
 */
export function hasStopped({ output }: { output: { readonly [key: string]: unknown } | null }): boolean {
  const isPlanned = output?.['reason'] === 'not_due' && (output['nextReminderAt'] !== undefined || output['nextNudgeAt'] !== undefined);
  return output?.['skipped'] === true && !isPlanned;
}
