import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { getPriority } from 'node:os';
import { after, afterEach, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '@partner-portal/tests/harness/database.ts';
import { makeCertificate } from '@partner-portal/tests/harness/certificate.ts';
import { startTlsPostgres } from '@partner-portal/tests/harness/tls-postgres.ts';
import { withClient } from '#platform/db/roles.ts';
import { freePort } from '@partner-portal/tests/harness/free-port.ts';
import { childrenOf, commandOf, until } from '@partner-portal/tests/harness/system.ts';
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

async function start(change: Partial<EmbeddedEngineOptions> = {}): Promise<EmbeddedEngine> {
  const started = startEmbeddedEngine({
    database: database.configFor('portal_engine'),
    adminEmail: 'engine-admin@example.com',
    adminPassword: new Secret('correct horse battery'),
    encryptionKey: new Secret(Buffer.alloc(32, 7).toString('base64')),
    allowedHosts: [],
    startLimitMs: 30_000,
    // Nobody but the test takes it while the engine is away.
    port: await freePort(),
    log: createLog('debug', { write: (line) => void lines.push(line) }),
    ...change,
  });
  await started.ready;
  return started;
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

/** Asks again until the engine is healthy; where nobody listens the answer comes at once. */
async function untilHealthy(client: EngineClient): Promise<void> {
  while ((await client.health(60_000)).state !== 'healthy') await new Promise((resolve) => setImmediate(resolve));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test('reaches a database by TLS, verified against an authority of its own', async () => {
  const authority = makeCertificate({ host: 'Our CA' });
  const server = await startTlsPostgres(makeCertificate({ host: 'localhost', issuer: authority }));
  try {
    const { user, database: name } = server.adminConfig;
    const address = { host: 'localhost', port: server.port, user, database: name, password: 'x' };
    engine = await start({ database: { ...address, ssl: { rejectUnauthorized: true, ca: authority.cert } } });
    // A connection whose TLS is still being agreed on is listed before it has a user.
    const { rows } = await withClient(server.adminConfig, (client) =>
      client.query(
        'select distinct s.ssl from pg_stat_ssl s join pg_stat_activity a using (pid) where a.client_addr is not null and a.usename is not null',
      ),
    );
    assert.deepEqual(rows, [{ ssl: true }]);
    await engine.stop();
    engine = undefined;
    const other = makeCertificate({ host: 'Other CA' });
    await assert.rejects(start({ database: { ...address, ssl: { rejectUnauthorized: true, ca: other.cert } }, startLimitMs: 5_000 }));
  } finally {
    await engine?.stop();
    engine = undefined;
    await server.close();
  }
});

test('the engine runs as a process of its own, answers our client and has a project to share', async () => {
  engine = await start();
  const client = clientOf(engine);
  assert.equal((await client.health(60_000)).state, 'healthy');
  assert.equal((await client.about()).edition, 'ce');
  assert.match(await findSharedProject(client), /^[0-9a-zA-Z]{21}$/);
  assert.notEqual(engine.pid(), process.pid);
  assert.ok(getPriority(engine.pid() ?? undefined) > getPriority(), 'events are accepted before runs are executed');
  assert.equal(await engine.codeStepsHeld(), 0);
  await engine.stop();
  assert.equal(await engine.codeStepsHeld(), null);
});

test('the project of a new platform gets the id that is given, and keeps it', async () => {
  const own = await createTestDatabase();
  try {
    for (const projectId of ['A0123456789abcdefghiZ', 'B0123456789abcdefghiZ']) {
      engine = await start({ database: own.configFor('portal_engine'), projectId });
      assert.equal(await findSharedProject(clientOf(engine)), 'A0123456789abcdefghiZ');
      await engine.stop();
    }
  } finally {
    await own.drop();
  }
});

test('an engine for a project per agency holds as many as there are agencies; any other holds one', async () => {
  engine = await start({ teamProjects: 'UNLIMITED' });
  const names = ['first', 'second', 'third'];
  for (const displayName of names) await clientOf(engine).createProject({ displayName });
  assert.deepEqual((await clientOf(engine).listProjects()).map((project) => project.displayName).slice(1), names);
  await engine.stop();
  engine = await start();
  const client = clientOf(engine);
  await assert.rejects(client.createProject({ displayName: 'fourth' }), { kind: 'plan_limit' });
  for (const project of (await client.listProjects()).slice(1)) await client.deleteProject(project.id);
  const tries = await Promise.allSettled(names.map((displayName) => client.createProject({ displayName })));
  assert.equal(tries.filter((one) => one.status === 'fulfilled').length, 1, 'of three at once');
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

test('stopping while it is started again leaves no process behind', async () => {
  engine = await start();
  const killed = engine.pid() ?? 0;
  process.kill(killed, 'SIGKILL');
  const isNext = (pid: number): boolean => pid !== killed && commandOf(pid).includes('engine/main.ts');
  const next = await until('the next one was begun', () => childrenOf(process.pid).find(isNext));
  await engine.stop();
  assert.equal(isAlive(next), false);
});

test('an engine that takes long to start is waited for, and says that it still starts', async () => {
  const slow = Promise.withResolvers<string>();
  const starting = await withClient({ ...database.host.adminConfig, database: database.name }, async (client) => {
    // The engine takes this lock to migrate its schema.
    await client.query('select pg_advisory_lock(7305101)');
    const made = start({ startLimitMs: 0, slowStartMs: 0, onSlowStart: slow.resolve });
    assert.equal(await slow.promise, 'The workflow engine is still starting; waiting up to 10 minutes');
    return { made };
  });
  engine = await starting.made;
  assert.equal((await clientOf(engine).health(60_000)).state, 'healthy');
});

test('an engine that cannot start is told in one clear message without a secret', async () => {
  const port = await freePort();
  const failed = await start({
    database: { host: '127.0.0.1', port, user: 'x', database: 'x', password: 'a-database-password' },
    startLimitMs: 0,
  }).catch((error: unknown) => error);
  assert.ok(failed instanceof StartError);
  assert.match(failed.message, /^The embedded workflow engine did not start: .*ECONNREFUSED/);
  assert.ok(!lines.join().includes('a-database-password') && !lines.join().includes('correct horse battery'));
});
