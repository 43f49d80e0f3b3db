import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type AiService, startAiService } from '@partner-portal/tests/harness/ai.ts';
import { metering } from '#modules/1-ledger/metering/index.ts';
import { answerError, answerText } from '@partner-portal/tests/harness/model-server.ts';
import { until } from '@partner-portal/tests/harness/system.ts';
import { sql } from 'kysely';

let service: AiService;
let origin: string;

before(async () => {
  service = await startAiService({ modules: (platform) => [metering(platform)] });
  origin = await service.listen();
});
after(() => service.close());
beforeEach(async () => {
  await service.db.asSystem('seed', async (tx) => {
    for (const table of ['credential', 'aiCall', 'usageEntry', 'usageDelta'] as const) await tx.deleteFrom(table).execute();
  });
  await service.leaveCredits(10_000);
  await service.saveKey('owner', 'openai', 'platform');
  service.models.behave((call, response) => answerText(call, response, ['Hello ', 'there.'], { usage: { input: 2_000, output: 1_000 } }));
});

const CHAT = { provider: 'openai', model: 'gpt-5', messages: [{ role: 'user', content: 'Hi' }] };
const chat = (as: Parameters<AiService['saveKey']>[0], body: object = {}) =>
  service.call('POST', '/ai-proxy/chat', { as, body: { ...CHAT, ...body } });

