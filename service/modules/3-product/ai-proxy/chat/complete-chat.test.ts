import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { AI_PROVIDERS } from '@partner-portal/contract/vocabulary.ts';
import { type AiService, startAiService } from '@partner-portal/tests/harness/ai.ts';
import { answerError, answerText } from '@partner-portal/tests/harness/model-server.ts';
import { until } from '@partner-portal/tests/harness/system.ts';
import { withClient } from '#platform/db/roles.ts';
import { newId } from '#platform/ids.ts';
import { AppError } from '#platform/refuse.ts';

let service: AiService;
const lines: string[] = [];

before(async () => {
  service = await startAiService({ logLine: (line) => lines.push(line) });
});
after(() => service.close());
beforeEach(async () => {
  await service.db.asSystem('seed', async (tx) => {
    for (const table of ['credential', 'aiCall', 'usageEntry', 'credentialUse'] as const) await tx.deleteFrom(table).execute();
  });
  await service.leaveCredits(10_000);
  await service.saveKey('owner', 'openai', 'platform');
  service.models.behave((call, response) => answerText(call, response, ['Hello ', 'there.'], { usage: { input: 2_000, output: 1_000 } }));
});

const refusalOf = (work: Promise<unknown>): Promise<AppError> =>
  work.then(
    () => assert.fail('It answered.'),
    (error: unknown) => (error instanceof AppError ? error : Promise.reject(error)),
  );
const entries = () => service.db.asSystem('seed', (tx) => tx.selectFrom('usageEntry').selectAll().execute());
const calls = () => service.db.asSystem('seed', (tx) => tx.selectFrom('aiCall').selectAll().orderBy('id').execute());

