import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { recorded, type ReplayEngine, replayToken, startReplayEngine } from '@partner-portal/tests/harness/replay-engine.ts';
import { createEngineClient } from '#adapters/engine-client.ts';
import { createEngineSend } from '#adapters/engine/engine-send.ts';
import { createLog } from '#platform/log.ts';
import { createInternalFetch } from '#platform/outbound/internal-fetch.ts';
import { Secret } from '#platform/secret.ts';
import { createEngineLook, type EngineLook } from './look-at-engine.ts';

/** The report of readiness and the engine page on an engine that reports itself healthy. */

const PROJECT = 'fUES4oFx5MEwhGmVNYO2H';
const SIGN_IN = 'POST /api/v1/authentication/sign-in';
const UPSERT = 'POST /api/v1/app-connections';
const REMOVE = 'DELETE /api/v1/app-connections/c1';
const HTTP_PIECE = 'GET /api/v1/pieces/@activepieces/piece-http';
const outbound = createInternalFetch(() => true);
let engine: ReplayEngine;
let now = Date.now();
let send = createEngineSend(outbound);

before(async () => {
  engine = await startReplayEngine();
});
after(async () => {
  await engine.close();
  await outbound.close();
});
beforeEach(() => {
  send = createEngineSend(outbound);
  engine.requests.length = 0;
  engine.on('GET /api/v1/health', recorded('health-ok'));
  engine.on(SIGN_IN, recorded('sign-in-ok', { token: replayToken(new Date(now + 604_800_000)) }));
  engine.on('GET /api/v1/projects', recorded('projects-list'));
  engine.on(`GET /api/v1/projects/${PROJECT}`, { status: 200, body: { id: PROJECT, displayName: 'Shared' } });
  for (const piece of ['http', 'webhook'])
    engine.on(`GET /api/v1/pieces/@activepieces/piece-${piece}`, { status: 200, body: { name: piece, version: '0.1.0' } });
  engine.on(REMOVE, { status: 204, body: null });
  engine.on(UPSERT, { status: 201, body: { id: 'c1', externalId: 'portal_worker_check' } });
});

function look(options: { projectId?: string | null; embedded?: boolean; waitMs?: number } = {}): EngineLook {
  const clock = { now: () => new Date(now) };
  const client = createEngineClient({
    baseUrl: () => engine.url,
    account: { email: 'engine-admin@example.com', password: new Secret('a-good-password') },
    send: (call) => send(call),
    clock,
  });
  const settings = {
    engineEnabled: true,
    provider: 'activepieces',
    tenancyMode: 'shared' as const,
    engineBaseUrl: () => engine.url,
    engineStarted: Promise.resolve(),
    engineProjectId: () => (options.projectId === undefined ? PROJECT : options.projectId),
    edition: 'ce',
    embedded: options.embedded ?? false,
    internalApiUrl: '',
    healthTimeoutMs: 60_000,
    provisionTimeoutMinutes: 15,
    answerWithinMs: 50_000,
    sandbox: () => null,
  };
  // The time of a busy machine is not under test.
  const times = { slowMs: 600_000, waitMs: options.waitMs ?? 600_000 };
  return createEngineLook({ engine: client, settings, clock, log: createLog('silent') }, times);
}

