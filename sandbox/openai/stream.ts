import type { Call } from '../language/conversation.ts';
import { piecesOf } from '../language/mishap.ts';

export type Completion = {
  id: string;
  created: number;
  model: string;
  text: string;
  calls: readonly Call[];
  refusal: string | null;
  finishReason: 'stop' | 'length' | 'tool_calls';
  usage: { input: number; output: number };
};

/** The events of a streamed completion: one chunk per word, tool calls with their arguments in parts, the usage when asked, `[DONE]`. */
export function streamPieces(completion: Completion, withUsage: boolean): string[] {
  const { id, created, model, text, calls, refusal, finishReason, usage } = completion;
  const event = (choices: object[], used: object | null = null): string => {
    const chunk = { id, object: 'chat.completion.chunk', created, model, service_tier: 'default', choices };
    return `data: ${JSON.stringify(withUsage ? { ...chunk, usage: used } : chunk)}\n\n`;
  };
  const delta = (part: object, finish: string | null = null): string =>
    event([{ index: 0, delta: part, logprobs: null, finish_reason: finish }]);
  const start = { role: 'assistant', content: calls.length > 0 || refusal !== null ? null : '', refusal: null };
  return [
    delta(start),
    ...piecesOf(text).map((content) => delta({ content })),
    ...piecesOf(refusal ?? '').map((part) => delta({ refusal: part })),
    ...calls.flatMap((call, index) => [
      delta({ tool_calls: [{ index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } }] }),
      ...argumentParts(call).map((part) => delta({ tool_calls: [{ index, function: { arguments: part } }] })),
    ]),
    delta({}, finishReason),
    ...(withUsage
      ? [event([], { prompt_tokens: usage.input, completion_tokens: usage.output, total_tokens: usage.input + usage.output })]
      : []),
    'data: [DONE]\n\n',
  ];
}

/** Arguments come in parts that are no JSON by themselves. */
function argumentParts(call: Call): string[] {
  return JSON.stringify(call.input).match(/.{1,12}/gsu) ?? [];
}
