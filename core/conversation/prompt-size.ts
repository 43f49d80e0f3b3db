import { estimateTokens, mostTokens } from '../quota/credits.ts';

/** How much of a conversation a model reads, in tokens: what an answer costs at most is known before the model is called. */

/** Limit for earlier messages and the newest one. Visitors write them, so they count at the upper bound of their tokens. */
export const HISTORY_TOKENS_MAX = 8_000;
/** Limit for the result of an agent's run. */
export const OUTCOME_TOKENS_MAX = 4_000;
/** Limit for the passages that match a question. The agency wrote them, so an estimate is enough. */
export const PASSAGES_TOKENS_MAX = 4_000;
/** Limit for a reply, also in a preview. */
export const REPLY_TOKENS_MAX = 700;

/** Returns the newest texts that fit the history, oldest first. The newest text is cut when it is too long by itself. */
export function fitHistory<M extends { content: string }>(messages: readonly M[]): M[] {
  let left = HISTORY_TOKENS_MAX;
  const dropped = messages.findLastIndex(({ content }) => (left -= mostTokens([content])) < 0);
  const fitting = messages.slice(dropped + 1);
  const newest = messages.at(-1);
  if (fitting.length > 0 || !newest) return fitting;
  return [{ ...newest, content: cutToTokens(newest.content, HISTORY_TOKENS_MAX) }];
}

/** Returns the first passages, which fit a question best, as long as they have room. */
export function fitPassages<P extends { title: string; heading: string; content: string }>(passages: readonly P[]): P[] {
  let left = PASSAGES_TOKENS_MAX;
  const end = passages.findIndex(({ title, heading, content }) => (left -= estimateTokens([title, heading, content])) < 0);
  return end < 0 ? [...passages] : passages.slice(0, end);
}

const utf8 = new TextEncoder();

/** Returns the beginning of a text, at most `most` tokens long; no character is cut in two. */
export function cutToTokens(text: string, most: number): string {
  const room = most - mostTokens(['']);
  return text.slice(0, utf8.encodeInto(text.toWellFormed(), new Uint8Array(Math.max(0, room))).read);
}
