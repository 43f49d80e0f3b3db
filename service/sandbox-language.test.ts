import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import { createTestDatabase, type TestDatabase } from '@partner-portal/tests/harness/database.ts';
import OpenAI from 'openai';
import { type RunningSandbox, startProviderSandbox } from './start-sandbox.ts';

/** The providers' own client libraries decide whether the sandbox speaks their formats. */

let database: TestDatabase;
let dataDir: string;
let sandbox: RunningSandbox;

before(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'portal-sandbox-'));
  sandbox = await startProviderSandbox(dataDir, database.configFor('portal_sandbox'));
});
after(async () => {
  await sandbox.close();
  await rm(dataDir, { recursive: true });
  await database.drop();
});

const openai = (apiKey = 'sk-sandbox') => new OpenAI({ apiKey, baseURL: `${sandbox.url}/openai/v1`, maxRetries: 0 });
const anthropic = (apiKey = 'sk-ant-sandbox') => new Anthropic({ apiKey, baseURL: `${sandbox.url}/anthropic`, maxRetries: 0 });

const SYSTEM =
  'You are the chatbot of Oak Street Dental.\n\n[1] Opening hours\nWe are open Monday to Friday from 8:00 to 17:00.\n[2] Prices\nA cleaning costs $120.';
const ANSWER = 'We are open Monday to Friday from 8:00 to 17:00. [1]';
const QUESTION = 'What are your opening hours?';
const WISH = 'Please send me a text with the booking link, my number is (312) 555-0148.';
const PARAMETERS = {
  type: 'object' as const,
  properties: { phone: { type: 'string', description: 'Phone number of the visitor' } },
  required: ['phone'],
};
const [NAME, DESCRIPTION] = ['send_text', 'Sends the visitor a text message with the booking link'];
const INPUT = { phone: '+13125550148' };
const RESULT = JSON.stringify({ status: 'succeeded', summary: 'A text with the booking link was sent to +13125550148' });
const SAID = 'Done: A text with the booking link was sent to +13125550148.';

