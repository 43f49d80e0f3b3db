import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, beforeEach, describe, test } from 'node:test';
import { type CheckOptions, checkEngine } from '@partner-portal/service/adapters/engine-check.ts';
import { createEngineClient, type HttpSend } from '@partner-portal/service/adapters/engine-client.ts';
import { EngineError } from '@partner-portal/service/adapters/engine/engine-error.ts';
import { createEngineSend } from '@partner-portal/service/adapters/engine/engine-send.ts';
import { systemClock } from '@partner-portal/service/platform/clock.ts';
import { Secret } from '@partner-portal/service/platform/secret.ts';
import { recorded, type ReplayAnswer } from '../harness/replay-engine.ts';
import { FLOW, PROJECT, SIGN_IN, stage, UPSERT, useClientStage } from './client-stage.ts';
import { ADMIN, type Sink, startSink, startTestEngine, type TestEngine } from './harness.ts';

useClientStage();

/** `npm run engine:check` against an engine over HTTP, as an operator runs it. */

const ROOT = join(import.meta.dirname, '..', '..');
const KEY = Buffer.alloc(32, 7).toString('base64');
const dataDir = mkdtempSync(join(tmpdir(), 'engine-check-'));
let service: Sink;
let on: TestEngine;

before(async () => {
  service = await startSink();
  on = await startTestEngine([`127.0.0.1:${service.port}`]);
});
after(async () => {
  await on.close();
  await service.close();
  rmSync(dataDir, { recursive: true, force: true });
});

