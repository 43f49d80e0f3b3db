import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { AI_PROVIDERS, type AiProvider } from '@partner-portal/contract/vocabulary.ts';
import { answerError, answerText, type ModelServer, startModelServer } from '@partner-portal/tests/harness/model-server.ts';
import { createSafeFetch, type SafeFetch } from '#platform/outbound/safe-fetch.ts';
import { Secret } from '#platform/secret.ts';
import { createLanguageModels, ModelError, newProgress } from './index.ts';
import type { ModelCall, ModelProgress } from './model-call.ts';

let server: ModelServer;
let outbound: SafeFetch;

before(async () => {
  server = await startModelServer();
  outbound = createSafeFetch({ allowedHosts: [server.host] });
});
afterEach(() => server.behave((call, response) => answerText(call, response, ['Hello ', 'there.'])));
after(async () => {
  await outbound.close();
  await server.close();
});

type Given = Partial<ModelCall> & { progress?: ModelProgress; timeoutMs?: number; url?: string };

function call(provider: AiProvider, { progress = newProgress(), timeoutMs = 60_000, url = server.url, ...given }: Given = {}) {
  const models = createLanguageModels({ fetch: outbound, baseUrls: { openai: url, anthropic: url }, timeoutMs });
  const model = provider === 'openai' ? 'gpt-5' : 'claude-haiku-4-5';
  return models(
    { provider, apiKey: new Secret('sk-secret'), model, messages: [{ role: 'user', content: 'Hi' }], maxTokens: 100, ...given },
    progress,
  );
}

