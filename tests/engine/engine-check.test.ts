import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { type CheckOptions, checkEngine } from '@partner-portal/service/adapters/engine-check.ts';
import { createEngineClient } from '@partner-portal/service/adapters/engine-client.ts';
import { createEngineSend } from '@partner-portal/service/adapters/engine/engine-send.ts';
import { systemClock } from '@partner-portal/service/platform/clock.ts';
import { createInternalFetch } from '@partner-portal/service/platform/outbound/internal-fetch.ts';
import { Secret } from '@partner-portal/service/platform/secret.ts';
import { ADMIN, type Sink, startSink, startTestEngine, type TestEngine } from './harness.ts';

/** `npm run engine:check` against an engine over HTTP, as an operator runs it. */

const ROOT = join(import.meta.dirname, '..', '..');
const KEY = Buffer.alloc(32, 7).toString('base64');
const outbound = createInternalFetch(() => true);
const dataDir = mkdtempSync(join(tmpdir(), 'engine-check-'));
let service: Sink;
let on: TestEngine;

before(async () => {
  service = await startSink();
  on = await startTestEngine([`127.0.0.1:${service.port}`]);
});
after(async () => {
  await outbound.close();
  await on.close();
  await service.close();
  rmSync(dataDir, { recursive: true, force: true });
});

async function check(): Promise<{ code: number | null; lines: string[] }> {
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
      AUTOMATION_ENGINE_BASE_URL: on.base,
      AUTOMATION_ENGINE_ADMIN_EMAIL: ADMIN.email,
      AUTOMATION_ENGINE_ADMIN_PASSWORD: ADMIN.password,
      AUTOMATION_ENGINE_PROJECT_ID: on.projectId,
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

/** The same in this process. */
async function walk(options: Partial<CheckOptions> = {}, account = ADMIN, base = on.base): Promise<{ isFine: boolean; said: string }> {
  const client = createEngineClient({
    baseUrl: () => base,
    account: { email: account.email, password: new Secret(account.password) },
    send: createEngineSend(outbound),
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