describe('a call on a platform key', () => {
  for (const provider of AI_PROVIDERS)
    it(`of ${provider} costs the published rate of its model, in quota and ledger`, async () => {
      await service.saveKey('owner', provider, 'platform');
      const model = provider === 'openai' ? 'gpt-5' : 'claude-haiku-4-5';
      const reply = await service.complete({
        provider,
        model,
        owner: { partnerId: service.world.partnerId, clientId: service.world.clientId },
      });
      const credits = provider === 'openai' ? 7 : 4;
      assert.deepEqual(reply, {
        text: 'Hello there.',
        toolCalls: [],
        finishReason: 'stop',
        usage: { inputTokens: 2_000, outputTokens: 1_000, isEstimated: false },
        creditsCharged: credits,
        sourceMode: 'platform',
      });
      assert.equal(service.models.calls.at(-1)?.headers.authorization, `Bearer sk-platform-${provider}`);
      assert.deepEqual(await service.quota(), { used: credits, inFlight: 0 });
      const [call] = await calls();
      assert.deepEqual(
        (await entries()).map(({ id, kind, credits: taken, clientId, note }) => ({ id, kind, taken, clientId, note })),
        [{ id: call?.id, kind: 'ai_tokens', taken: -credits, clientId: service.world.clientId, note: `${model}, 3000 tokens` }],
      );
    });

  it('holds what it may cost at most while it is under way', async () => {
    const first = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    service.models.behave((call, response) => answerText(call, response, ['Hello', 'x'], { afterFirst: go.promise }));
    const reply = service.complete({ maxTokens: 2_000, onDelta: () => first.resolve() });
    await first.promise;
    // 5 tokens of input at 0.7 and 2,000 of output at 5.
    assert.deepEqual(await service.quota(), { used: 0, inFlight: 11 });
    go.resolve();
    await reply;
    assert.deepEqual(await service.quota(), { used: 1, inFlight: 0 });
  });

  it('is refused before it is made when its credits may not suffice, and made when they do', async () => {
    await service.leaveCredits(10);
    const made = service.models.calls.length;
    const refusal = await refusalOf(service.complete({ maxTokens: 2_000 }));
    assert.deepEqual([refusal.code, refusal.extras['remaining'], service.models.calls.length], ['quota_exceeded', 10, made]);
    assert.deepEqual([await calls(), await service.quota()], [[], { used: 0, inFlight: 0 }]);
    await service.leaveCredits(11);
    assert.equal((await service.complete({ maxTokens: 2_000 })).creditsCharged, 7);
  });

  it('never takes more than the quota, however many are made at once', async () => {
    await service.leaveCredits(30);
    const go = Promise.withResolvers<void>();
    service.models.behave((call, response) =>
      answerText(call, response, ['Hello', 'x'], { afterFirst: go.promise, usage: { input: 0, output: 2_000 } }),
    );
    let refused = 0;
    const all = Array.from({ length: 12 }, () =>
      service.complete({ maxTokens: 2_000 }).catch((error: unknown) => {
        refused += 1;
        if (refused === 10) go.resolve();
        return error;
      }),
    );
    const results = await Promise.all(all);
    assert.deepEqual([refused, results.filter((one) => one instanceof AppError && one.code === 'quota_exceeded').length], [10, 10]);
    assert.deepEqual(await service.quota(), { used: 20, inFlight: 0 });
  });

  it('gives its credits back when the provider refuses or is not reached', async () => {
    for (const [status, code, expected] of [
      [429, 'rate_limit_exceeded', 'rate_limited'],
      [503, 'overloaded', 'ai_unavailable'],
      [404, 'model_not_found', 'validation_failed'],
      [400, 'context_length_exceeded', 'validation_failed'],
    ] as const) {
      service.models.behave((call, response) =>
        answerError(call, response, status, { code, message: 'sk-platform-openai: Hi' }, { 'retry-after': '9' }),
      );
      const refusal = await refusalOf(service.complete());
      assert.equal(refusal.code, expected);
      if (status >= 429) assert.equal(refusal.extras.retryAfterSeconds, 9);
      assert.doesNotMatch(JSON.stringify(refusal.extras), /sk-platform|Hi/);
    }
    assert.deepEqual([await service.quota(), await entries()], [{ used: 0, inFlight: 0 }, []]);
    assert.ok((await calls()).every((call) => call.status === 'released' && call.creditsCharged === 0));
  });

  it('costs nothing when a success holds no answer: an overload as the only event, a page, or silence', async () => {
    await service.saveKey('owner', 'anthropic', 'platform');
    const overloaded = 'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n';
    for (const provider of AI_PROVIDERS)
      for (const [type, text] of [
        ['text/event-stream', overloaded],
        ['text/event-stream', ''],
        ['text/html', '<html>We are back soon</html>'],
      ] as const) {
        service.models.behave((_call, response) => void response.writeHead(200, { 'content-type': type }).end(text));
        const model = provider === 'openai' ? 'gpt-5' : 'claude-opus-4-5';
        const content = 'word '.repeat(20_000);
        assert.equal(
          (await refusalOf(service.complete({ provider, model, messages: [{ role: 'user', content }] }))).code,
          'ai_unavailable',
        );
      }
    assert.deepEqual([await service.quota(), await entries()], [{ used: 0, inFlight: 0 }, []]);
    assert.ok((await calls()).every((call) => call.status === 'released' && call.creditsCharged === 0));
  });

  it('is counted by its texts when the stream is cut, the caller hangs up, or the model refuses', async () => {
    const text = 'word '.repeat(800);
    service.models.behave((call, response) => answerText(call, response, [text, 'end'], { isCut: true }));
    assert.equal((await refusalOf(service.complete({ maxTokens: 2_000 }))).code, 'ai_unavailable');
    assert.deepEqual(await service.quota(), { used: 6, inFlight: 0 });
    const stop = new AbortController();
    service.models.behave((call, response) =>
      answerText(call, response, [text, 'end'], { afterFirst: new Promise((resolve) => response.on('close', resolve)) }),
    );
    await refusalOf(service.complete({ maxTokens: 2_000, signal: stop.signal, onDelta: () => stop.abort() }));
    assert.deepEqual(await service.quota(), { used: 12, inFlight: 0 });
    service.models.behave((call, response) =>
      answerText(call, response, ['No.'], { finish: 'refused', usage: { input: 2_000, output: 10 } }),
    );
    const refused = await service.complete();
    assert.deepEqual([refused.finishReason, refused.creditsCharged, (await service.quota()).used], ['refused', 2, 14]);
    assert.deepEqual(
      (await calls()).map((call) => [call.status, call.isEstimated, call.outputTokens]),
      [
        ['settled', true, 1_005],
        ['settled', true, 1_004],
        ['settled', false, 10],
      ],
    );
  });

  it('is charged once under one id, however often it is made', async () => {
    const callId = newId();
    assert.equal((await service.complete({ callId })).creditsCharged, 7);
    assert.equal((await service.complete({ callId })).creditsCharged, 7);
    assert.deepEqual([await service.quota(), (await entries()).length], [{ used: 7, inFlight: 0 }, 1]);
  });

  it('needs an active account and a plan with platform keys', async () => {
    const { partnerId, clientId, planId } = service.world;
    await service.db.asSystem('seed', (tx) => tx.updateTable('client').set({ status: 'suspended' }).where('id', '=', clientId).execute());
    assert.equal((await refusalOf(service.complete({ owner: { partnerId, clientId } }))).code, 'account_suspended');
    await service.db.asSystem('seed', (tx) => tx.updateTable('client').set({ status: 'active' }).where('id', '=', clientId).execute());
    await service.db.asSystem('seed', (tx) =>
      tx
        .updateTable('subscription')
        .set({ overrides: JSON.stringify({ features: { aiPlatformKeys: false } }) })
        .where('partnerId', '=', partnerId)
        .where('planId', '=', planId)
        .execute(),
    );
    assert.equal((await refusalOf(service.complete())).code, 'plan_feature_required');
    await service.saveKey('owner', 'openai', 'byok');
    assert.equal((await service.complete()).creditsCharged, 0);
    await service.db.asSystem('seed', (tx) =>
      tx.updateTable('subscription').set({ overrides: '{}' }).where('partnerId', '=', partnerId).execute(),
    );
    assert.equal((await service.complete({ owner: { partnerId, clientId } })).sourceMode, 'byok');
  });
});