async function problemOf(provider: AiProvider, given: Given = {}): Promise<[string, number | undefined]> {
  const error = await call(provider, given).then(
    () => assert.fail('It answered.'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof ModelError, String(error));
  return [error.problem, error.retryAfterSeconds];
}

for (const provider of AI_PROVIDERS) {
  describe(`a call of ${provider}`, () => {
    it('streams its text, counts its tokens and sends the key', async () => {
      const parts: string[] = [];
      const progress = newProgress();
      const reply = await call(provider, { progress, onText: (text) => parts.push(text), system: 'Be kind.' });
      assert.deepEqual(reply, { text: 'Hello there.', toolCalls: [], finishReason: 'stop' });
      assert.deepEqual([parts, progress.inputTokens, progress.outputTokens], [['Hello ', 'there.'], 10, 5]);
      const sent = server.calls.at(-1);
      assert.equal(sent?.headers.authorization, 'Bearer sk-secret');
      assert.equal(sent?.path, provider === 'openai' ? '/v1/chat/completions' : '/v1/messages');
      assert.match(JSON.stringify(sent?.body), /Be kind\./);
    });

    it('passes tools, their calls and their results in both directions', async () => {
      server.behave((one, response) =>
        answerText(one, response, ['Let me see.'], { tool: { id: 'call-2', name: 'book', pieces: ['{"day":', '"Monday"}'] } }),
      );
      const parameters = { type: 'object', properties: { day: { type: 'string' } } };
      const reply = await call(provider, {
        tools: [{ name: 'book', description: 'Books.', parameters }],
        messages: [
          { role: 'user', content: 'Book Sunday' },
          { role: 'assistant', content: '', toolCalls: [{ id: 'call-1', name: 'book', input: { day: 'Sunday' } }] },
          { role: 'tool', toolCallId: 'call-1', content: 'closed' },
        ],
      });
      assert.deepEqual(reply, {
        text: 'Let me see.',
        toolCalls: [{ id: 'call-2', name: 'book', input: { day: 'Monday' } }],
        finishReason: 'tool',
      });
      const { messages, tools } = server.calls.at(-1)?.body ?? {};
      if (provider === 'openai') {
        assert.deepEqual(messages, [
          { role: 'user', content: 'Book Sunday' },
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: 'call-1', type: 'function', function: { name: 'book', arguments: '{"day":"Sunday"}' } }],
          },
          { role: 'tool', tool_call_id: 'call-1', content: 'closed' },
        ]);
        assert.deepEqual(tools, [{ type: 'function', function: { name: 'book', description: 'Books.', parameters } }]);
      } else {
        assert.deepEqual(messages, [
          { role: 'user', content: [{ type: 'text', text: 'Book Sunday' }] },
          { role: 'assistant', content: [{ type: 'tool_use', id: 'call-1', name: 'book', input: { day: 'Sunday' } }] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call-1', content: 'closed' }] },
        ]);
        assert.deepEqual(tools, [{ name: 'book', description: 'Books.', input_schema: parameters }]);
      }
    });

    it('says how it ended: cut at the limit of tokens, or refused by the model', async () => {
      server.behave((one, response) => answerText(one, response, ['Long'], { finish: 'length' }));
      assert.equal((await call(provider)).finishReason, 'length');
      server.behave((one, response) => answerText(one, response, ['No.'], { finish: 'refused' }));
      const refused = await call(provider);
      assert.deepEqual([refused.finishReason, refused.text], ['refused', 'No.']);
    });

    it('names each refusal of the provider, and repeats none of its words', async () => {
      const cases: [number, string, string, string][] = [
        [401, 'invalid_api_key', 'bad key sk-secret', 'key_refused'],
        [403, 'permission_error', 'no', 'key_refused'],
        [403, 'model_not_found', 'Project `proj_abc` does not have access to model `gpt-5`', 'unknown_model'],
        [404, provider === 'openai' ? 'model_not_found' : 'not_found_error', 'model: gpt', 'unknown_model'],
        [429, 'rate_limit_exceeded', 'slow down', 'rate_limited'],
        [
          429,
          'rate_limit_exceeded',
          'Rate limit reached for gpt-5. Please try again in 20s. You can increase your rate limit by adding a payment method to your account at https://platform.openai.com/account/billing.',
          'rate_limited',
        ],
        [429, 'insufficient_quota', 'check your plan and billing details', 'no_credit'],
        [400, 'context_length_exceeded', 'This model has a maximum context length', 'too_long'],
        [400, 'invalid_request_error', 'prompt is too long: 300000 tokens', 'too_long'],
        [400, 'invalid_request_error', 'temperature', 'request_refused'],
        [500, 'api_error', 'oops', 'overloaded'],
        [503, 'api_error', 'oops', 'overloaded'],
        [529, 'overloaded_error', 'Overloaded', 'overloaded'],
      ];
      for (const [status, code, message, expected] of cases) {
        server.behave((one, response) => answerError(one, response, status, { code, message }, { 'retry-after': '7' }));
        const calls = server.calls.length;
        assert.deepEqual(await problemOf(provider), [expected, 7], `${status} ${code}`);
        assert.equal(server.calls.length, calls + 1, 'a call is not repeated');
      }
    });

    it('has a reason also when the refusal is of no usual form', async () => {
      const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
      const odd = '{"toString":1,"valueOf":1}';
      for (const body of [
        `{"error":{"message":"no","x":${deep}}}`,
        `{"error":{"message":"no","code":${odd},"type":${odd}}}`,
        `{"error":${odd}}`,
        'null',
        '[]',
      ]) {
        server.behave((_one, response) => void response.writeHead(400, { 'content-type': 'application/json' }).end(body));
        assert.match((await problemOf(provider))[0], /^(?:request_refused|cut_off)$/, body.slice(0, 60));
      }
    });

    it('does not follow a redirect, nor reach a private address', async () => {
      server.behave((_one, response) => void response.writeHead(307, { location: `${server.url}/elsewhere` }).end());
      const calls = server.calls.length;
      assert.deepEqual((await problemOf(provider))[0], 'unreachable');
      assert.equal(server.calls.length, calls + 1);
      const progress = newProgress();
      assert.equal((await problemOf(provider, { url: 'http://169.254.169.254', progress }))[0], 'unreachable');
      assert.equal(progress.isSent, false);
    });

    it('that is cut in the middle fails with what had arrived', async () => {
      server.behave((one, response) => answerText(one, response, ['Half ', 'of it'], { isCut: true }));
      const progress = newProgress();
      assert.equal((await problemOf(provider, { progress }))[0], 'cut_off');
      assert.deepEqual([progress.text, progress.isBegun, progress.outputTokens], ['Half of it', true, null]);
    });

    it('whose stream ends without its last event, or holds broken JSON, is cut off', async () => {
      for (const text of [
        '',
        'data: {"choices": [\n\n',
        'event: message_start\ndata: {"type"\n\n',
        'event: error\ndata: {"type":"error"}\n\n',
      ]) {
        server.behave((_one, response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(text));
        assert.equal((await problemOf(provider))[0], 'cut_off', text);
      }
    });

    it('whose answer never ends is ended at our deadline, and at our limit of bytes', async () => {
      server.behave((_one, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const drip = setInterval(() => response.write(': still here\n\n'), 10);
        response.on('close', () => clearInterval(drip));
      });
      assert.equal((await problemOf(provider, { timeoutMs: 500 }))[0], 'timeout');
      server.behave((_one, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const pour = (): void => void (response.writable && response.write(`: ${'x'.repeat(16_000)}\n\n`, () => setImmediate(pour)));
        pour();
      });
      assert.equal((await problemOf(provider))[0], 'cut_off');
    });

    it('is hung up on when its caller hangs up', async () => {
      const stop = new AbortController();
      const closed = Promise.withResolvers<void>();
      server.behave((one, response) => {
        response.on('close', () => closed.resolve());
        return answerText(one, response, ['First', 'second'], { afterFirst: closed.promise });
      });
      const progress = newProgress();
      assert.equal((await problemOf(provider, { signal: stop.signal, progress, onText: () => stop.abort() }))[0], 'stopped');
      await closed.promise;
      assert.equal(progress.text, 'First');
    });
  });
}

describe('a model of OpenAI that thinks before it answers', () => {
  it('is asked to keep its tokens for the answer; one that does not, or has other words for it, is asked for nothing', async () => {
    for (const [model, effort] of [
      ['gpt-5', 'minimal'],
      ['gpt-5-mini', 'minimal'],
      ['gpt-5-nano-2025-08-07', 'minimal'],
      ['gpt-5.1', undefined],
      ['gpt-5-pro', undefined],
      ['gpt-4.1-mini', undefined],
    ] as const) {
      await call('openai', { model });
      assert.equal(server.calls.at(-1)?.body['reasoning_effort'], effort, model);
    }
  });
});
