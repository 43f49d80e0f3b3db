import type { Tool } from '@partner-portal/core/conversation/intent.ts';
import type { OfferedAgent } from '@partner-portal/core/conversation/intent.ts';
import { toolsOf } from '@partner-portal/core/conversation/intent.ts';
import { createAnswerFilter } from '@partner-portal/core/conversation/answer.ts';
import { buildInstructions, type QuotedPassage, quoteVisitor } from '@partner-portal/core/conversation/instructions.ts';
import { callIdOf } from '@partner-portal/core/conversation/turn.ts';
import { quoteText } from '@partner-portal/core/conversation/quote.ts';
import type { AiMessage, AiReply, ChatbotFacts, ConversationsDeps } from '../deps.ts';
import type { HistoryMessage, Turn, TurnOutcome } from './store.ts';

/** Of a reply, also of a preview's. */
export const REPLY_TOKENS_MAX = 700;
/** Characters of earlier messages, as the model reads them. */
const HISTORY_CHARACTERS_MAX = 60_000;
/** Characters of an agent's outcome that the model reads. */
const OUTCOME_MAX = 6_000;

export type Asked = {
  turn: Turn;
  facts: ChatbotFacts;
  agents: readonly OfferedAgent[];
  passages: readonly QuotedPassage[];
  signal: AbortSignal;
};

/** What was shown of a reply while it was written. */
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
  const result = JSON.stringify({ status: kind, summary, output }).slice(0, OUTCOME_MAX);
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
  return deps.complete({
    owner: { partnerId: turn.partnerId, clientId: turn.clientId },
    purpose: 'chatbot',
    provider: facts.provider,
    model: facts.model,
    system: buildInstructions({ facts, passages, agents }),
    messages,
    tools: toolsOf(agents) satisfies readonly Tool[],
    maxTokens: REPLY_TOKENS_MAX,
    callId: callIdOf(turn.id, step),
    about: { conversationId: turn.conversationId, turnId: turn.id },
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
  for (const { role, content } of newestOf(quoted)) {
    const last = messages.at(-1);
    if (last?.role === role) last.content += `\n${content}`;
    else if (last || role === 'user') messages.push({ role, content });
  }
  return messages;
}

/** A quoted text is up to five times as long as it was written: a call that is too long would fail the turn. */
function newestOf<M extends { content: string }>(quoted: readonly M[]): readonly M[] {
  let left = HISTORY_CHARACTERS_MAX;
  const dropped = quoted.findLastIndex(({ content }) => (left -= content.length) < 0);
  return quoted.slice(Math.min(dropped + 1, quoted.length - 1));
}
