import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One call of a provider as it arrived. */
export type ModelServerCall = { path: string; headers: IncomingMessage['headers']; body: { [name: string]: unknown } };
/** Answers a call; the default is a short answer in the provider's format. */
export type ModelBehaviour = (call: ModelServerCall, response: ServerResponse) => void | Promise<void>;

export type ModelServer = {
  url: string;
  host: string;
  calls: ModelServerCall[];
  /** How the next calls are answered. */
  behave(behaviour: ModelBehaviour): void;
  close(): Promise<void>;
};

/** A server that speaks both providers' streaming formats, and breaks them on request. */
export async function startModelServer(): Promise<ModelServer> {
  const calls: ModelServerCall[] = [];
  let behaviour: ModelBehaviour = (call, response) => answerText(call, response, ['Hello ', 'there.']);
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer); // a request yields buffers
      const text = Buffer.concat(chunks).toString();
      const call = { path: request.url ?? '', headers: request.headers, body: text === '' ? {} : JSON.parse(text) };
      calls.push(call);
      await behaviour(call, response);
    })().catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // listening on TCP
  return {
    url: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    calls,
    behave: (next) => void (behaviour = next),
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

export type AnswerOptions = {
  usage?: { input: number; output: number } | null;
  finish?: 'stop' | 'length' | 'refused';
  tool?: { id: string; name: string; pieces: readonly string[] };
  /** Ends the connection in the middle, before the last events. */
  isCut?: boolean;
  /** Awaited after the first part of the text. */
  afterFirst?: Promise<unknown>;
};

/** Streams an answer in the format of the path that was called. */
export async function answerText(
  call: ModelServerCall,
  response: ServerResponse,
  parts: readonly string[],
  options: AnswerOptions = {},
): Promise<void> {
  const { usage = { input: 10, output: 5 }, isCut = false } = options;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const events = call.path.includes('/chat/completions')
    ? openAiEvents(parts, { ...options, usage })
    : anthropicEvents(parts, { ...options, usage });
  const shown = isCut ? events.slice(0, events.findIndex((event) => event.includes(parts.at(-1) ?? '')) + 1) : events;
  for (const [index, event] of shown.entries()) {
    response.write(event);
    if (parts[0] !== undefined && event.includes(JSON.stringify(parts[0]))) await options.afterFirst;
    if (index === shown.length - 1 && isCut) await new Promise((resolve) => response.write(': \n\n', resolve));
  }
  if (isCut) response.destroy();
  else response.end();
}

type Given = AnswerOptions & { usage: { input: number; output: number } | null };

function openAiEvents(parts: readonly string[], { usage, finish = 'stop', tool }: Given): string[] {
  const chunk = (members: object): string =>
    `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'gpt', choices: [], ...members })}\n\n`;
  const choice = (delta: object, finishReason: string | null = null): string =>
    chunk({ choices: [{ index: 0, delta, finish_reason: finishReason }] });
  const call = (piece: object): string => choice({ tool_calls: [{ index: 0, ...piece }] });
  return [
    choice({ role: 'assistant', content: '' }),
    ...parts.map((content) => choice(finish === 'refused' ? { refusal: content } : { content })),
    ...(tool
      ? [
          call({ id: tool.id, type: 'function', function: { name: tool.name, arguments: '' } }),
          ...tool.pieces.map((text) => call({ function: { arguments: text } })),
        ]
      : []),
    choice({}, tool ? 'tool_calls' : finish === 'refused' ? 'stop' : finish),
    ...(usage
      ? [chunk({ usage: { prompt_tokens: usage.input, completion_tokens: usage.output, total_tokens: usage.input + usage.output } })]
      : []),
    'data: [DONE]\n\n',
  ];
}

function anthropicEvents(parts: readonly string[], { usage, finish = 'stop', tool }: Given): string[] {
  const event = (type: string, members: object): string => `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;
  const stop = tool ? 'tool_use' : { stop: 'end_turn', length: 'max_tokens', refused: 'refusal' }[finish];
  const block = (index: number, content: object, deltas: readonly object[]): string[] => [
    event('content_block_start', { index, content_block: content }),
    ...deltas.map((delta) => event('content_block_delta', { index, delta })),
    event('content_block_stop', { index }),
  ];
  return [
    event('message_start', {
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'claude',
        content: [],
        stop_reason: null,
        usage: { input_tokens: usage?.input ?? 0, output_tokens: 1 },
      },
    }),
    event('ping', {}),
    ...block(
      0,
      { type: 'text', text: '' },
      parts.map((text) => ({ type: 'text_delta', text })),
    ),
    ...(tool
      ? block(
          1,
          { type: 'tool_use', id: tool.id, name: tool.name, input: {} },
          tool.pieces.map((text) => ({ type: 'input_json_delta', partial_json: text })),
        )
      : []),
    event('message_delta', { delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: usage?.output ?? 0 } }),
    event('message_stop', {}),
  ];
}

/** Answers with an error in the provider's format. */
export function answerError(
  call: ModelServerCall,
  response: ServerResponse,
  status: number,
  error: { code: string; message: string },
  headers: { [name: string]: string } = {},
): void {
  const body = call.path.includes('/chat/completions')
    ? { error: { message: error.message, type: 'invalid_request_error', param: null, code: error.code } }
    : { type: 'error', error: { type: error.code, message: error.message } };
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