describe('POST /ai-proxy/chat', () => {
  it('answers with the text, the tokens and what they cost; instructions go apart from the messages', async () => {
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi' },
    ];
    const reply = await chat('owner', { messages, maxTokens: 50 });
    assert.deepEqual(reply.body, {
      text: 'Hello there.',
      usage: { inputTokens: 2_000, outputTokens: 1_000, isEstimated: false },
      creditsCharged: 7,
      sourceMode: 'platform',
      provider: 'openai',
      model: 'gpt-5',
      finishReason: 'stop',
    });
    const sent = service.models.calls.at(-1)?.body;
    assert.deepEqual([sent?.['messages'], sent?.['max_completion_tokens']], [messages, 50]);
  });

  it('is in the quota, the ledger and the usage by kind, by client and by agent', async () => {
    const { clientId } = service.world;
    await chat('owner', { clientId });
    const used = async (groupBy: string) =>
      (await service.call('GET', `/metering/usage?groupBy=${groupBy}`, { as: 'owner' })).body.map(
        ({ label, credits }: { label: string; credits: number }) => [label, credits],
      );
    assert.equal((await service.quota()).used, 7);
    assert.deepEqual(await used('kind'), [['AI tokens', 7]]);
    assert.deepEqual(await used('client'), [['Oak Street Dental', 7]]);
    assert.deepEqual(await used('agent'), [['AI tokens outside runs', 7]]);
    assert.equal((await used('day'))[0][1], 7);
    const { body } = await service.call('GET', '/metering/ledger', { as: 'owner' });
    assert.deepEqual(
      body.data.map(({ kind, credits, clientName, note }: Record<string, unknown>) => [kind, credits, clientName, note]),
      [['ai_tokens', -7, 'Oak Street Dental', 'gpt-5, 3000 tokens']],
    );
  });

  it('is for staff, who name the agency, and for admins; clients need a key of their own, moderators are refused', async () => {
    const { partnerId, clientId } = service.world;
    assert.equal((await chat('moderator')).body.code, 'partner_role_forbidden');
    assert.equal((await chat('owner', { partnerId })).body.code, 'scope_forbidden');
    assert.equal((await chat('staff')).body.errors[0].field, 'partnerId');
    assert.equal((await chat('staff', { partnerId })).body.creditsCharged, 7);
    assert.equal((await chat('clientUser')).body.code, 'role_forbidden');
    await service.saveKey('owner', 'openai', 'platform', clientId);
    assert.equal((await chat('clientUser')).body.code, 'role_forbidden');
    await service.saveKey('owner', 'openai', 'byok', clientId);
    assert.deepEqual([(await chat('clientUser')).body.sourceMode, (await service.quota()).used], ['byok', 7]);
    assert.equal((await chat('otherClientUser')).body.code, 'role_forbidden');
    await service.assertRefused('POST', '/ai-proxy/chat', { moderator: 'partner_role_forbidden' }, CHAT);
  });

  it('knows no clients of others', async () => {
    const { rivalClientId, otherClientId, rivalPartnerId, clientId } = service.world;
    const made = service.models.calls.length;
    assert.equal((await chat('owner', { clientId: rivalClientId })).status, 404);
    assert.equal((await chat('clientUser', { clientId: otherClientId })).status, 404);
    assert.equal((await chat('staff', { partnerId: rivalPartnerId, clientId })).status, 404);
    assert.equal(service.models.calls.length, made);
    assert.equal((await chat('owner', { clientId: otherClientId })).status, 200);
  });

  it('says what to do: 402 with nothing left, 422 without a key, 429 and 503 with a time to wait', async () => {
    const codeOf = async (body: object = {}) => {
      const reply = await chat('owner', body);
      return [reply.status, reply.body.code, reply.headers['retry-after']];
    };
    await service.leaveCredits(0);
    assert.deepEqual(await codeOf(), [402, 'quota_exceeded', undefined]);
    assert.deepEqual(await codeOf({ provider: 'anthropic', model: 'claude-haiku-4-5' }), [422, 'no_usable_key', undefined]);
    await service.leaveCredits(100);
    service.models.behave((call, response) =>
      answerError(call, response, 429, { code: 'rate_limit', message: 'x' }, { 'retry-after': '12' }),
    );
    assert.deepEqual(await codeOf(), [429, 'rate_limited', '12']);
    service.models.behave((call, response) => answerError(call, response, 503, { code: 'overloaded', message: 'x' }));
    assert.deepEqual(await codeOf(), [503, 'ai_unavailable', '10']);
    service.models.behave((call, response) => answerError(call, response, 401, { code: 'invalid_api_key', message: 'x' }));
    assert.deepEqual(await codeOf(), [422, 'ai_key_refused', undefined]);
    service.models.behave((call, response) => answerError(call, response, 404, { code: 'model_not_found', message: 'x' }));
    assert.equal((await chat('owner')).body.errors[0].field, 'model');
  });

  it('has limits of messages, text and tokens', async () => {
    const fieldOf = async (body: object) => (await chat('owner', body)).body.errors?.[0]?.field;
    const message = { role: 'user', content: 'x' };
    assert.equal(await fieldOf({ messages: Array.from({ length: 101 }, () => message) }), 'messages');
    assert.equal(await fieldOf({ messages: [{ role: 'system', content: 'x' }] }), 'messages');
    assert.equal(
      await fieldOf({ messages: Array.from({ length: 2 }, () => ({ role: 'user', content: 'x'.repeat(150_000) })) }),
      'messages',
    );
    assert.equal(await fieldOf({ maxTokens: 8_193 }), 'maxTokens');
    assert.equal(await fieldOf({ model: '*' }), 'model');
    assert.equal((await chat('owner', { messages: Array.from({ length: 100 }, () => message), maxTokens: 8_192 })).status, 200);
  });
});