describe('the client library of provider A', () => {
  const tools: OpenAI.ChatCompletionTool[] = [
    { type: 'function', function: { name: NAME, description: DESCRIPTION, parameters: PARAMETERS } },
  ];
  const asked = (text: string, model = 'gpt-4.1-mini') => ({
    model,
    messages: [
      { role: 'system' as const, content: SYSTEM },
      { role: 'user' as const, content: text },
    ],
  });

  it('reads a streamed text, its end and, when it asked for it, the usage', async () => {
    const stream = openai().chat.completions.stream({ ...asked(QUESTION), stream_options: { include_usage: true } });
    const parts: string[] = [];
    stream.on('content', (part) => parts.push(part));
    const completion = await stream.finalChatCompletion();
    assert.equal(parts.join(''), ANSWER);
    assert.ok(parts.length > 5);
    const whole = await openai().chat.completions.create(asked(QUESTION));
    assert.deepEqual(
      [completion.choices[0]?.message.content, completion.choices[0]?.finish_reason, completion.usage],
      [whole.choices[0]?.message.content, 'stop', whole.usage],
    );
    let withUsage = 0;
    for await (const chunk of await openai().chat.completions.create({ ...asked(QUESTION), stream: true }))
      withUsage += chunk.usage ? 1 : 0;
    assert.equal(withUsage, 0);
  });

  it('reads a streamed tool call in parts, and an answer from the result', async () => {
    const stream = openai().chat.completions.stream({ ...asked(WISH), tools });
    const parts: string[] = [];
    stream.on('tool_calls.function.arguments.delta', (event) => parts.push(event.arguments_delta));
    const { choices } = await stream.finalChatCompletion();
    const [call] = choices[0]?.message.tool_calls ?? [];
    assert.ok(call?.type === 'function' && parts.length > 1);
    assert.deepEqual([choices[0]?.finish_reason, call.function.name, JSON.parse(call.function.arguments)], ['tool_calls', NAME, INPUT]);

    const unary = await openai().chat.completions.create({ ...asked(WISH), tools });
    const [same] = unary.choices[0]?.message.tool_calls ?? [];
    assert.ok(same?.type === 'function');
    assert.deepEqual(same.function, call.function);

    const chosen = { role: 'assistant' as const, tool_calls: [call] };
    const messages = [...asked(WISH).messages, chosen, { role: 'tool' as const, tool_call_id: call.id, content: RESULT }];
    const last = await openai().chat.completions.stream({ model: 'gpt-4.1-mini', messages, tools }).finalChatCompletion();
    assert.deepEqual([last.choices[0]?.message.content, last.choices[0]?.finish_reason], [SAID, 'stop']);

    const unanswered = openai().chat.completions.create({ model: 'gpt-4.1-mini', messages: messages.slice(0, -1), tools });
    await assert.rejects(unanswered, /must be followed by tool messages/);
    const orphan = openai().chat.completions.create({
      model: 'gpt-4.1-mini',
      messages: messages.filter((message) => message.role !== 'assistant'),
      tools,
    });
    await assert.rejects(orphan, /must be a response to a preceeding message/);
  });

  it('obeys the choice of tools', async () => {
    const choose = async (tool_choice: OpenAI.ChatCompletionToolChoiceOption) =>
      (await openai().chat.completions.create({ ...asked(WISH), tools, tool_choice })).choices[0];
    assert.equal((await choose('none'))?.message.tool_calls, undefined);
    assert.equal((await choose('required'))?.finish_reason, 'tool_calls');
    const named = await choose({ type: 'function', function: { name: NAME } });
    assert.deepEqual([named?.finish_reason, named?.message.tool_calls?.length], ['stop', 1]);
    await assert.rejects(openai().chat.completions.create({ ...asked(WISH), tool_choice: 'auto' }), OpenAI.BadRequestError);
  });

  it('learns that a text was cut at the limit', async () => {
    const { choices, usage } = await openai().chat.completions.create({ ...asked(QUESTION), max_completion_tokens: 3 });
    assert.deepEqual([choices[0]?.message.content, choices[0]?.finish_reason, usage?.completion_tokens], ['We are open ', 'length', 3]);
    const newer = openai().chat.completions.create({ ...asked(QUESTION, 'gpt-5-mini'), max_tokens: 3 });
    await assert.rejects(newer, /max_completion_tokens/);
  });

  it('meets on demand what can go wrong', async () => {
    const create = (model: string, key?: string) => openai(key).chat.completions.create(asked(QUESTION, model));
    await assert.rejects(create('gpt-4.1-mini', 'sk-other'), OpenAI.AuthenticationError);
    await assert.rejects(create('gpt-4.1-mini', 'sk-sandbox-refused'), OpenAI.AuthenticationError);
    await assert.rejects(create('gpt-4.1-mini-overloaded'), (error) => error instanceof OpenAI.InternalServerError && error.status === 503);
    await assert.rejects(
      create('gpt-4.1-mini-no-funds'),
      (error) => error instanceof OpenAI.RateLimitError && error.code === 'insufficient_quota',
    );
    await assert.rejects(create('gpt-4.1-mini', 'sk-sandbox-limited'), (error) => {
      return error instanceof OpenAI.RateLimitError && error.headers.get('retry-after') === '7';
    });
    await assert.rejects(create('gpt-4.1-mini-cut'));
    for (const mishap of ['cut', 'failing']) {
      const seen: string[] = [];
      await assert.rejects(async () => {
        const stream = await openai().chat.completions.create({ ...asked(QUESTION, `gpt-4.1-mini-${mishap}`), stream: true });
        for await (const chunk of stream) seen.push(chunk.choices[0]?.delta.content ?? '');
      });
      assert.ok(seen.length > 1 && ANSWER.startsWith(seen.join('')), mishap);
    }
    const declined = await openai().chat.completions.stream(asked(QUESTION, 'gpt-4.1-mini-declining')).finalChatCompletion();
    assert.ok((declined.choices[0]?.message.refusal ?? '').length > 0);
  });

  it('receives the first piece at once when the rest is slow or never comes, and may leave', async () => {
    const slow = await openai().chat.completions.stream(asked(QUESTION, 'gpt-4.1-mini-slow')).finalChatCompletion();
    assert.equal(slow.choices[0]?.message.content, ANSWER);
    const stalled = await openai().chat.completions.create({ ...asked(QUESTION, 'gpt-4.1-mini-stalled'), stream: true });
    for await (const chunk of stalled) {
      assert.equal(chunk.choices[0]?.delta.role, 'assistant');
      break;
    }
  });
});

