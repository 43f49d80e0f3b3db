import type Anthropic from '@anthropic-ai/sdk';
import type { AiMessage, FinishReason, ModelCall, ModelProgress, ModelReply } from './model-call.ts';
import { beginAnswer, ModelError } from './model-call.ts';
import { ToolCallParts } from './tool-calls.ts';

type Message = Anthropic.Messages.MessageParam;
type Block = Anthropic.Messages.ContentBlockParam;

/** Loaded with the first call: the library costs half a second and 25 MB. */
export async function loadAnthropic(): Promise<typeof Anthropic> {
  return (await import('@anthropic-ai/sdk')).default;
}

/** Creates a client for one call, which retries nothing and logs nothing. */
export function createAnthropic(
  Library: typeof Anthropic,
  options: { apiKey: string; baseUrl: string; fetch: typeof fetch; timeoutMs: number },
): Anthropic {
  return new Library({
    apiKey: options.apiKey,
    authToken: null,
    webhookKey: null,
    baseURL: options.baseUrl,
    fetch: options.fetch,
    maxRetries: 0,
    // Ours ends the call; the library's would only hide it.
    timeout: options.timeoutMs * 2,
    logLevel: 'off',
  });
}

/** Calls `messages` with streaming and reports what arrives in `progress`. Throws what the library throws. */
export async function callAnthropic(client: Anthropic, call: ModelCall, progress: ModelProgress): Promise<ModelReply> {
  const stream = await client.messages.create({
    model: call.model,
    max_tokens: call.maxTokens,
    messages: toMessages(call.messages),
    stream: true,
    ...(call.system ? { system: call.system } : {}),
    ...(call.tools?.length
      ? {
          tools: call.tools.map(({ name, description, parameters }) => ({
            name,
            description,
            input_schema: { ...parameters, type: 'object' as const },
          })),
        }
      : {}),
  });
  const tools = new ToolCallParts();
  let stop: string | null = null;
  let isComplete = false;
  for await (const event of stream) {
    // An overloaded provider answers 200 and then an error as the only event.
    if (event.type === 'message_start') {
      progress.inputTokens = inputOf(event.message.usage);
      beginAnswer(progress);
    } else if (event.type === 'content_block_start' && event.content_block.type === 'tool_use')
      tools.add(event.index, { id: event.content_block.id, name: event.content_block.name });
    else if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') {
      progress.text += event.delta.text;
      if (event.delta.text !== '') call.onText?.(event.delta.text);
    } else if (event.type === 'content_block_delta' && event.delta.type === 'input_json_delta') {
      progress.toolText += event.delta.partial_json;
      tools.add(event.index, { json: event.delta.partial_json });
    } else if (event.type === 'message_delta') {
      progress.outputTokens = event.usage.output_tokens;
      stop = event.delta.stop_reason ?? stop;
    } else if (event.type === 'message_stop') isComplete = true;
  }
  // The library ends a stream that was cut as if it were complete.
  if (!isComplete || stop === null) throw new ModelError('cut_off');
  const toolCalls = stop === 'max_tokens' ? [] : tools.finish();
  return { text: progress.text, toolCalls, finishReason: reasonOf(stop, toolCalls.length > 0) };
}

/** Tokens read from or written to a cache are input as well. */
function inputOf(usage: Anthropic.Messages.Usage): number {
  return usage.input_tokens + (usage.cache_creation_input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0);
}

function reasonOf(stop: string, hasTools: boolean): FinishReason {
  if (stop === 'refusal') return 'refused';
  if (stop === 'max_tokens' || stop === 'model_context_window_exceeded') return 'length';
  return hasTools ? 'tool' : 'stop';
}

/** The results of tools are parts of one message of the user. */
function toMessages(messages: readonly AiMessage[]): Message[] {
  const out: Message[] = [];
  for (const message of messages) {
    const blocks = toBlocks(message);
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const last = out.at(-1);
    if (last?.role === role && Array.isArray(last.content)) last.content.push(...blocks);
    else out.push({ role, content: blocks });
  }
  return out;
}

function toBlocks(message: AiMessage): Block[] {
  if (message.role === 'tool') return [{ type: 'tool_result', tool_use_id: message.toolCallId, content: message.content }];
  return [
    ...(message.content === '' ? [] : [{ type: 'text' as const, text: message.content }]),
    ...(message.toolCalls ?? []).map(({ id, name, input }) => ({ type: 'tool_use' as const, id, name, input })),
  ];
}
