import type { Tool } from '@partner-portal/core/conversation/intent.ts';
import type { OfferedAgent } from '@partner-portal/core/conversation/intent.ts';
import { toolsOf } from '@partner-portal/core/conversation/intent.ts';
import { createAnswerFilter } from '@partner-portal/core/conversation/answer.ts';
import { buildInstructions, type QuotedPassage, quoteVisitor } from '@partner-portal/core/conversation/instructions.ts';
import { cutToTokens, fitHistory, OUTCOME_TOKENS_MAX, REPLY_TOKENS_MAX } from '@partner-portal/core/conversation/prompt-size.ts';
import { callIdOf } from '@partner-portal/core/conversation/turn.ts';
import { estimateTokens, mostTokens } from '@partner-portal/core/quota/credits.ts';
import { quoteText } from '@partner-portal/core/conversation/quote.ts';
import type { AiMessage, AiReply, ChatbotFacts, ConversationsDeps } from '../deps.ts';
import type { HistoryMessage, Turn, TurnOutcome } from '../store-turn.ts';

export type Asked = {
  turn: Turn;
  facts: ChatbotFacts;
  agents: readonly OfferedAgent[];
  passages: readonly QuotedPassage[];
  signal: AbortSignal;
};

/** Time to the first token shown while a reply was written. */
export type Shown = { firstTokenMs: number | null };

/** Lets the model reply or choose a tool. What it writes is streamed as it comes, when something was found for it to stand on. */
export async function decide(deps: ConversationsDeps, asked: Asked, shown: Shown): Promise<AiReply> {
  return ask(deps, asked, shown, 'decide', messagesOf(asked.turn.history));
}

/** Lets the model say what came of the agent it chose. */
export async function compose(deps: ConversationsDeps, asked: Asked, shown: Shown, outcome: TurnOutcome): Promise<AiReply> {
  const { turn, agents } = asked;
  const name = agents.find((agent) => agent.workflowId === turn.workflowId)?.tool ?? 'agent_1';
  const call = { id: 'call_1', name, input: turn.inputs ?? {} };
  const { kind, summary, output } = outcome;
  const result = cutToTokens(JSON.stringify({ status: kind, summary, output }), OUTCOME_TOKENS_MAX);
  return ask(deps, asked, shown, 'compose', [
    ...messagesOf(turn.history),
    { role: 'assistant', content: '', toolCalls: [call] },
    { role: 'tool', toolCallId: call.id, content: quoteText('agent_result', result) },
  ]);
}

async function ask(
  deps: ConversationsDeps,
  { turn, facts, agents, passages, signal }: Asked,
  shown: Shown,
  step: 'decide' | 'compose',
  messages: AiMessage[],
): Promise<AiReply> {
  const { live } = deps;
  const filter = createAnswerFilter();
  let start = 0;
  const show = (text: string): void => {
    // Without a passage only a reply that states nothing may be shown before it is judged.
    if (passages.length === 0 && step === 'decide' && !filter.isChat()) held += text;
    else {
      const whole = held + text;
      held = '';
      if (whole === '') return;
      shown.firstTokenMs ??= deps.clock.now().getTime() - turn.startedAt.getTime();
      const { id: turnId, partnerId, clientId, conversationId } = turn;
      live.sendDelta({ partnerId, clientId, conversationId, turnId, start, text: whole });
      start += whole.length;
    }
  };
  let held = '';
  // The turn's own moment: asked again, it says the same.
  const system = buildInstructions({ facts, passages, agents, now: turn.startedAt });
  const tools = toolsOf(agents) satisfies readonly Tool[];
  return deps.complete({
    owner: { partnerId: turn.partnerId, clientId: turn.clientId },
    purpose: 'chatbot',
    provider: facts.provider,
    model: facts.model,
    system,
    messages,
    tools,
    inputTokensMax: inputTokensMax(system, messages, tools),
    maxTokens: REPLY_TOKENS_MAX,
    callId: callIdOf(turn.id, step),
    about: { conversationId: turn.conversationId, turnId: turn.id, chatbotId: turn.chatbotId, visitor: turn.visitor },
    signal,
    onDelta: (text) => show(filter.push(text)),
  });
}

/** A conversation as the model reads it: visitors quoted, texts of one side in a row together, beginning with the visitor. */
export function messagesOf(history: readonly HistoryMessage[]): AiMessage[] {
  const messages: { role: 'user' | 'assistant'; content: string }[] = [];
  const quoted = history.map(({ author, text }) =>
    author === 'visitor' ? { role: 'user' as const, content: quoteVisitor(text) } : { role: 'assistant' as const, content: text },
  );
  for (const { role, content } of fitHistory(quoted)) {
    const last = messages.at(-1);
    if (last?.role === role) last.content += `\n${content}`;
    else if (last || role === 'user') messages.push({ role, content });
  }
  return messages;
}

/** Returns the most tokens of a call: what the agency wrote is estimated, what visitors wrote counts with the most it may have. */
export function inputTokensMax(system: string, messages: readonly AiMessage[], tools: readonly Tool[]): number {
  return estimateTokens([system, ...tools.map((tool) => JSON.stringify(tool))]) + mostTokens(messages.map(textOf));
}

function textOf(message: AiMessage): string {
  return message.role === 'assistant' && message.toolCalls?.length
    ? `${message.content}${JSON.stringify(message.toolCalls)}`
    : message.content;
}