async function check(at: { base: string; projectId: string } = on): Promise<{ code: number | null; lines: string[] }> {
  const child = spawn(process.execPath, ['service/engine-check.ts'], {
    cwd: ROOT,
    env: {
      PATH: process.env['PATH'] ?? '',
      DATA_DIR: dataDir,
      // Never opened.
      DATABASE_URL: 'postgres://portal@127.0.0.1:1/portal',
      JWT_SECRET: 'j'.repeat(64),
      CREDENTIALS_ENCRYPTION_KEY: `k1:${KEY}`,
      AUTOMATION_CALLBACK_SECRET: 'c'.repeat(64),
      AUTOMATION_ENGINE_ENABLED: 'true',
      AUTOMATION_ENGINE_BASE_URL: at.base,
      AUTOMATION_ENGINE_ADMIN_EMAIL: ADMIN.email,
      AUTOMATION_ENGINE_ADMIN_PASSWORD: ADMIN.password,
      AUTOMATION_ENGINE_PROJECT_ID: at.projectId,
      AUTOMATION_INTERNAL_API_URL: service.url,
    },
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, lines: `${out}${err}`.trim().split('\n') };
}
const left = async (): Promise<unknown[]> => {
  const lists = await Promise.all(['flows', 'app-connections'].map((what) => on.call('GET', `/api/v1/${what}?projectId=${on.projectId}`)));
  return lists.flatMap(({ body }) => (body as { data: unknown[] }).data);
};

test('an engine that is ready is walked from its health to an answered event, and nothing is left in it', async () => {
  const { code, lines } = await check();
  assert.equal(code, 0, lines.join('\n'));
  assert.ok(
    lines.slice(0, -1).every((line) => line.startsWith('ok')),
    lines.join('\n'),
  );
  assert.match(
    lines.join('\n'),
    /version 0\.85\.2[^]*has the project[^]*piece-http[^]*A worker took a job[^]*The flow ran[^]*reach the service/,
  );
  assert.equal(lines.at(-1), 'The engine is ready for agents.');
  assert.equal(service.received.at(-1)?.url, '/health');
  assert.deepEqual(await left(), []);
});

/** Runs the check in this process. */
async function walk(
  options: Partial<CheckOptions> = {},
  account = ADMIN,
  base = on.base,
  send: HttpSend = createEngineSend(stage.outbound),
): Promise<{ isFine: boolean; said: string }> {
  const client = createEngineClient({
    baseUrl: () => base,
    account: { email: account.email, password: new Secret(account.password) },
    send,
    clock: systemClock,
  });
  const lines: string[] = [];
  const all: CheckOptions = { tenancyMode: 'shared', projectId: on.projectId, internalApiUrl: service.url, ...options };
  const isFine = await checkEngine(client, all, ({ state, text: line }) => lines.push(`${state}: ${line}`));
  return { isFine, said: lines.join('\n') };
}

for (const [what, look, expected] of [
  [
    'a wrong password',
    () => walk({}, { ...ADMIN, password: 'not the password' }),
    /bad: .*does not accept the admin's e-mail and password/,
  ],
  [
    'a project that is not set, with the one that there is',
    () => walk({ projectId: null }),
    /bad: .*PROJECT_ID is not set\. The engine has this project: \w{21}/,
  ],
  [
    'a project that it does not have',
    () => walk({ projectId: 'zzzzzzzzzzzzzzzzzzzzz' }),
    /bad: .*no project "z+" .*It has this one: \w{21}/,
  ],
  ['an address at which nothing listens', () => walk({}, ADMIN, 'http://127.0.0.1:1'), /^bad: .*AUTOMATION_ENGINE_BASE_URL/],
] as const) {
  test(`${what} is said in words, and ends the check`, async () => {
    const { isFine, said } = await look();
    assert.equal(isFine, false);
    assert.match(said, expected);
    assert.deepEqual(await left(), []);
  });
}

test('a service that the engine cannot reach is pointed out: runs could not report', async () => {
  const { isFine, said } = await walk({ internalApiUrl: 'http://127.0.0.1:1' });
  assert.equal(isFine, true);
  assert.match(said, /warn: .*do not reach the service at http:\/\/127\.0\.0\.1:1/);
});

test('in project tenancy no project is set, and each agency gets its own', async () => {
  const { isFine, said } = await walk({ tenancyMode: 'project', projectId: null });
  assert.deepEqual([isFine, /each agency gets its own/.test(said)], [true, true]);
});

describe('the real engine, by its recorded answers,', () => {
  const CREATE = 'POST /api/v1/flows';
  const EDIT = `POST /api/v1/flows/${FLOW}`;
  const REMOVE = `DELETE /api/v1/flows/${FLOW}`;
  const CALL = `POST /api/v1/webhooks/${FLOW}/sync`;
  const PIECE = 'GET /api/v1/pieces/@activepieces/piece-';
  const NEVER: ReplayAnswer = { status: 200, until: new Promise(() => undefined) };

  beforeEach(() => {
    stage.engine.on('GET /api/v1/projects', recorded('projects-list'));
    stage.engine.on(`GET /api/v1/projects/${PROJECT}`, recorded('project-get'));
    stage.engine.on(`${PIECE}http`, recorded('piece-get-http'));
    stage.engine.on(`${PIECE}webhook`, recorded('piece-get-http', { name: '@activepieces/piece-webhook', version: '0.1.34' }));
    stage.engine.on(UPSERT, recorded('connection-upsert-custom-auth'));
    const { id } = recorded('connection-upsert-custom-auth').body as { id: string };
    stage.engine.on(`DELETE /api/v1/app-connections/${id}`, recorded('connection-delete'));
    stage.engine.on(CREATE, recorded('flow-create'));
    stores();
    stage.engine.on(CALL, answered({ sum: 3, service: 200 }));
    stage.engine.on(REMOVE, recorded('flow-delete'));
  });

  /** The flow is stored with the steps that were sent, and published. `change`: what is different. */
  function stores(change: { IMPORT_FLOW?: ReplayAnswer; LOCK_AND_PUBLISH?: ReplayAnswer; valid?: boolean } = {}): void {
    const { valid = true, ...instead } = change;
    let trigger: unknown;
    const stored = (name: string): ReplayAnswer => {
      const { version } = recorded(name).body as { version: object };
      return recorded(name, { version: { ...version, trigger, valid } });
    };
    stage.engine.on(EDIT, ({ body }) => {
      const { type, request } = body as { type: 'IMPORT_FLOW' | 'LOCK_AND_PUBLISH'; request: { trigger: unknown } };
      if (type === 'IMPORT_FLOW') ({ trigger } = request);
      return instead[type] ?? stored(type === 'IMPORT_FLOW' ? 'flow-op-import-flow' : 'flow-op-publish-imported');
    });
    stage.engine.on(`GET /api/v1/flows/${FLOW}`, () => stored('flow-op-import-flow'));
  }
  /** What the flow’s own step answers, in the recorded frame. */
  const answered = (body: object): ReplayAnswer => ({ ...recorded('webhook-sync-return-response'), body });
  /** The `nth` call to such an address ends after an instant, answered or not. */
  const hurried = (end: string, nth = 1): HttpSend => {
    const send = createEngineSend(stage.outbound);
    let count = 0;
    return (call) => send(call.method === 'POST' && call.url.endsWith(end) && ++count >= nth ? { ...call, timeoutMs: 50 } : call);
  };
  const look = (send?: HttpSend) => walk({ projectId: PROJECT }, ADMIN, stage.engine.url, send);
  const made = () => stage.engine.count(CREATE);

  test('passes, each of its parts is said, and flow and connection are removed', async () => {
    const { code, lines } = await check({ base: stage.engine.url, projectId: PROJECT });
    assert.equal(code, 0, lines.join('\n'));
    assert.match(
      lines.join('\n'),
      /healthy[^]*0\.85\.2[^]*accepts the login[^]*has the project[^]*http 0\.11\.9[^]*A worker took a job[^]*stored and published[^]*The flow ran[^]*reach the service[^]*Removed everything/,
    );
    assert.ok(lines.slice(0, -1).every((line) => line.startsWith('ok')));
    assert.deepEqual([made(), stage.engine.count(REMOVE)], [1, 1]);
    assert.equal(stage.engine.requests.filter(({ method, path }) => method === 'DELETE' && path.includes('/app-connections/')).length, 1);
    const event = stage.engine.requests.find(({ path }) => path.endsWith('/sync'));
    assert.deepEqual([event?.token, event?.body], [null, { two: 2 }]);
  });

  test('whose worker leaves the first job after a restart is asked once more, and no worker is blamed', async () => {
    const through = createEngineSend(stage.outbound);
    let stored = 0;
    const send: HttpSend = (call) => {
      if (call.method !== 'POST' || !call.url.endsWith('/app-connections') || ++stored > 1) return through(call);
      return Promise.reject(new EngineError('timeout', 'POST /app-connections: no answer.'));
    };
    const { isFine, said } = await look(send);
    assert.equal(isFine, true, said);
    assert.match(said, /^warn: No worker took the first job[^\n]*restarted[^\n]*\nok: A worker took a job/m);
    assert.doesNotMatch(said, /^bad/m);
    assert.equal(stored, 2);
  });

  test('that is not ready ends the command with 1, and with what to do', async () => {
    stage.engine.on(CALL, recorded('webhook-sync-failing-flow'));
    const { code, lines } = await check({ base: stage.engine.url, projectId: PROJECT });
    assert.equal(code, 1);
    assert.equal(lines.filter((line) => line.startsWith('error ')).length, 1, lines.join('\n'));
    assert.equal(lines.at(-1), 'Correct what is wrong, then run the check again.');
    assert.deepEqual([made(), stage.engine.count(REMOVE)], [1, 1]);
  });

  test('whose steps do not reach the service passes with a warning', async () => {
    stage.engine.on(CALL, answered({ sum: 3, service: '' }));
    const { isFine, said } = await look();
    assert.equal(isFine, true);
    assert.match(said, /^warn: Flow steps do not reach the service/m);
    assert.equal(stage.engine.count(REMOVE), 1);
  });

  /** The fault, the expected message, and the number of flows that the check had created by then. */
  const wrong: [what: string, stage: () => HttpSend | void, said: RegExp, flows: 0 | 1][] = [
    [
      'whose admin has no platform yet',
      () => stage.engine.on(SIGN_IN, recorded('sign-in-ok-before-platform')),
      /initial setup is not finished/,
      0,
    ],
    ['that limits logins', () => stage.engine.on(SIGN_IN, recorded('sign-in-rate-limited')), /429, not before 60 s/, 0],
    [
      'without the HTTP piece',
      () => stage.engine.on(`${PIECE}http`, recorded('piece-get-unknown')),
      /does not have the piece @activepieces\/piece-http\./,
      0,
    ],
    [
      'without the webhook piece',
      () => stage.engine.on(`${PIECE}webhook`, recorded('piece-get-unknown')),
      /does not have the piece @activepieces\/piece-webhook\./,
      0,
    ],
    [
      'that reports itself healthy without a worker',
      () => {
        stage.engine.on('GET /api/v1/health', recorded('health-worker-down'));
        stage.engine.on(UPSERT, NEVER);
        return hurried('/app-connections');
      },
      /No worker of the engine answered.*Start at least one worker/,
      0,
    ],
    [
      'whose last worker ends before the flow is published',
      () => {
        stores({ LOCK_AND_PUBLISH: NEVER });
        // The import goes first, to the same address.
        return hurried(FLOW, 2);
      },
      /No worker of the engine answered.*Start at least one worker/,
      1,
    ],
    [
      'that refuses a piece of the flow',
      () => stores({ IMPORT_FLOW: recorded('flow-op-add-action-unknown-piece') }),
      /404 ENTITY_NOT_FOUND \(piece_metadata_not_found pieceName=@activepieces\/piece-not-there\)/,
      1,
    ],
    ['that calls the flow invalid', () => stores({ valid: false }), /calls the flow \w+ invalid/, 1],
    [
      'whose webhook does not find the flow',
      () => stage.engine.on(CALL, recorded('webhook-disabled-flow-sync')),
      /published the flow, but its webhook does not find it/,
      1,
    ],
    ['whose database goes away', () => stage.engine.on(CALL, recorded('webhook-database-down')), /could not be reached for the event/, 1],
    [
      'whose flow answers nothing',
      () => stage.engine.on(CALL, recorded('webhook-sync-no-response-step')),
      /gave no answer within 30 seconds, although a worker answered before/,
      1,
    ],
    [
      'whose code step gives no result',
      () => stage.engine.on(CALL, answered({ sum: '', service: 200 })),
      /The flow ran, but its code step did not return the expected result/,
      1,
    ],
    [
      'whose code step gives another result',
      () => stage.engine.on(CALL, answered({ sum: 12, service: 200 })),
      /The flow ran, but its code step did not return the expected result/,
      1,
    ],
  ];
  for (const [what, stageIt, expected, flows] of wrong) {
    test(`${what}, is said to be so in one line, and keeps no flow of the check`, async () => {
      const { isFine, said } = await look(stageIt() ?? undefined);
      assert.equal(isFine, false);
      const [line, ...more] = said.split('\n').filter((one) => one.startsWith('bad'));
      assert.match(line ?? '', expected, said);
      assert.deepEqual(more, []);
      assert.deepEqual([made(), stage.engine.count(REMOVE)], [flows, flows]);
    });
  }

  test('that stored the flow but did not say so keeps no flow of the check', async () => {
    const send = createEngineSend(stage.outbound);
    const arrived = Promise.withResolvers<void>();
    let metadata: unknown;
    stage.engine.on(CREATE, ({ body }) => {
      ({ metadata } = body as { metadata: unknown });
      arrived.resolve();
      return NEVER;
    });
    const lost: HttpSend = async (call) => {
      if (call.method !== 'POST' || !call.url.endsWith('/flows')) return send(call);
      const given = new AbortController();
      void arrived.promise.then(() => given.abort());
      return send({ ...call, signal: given.signal });
    };
    const [row] = (recorded('flows-list-by-name').body as { data: object[] }).data;
    stage.engine.on('GET /api/v1/flows', () => {
      const others = { ...row, id: 'zzzzzzzzzzzzzzzzzzzzz', metadata: { check: 'of another check' } };
      return recorded('flows-list-by-name', { data: [others, { ...row, id: FLOW, metadata }], next: null });
    });
    const { isFine, said } = await look(lost);
    assert.equal(isFine, false);
    assert.match(said, /^bad: POST \S+\/flows: /m);
    assert.deepEqual(
      stage.engine.requests.filter(({ method, path }) => method === 'DELETE' && path.includes('/flows/')).map(({ path }) => path),
      [`/api/v1/flows/${FLOW}`],
    );
  });

  test('that does not remove the flow is reported to keep it, along with what ended the check', async () => {
    stage.engine.on(CALL, recorded('webhook-sync-no-response-step'));
    stage.engine.on(REMOVE, recorded('webhook-database-down'));
    const { isFine, said } = await look();
    assert.equal(isFine, false);
    assert.match(said, /^bad: The flow gave no answer/m);
    assert.match(said, /^bad: The flow "Check of the engine \(may be deleted\)" could not be removed .*500 ECONNREFUSED/m);
    assert.doesNotMatch(said, /Removed everything/);
  });
});
