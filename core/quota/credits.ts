/** Credits for 1,000 tokens on a platform key, as published for a model. At most four decimals. */
export type TokenRate = { inputCredits: number; outputCredits: number };
export type TokenCounts = { inputTokens: number; outputTokens: number };

/** Upper bound for one execution or call: token counts that others report are not trusted. */
const AI_CREDITS_MAX = 100_000;
/** Rates have four decimals: counted in whole parts, so that no sum is off by a fraction. */
const PARTS = 10_000;

/** Returns the credits for tokens at a rate: thousands of both kinds at their price, rounded up to whole credits once. */
export function aiCredits({ inputTokens, outputTokens }: TokenCounts, rate: TokenRate): number {
  const parts = inputTokens * Math.round(rate.inputCredits * PARTS) + outputTokens * Math.round(rate.outputCredits * PARTS);
  return Math.min(Math.ceil(parts / (1000 * PARTS)), AI_CREDITS_MAX);
}

/** Returns what the tokens cost the platform, in minor units of the rate's currency with four decimals. */
export function aiCostMinor({ inputTokens, outputTokens }: TokenCounts, rate: { inputCostMinor: number; outputCostMinor: number }): number {
  const parts = inputTokens * Math.round(rate.inputCostMinor * PARTS) + outputTokens * Math.round(rate.outputCostMinor * PARTS);
  return Math.round(parts / 1000) / PARTS;
}

const MESSAGE_TOKENS = 4;
const utf8 = new TextEncoder();
const NOT_ASCII = /[^ -~\s]/gu;

/**
 * Returns how many tokens texts probably have: a quarter of the ASCII characters, one for each other character, and four for each text.
 * For reservations, and for calls whose provider reported nothing.
 */
export function estimateTokens(texts: readonly string[]): number {
  let tokens = 0;
  for (const text of texts) {
    const others = text.match(NOT_ASCII)?.length ?? 0;
    tokens += MESSAGE_TOKENS + Math.ceil(Math.max(0, text.length - others) / 4) + others;
  }
  return tokens;
}

/**
 * Returns the most tokens that texts can have, however they are written: one for each byte of UTF-8, and four for each text. No tokenizer of a
 * provider makes more of them. For texts of strangers, who may choose those that cost most.
 */
export function mostTokens(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + MESSAGE_TOKENS + utf8.encode(text).length, 0);
}
