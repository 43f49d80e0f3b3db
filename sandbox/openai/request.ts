import type { Choice, Conversation, Tool, Turn } from '../language/conversation.ts';
import { readSchema } from '../language/schema.ts';
import { fieldsOf, textOf } from '../provider.ts';

export type Request = { model: string; isStream: boolean; withUsage: boolean; tokensMax: number; conversation: Conversation };
export type Problem = { problem: string; code?: string; param?: string };

type Fields = { readonly [key: string]: unknown };

/** Reads a chat completion request, or says with the provider's own words what is wrong with it. */
export function readRequest(body: unknown, now: Date): Request | Problem {
  const fields = fieldsOf(body);
  const model = textOf(fields['model']);
  const messages = Array.isArray(fields['messages']) ? fields['messages'].map(fieldsOf) : [];
  const tools = Array.isArray(fields['tools']) ? fields['tools'].map(fieldsOf) : [];
  const problem = findProblem(fields, model, messages, tools);
  if (problem !== null) return problem;
  const isStream = fields['stream'] === true;
  const tokensMax = Number(fields['max_completion_tokens'] ?? fields['max_tokens'] ?? Number.POSITIVE_INFINITY);
  const system = messages.filter((one) => ['system', 'developer'].includes(textOf(one['role']))).map((one) => contentText(one['content']));
  const isJson = fieldsOf(fields['response_format'])['type'] === 'json_object';
  const turns = messages.flatMap(readTurn);
  if (isJson && !/json/i.test([...system, ...turns.map((turn) => turn.text)].join(''))) {
    return {
      problem: "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
      param: 'messages',
    };
  }
  return {
    model,
    isStream,
    withUsage: fieldsOf(fields['stream_options'])['include_usage'] === true,
    tokensMax,
    conversation: {
      system: system.join('\n'),
      turns,
      tools: tools.map(readTool),
      choice: readChoice(fields['tool_choice']),
      isJson,
      isGullible: false,
      now,
    },
  };
}

function findProblem(fields: Fields, model: string, messages: Fields[], tools: Fields[]): Problem | null {
  if (model === '') return { problem: 'you must provide a model parameter' };
  if (messages.length === 0)
    return { problem: "Missing required parameter: 'messages'.", code: 'missing_required_parameter', param: 'messages' };
  if (fields['stream_options'] !== undefined && fields['stream_options'] !== null && fields['stream'] !== true)
    return { problem: "The 'stream_options' parameter is only allowed when 'stream' is enabled.", param: 'stream_options' };
  if (/^(?:o\d|gpt-5)/.test(model) && fields['max_tokens'] !== undefined && fields['max_tokens'] !== null) {
    return {
      problem: "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      code: 'unsupported_parameter',
      param: 'max_tokens',
    };
  }
  if (Array.isArray(fields['tools']) && tools.length === 0)
    return { problem: "Invalid 'tools': empty array. Expected an array with minimum length 1.", code: 'empty_array', param: 'tools' };
  if (fields['tool_choice'] !== undefined && tools.length === 0)
    return { problem: "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.", param: 'tool_choice' };
  return toolProblem(tools) ?? messagesProblem(messages);
}

function toolProblem(tools: Fields[]): Problem | null {
  for (const [index, tool] of tools.entries()) {
    const name = textOf(fieldsOf(tool['function'])['name']);
    const param = `tools[${index}].function.name`;
    if (!/^[\w-]{1,64}$/.test(name))
      return { problem: `Invalid '${param}': string does not match pattern. Expected '^[a-zA-Z0-9_-]+$'.`, code: 'invalid_value', param };
  }
  return null;
}

/** Every tool call has its result in the messages right after it, and every result its call. */
function messagesProblem(messages: Fields[]): Problem | null {
  let open = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const param = `messages.[${index}].role`;
    const role = textOf(message['role']);
    if (!['system', 'developer', 'user', 'assistant', 'tool'].includes(role))
      return { problem: `Invalid value: '${role}'.`, code: 'invalid_value', param: `messages[${index}].role` };
    if (role === 'tool') {
      if (!open.delete(textOf(message['tool_call_id'])))
        return {
          problem: "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
          param,
        };
      continue;
    }
    if (open.size > 0) return unanswered(open, param);
    open = new Set(callsOf(message).map((call) => textOf(call['id'])));
  }
  return open.size > 0 ? unanswered(open, `messages.[${messages.length}].role`) : null;
}

function unanswered(open: ReadonlySet<string>, param: string): Problem {
  return {
    problem: `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${[...open].join(', ')}`,
    param,
  };
}

function readTurn(message: Fields): Turn[] {
  const text = contentText(message['content']);
  switch (textOf(message['role'])) {
    case 'user':
      return [{ role: 'user', text }];
    case 'tool':
      return [{ role: 'tool', callId: textOf(message['tool_call_id']), text }];
    case 'assistant': {
      const calls = callsOf(message).map((call) => {
        const { name, arguments: input } = fieldsOf(call['function']);
        return { id: textOf(call['id']), name: textOf(name), input: parsed(textOf(input)) };
      });
      return [{ role: 'assistant', text, calls }];
    }
    default:
      return [];
  }
}

function callsOf(message: Fields): Fields[] {
  return Array.isArray(message['tool_calls']) ? message['tool_calls'].map(fieldsOf) : [];
}

function readTool(tool: Fields): Tool {
  const { name, description, parameters } = fieldsOf(tool['function']);
  return { name: textOf(name), description: textOf(description), ...readSchema(parameters) };
}

function readChoice(value: unknown): Choice {
  const name = textOf(fieldsOf(fieldsOf(value)['function'])['name']);
  if (name !== '') return { kind: 'named', name };
  return { kind: value === 'none' || value === 'required' ? value : 'auto' };
}

function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.map((part) => textOf(fieldsOf(part)['text'])).join('\n') : '';
}

function parsed(text: string): Fields {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return {};
  }
}
