/** A report is another program's word: what no run can spend is not believed. */
const AI_CREDITS_MAX = 100_000;

/** Credits of the tokens a run spent on a platform key: one per started thousand. A key of one's own costs none. */
export function aiCredits(usage: { inputTokens: number; outputTokens: number } | null | undefined, onPlatformKey: boolean): number {
  if (!usage || !onPlatformKey) return 0;
  return Math.min(Math.ceil((usage.inputTokens + usage.outputTokens) / 1000), AI_CREDITS_MAX);
}
