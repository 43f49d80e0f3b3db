import type { AiCallPurpose, AiProvider, SourceMode } from '@partner-portal/contract/vocabulary.ts';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import type { AiMessage, AiTool, AiToolCall, FinishReason } from '#adapters/language-models/index.ts';
import { refuseField } from '#platform/refuse.ts';

export type { AiMessage, AiTool, AiToolCall } from '#adapters/language-models/index.ts';

/** A call of a language model for an agency, or for one of its clients. */
export type AiRequest = {
  owner: { partnerId: string; clientId: string | null };
  purpose: AiCallPurpose;
  provider: AiProvider;
  model: string;
  system?: string;
  messages: readonly AiMessage[];
  tools?: readonly AiTool[];
  maxTokens: number;
  /** A UUIDv7. The same id again is charged once: its reservation is used again, and a settled one is not charged again. */
  callId?: string;
  /** The turn of a visitor, whose budgets of the day it counts for; `visitor`: of the network they write from, when it is known. */
  about?: { conversationId: string; turnId: string; chatbotId: string; visitor: string | null };
  /** The most tokens that the texts can have, when strangers wrote some of them; estimated when left out. */
  inputTokensMax?: number;
  userId?: string | null;
  /** Aborted when the caller hangs up: the provider is hung up on, and what it spent is counted. */
  signal?: AbortSignal;
  onDelta?: (text: string) => void;
};

export type AiReply = {
  text: string;
  toolCalls: readonly AiToolCall[];
  usage: { inputTokens: number; outputTokens: number; isEstimated: boolean };
  creditsCharged: number;
  sourceMode: SourceMode;
  finishReason: FinishReason;
};

/** Returns the texts a provider reads, for limits and estimates. */
export function textsOf({ system, messages, tools = [] }: Pick<AiRequest, 'system' | 'messages' | 'tools'>): string[] {
  return [
    ...(system ? [system] : []),
    ...messages.flatMap((message) =>
      message.role === 'tool' || !message.toolCalls?.length ? [message.content] : [message.content, JSON.stringify(message.toolCalls)],
    ),
    ...tools.map((tool) => JSON.stringify(tool)),
  ];
}

/** Refuses `validation_failed` past the limits of messages, text and tokens. */
export function refuseBeyondLimits(request: AiRequest): void {
  const { messages, maxTokens } = request;
  if (messages.length === 0) refuseField('messages', 'required', 'Send at least one user message.');
  if (messages.length > LIMITS.aiMessagesMax) refuseField('messages', 'too_long', `Send at most ${LIMITS.aiMessagesMax} messages.`);
  if (maxTokens < 1 || maxTokens > LIMITS.aiOutputTokensMax)
    refuseField('maxTokens', 'out_of_range', `Ask for 1 to ${LIMITS.aiOutputTokensMax} tokens.`);
  const characters = textsOf(request).reduce((sum, text) => sum + text.length, 0);
  if (characters > LIMITS.aiTextMax)
    refuseField('messages', 'too_long', `All messages together may have ${LIMITS.aiTextMax.toLocaleString('en')} characters.`);
}
