/** Upper bound for one execution: the token counts of a report are not trusted. */
const AI_CREDITS_MAX = 100_000;

/** Returns the credits for AI tokens used with a platform key: one per started thousand. With the partner's own key it is 0. */
export function aiCredits(usage: { inputTokens: number; outputTokens: number } | null | undefined, onPlatformKey: boolean): number {
  if (!usage || !onPlatformKey) return 0;
  return Math.min(Math.ceil((usage.inputTokens + usage.outputTokens) / 1000), AI_CREDITS_MAX);
}