describe('the key of a call', () => {
  it('is the client’s own, else the agency’s default; a client’s own hides it', async () => {
    const { partnerId, clientId, otherClientId } = service.world;
    await service.saveKey('owner', 'openai', 'byok', clientId);
    assert.equal((await service.complete({ owner: { partnerId, clientId } })).sourceMode, 'byok');
    assert.equal(service.models.calls.at(-1)?.headers.authorization, 'Bearer sk-own-openai');
    assert.equal((await service.complete({ owner: { partnerId, clientId: otherClientId } })).sourceMode, 'platform');
    assert.deepEqual(
      (
        await service.db.asSystem('seed', (tx) => tx.selectFrom('credentialUse').select(['purpose', 'clientId', 'actorType']).execute())
      ).toSorted((a) => (a.clientId ? -1 : 1)),
      // The key of the platform is not the agency's.
      [{ purpose: 'ai_call', clientId, actorType: 'system' }],
    );
  });

  it('that is an own one costs nothing, and is an entry of the ledger with no credits', async () => {
    await service.leaveCredits(0);
    await service.saveKey('owner', 'openai', 'byok');
    const reply = await service.complete({ model: 'my-own-model' });
    assert.deepEqual([reply.creditsCharged, reply.sourceMode, await service.quota()], [0, 'byok', { used: 0, inFlight: 0 }]);
    assert.deepEqual(
      (await entries()).map(({ credits, note }) => [credits, note]),
      [[0, 'my-own-model, 3000 tokens, own key']],
    );
  });

  it('is asked for when none is saved', async () => {
    const refusal = await refusalOf(service.complete({ provider: 'anthropic', model: 'claude-haiku-4-5' }));
    assert.deepEqual([refusal.code, refusal.extras['provider']], ['no_usable_key', 'anthropic']);
    assert.match(refusal.message, /Anthropic card under Integrations/);
  });

  it('that the provider refuses is marked as failing, and as working once it is accepted again', async () => {
    await service.saveKey('owner', 'openai', 'byok');
    const check = () =>
      service.db.asSystem('seed', (tx) =>
        tx.selectFrom('credential').select(['lastCheckOk', 'lastCheckMessage']).executeTakeFirstOrThrow(),
      );
    service.models.behave((call, response) => answerError(call, response, 401, { code: 'invalid_api_key', message: 'no' }));
    const refusal = await refusalOf(service.complete());
    assert.equal(refusal.code, 'ai_key_refused');
    assert.match(refusal.message, /OpenAI card under Integrations/);
    assert.deepEqual(await check(), { lastCheckOk: false, lastCheckMessage: 'OpenAI refused the key.' });
    service.models.behave((call, response) => answerText(call, response, ['Hi']));
    await service.complete();
    assert.equal((await check()).lastCheckOk, true);
  });
});

