import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { after, afterEach, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '@house/tests/harness/database.ts';
import { createInternalFetch } from '#platform/outbound/internal-fetch.ts';
import { createLog } from '#platform/log.ts';
import { Secret } from '#platform/secret.ts';
import { StartError } from '#platform/start-error.ts';
import { type EmbeddedEngine, type EmbeddedEngineOptions, findSharedProject, startEmbeddedEngine } from './embedded-engine.ts';
import { createEngineSend } from './engine/engine-send.ts';
import { createEngineClient, type EngineClient } from './engine-client.ts';

let database: TestDatabase;
let engine: EmbeddedEngine | undefined;
const outbound = createInternalFetch(() => true);
const lines: string[] = [];

before(async () => void (database = await createTestDatabase()));
afterEach(async () => {
  await engine?.stop();
  engine = undefined;
});
after(async () => {
  await outbound.close();
  await database.drop();
});

function start(change: Partial<EmbeddedEngineOptions> = {}): Promise<EmbeddedEngine> {
  return startEmbeddedEngine({
    database: database.configFor('portal_engine'),
    adminEmail: 'engine-admin@example.com',
    adminPassword: new Secret('correct horse battery'),
    encryptionKey: new Secret(Buffer.alloc(32, 7).toString('base64')),
    allowedHosts: [],
    log: createLog('debug', { write: (line) => void lines.push(line) }),
    ...change,
  });
}

function clientOf(running: EmbeddedEngine): EngineClient {
  const account = { email: 'engine-admin@example.com', password: new Secret('correct horse battery') };
  return createEngineClient({
    baseUrl: () => running.baseUrl(),
    account,
    send: createEngineSend(outbound),
    clock: { now: () => new Date() },
  });
}

/** Asks again until the engine is healthy; each question takes its own time. */
async function untilHealthy(client: EngineClient): Promise<void> {
  while ((await client.health(1_000)).state !== 'healthy') await new Promise((resolve) => setImmediate(resolve));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test('the engine runs as a process of its own, answers our client and has a project to share', async () => {
  engine = await start();
  const client = clientOf(engine);
  assert.equal((await client.health(2_000)).state, 'healthy');
  assert.equal((await client.about()).edition, 'ce');
  assert.match(await findSharedProject(client), /^[0-9a-zA-Z]{21}$/);
  assert.notEqual(engine.pid(), process.pid);
});

test('an engine that is killed comes back at the same address, and our session survives it', async () => {
  engine = await start();
  const client = clientOf(engine);
  const projectId = await findSharedProject(client);
  const [pid, url] = [engine.pid() ?? 0, engine.baseUrl()];
  process.kill(pid, 'SIGKILL');
  await untilGone(pid);
  await untilHealthy(client);
  assert.equal(engine.baseUrl(), url);
  assert.notEqual(engine.pid(), pid);
  assert.equal(await findSharedProject(client), projectId);
});

async function untilGone(pid: number): Promise<void> {
  while (isAlive(pid) && engine?.pid() === pid) await new Promise((resolve) => setImmediate(resolve));
}

test('an engine whose port was taken meanwhile comes back at another one', async () => {
  engine = await start();
  const client = clientOf(engine);
  const [pid, url] = [engine.pid() ?? 0, engine.baseUrl()];
  process.kill(pid, 'SIGKILL');
  await untilGone(pid);
  const squatter = createServer((socket) => void socket.destroy()).listen(Number(new URL(url ?? '').port), '127.0.0.1');
  await new Promise((resolve) => squatter.once('listening', resolve));
  await untilHealthy(client);
  assert.notEqual(engine.baseUrl(), url);
  await new Promise((resolve) => squatter.close(resolve));
});

test('stopping ends the process and does not start it again', async () => {
  engine = await start();
  const pid = engine.pid() ?? 0;
  await engine.stop();
  assert.deepEqual([isAlive(pid), engine.baseUrl(), engine.pid()], [false, null, null]);
});

test('an engine that cannot start is told in one clear message without a secret', async () => {
  const nobody = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => nobody.once('listening', resolve));
  const address = nobody.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  await new Promise((resolve) => nobody.close(resolve));
  const failed = await start({ database: { host: '127.0.0.1', port, user: 'x', database: 'x', password: 'a-database-password' } }).catch(
    (error: unknown) => error,
  );
  assert.ok(failed instanceof StartError);
  assert.match(failed.message, /^The embedded workflow engine did not start: .*ECONNREFUSED/);
  assert.ok(!lines.join().includes('a-database-password') && !lines.join().includes('correct horse battery'));
});