describe('the client library of provider B', () => {
  const tools: Anthropic.Tool[] = [{ name: NAME, description: DESCRIPTION, input_schema: PARAMETERS }];
  const asked = (text: string, model = 'claude-haiku-4-5') => ({
    model,
    max_tokens: 500,
    system: SYSTEM,
    messages: [{ role: 'user' as const, content: text }],
  });

  it('reads a streamed text, its end and its usage', async () => {
    const stream = anthropic().messages.stream(asked(QUESTION));
    const parts: string[] = [];
    stream.on('text', (part) => parts.push(part));
    const message = await stream.finalMessage();
    assert.equal(parts.join(''), ANSWER);
    assert.ok(parts.length > 5);
    const whole = await anthropic().messages.create(asked(QUESTION));
    assert.deepEqual(
      [message.content, message.stop_reason, message.usage],
      [whole.content.map(({ ...block }) => block), 'end_turn', whole.usage],
    );
  });

  it('reads a streamed tool use in parts, and an answer from the result', async () => {
    const stream = anthropic().messages.stream({ ...asked(WISH), tools });
    const parts: string[] = [];
    stream.on('inputJson', (part) => parts.push(part));
    const { content, stop_reason } = await stream.finalMessage();
    const [use] = content;
    assert.ok(use?.type === 'tool_use' && parts.length > 1);
    assert.deepEqual([stop_reason, use.name, use.input], ['tool_use', NAME, INPUT]);
    const unary = await anthropic().messages.create({ ...asked(WISH), tools });
    assert.deepEqual(unary.content[0]?.type === 'tool_use' && [unary.content[0].name, unary.content[0].input], [NAME, INPUT]);

    const said = [
      ...asked(WISH).messages,
      { role: 'assistant' as const, content: [{ type: 'tool_use' as const, id: use.id, name: NAME, input: INPUT }] },
    ];
    const result = { role: 'user' as const, content: [{ type: 'tool_result' as const, tool_use_id: use.id, content: RESULT }] };
    const last = await anthropic()
      .messages.stream({ ...asked(WISH), messages: [...said, result], tools })
      .finalMessage();
    assert.deepEqual([last.content[0]?.type === 'text' && last.content[0].text, last.stop_reason], [SAID, 'end_turn']);

    await assert.rejects(anthropic().messages.create({ ...asked(WISH), messages: said, tools }), /without `tool_result` blocks/);
    const orphan = anthropic().messages.create({ ...asked(WISH), messages: [result], tools });
    await assert.rejects(orphan, /unexpected `tool_use_id`/);
  });

  it('obeys the choice of tools', async () => {
    const choose = async (tool_choice: Anthropic.ToolChoice) => anthropic().messages.create({ ...asked(WISH), tools, tool_choice });
    assert.equal((await choose({ type: 'none' })).stop_reason, 'end_turn');
    assert.equal((await choose({ type: 'any' })).stop_reason, 'tool_use');
    assert.equal((await choose({ type: 'tool', name: NAME })).stop_reason, 'tool_use');
    await assert.rejects(anthropic().messages.create({ ...asked(WISH), tool_choice: { type: 'any' } }), Anthropic.BadRequestError);
  });

  it('learns that a text was cut at the limit', async () => {
    const { content, stop_reason, usage } = await anthropic().messages.create({ ...asked(QUESTION), max_tokens: 3 });
    assert.deepEqual([content[0]?.type === 'text' && content[0].text, stop_reason, usage.output_tokens], ['We are open ', 'max_tokens', 3]);
  });

  it('meets on demand what can go wrong', async () => {
    const create = (model: string, key?: string) => anthropic(key).messages.create(asked(QUESTION, model));
    await assert.rejects(create('claude-haiku-4-5', 'sk-ant-other'), Anthropic.AuthenticationError);
    await assert.rejects(create('claude-haiku-4-5', 'sk-ant-sandbox-refused'), Anthropic.AuthenticationError);
    await assert.rejects(create('claude-haiku-4-5-overloaded'), (error) => error instanceof Anthropic.APIError && error.status === 529);
    await assert.rejects(create('claude-haiku-4-5-no-funds'), /credit balance/);
    await assert.rejects(create('claude-haiku-4-5-limited'), (error) => {
      return error instanceof Anthropic.RateLimitError && error.headers.get('retry-after') === '7';
    });
    for (const mishap of ['cut', 'failing']) {
      const seen: string[] = [];
      const stream = anthropic().messages.stream(asked(QUESTION, `claude-haiku-4-5-${mishap}`));
      stream.on('text', (part) => seen.push(part));
      await assert.rejects(stream.finalMessage());
      assert.ok(seen.length > 1 && ANSWER.startsWith(seen.join('')), mishap);
    }
    const declined = await anthropic().messages.stream(asked(QUESTION, 'claude-haiku-4-5-declining')).finalMessage();
    assert.deepEqual([declined.stop_reason, declined.content], ['refusal', []]);
  });

  it('receives the first event at once when the rest is slow or never comes, and may leave', async () => {
    const slow = await anthropic().messages.stream(asked(QUESTION, 'claude-haiku-4-5-slow')).finalMessage();
    assert.equal(slow.content[0]?.type === 'text' && slow.content[0].text, ANSWER);
    const stalled = await anthropic().messages.create({ ...asked(QUESTION, 'claude-haiku-4-5-stalled'), stream: true });
    for await (const event of stalled) {
      assert.equal(event.type, 'message_start');
      break;
    }
  });
});

it('a streamed call is recorded as any other, without its key', async () => {
  await openai('sk-sandbox-hidden')
    .chat.completions.stream({ model: 'gpt-4.1', messages: [{ role: 'user', content: 'find-this-call' }] })
    .done();
  const response = await fetch(`${sandbox.url}/calls?q=find-this-call`, { headers: { authorization: `Bearer ${sandbox.token.reveal()}` } });
  const text = await response.text();
  assert.match(text, /find-this-call/);
  assert.match(text, /"status":200/);
  assert.doesNotMatch(text, /sk-sandbox-hidden/);
});