it('a call whose process died is settled by what was noted, released when nothing was answered, and settled once', async () => {
  const seen = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  service.models.behave((call, response) =>
    answerText(call, response, ['word '.repeat(800), 'end'], { afterFirst: go.promise, usage: { input: 0, output: 0 } }),
  );
  const callId = newId();
  const reply = service.complete({ callId, maxTokens: 2_000, onDelta: () => seen.resolve() });
  await seen.promise;
  const unanswered = newId();
  const expire = () =>
    service.db.asSystem('seed', (tx) =>
      tx
        .updateTable('aiCall')
        .set({ expiresAt: new Date(0) })
        .execute(),
    );
  const noted = async (): Promise<number> => (await calls()).find((call) => call.id === callId)?.outputTokens ?? 0;
  await until('the tokens are noted', async () => (await noted()) >= 1_000);
  await service.db.asSystem('seed', (tx) =>
    tx
      .insertInto('aiCall')
      .values({
        id: unanswered,
        partnerId: service.world.partnerId,
        purpose: 'proxy',
        provider: 'openai',
        model: 'gpt-5',
        sourceMode: 'platform',
        inputTokens: 50_000,
        outputTokens: 0,
        expiresAt: new Date(0),
      })
      .execute(),
  );
  await expire();
  assert.equal(await service.proxy.sweep(), 2);
  assert.deepEqual(await service.quota(), { used: 6, inFlight: 0 });
  assert.deepEqual(
    (await calls()).map((call) => [call.id, call.status, call.errorCode]),
    [
      [callId, 'settled', 'interrupted'],
      [unanswered, 'released', 'interrupted'],
    ],
  );
  go.resolve();
  assert.equal((await reply).creditsCharged, 6);
  assert.deepEqual([await service.quota(), (await entries()).length, await service.proxy.sweep()], [{ used: 6, inFlight: 0 }, 1, 0]);
});

it('more calls of one agency than may be under way wait, and another agency’s do not', async () => {
  const go = Promise.withResolvers<void>();
  let open = 0;
  const full = Promise.withResolvers<void>();
  service.models.behave((call, response) => {
    open += 1;
    if (open === 16) full.resolve();
    return go.promise.then(() => answerText(call, response, ['x']));
  });
  const all = Array.from({ length: 18 }, () => service.complete());
  await full.promise;
  await service.saveKey('rivalOwner', 'openai', 'byok');
  service.models.behave((call, response) => answerText(call, response, ['x']));
  await service.complete({ owner: { partnerId: service.world.rivalPartnerId, clientId: null } });
  assert.equal(open, 16);
  go.resolve();
  await Promise.all(all);
  assert.deepEqual(await service.quota(), { used: 18, inFlight: 0 });
});

