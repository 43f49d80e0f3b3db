import { LIMITS, type AiProvider } from '@partner-portal/contract/vocabulary.ts';
import type { Actor } from '#platform/actor.ts';
import type { StreamAnswer } from '#platform/http/answer.ts';
import { refuse, refuseField } from '#platform/refuse.ts';
import type { AiReply, AiRequest } from '../calls/ai-request.ts';
import type { OpenOptions } from '../calls/open-call.ts';
import type { AiProxyDeps } from '../deps.ts';
import { withOwner } from './chat-owner.ts';
import { streamWork } from './stream-work.ts';

const TOKENS_DEFAULT = 1_024;

export type ChatBody = {
  provider: AiProvider;
  model: string;
  messages: readonly { role: 'system' | 'user' | 'assistant'; content: string }[];
  clientId?: string | undefined;
  partnerId?: string | undefined;
  maxTokens?: number | undefined;
  stream?: boolean | undefined;
};
export type Completion = Omit<AiReply, 'toolCalls' | 'finishReason'> & {
  provider: AiProvider;
  model: string;
  finishReason: 'stop' | 'length' | 'refused';
};

type Complete = (request: AiRequest, options: OpenOptions) => Promise<AiReply>;

/**
 * Calls a model for a user. Clients may when the key that counts is their own, since another one costs their agency. With `stream` the reply is a
 * stream of events; what is refused before its first event is an ordinary problem.
 */
export async function completeChat(
  deps: Pick<AiProxyDeps, 'db'> & { complete: Complete },
  actor: Actor,
  body: ChatBody,
  signal: AbortSignal,
): Promise<Completion | StreamAnswer> {
  const owner = await withOwner(deps.db, actor, body, async (_tx, found) => found);
  const { provider, model } = body;
  const run = async (onDelta?: (text: string) => void): Promise<Completion> => {
    const request: AiRequest = {
      owner,
      purpose: 'proxy',
      provider,
      model,
      ...split(body.messages),
      maxTokens: body.maxTokens ?? TOKENS_DEFAULT,
      userId: actor.userId,
      signal,
      ...(onDelta ? { onDelta } : {}),
    };
    const { toolCalls: _tools, finishReason, ...reply } = await deps.complete(request, optionsOf(actor));
    return { ...reply, provider, model, finishReason: finishReason === 'tool' ? 'stop' : finishReason };
  };
  if (!body.stream) return run();
  return streamWork(async (send) => ({ event: 'completion', data: await run((text) => send({ event: 'delta', data: { text } })) }));
}

function optionsOf(actor: Actor): OpenOptions {
  const by = { type: actor.role === 'ADMIN' ? ('staff' as const) : ('user' as const), id: actor.userId };
  if (actor.role !== 'CLIENT') return { by };
  return {
    by,
    refuseKey: ({ level, sourceMode }) => {
      if (level === 'client' && sourceMode === 'byok') return;
      refuse('role_forbidden', {
        detail: 'You can call language models once your own key is saved. The key in use now is your agency’s.',
      });
    },
  };
}

/** The providers take instructions apart from the messages. */
function split(messages: ChatBody['messages']): Pick<AiRequest, 'system' | 'messages'> {
  const system = messages.filter((message) => message.role === 'system').map((message) => message.content);
  const rest = messages.flatMap(({ role, content }) => (role === 'system' ? [] : [{ role, content }]));
  if (rest.length === 0) return refuseField('messages', 'required', 'Send at least one user message.');
  if (rest.length > LIMITS.aiMessagesMax) return refuseField('messages', 'too_long', `Send at most ${LIMITS.aiMessagesMax} messages.`);
  return { ...(system.length > 0 ? { system: system.join('\n\n') } : {}), messages: rest };
}
