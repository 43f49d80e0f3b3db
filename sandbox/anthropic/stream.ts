import type { Call } from '../language/conversation.ts';
import { piecesOf } from '../language/mishap.ts';

export type Message = {
  id: string;
  model: string;
  text: string;
  calls: readonly Call[];
  stopReason: 'end_turn' | 'max_tokens' | 'tool_use' | 'refusal';
  usage: { input: number; output: number };
};

/** The message as one body. */
export function wholeMessage({ id, model, text, calls, stopReason, usage }: Message): object {
  const content = [
    ...(text === '' ? [] : [{ type: 'text', text }]),
    ...calls.map((call) => ({ type: 'tool_use', id: call.id, name: call.name, input: call.input })),
  ];
  return { ...start(id, model), content, stop_reason: stopReason, usage: { input_tokens: usage.input, output_tokens: usage.output } };
}

/** The events of a streamed message: its start, each block with its deltas, the reason of its end with the usage, its stop. */
export function streamPieces(message: Message): string[] {
  const { id, model, text, calls, stopReason, usage } = message;
  const started = { ...start(id, model), content: [], stop_reason: null, usage: { input_tokens: usage.input, output_tokens: 1 } };
  const texts = text === '' ? [] : [blockEvents(0, { type: 'text', text: '' }, piecesOf(text).map(textDelta))];
  const uses = calls.map((call, index) => {
    const block = { type: 'tool_use', id: call.id, name: call.name, input: {} };
    return blockEvents(texts.length + index, block, ['', ...jsonParts(call.input)].map(inputDelta));
  });
  const [first = [], ...others] = [...texts, ...uses];
  const [opening = [], ...rest] = first.length > 0 ? [first.slice(0, 1), first.slice(1), ...others] : [];
  return [
    event('message_start', { message: started }),
    ...opening,
    event('ping', {}),
    ...rest.flat(),
    event('message_delta', { delta: { stop_reason: stopReason, stop_sequence: null }, usage: { output_tokens: usage.output } }),
    event('message_stop', {}),
  ];
}

function start(id: string, model: string): object {
  return { id, type: 'message', role: 'assistant', model, stop_sequence: null };
}

function blockEvents(index: number, block: object, deltas: readonly object[]): string[] {
  return [
    event('content_block_start', { index, content_block: block }),
    ...deltas.map((delta) => event('content_block_delta', { index, delta })),
    event('content_block_stop', { index }),
  ];
}

function event(type: string, fields: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}

function textDelta(text: string): object {
  return { type: 'text_delta', text };
}

function inputDelta(part: string): object {
  return { type: 'input_json_delta', partial_json: part };
}

/** An input comes in parts that are no JSON by themselves. */
function jsonParts(input: Call['input']): string[] {
  return JSON.stringify(input).match(/.{1,12}/gsu) ?? [];
}