it('users of one client take a quarter of the places and those of all clients half, so that the agency and its chatbots have the rest', async () => {
  const { partnerId, clientId, people } = service.world;
  await service.saveKey('clientUser', 'openai', 'byok');
  const ofClient = { owner: { partnerId, clientId }, userId: people.clientUser.userId };
  const underWay = (userId: string, count: number) =>
    service.db.asSystem('seed', (tx) =>
      tx
        .insertInto('aiCall')
        .values(
          Array.from({ length: count }, () => ({
            id: newId(),
            partnerId,
            userId,
            purpose: 'proxy',
            provider: 'openai',
            model: 'gpt-5',
            sourceMode: 'byok',
            expiresAt: new Date(Date.now() + 60_000),
          })),
        )
        .execute(),
    );
  await underWay(people.clientUser.userId, 3);
  assert.equal((await service.complete(ofClient)).text, 'Hello there.');
  await underWay(people.clientUser.userId, 1);
  assert.equal((await refusalOf(service.complete(ofClient))).code, 'rate_limited');
  assert.equal((await service.complete({ ...ofClient, userId: people.owner.userId })).text, 'Hello there.');
  await service.db.asSystem('seed', (tx) => tx.deleteFrom('aiCall').execute());
  await underWay(people.otherClientUser.userId, 8);
  assert.equal((await refusalOf(service.complete(ofClient))).code, 'rate_limited');
  assert.equal((await service.complete()).text, 'Hello there.');
});

it('calls that other processes have under way count for the agency, until their time is over', async () => {
  const { partnerId } = service.world;
  await service.saveKey('rivalOwner', 'openai', 'byok');
  await service.db.asSystem('seed', (tx) =>
    tx
      .insertInto('aiCall')
      .values(
        Array.from({ length: 16 }, () => ({
          id: newId(),
          partnerId,
          purpose: 'proxy',
          provider: 'openai',
          model: 'gpt-5',
          sourceMode: 'platform',
          expiresAt: new Date(Date.now() + 60_000),
        })),
      )
      .execute(),
  );
  const refused = await refusalOf(service.complete());
  assert.deepEqual([refused.code, refused.extras.retryAfterSeconds], ['rate_limited', 5]);
  assert.deepEqual(await service.quota(), { used: 0, inFlight: 0 });
  assert.equal((await service.complete({ owner: { partnerId: service.world.rivalPartnerId, clientId: null } })).text, 'Hello there.');
  await service.db.asSystem('seed', (tx) =>
    tx
      .updateTable('aiCall')
      .set({ expiresAt: new Date(0) })
      .where('status', '=', 'reserved')
      .execute(),
  );
  assert.equal((await service.complete()).text, 'Hello there.');
});

it('a note and a settlement that fail are made again, and the call is charged once', async () => {
  const go = Promise.withResolvers<void>();
  service.models.behave((call, response) =>
    answerText(call, response, ['word '.repeat(800), 'end'], { afterFirst: go.promise, usage: { input: 2_000, output: 1_000 } }),
  );
  const rename = (from: string, to: string): Promise<unknown> =>
    withClient({ ...service.database.host.adminConfig, database: service.database.name }, (client) =>
      client.query(`alter function ${from} rename to ${to}`),
    );
  const warned = (text: string) => until(text, async () => lines.some((line) => line.includes(text)));
  const callId = newId();
  await rename('note_ai_calls', 'away_note');
  const seen = Promise.withResolvers<void>();
  const reply = service.complete({ callId, maxTokens: 2_000, onDelta: () => seen.resolve() });
  await seen.promise;
  lines.length = 0;
  await warned('could not be noted');
  await rename('away_note', 'note_ai_calls');
  await until('the tokens are noted', async () => ((await calls())[0]?.outputTokens ?? 0) >= 1_000);
  await rename('settle_ai_call', 'away_settle');
  go.resolve();
  await warned('could not be settled');
  await rename('away_settle', 'settle_ai_call');
  assert.equal((await reply).creditsCharged, 7);
  assert.deepEqual([await service.quota(), (await entries()).length], [{ used: 7, inFlight: 0 }, 1]);
});

it('neither prompts nor keys are in the log', () => {
  assert.doesNotMatch(lines.join('\n'), /sk-(platform|own)|word word|"Hi"/);
});
