import { randomBytes } from 'node:crypto';
import { countInput, cutTo } from './language/conversation.ts';
import { type Mishap, mishapOf, pace, withoutMishap } from './language/mishap.ts';
import { respond } from './language/respond.ts';
import { readRequest } from './openai/request.ts';
import { streamPieces, type Completion } from './openai/stream.ts';
import { bearerOf, isGoodSecret, type Ask, type Reply, type StandIn } from './provider.ts';

/** Language model provider A: `POST /v1/chat/completions`, also with `stream`, `GET /v1/models`, bearer key. */
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
    if (!isGoodSecret(key) || mishapOf('', key) === 'refused') return badKey(key);
    if (ask.path === '/v1/models' && ask.method === 'GET')
      return { status: 200, body: { object: 'list', data: MODELS.map((id) => ({ id, object: 'model', created: 0, owned_by: 'openai' })) } };
    if (ask.path === '/v1/chat/completions' && ask.method === 'POST') return complete(ask, key);
    return refusal(404, 'invalid_request_error', null, `Invalid URL (${ask.method} ${ask.path})`);
  },
};

const MODELS = ['gpt-4.1-mini', 'gpt-4.1', 'gpt-5-mini', 'gpt-5'];
const DECLINED = "I'm sorry, but I can't help with that.";
const FAILURE = 'The server had an error while processing your request. Sorry about that!';

function complete(ask: Ask, key: string): Reply {
  const read = readRequest(ask.body, ask.now);
  if ('problem' in read) return refusal(400, 'invalid_request_error', read.code ?? null, read.problem, read.param ?? null);
  const { model, isStream, withUsage, tokensMax, conversation } = read;
  const mishap = mishapOf(model, key);
  if (!/^(gpt-|o\d|chatgpt-)/.test(model)) {
    return refusal(
      404,
      'invalid_request_error',
      'model_not_found',
      `The model \`${withoutMishap(model)}\` does not exist or you do not have access to it.`,
    );
  }
  const refused = refuseFor(mishap, { key, model, isStream });
  if (refused !== null) return refused;
  const isDeclined = mishap === 'declining';
  const whole = isDeclined ? { text: '', calls: [] } : respond({ ...conversation, isGullible: mishap === 'gullible' });
  const { answer, outputTokens, isCut } = cutTo(whole, tokensMax);
  const completion: Completion = {
    id: `chatcmpl-${randomBytes(12).toString('hex')}`,
    created: Math.floor(ask.now.getTime() / 1000),
    model,
    text: answer.text,
    calls: answer.calls.map((call) => ({ ...call, id: `call_${randomBytes(12).toString('hex')}` })),
    refusal: isDeclined ? DECLINED : null,
    // A call that was demanded by name ends as a text does.
    finishReason: isCut ? 'length' : answer.calls.length > 0 && conversation.choice.kind !== 'named' ? 'tool_calls' : 'stop',
    usage: { input: countInput(conversation), output: outputTokens },
  };
  const failure = `data: ${JSON.stringify({ error: { message: FAILURE, type: 'server_error', param: null, code: null } })}\n\n`;
  const pieces = isStream ? streamPieces(completion, withUsage) : [' ', JSON.stringify(wholeBody(completion))];
  if (!isStream && mishap === null) return { status: 200, body: wholeBody(completion) };
  return {
    status: 200,
    contentType: isStream ? 'text/event-stream; charset=utf-8' : 'application/json',
    pieces: pace(pieces, mishap, failure, ask.signal),
  };
}

/** Returns the provider's error instead of a completion; null when it completes. */
function refuseFor(mishap: Mishap | null, { key, model, isStream }: { key: string; model: string; isStream: boolean }): Reply | null {
  if (mishap === 'refused') return badKey(key);
  if (mishap === 'no-funds') {
    const text = 'You exceeded your current quota, please check your plan and billing details.';
    return refusal(429, 'insufficient_quota', 'insufficient_quota', text);
  }
  if (mishap === 'limited')
    return { ...refusal(429, 'requests', 'rate_limit_exceeded', `Rate limit reached for ${model}.`), headers: { 'retry-after': '7' } };
  if (mishap === 'overloaded') return refusal(503, 'server_error', null, 'The engine is currently overloaded, please try again later');
  return mishap === 'failing' && !isStream ? refusal(500, 'server_error', null, FAILURE) : null;
}

function badKey(key: string): Reply {
  return refusal(401, 'invalid_request_error', 'invalid_api_key', `Incorrect API key provided: ${key.slice(0, 3)}***.`);
}

function wholeBody({ id, created, model, text, calls, refusal: declined, finishReason, usage }: Completion): object {
  const toolCalls = calls.map((call) => ({
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify(call.input) },
  }));
  const message = {
    role: 'assistant',
    content: calls.length > 0 || declined !== null ? null : text,
    refusal: declined,
    ...(calls.length > 0 ? { tool_calls: toolCalls } : {}),
  };
  return {
    id,
    object: 'chat.completion',
    created,
    model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason }],
    usage: { prompt_tokens: usage.input, completion_tokens: usage.output, total_tokens: usage.input + usage.output },
  };
}

function refusal(status: number, type: string, code: string | null, message: string, param: string | null = null): Reply {
  return { status, body: { error: { message, type, param, code } } };
}