describe('POST /ai-proxy/chat with stream', () => {
  const open = (signal?: AbortSignal) =>
    fetch(`${origin}/ai-proxy/chat`, {
      method: 'POST',
      headers: { ...service.bearer('owner'), 'content-type': 'application/json' },
      body: JSON.stringify({ ...CHAT, stream: true, maxTokens: 2_000 }),
      ...(signal ? { signal } : {}),
    });
  const eventsOf = (text: string) =>
    text
      .trim()
      .split('\n\n')
      .map((one) => {
        const [, event = '', data = ''] = /^event: (.*)\ndata: (.*)$/.exec(one) ?? [];
        return [event, JSON.parse(data)] as const;
      });

  it('sends the text as it arrives, and last the completion', async () => {
    const go = Promise.withResolvers<void>();
    service.models.behave((call, response) => answerText(call, response, ['Hello ', 'there.'], { afterFirst: go.promise }));
    const reply = await open();
    assert.match(reply.headers.get('content-type') ?? '', /^text\/event-stream/);
    const reader = reply.body?.getReader();
    assert.match(new TextDecoder().decode((await reader?.read())?.value), /"Hello "/);
    go.resolve();
    let rest = '';
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) rest += new TextDecoder().decode(part.value);
    const events = eventsOf(rest);
    assert.deepEqual(events[0], ['delta', { text: 'there.' }]);
    assert.deepEqual(
      [events[1]?.[0], events[1]?.[1].text, events[1]?.[1].creditsCharged, events.length],
      ['completion', 'Hello there.', 1, 2],
    );
  });

  it('is an ordinary problem when it fails before the first event, else a last event with the same members', async () => {
    service.models.behave((call, response) => answerError(call, response, 503, { code: 'overloaded', message: 'x' }));
    const refused = await open();
    assert.deepEqual([refused.status, (await refused.json()).code], [503, 'ai_unavailable']);
    service.models.behave((call, response) => answerText(call, response, ['Hello ', 'there.'], { isCut: true }));
    const cut = eventsOf(await (await open()).text());
    assert.deepEqual(
      cut.map(([event, data]) => [event, data.code ?? data.text]),
      [
        ['delta', 'Hello '],
        ['delta', 'there.'],
        ['problem', 'ai_unavailable'],
      ],
    );
    assert.equal(cut[2]?.[1].status, 503);
  });

  it('counts what was written when the reader leaves, and hangs up on the provider', async () => {
    const left = Promise.withResolvers<void>();
    service.models.behave((call, response) => {
      response.on('close', () => left.resolve());
      return answerText(call, response, ['word '.repeat(800), 'end'], { afterFirst: left.promise });
    });
    const stop = new AbortController();
    const reply = await open(stop.signal);
    await reply.body?.getReader().read();
    stop.abort();
    await left.promise;
    await until('the call is settled', async () => (await service.quota()).inFlight === 0);
    assert.deepEqual(await service.quota(), { used: 6, inFlight: 0 });
  });
});

describe('GET /ai-proxy/models', () => {
  const models = async (as: 'owner' | 'staff' | 'moderator', query = '') =>
    (await service.call('GET', `/ai-proxy/models${query}`, { as })).body;

  it('lists the models of the keys that count, with their rates; an own key costs nothing', async () => {
    const { clientId, partnerId } = service.world;
    const openai = await models('owner');
    assert.deepEqual(openai[1], {
      provider: 'openai',
      model: 'gpt-4.1-mini',
      sourceMode: 'platform',
      inputCredits: 0.2,
      outputCredits: 0.8,
    });
    assert.ok(openai.every((one: { provider: string }) => one.provider === 'openai'));
    await service.saveKey('owner', 'anthropic', 'byok', clientId);
    const both = await models('moderator', `?clientId=${clientId}`);
    assert.deepEqual(
      both.filter((one: { provider: string }) => one.provider === 'anthropic').map((one: object) => Object.values(one)),
      ['claude-haiku-4-5', 'claude-opus-4-5', 'claude-sonnet-4-5'].map((model) => ['anthropic', model, 'byok', 0, 0]),
    );
    assert.deepEqual(await models('staff', `?partnerId=${partnerId}`), openai);
    await service.assertRefused('GET', '/ai-proxy/models', { clientUser: 'role_forbidden' });
  });
});

