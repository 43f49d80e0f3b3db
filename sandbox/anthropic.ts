import { randomBytes } from 'node:crypto';
import { readRequest } from './anthropic/request.ts';
import { streamPieces, wholeMessage, type Message } from './anthropic/stream.ts';
import { countInput, cutTo } from './language/conversation.ts';
import { type Mishap, mishapOf, pace } from './language/mishap.ts';
import { respond } from './language/respond.ts';
import { bearerOf, isGoodSecret, textOf, type Ask, type Reply, type StandIn } from './provider.ts';

/** Language model provider B: `POST /v1/messages`, also with `stream`, `GET /v1/models`, key and version in headers. */
export const anthropic: StandIn = {
  answer(ask) {
    // Client libraries send the key in the one header or the other.
    const key = textOf(ask.headers['x-api-key']) || (bearerOf(ask.headers) ?? '');
    if (key === '') return refusal(401, 'authentication_error', 'x-api-key header is required');
    if (!isGoodSecret(key) || mishapOf('', key) === 'refused') return refusal(401, 'authentication_error', 'invalid x-api-key');
    if (ask.headers['anthropic-version'] === undefined)
      return refusal(400, 'invalid_request_error', 'anthropic-version: header is required');
    if (ask.path === '/v1/models' && ask.method === 'GET')
      return {
        status: 200,
        body: {
          data: MODELS.map((id) => ({ type: 'model', id, display_name: id, created_at: '2025-10-01T00:00:00Z' })),
          has_more: false,
          first_id: MODELS[0],
          last_id: MODELS.at(-1),
        },
      };
    if (ask.path === '/v1/messages' && ask.method === 'POST') return message(ask, key);
    return refusal(404, 'not_found_error', 'Not Found');
  },
};

const MODELS = ['claude-haiku-4-5', 'claude-sonnet-4-5', 'claude-opus-4-5'];

function message(ask: Ask, key: string): Reply {
  const read = readRequest(ask.body, ask.now);
  if ('problem' in read) return refusal(400, 'invalid_request_error', read.problem);
  const { model, isStream, tokensMax, conversation } = read;
  if (!model.startsWith('claude-')) return refusal(404, 'not_found_error', `model: ${model}`);
  const mishap = mishapOf(model, key);
  const refused = refuseFor(mishap, isStream);
  if (refused !== null) return refused;
  const isDeclined = mishap === 'declining';
  const whole = isDeclined ? { text: '', calls: [] } : respond({ ...conversation, isGullible: mishap === 'gullible' });
  const { answer, outputTokens, isCut } = cutTo(whole, tokensMax);
  const sent: Message = {
    id: `msg_${randomBytes(12).toString('hex')}`,
    model,
    text: answer.text,
    calls: answer.calls.map((call) => ({ ...call, id: `toolu_${randomBytes(12).toString('hex')}` })),
    stopReason: isDeclined ? 'refusal' : isCut ? 'max_tokens' : answer.calls.length > 0 ? 'tool_use' : 'end_turn',
    usage: { input: countInput(conversation), output: outputTokens },
  };
  if (!isStream && mishap === null) return { status: 200, body: wholeMessage(sent) };
  const failure = `event: error\ndata: ${JSON.stringify(errorBody('overloaded_error', 'Overloaded'))}\n\n`;
  return {
    status: 200,
    contentType: isStream ? 'text/event-stream; charset=utf-8' : 'application/json',
    pieces: pace(isStream ? streamPieces(sent) : [' ', JSON.stringify(wholeMessage(sent))], mishap, failure, ask.signal),
  };
}

/** Returns the provider's error instead of a message; null when it completes. */
function refuseFor(mishap: Mishap | null, isStream: boolean): Reply | null {
  if (mishap === 'refused') return refusal(401, 'authentication_error', 'invalid x-api-key');
  if (mishap === 'no-funds') return refusal(400, 'invalid_request_error', 'Your credit balance is too low to access the Anthropic API.');
  if (mishap === 'limited') {
    const text = 'This request would exceed the rate limit of your organization.';
    return { ...refusal(429, 'rate_limit_error', text), headers: { 'retry-after': '7' } };
  }
  if (mishap === 'overloaded') return refusal(529, 'overloaded_error', 'Overloaded');
  return mishap === 'failing' && !isStream ? refusal(500, 'api_error', 'Internal server error') : null;
}

function refusal(status: number, type: string, text: string): Reply {
  return { status, body: errorBody(type, text) };
}

function errorBody(type: string, text: string): object {
  return { type: 'error', error: { type, message: text }, request_id: `req_${randomBytes(12).toString('hex')}` };
}
