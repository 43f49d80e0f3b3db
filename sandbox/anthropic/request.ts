import type { Choice, Conversation, Tool, Turn } from '../language/conversation.ts';
import { readSchema } from '../language/schema.ts';
import { fieldsOf, textOf } from '../provider.ts';

export type Request = { model: string; isStream: boolean; tokensMax: number; conversation: Conversation };

type Fields = { readonly [key: string]: unknown };

/** Reads a message request, or says with the provider's own words what is wrong with it. */
export function readRequest(body: unknown, now: Date): Request | { problem: string } {
  const fields = fieldsOf(body);
  const model = textOf(fields['model']);
  const tokensMax = Number(fields['max_tokens']);
  const messages = Array.isArray(fields['messages']) ? fields['messages'].map(fieldsOf) : [];
  const tools = Array.isArray(fields['tools']) ? fields['tools'].map(fieldsOf) : [];
  if (model === '') return { problem: 'model: Field required' };
  if (!Number.isInteger(tokensMax) || tokensMax < 1) return { problem: 'max_tokens: Field required' };
  if (messages.length === 0) return { problem: 'messages: at least one message is required' };
  const problem = toolProblem(fields, tools) ?? messagesProblem(messages);
  if (problem !== null) return { problem };
  const conversation = {
    system: contentText(fields['system']),
    turns: messages.flatMap(readTurns),
    tools: tools.map(readTool),
    choice: readChoice(fields['tool_choice']),
    isJson: false,
    isGullible: false,
    now,
  };
  return { model, isStream: fields['stream'] === true, tokensMax, conversation };
}

function toolProblem(fields: Fields, tools: Fields[]): string | null {
  const names = tools.map((tool) => textOf(tool['name']));
  const wrong = names.findIndex((name) => !/^[\w-]{1,128}$/.test(name));
  if (wrong >= 0) return `tools.${wrong}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`;
  if (new Set(names).size < names.length) return 'tools: Tool names must be unique.';
  const untyped = tools.findIndex((tool) => fieldsOf(tool['input_schema'])['type'] !== 'object');
  if (untyped >= 0) return `tools.${untyped}.custom.input_schema.type: Field required`;
  return fields['tool_choice'] !== undefined && tools.length === 0 ? 'tool_choice may only be specified while providing tools.' : null;
}

/** Roles are user or assistant, the first is user; texts are not empty; each tool use has its result in the next message, and each result its use. */
function messagesProblem(messages: Fields[]): string | null {
  if (messages[0]?.['role'] !== 'user') return 'messages: first message must use the "user" role';
  let open: string[] = [];
  for (const [index, message] of messages.entries()) {
    const role = textOf(message['role']);
    if (role !== 'user' && role !== 'assistant') return `messages.${index}.role: Input should be 'user' or 'assistant'`;
    const blocks = blocksOf(message);
    if (blocks.length === 0)
      return `messages.${index}: all messages must have non-empty content except for the optional final assistant message`;
    if (blocks.some((block) => block['type'] === 'text' && textOf(block['text']) === ''))
      return 'messages: text content blocks must be non-empty';
    const results = blocks.filter((block) => block['type'] === 'tool_result').map((block) => textOf(block['tool_use_id']));
    const alien = results.find((id) => !open.includes(id));
    if (alien !== undefined)
      return `messages.${index}.content.0: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${alien}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`;
    const unanswered = open.filter((id) => !results.includes(id));
    if (unanswered.length > 0) return missingResults(index - 1, unanswered);
    open = blocks.filter((block) => block['type'] === 'tool_use').map((block) => textOf(block['id']));
  }
  return open.length > 0 ? missingResults(messages.length - 1, open) : null;
}

function missingResults(index: number, ids: readonly string[]): string {
  return `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
}

/** A message as turns: results of tools come before the text that follows them. */
function readTurns(message: Fields): Turn[] {
  const blocks = blocksOf(message);
  const text = blocks
    .filter((block) => block['type'] === 'text')
    .map((block) => textOf(block['text']))
    .join('\n');
  if (message['role'] === 'assistant') {
    const uses = blocks.filter((block) => block['type'] === 'tool_use');
    const calls = uses.map((use) => ({ id: textOf(use['id']), name: textOf(use['name']), input: fieldsOf(use['input']) }));
    return [{ role: 'assistant', text, calls }];
  }
  const results = blocks.filter((block) => block['type'] === 'tool_result');
  return [
    ...results.map((result): Turn => ({ role: 'tool', callId: textOf(result['tool_use_id']), text: contentText(result['content']) })),
    ...(text === '' ? [] : [{ role: 'user' as const, text }]),
  ];
}

function blocksOf(message: Fields): Fields[] {
  const { content } = message;
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.map(fieldsOf) : [];
}

function readTool(tool: Fields): Tool {
  return { name: textOf(tool['name']), description: textOf(tool['description']), ...readSchema(tool['input_schema']) };
}

function readChoice(value: unknown): Choice {
  const { type, name } = fieldsOf(value);
  if (type === 'tool') return { kind: 'named', name: textOf(name) };
  return { kind: type === 'any' ? 'required' : type === 'none' ? 'none' : 'auto' };
}

function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.map((part) => textOf(fieldsOf(part)['text'])).join('\n') : '';
}
