import { randomBytes } from 'node:crypto';
import { countTokens, writeAnswer } from './language.ts';
import { fieldsOf, isGoodSecret, textOf, type Ask, type Reply, type StandIn } from './provider.ts';

/** Language model provider B: `POST /v1/messages`, `GET /v1/models`, key and version in headers. */
export const anthropic: StandIn = {
  answer(ask) {
    const key = ask.headers['x-api-key'];
    if (typeof key !== 'string' || key === '') return refusal(401, 'authentication_error', 'x-api-key header is required');
    if (!isGoodSecret(key)) return refusal(401, 'authentication_error', 'invalid x-api-key');
    if (ask.headers['anthropic-version'] === undefined)
      return refusal(400, 'invalid_request_error', 'anthropic-version: header is required');
    if (ask.path === '/v1/models' && ask.method === 'GET')
      return { status: 200, body: { data: MODELS.map((id) => ({ type: 'model', id, display_name: id })), has_more: false } };
    if (ask.path === '/v1/messages' && ask.method === 'POST') return message(ask);
    return refusal(404, 'not_found_error', 'Not Found');
  },
};

const MODELS = ['claude-haiku-4-5', 'claude-sonnet-4-5', 'claude-opus-4-5'];

function message(ask: Ask): Reply {
  const fields = fieldsOf(ask.body);
  const model = textOf(fields['model']);
  const messages = Array.isArray(fields['messages']) ? fields['messages'].map(fieldsOf) : [];
  if (model === '') return refusal(400, 'invalid_request_error', 'model: Field required');
  if (!Number.isInteger(Number(fields['max_tokens'])) || Number(fields['max_tokens']) < 1)
    return refusal(400, 'invalid_request_error', 'max_tokens: Field required');
  if (messages.length === 0) return refusal(400, 'invalid_request_error', 'messages: at least one message is required');
  if (!model.startsWith('claude-')) return refusal(404, 'not_found_error', `model: ${model}`);
  const prompt = {
    system: contentText(fields['system']),
    user: messages
      .filter((one) => one['role'] === 'user')
      .map((one) => contentText(one['content']))
      .join('\n'),
  };
  const text = writeAnswer(prompt, false);
  return {
    status: 200,
    body: {
      id: `msg_${randomBytes(12).toString('hex')}`,
      type: 'message',
      role: 'assistant',
      model,
      content: [{ type: 'text', text }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: countTokens(prompt.system + prompt.user), output_tokens: countTokens(text) },
    },
  };
}

function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.map((part) => textOf(fieldsOf(part)['text'])).join('\n') : '';
}

function refusal(status: number, type: string, text: string): Reply {
  return { status, body: { type: 'error', error: { type, message: text }, request_id: `req_${randomBytes(12).toString('hex')}` } };
}