describe('rates', () => {
  const RATE = {
    provider: 'openai',
    model: 'gpt-6',
    inputCredits: 2,
    outputCredits: 8,
    inputCostMinor: 0.5,
    outputCostMinor: 2,
    currency: 'USD',
  };
  const publish = (body: object = {}) => service.call('POST', '/ai-proxy/rates', { as: 'staff', body: { ...RATE, ...body } });

  it('are published in versions by staff, and the newest counts from then on', async () => {
    assert.equal((await chat('owner', { model: 'gpt-6' })).body.creditsCharged, 3);
    const first = await publish();
    assert.deepEqual([first.status, first.body.version, first.body.changedBy], [201, 1, 'Staff Tester']);
    assert.equal((await chat('owner', { model: 'gpt-6' })).body.creditsCharged, 12);
    assert.equal((await publish({ inputCredits: 1 })).body.version, 2);
    assert.equal((await chat('owner', { model: 'gpt-6' })).body.creditsCharged, 10);
    const versions = (await service.call('GET', '/ai-proxy/rates/versions', { as: 'staff' })).body;
    assert.deepEqual(
      versions.filter((one: { model: string }) => one.model === 'gpt-6').map((one: { version: number }) => one.version),
      [2, 1],
    );
    assert.deepEqual((await publish({ currency: 'XXX' })).body.errors[0].field, 'currency');
    assert.equal((await publish({ isOffered: false })).body.isOffered, false);
    assert.equal((await chat('owner', { model: 'gpt-6' })).body.errors[0].field, 'model');
    await service.saveKey('owner', 'openai', 'byok');
    assert.equal((await chat('owner', { model: 'gpt-6' })).status, 200);
  });

  it('are shown to agencies without what they cost the platform', async () => {
    const { body } = await service.call('GET', '/ai-proxy/rates', { as: 'moderator' });
    assert.ok(body.some((one: { model: string }) => one.model === '*'));
    assert.ok(body.every((one: object) => !('inputCostMinor' in one) && !('changedBy' in one)));
    await service.assertRefused('GET', '/ai-proxy/rates', { clientUser: 'role_forbidden' });
    await service.assertRefused('POST', '/ai-proxy/rates', { owner: 'role_forbidden', clientUser: 'role_forbidden' }, RATE);
    await service.assertRefused('GET', '/ai-proxy/rates/versions', { owner: 'role_forbidden', clientUser: 'role_forbidden' });
  });

  it('refuse what is no amount, currency or provider', async () => {
    for (const [field, value] of Object.entries({
      inputCredits: -1,
      outputCostMinor: 2_000_000,
      currency: 'usd',
      provider: 'twilio',
      model: '',
    }))
      assert.equal((await publish({ [field]: value })).body.errors[0].field, field);
  });
});

describe('margins', () => {
  it('are credits charged at the price of a credit next to tokens at their cost, by day and model', async () => {
    await chat('owner');
    await chat('owner');
    await chat('owner', { model: 'gpt-4.1-mini' });
    await service.saveKey('owner', 'openai', 'byok');
    await chat('owner');
    const day = new Date().toISOString().slice(0, 10);
    const { body } = await service.call('GET', `/ai-proxy/margins?from=2020-01-01`, { as: 'staff' });
    assert.equal(body.code, 'invalid_query');
    const listed = (await service.call('GET', '/ai-proxy/margins', { as: 'staff' })).body;
    // Growth: 299 dollars for 10,000 credits.
    assert.deepEqual(
      listed.map((one: { revenueMinor: number; day: string }) => ({
        ...one,
        day: one.day >= day,
        revenueMinor: Number(one.revenueMinor.toFixed(4)),
      })),
      [
        {
          day: true,
          provider: 'openai',
          model: 'gpt-4.1-mini',
          calls: 1,
          inputTokens: 2_000,
          outputTokens: 1_000,
          credits: 2,
          revenueMinor: 5.98,
          costMinor: 0.24,
          currency: 'USD',
        },
        {
          day: true,
          provider: 'openai',
          model: 'gpt-5',
          calls: 2,
          inputTokens: 4_000,
          outputTokens: 2_000,
          credits: 14,
          revenueMinor: 41.86,
          costMinor: 2.5,
          currency: 'USD',
        },
      ],
    );
    const { text } = await service.call('GET', '/ai-proxy/margins/export.csv', { as: 'staff' });
    assert.equal(text.trim().split('\r\n').length, 3);
    assert.match(text, /OpenAI,gpt-5,2,4000,2000,14,0\.4186,0\.025,0\.3936,USD/);
    await service.assertRefused('GET', '/ai-proxy/margins', { owner: 'role_forbidden', clientUser: 'role_forbidden' });
    await service.assertRefused('GET', '/ai-proxy/margins/export.csv', { owner: 'role_forbidden', clientUser: 'role_forbidden' });
  });
});

