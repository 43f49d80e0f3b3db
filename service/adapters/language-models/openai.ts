import type OpenAI from 'openai';
import type { AiMessage, FinishReason, ModelCall, ModelProgress, ModelReply } from './model-call.ts';
import { beginAnswer, ModelError } from './model-call.ts';
import { ToolCallParts } from './tool-calls.ts';

type Message = OpenAI.Chat.Completions.ChatCompletionMessageParam;

/**
 * Models that think before they answer unless they are asked not to, within the tokens of the answer: with the limit of a reply nothing would be left for
 * the text. Later ones (gpt-5.1) do not think by default and refuse this word.
 */
const THINKS_BY_DEFAULT = /^gpt-5(?:-mini|-nano)?(?:-\d{4}-\d{2}-\d{2})?$/;

/** Loaded with the first call: the library costs a third of a second and 30 MB. */
export async function loadOpenAi(): Promise<typeof OpenAI> {
  return (await import('openai')).default;
}

/** Creates a client for one call, which reads nothing from the environment, retries nothing and logs nothing. */
export function createOpenAi(
  Library: typeof OpenAI,
  options: { apiKey: string; baseUrl: string; fetch: typeof fetch; timeoutMs: number },
): OpenAI {
  return new Library({
    apiKey: options.apiKey,
    adminAPIKey: null,
    baseURL: `${options.baseUrl}/v1`,
    organization: null,
    project: null,
    webhookSecret: null,
    fetch: options.fetch,
    maxRetries: 0,
    // Ours ends the call; the library's would only hide it.
    timeout: options.timeoutMs * 2,
    logLevel: 'off',
  });
}

/** Calls `chat.completions` with streaming and reports what arrives in `progress`. Throws what the library throws. */
export async function callOpenAi(client: OpenAI, call: ModelCall, progress: ModelProgress): Promise<ModelReply> {
  const stream = await client.chat.completions.create({
    model: call.model,
    messages: toMessages(call),
    max_completion_tokens: call.maxTokens,
    ...(THINKS_BY_DEFAULT.test(call.model) ? { reasoning_effort: 'minimal' as const } : {}),
    stream: true,
    stream_options: { include_usage: true },
    ...(call.tools?.length
      ? {
          tools: call.tools.map(({ name, description, parameters }) => ({
            type: 'function' as const,
            function: { name, description, parameters },
          })),
        }
      : {}),
  });
  const tools = new ToolCallParts();
  let finish: string | null = null;
  let hasRefused = false;
  for await (const chunk of stream) {
    if (chunk.usage) {
      progress.inputTokens = chunk.usage.prompt_tokens;
      progress.outputTokens = chunk.usage.completion_tokens;
    }
    const [choice] = chunk.choices ?? [];
    if (!choice) continue;
    beginAnswer(progress);
    const { delta } = choice;
    const text = delta?.content || delta?.refusal || '';
    if (delta?.refusal) hasRefused = true;
    if (text !== '') {
      progress.text += text;
      call.onText?.(text);
    }
    for (const piece of delta?.tool_calls ?? []) {
      const json = piece.function?.arguments ?? '';
      progress.toolText += json;
      tools.add(piece.index, { id: piece.id, name: piece.function?.name, json });
    }
    finish = choice.finish_reason ?? finish;
  }
  // The library ends a stream that was cut as if it were complete.
  if (finish === null) throw new ModelError('cut_off');
  const toolCalls = finish === 'length' ? [] : tools.finish();
  return { text: progress.text, toolCalls, finishReason: reasonOf(finish, hasRefused, toolCalls.length > 0) };
}

function reasonOf(finish: string, hasRefused: boolean, hasTools: boolean): FinishReason {
  if (hasRefused || finish === 'content_filter') return 'refused';
  if (finish === 'length') return 'length';
  return hasTools ? 'tool' : 'stop';
}

function toMessages({ system, messages }: ModelCall): Message[] {
  return [...(system ? [{ role: 'system' as const, content: system }] : []), ...messages.map(toMessage)];
}

function toMessage(message: AiMessage): Message {
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
  if (message.role === 'user') return { role: 'user', content: message.content };
  if (!message.toolCalls?.length) return { role: 'assistant', content: message.content };
  return {
    role: 'assistant',
    content: message.content === '' ? null : message.content,
    tool_calls: message.toolCalls.map(({ id, name, input }) => ({
      id,
      type: 'function' as const,
      function: { name, arguments: JSON.stringify(input) },
    })),
  };
}
