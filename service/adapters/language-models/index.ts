import type { AiProvider } from '@partner-portal/contract/vocabulary.ts';
import type { SafeFetch } from '#platform/outbound/safe-fetch.ts';
import { callAnthropic, createAnthropic, loadAnthropic } from './anthropic.ts';
import { explainError } from './explain-error.ts';
import { createGuardedFetch } from './guarded-fetch.ts';
import { type ModelCall, ModelError, type ModelProgress, type ModelReply } from './model-call.ts';
import { callOpenAi, createOpenAi, loadOpenAi } from './openai.ts';

export {
  type AiMessage,
  type AiTool,
  type AiToolCall,
  type FinishReason,
  ModelError,
  type ModelProgress,
  newProgress,
} from './model-call.ts';

/** Calls a language model. `progress` holds the tokens spent, also when the call throws a `ModelError`. Not inside a transaction. */
export type CallModel = (call: ModelCall, progress: ModelProgress) => Promise<ModelReply>;

/** An event carries one token or a few, in some hundred bytes of JSON. */
const BYTES_PER_TOKEN = 1_024;
const BYTES_BESIDE = 65_536;

/** Creates the caller of both providers, through their libraries and our address guard. */
export function createLanguageModels(deps: {
  fetch: Pick<SafeFetch, 'stream'>;
  baseUrls: Readonly<Record<AiProvider, string>>;
  timeoutMs: number;
}): CallModel {
  const { baseUrls, timeoutMs } = deps;
  return async (call, progress) => {
    if (call.signal?.aborted) throw new ModelError('stopped');
    const answerBytesMax = BYTES_BESIDE + call.maxTokens * BYTES_PER_TOKEN;
    const guarded = createGuardedFetch(deps.fetch, { timeoutMs, answerBytesMax }, progress, call.signal);
    const options = { apiKey: call.apiKey.reveal(), baseUrl: baseUrls[call.provider], fetch: guarded.fetch, timeoutMs };
    try {
      const reply =
        call.provider === 'openai'
          ? await callOpenAi(createOpenAi(await loadOpenAi(), options), call, progress)
          : await callAnthropic(createAnthropic(await loadAnthropic(), options), call, progress);
      const failure = guarded.failure();
      if (failure) throw failure;
      return reply;
    } catch (error) {
      throw explainError(error, guarded.failure(), progress, call.signal);
    }
  };
}