describe('margins of a model that costs more than it earns', () => {
  it('are numbers below zero in the CSV, which a spreadsheet adds up with the others', async () => {
    const rate = {
      provider: 'openai',
      model: 'gpt-loss',
      inputCredits: 1,
      outputCredits: 1,
      inputCostMinor: 30,
      outputCostMinor: 30,
      currency: 'USD',
    };
    assert.equal((await service.call('POST', '/ai-proxy/rates', { as: 'staff', body: rate })).status, 201);
    await service.saveKey('owner', 'openai', 'platform');
    assert.equal((await chat('owner', { model: 'gpt-loss' })).status, 200);
    const { text } = await service.call('GET', '/ai-proxy/margins/export.csv', { as: 'staff' });
    assert.match(text, /gpt-loss,1,2000,1000,3,0\.0897,0\.9,-0\.8103,USD/);
  });
});

describe('margins of an agency whose plan is in another currency than the rate', () => {
  it('name the cost and no earnings, next to those of others', async () => {
    const currency = (value: string) => service.db.asSystem('seed', (tx) => tx.updateTable('plan').set({ currency: value }).execute());
    await service.saveKey('owner', 'openai', 'platform');
    await chat('owner');
    await currency('EUR');
    await chat('owner');
    await currency('USD');
    type Row = { model: string; calls: number; revenueMinor: number | null; costMinor: number; currency: string };
    const listed: Row[] = (await service.call('GET', '/ai-proxy/margins', { as: 'staff' })).body;
    const unpriced = listed.filter((row) => row.revenueMinor === null);
    assert.deepEqual(
      unpriced.map(({ calls, costMinor, currency: of }) => [calls, costMinor, of]),
      [[1, 1.25, 'USD']],
    );
    assert.ok(listed.some((row) => row.revenueMinor !== null && row.model === 'gpt-5'));
    assert.match((await service.call('GET', '/ai-proxy/margins/export.csv', { as: 'staff' })).text, /gpt-5,1,2000,1000,7,,0\.0125,,USD/);
  });
});

describe('what a rate costs the platform', () => {
  it('cannot be read by a tenant, also not by a statement; what it costs the tenant can', async () => {
    const { partnerId } = service.world;
    const read = (column: string) =>
      service.db.asTenant({ kind: 'tenant', partnerId, clientId: null }, (tx) =>
        sql.raw(`select ${column} from ai_rate limit 1`).execute(tx),
      );
    for (const column of ['input_cost_minor', 'output_cost_minor', 'changed_by', '*'])
      await assert.rejects(read(column), /permission denied/, column);
    assert.equal((await read('input_credits, output_credits, is_offered')).rows.length, 1);
  });
});

it('an agency that is suspended, or a client of it, calls no model', async () => {
  const { partnerId } = service.world;
  const set = (status: string) =>
    service.db.asSystem('seed', (tx) => tx.updateTable('partner').set({ status }).where('id', '=', partnerId).execute());
  await set('suspended');
  assert.equal((await chat('owner')).body.code, 'account_suspended');
  assert.equal((await chat('staff', { partnerId })).body.code, 'account_suspended');
  await set('active');
  assert.equal((await chat('owner')).status, 200);
});
