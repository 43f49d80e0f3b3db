import { randomBytes } from 'node:crypto';
import { countTokens, writeAnswer } from './language.ts';
import { bearerOf, fieldsOf, isGoodSecret, textOf, type Ask, type Reply, type StandIn } from './provider.ts';

/** Language model provider A: `POST /v1/chat/completions`, `GET /v1/models`, bearer key. */
export const openai: StandIn = {
  answer(ask) {
    const key = bearerOf(ask.headers);
    if (key === undefined) {
      return refusal(
        401,
        'invalid_request_error',
        null,
        "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth.",
      );
    }
    if (!isGoodSecret(key))
      return refusal(401, 'invalid_request_error', 'invalid_api_key', `Incorrect API key provided: ${key.slice(0, 3)}***.`);
    if (ask.path === '/v1/models' && ask.method === 'GET')
      return { status: 200, body: { object: 'list', data: MODELS.map((id) => ({ id, object: 'model', created: 0, owned_by: 'openai' })) } };
    if (ask.path === '/v1/chat/completions' && ask.method === 'POST') return complete(ask);
    return refusal(404, 'invalid_request_error', null, `Invalid URL (${ask.method} ${ask.path})`);
  },
};

const MODELS = ['gpt-4.1-mini', 'gpt-4.1', 'gpt-5-mini', 'gpt-5'];

function complete(ask: Ask): Reply {
  const fields = fieldsOf(ask.body);
  const model = textOf(fields['model']);
  const messages = Array.isArray(fields['messages']) ? fields['messages'].map(fieldsOf) : [];
  if (model === '') return refusal(400, 'invalid_request_error', null, 'you must provide a model parameter');
  if (messages.length === 0)
    return refusal(400, 'invalid_request_error', 'missing_required_parameter', "Missing required parameter: 'messages'.", 'messages');
  if (!/^(gpt-|o\d|chatgpt-)/.test(model)) {
    return refusal(
      404,
      'invalid_request_error',
      'model_not_found',
      `The model \`${model}\` does not exist or you do not have access to it.`,
    );
  }
  const textFrom = (roles: string[]) =>
    messages
      .filter((message) => roles.includes(textOf(message['role'])))
      .map((message) => textOf(message['content']))
      .join('\n');
  const prompt = { system: textFrom(['system', 'developer']), user: textFrom(['user']) };
  const json = fieldsOf(fields['response_format'])['type'] === 'json_object';
  if (json && !/json/i.test(prompt.system + prompt.user)) {
    return refusal(
      400,
      'invalid_request_error',
      null,
      "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
      'messages',
    );
  }
  const content = writeAnswer(prompt, json);
  const [input, output] = [countTokens(prompt.system + prompt.user), countTokens(content)];
  return {
    status: 200,
    body: {
      id: `chatcmpl-${randomBytes(12).toString('hex')}`,
      object: 'chat.completion',
      created: Math.floor(ask.now.getTime() / 1000),
      model,
      choices: [{ index: 0, message: { role: 'assistant', content, refusal: null }, logprobs: null, finish_reason: 'stop' }],
      usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
    },
  };
}

function refusal(status: number, type: string, code: string | null, message: string, param: string | null = null): Reply {
  return { status, body: { error: { message, type, param, code } } };
}
