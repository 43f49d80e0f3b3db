import type { MessageAuthor } from '@partner-portal/contract/vocabulary.ts';
import { readAnswer } from '@partner-portal/core/conversation/answer.ts';
import { buildInstructions } from '@partner-portal/core/conversation/instructions.ts';
import { readChoice, toolsOf } from '@partner-portal/core/conversation/intent.ts';
import { REPLY_TOKENS_MAX } from '@partner-portal/core/conversation/prompt-size.ts';
import { handoffByWords } from '@partner-portal/core/conversation/turn.ts';
import { type Draft, readDraftFacts, withClient } from '#modules/3-product/chatbot/index.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuseField } from '#platform/refuse.ts';
import type { ConversationsDeps } from '../deps.ts';
import { inputTokensMax, messagesOf } from '../turns/ask-model.ts';
import { answerOf, newestTexts, readBasis } from '../turns/run-turn.ts';
import { sentencesIn } from '../turns/sentences.ts';

type Asked = Draft & { clientId?: string | undefined; messages: readonly { author: MessageAuthor; text: string }[] };
type PreviewDeps = Pick<ConversationsDeps, 'db' | 'chatbot' | 'templateOf' | 'complete'>;

const NOTHING_SPENT = { usage: { inputTokens: 0, outputTokens: 0, isEstimated: false }, creditsCharged: 0 };

/** Answers as the chatbot would with unsaved settings: the instructions and the choice of a real turn. No agent runs, and nothing is stored. */
export async function previewChatbot(deps: PreviewDeps, { actor, signal, now }: RequestContext, { clientId, messages, ...draft }: Asked) {
  if (messages.at(-1)?.author !== 'visitor') refuseField('messages', 'no_question', 'The last message must be from the visitor.');
  const history = [...messages];
  const { owner, basis, agentNames } = await withClient(deps.db, actor, clientId, 'validation_failed', async (tx, client) => {
    const { facts, agentNames: names } = await readDraftFacts(tx, client, draft);
    const read = await readBasis(deps, tx, facts, { history });
    return { owner: { partnerId: client.partnerId, clientId: client.id }, basis: read, agentNames: names };
  });
  const { facts, passages, agents } = basis;
  // As a visitor reads it whose browser names no other language.
  const say = sentencesIn(facts.locale);
  const wish = handoffByWords(newestTexts({ history }).join('\n'), facts.handoffPhrases);
  if (wish === 'phrase' || wish === 'visitor')
    return { reply: say.handOver(wish), passages: [], wouldRun: null, wouldHandOff: true, ...NOTHING_SPENT };
  const system = buildInstructions({ facts, passages, agents, now });
  const asked = messagesOf(history);
  const tools = toolsOf(agents);
  const written = await deps.complete({
    owner,
    purpose: 'preview',
    provider: facts.provider,
    model: facts.model,
    system,
    messages: asked,
    tools,
    inputTokensMax: inputTokensMax(system, asked, tools),
    maxTokens: REPLY_TOKENS_MAX,
    userId: actor.userId,
    signal,
  });
  const { usage, creditsCharged } = written;
  const choice = readChoice(written.toolCalls, agents);
  const answer = readAnswer(written, passages.length);
  if (choice.kind === 'run') {
    const { workflowId } = choice.agent;
    const wouldRun = { workflowId, agentName: agentNames.get(workflowId) ?? '', inputs: choice.input };
    // A model that chooses an agent often writes no text. The next question holds each reply, and an empty one is refused.
    return { reply: answer.text || say.run('succeeded'), passages: [], wouldRun, wouldHandOff: false, usage, creditsCharged };
  }
  const { reply = '', passages: cited = [], handoff = null } = answerOf(choice, answer, basis, say);
  return { reply, passages: [...cited], wouldRun: null, wouldHandOff: handoff !== null, usage, creditsCharged };
}
