import type { AiProvider } from '@partner-portal/contract/vocabulary.ts';
import type { Secret } from '#platform/secret.ts';

export type JsonObject = { [name: string]: unknown };
/** A call of a tool that the model asks for. */
export type AiToolCall = { id: string; name: string; input: JsonObject };
/** A tool that a model may call; `parameters` is a JSON schema. */
export type AiTool = { name: string; description: string; parameters: JsonObject };
export type AiMessage =
  | { role: 'user' | 'assistant'; content: string; toolCalls?: readonly AiToolCall[] }
  | { role: 'tool'; toolCallId: string; content: string };

export type ModelCall = {
  provider: AiProvider;
  apiKey: Secret;
  model: string;
  system?: string;
  messages: readonly AiMessage[];
  tools?: readonly AiTool[];
  maxTokens: number;
  signal?: AbortSignal;
  /** Called with each part of the text as it arrives. */
  onText?: (text: string) => void;
};

export type FinishReason = 'stop' | 'length' | 'refused' | 'tool';
export type ModelReply = { text: string; toolCalls: AiToolCall[]; finishReason: FinishReason };

/**
 * The state of a call at any moment, also after it failed: the tokens spent follow from it.
 * `isSent`: the provider may have received the request. `isAccepted`: it answered with success, which may still be an error or a page.
 * `isBegun`: the first part of the model's answer has arrived.
 */
export type ModelProgress = {
  isSent: boolean;
  isAccepted: boolean;
  isBegun: boolean;
  text: string;
  /** Characters of tool calls, as they arrived. */
  toolText: string;
  /** As the provider reported; null until it does. */
  inputTokens: number | null;
  outputTokens: number | null;
  /** Called once the answer has begun. */
  onBegun?: () => void;
};

export function newProgress(): ModelProgress {
  return { isSent: false, isAccepted: false, isBegun: false, text: '', toolText: '', inputTokens: null, outputTokens: null };
}

/** Notes that the model answers: from now on tokens are spent. */
export function beginAnswer(progress: ModelProgress): void {
  if (progress.isBegun) return;
  progress.isBegun = true;
  progress.onBegun?.();
}

export type ModelProblem =
  | 'key_refused'
  | 'no_credit'
  | 'rate_limited'
  | 'overloaded'
  | 'unknown_model'
  | 'too_long'
  | 'request_refused'
  | 'unreachable'
  | 'timeout'
  | 'cut_off'
  | 'stopped';

/** Why a provider gave no answer. Holds nothing of its texts, which may repeat the prompt. */
export class ModelError extends Error {
  readonly problem: ModelProblem;
  readonly retryAfterSeconds: number | undefined;
  constructor(problem: ModelProblem, retryAfterSeconds?: number) {
    super(`The language model gave no answer: ${problem}.`);
    this.name = 'ModelError';
    this.problem = problem;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