describe('an engine that reports itself healthy', () => {
  it('is ok when it takes our sign-in, has project and pieces, and a worker answers', async () => {
    const { health, message } = await look()();
    assert.deepEqual([health, message], ['ok', null]);
    assert.deepEqual([engine.count(UPSERT), engine.count(REMOVE)], [1, 1], 'what the check of the worker stored is removed');
  });

  const wrong: [string, () => void, 'degraded' | 'down', RegExp][] = [
    [
      'refuses the password',
      () => engine.on(SIGN_IN, recorded('sign-in-wrong-password')),
      'degraded',
      /does not accept the admin's e-mail and password.*AUTOMATION_ENGINE_ADMIN_PASSWORD/,
    ],
    [
      'refuses the account on every route',
      () => engine.on('GET /api/v1/projects', recorded('auth-missing-token')),
      'degraded',
      /answered 403.*must be an admin of the engine’s platform/,
    ],
    [
      'lacks a piece',
      () => engine.on(HTTP_PIECE, { status: 404, body: { code: 'ENTITY_NOT_FOUND' } }),
      'degraded',
      /does not have the piece @activepieces\/piece-http/,
    ],
    [
      'has no worker',
      () => {
        const through = createEngineSend(outbound);
        send = (call) => through(call.url.endsWith('/app-connections') ? { ...call, timeoutMs: 20 } : call);
        engine.on(UPSERT, { status: 201, body: {}, until: new Promise(() => undefined) });
      },
      'down',
      /No worker of the engine answered within 15 s.*Start at least one worker/,
    ],
  ];
  for (const [what, breakIt, health, message] of wrong) {
    it(`and ${what} is said to be so, in words that say what to do`, async () => {
      breakIt();
      const found = await look()();
      assert.equal(found.health, health, found.message ?? '');
      assert.match(found.message ?? '', message);
    });
  }

  it('and has no project is said to be so, as is a project that is not set', async () => {
    engine.on(`GET /api/v1/projects/${PROJECT}`, { status: 404, body: { code: 'ENTITY_NOT_FOUND' } });
    assert.match((await look()()).message ?? '', /has no project "fUES/);
    assert.match((await look({ projectId: null })()).message ?? '', /AUTOMATION_ENGINE_PROJECT_ID is not set/);
  });

  it('is looked at for more than its health once a minute only, and a few seconds after something was wrong', async () => {
    const looking = look();
    for (let n = 0; n < 5; n += 1) await looking();
    assert.deepEqual([engine.count(UPSERT), engine.count('GET /api/v1/health') >= 5], [1, true]);
    now += 61_000;
    engine.on(HTTP_PIECE, { status: 404, body: { code: 'ENTITY_NOT_FOUND' } });
    const bad = look();
    assert.equal((await bad()).health, 'degraded');
    engine.on(HTTP_PIECE, { status: 200, body: { name: 'http', version: '0.1.0' } });
    now += 6_000;
    assert.equal((await bad()).health, 'ok');
  });

  it('is not ok on the engine page from the moment it refuses our login, although a look before found it so', async () => {
    const looking = look();
    assert.equal((await looking()).health, 'ok');
    engine.on('GET /api/v1/projects', { status: 401, body: { code: 'INVALID_BEARER_TOKEN', params: null } });
    engine.on(SIGN_IN, recorded('sign-in-wrong-password'));
    const page = await looking({ login: true });
    assert.equal(page.health, 'degraded');
    assert.match(page.message ?? '', /does not accept the admin's e-mail and password/);
    assert.equal((await looking()).health, 'degraded', 'and so says readiness from then on');
    engine.on('GET /api/v1/projects', recorded('projects-list'));
    engine.on(SIGN_IN, recorded('sign-in-ok', { token: replayToken(new Date(now + 604_800_000)) }));
    now += 6_000;
    assert.equal((await looking({ login: true })).health, 'ok');
  });

  it('is not called ok before its login was answered for the first time', async () => {
    const answer = Promise.withResolvers<void>();
    engine.on(SIGN_IN, { ...recorded('sign-in-ok', { token: replayToken(new Date(now + 604_800_000)) }), until: answer.promise });
    const looking = look({ waitMs: 1 });
    const early = await looking();
    assert.equal(early.health, 'degraded');
    assert.match(early.message ?? '', /still being checked/);
    answer.resolve();
    assert.equal((await until(looking)).health, 'ok');
  });

  it('is asked for no worker when it is the embedded one, which has none apart from itself', async () => {
    assert.equal((await look({ embedded: true })()).health, 'ok');
    assert.equal(engine.count(UPSERT), 0);
  });
});

/** Looks until the first check of the login has ended. */
async function until(looking: EngineLook): ReturnType<EngineLook> {
  for (;;) {
    const found = await looking();
    if (!/still being checked/.test(found.message ?? '')) return found;
  }
}
