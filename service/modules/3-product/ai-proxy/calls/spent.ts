import type { SourceMode } from '@partner-portal/contract/vocabulary.ts';
import { chatWeight } from '@partner-portal/core/quota/chat-budget.ts';
import { aiCostMinor, aiCredits, estimateTokens } from '@partner-portal/core/quota/credits.ts';
import type { ModelProgress } from '#adapters/language-models/index.ts';
import type { StaffRateRow } from '../rates/store-rates.ts';
import type { Settlement } from './store-calls.ts';

const TOKENS_MAX = 100_000_000;

/** Tokens an answer has so far, by its texts. */
export function estimateOutput({ text, toolText }: Pick<ModelProgress, 'text' | 'toolText'>): number {
  return estimateTokens([text, ...(toolText === '' ? [] : [toolText])]);
}

/** Returns what a call costs, given its tokens: nothing with a key of the caller. */
export function settlementOf(
  tokens: { inputTokens: number; outputTokens: number; isEstimated: boolean },
  { sourceMode, rate, errorCode = null }: { sourceMode: SourceMode; rate: StaffRateRow | undefined; errorCode?: string | null },
): Settlement {
  const isPaid = sourceMode === 'platform' && rate !== undefined;
  const credits = isPaid ? aiCredits(tokens, rate) : 0;
  return {
    ...tokens,
    isReleased: false,
    credits,
    weight: chatWeight(tokens, credits, sourceMode === 'byok'),
    costMinor: isPaid ? aiCostMinor(tokens, rate) : 0,
    errorCode,
  };
}

export function released(errorCode: string | null): Settlement {
  return { isReleased: true, inputTokens: 0, outputTokens: 0, isEstimated: false, credits: 0, weight: 0, costMinor: 0, errorCode };
}

/** Returns the tokens really spent: as the provider counted, else by the texts. Its counts are not trusted to be numbers. */
export function tokensOf(
  progress: ModelProgress,
  inputEstimate: number,
): { inputTokens: number; outputTokens: number; isEstimated: boolean } {
  const [input, output] = [countOf(progress.inputTokens), countOf(progress.outputTokens)];
  return {
    inputTokens: input ?? inputEstimate,
    outputTokens: output ?? (progress.isBegun ? estimateOutput(progress) : 0),
    isEstimated: input === null || output === null,
  };
}

/**
 * Whether a failed call spent anything: the model began its answer, or the caller hung up while it worked. Not when it was not reached, refused, also
 * in a stream that says nothing else, or answered nothing in time.
 */
export function hasSpent(progress: ModelProgress, wasStopped: boolean): boolean {
  return progress.isBegun || (progress.isSent && wasStopped);
}

function countOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.min(Math.round(value), TOKENS_MAX) : null;
}
