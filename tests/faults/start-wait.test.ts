import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { ADMIN_ROLE, type EmbeddedPostgres, startEmbeddedPostgres } from '@partner-portal/service/platform/db/embedded.ts';
import { withClient } from '@partner-portal/service/platform/db/roles.ts';
import { fillDataDir } from '../harness/cluster-template.ts';
import { makeDataDir } from '../harness/data-folder.ts';
import { freePort } from '../harness/free-port.ts';
import { type Service, spawnService, until } from '../harness/system.ts';

// A start whose database is away, or goes away again and again while it starts, waits for it.

/** A machine that is busy for ten seconds takes the refusal for silence. */
const AWAY = '(ECONNREFUSED|ETIMEDOUT)';
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
const secrets = {
  JWT_SECRET: randomBytes(32).toString('hex'),
  AUTOMATION_CALLBACK_SECRET: randomBytes(32).toString('hex'),
  CREDENTIALS_ENCRYPTION_KEY: `k1:${randomBytes(32).toString('base64')}`,
};
let dataDir: string;
let postgres: EmbeddedPostgres;
const services: Service[] = [];
const servers: Server[] = [];

before(async () => {
  dataDir = makeDataDir();
  await fillDataDir(dataDir);
  postgres = await startEmbeddedPostgres({ dataDir: `${dataDir}/postgres`, log: quiet });
});
after(async () => {
  for (const service of services) if (service.isAlive()) process.kill(service.pid, 'SIGKILL');
  for (const server of servers) server.close();
  await postgres?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Starts the service on a database behind this port, without the engine. */
async function start(databasePort: number, waitSeconds: number, own?: number): Promise<Service> {
  own ??= await freePort();
  const service = spawnService({
    ...secrets,
    DATABASE_URL: `postgres://${ADMIN_ROLE}:none@127.0.0.1:${databasePort}/portal`,
    DATA_DIR: dataDir,
    PORT: String(own),
    PUBLIC_BASE_URL: `http://127.0.0.1:${own}`,
    START_WAIT_SECONDS: String(waitSeconds),
    SEED_ADMIN_EMAIL: 'staff@portal.example',
    SEED_ADMIN_PASSWORD: 'seven green sparrows',
  });
  services.push(service);
  return service;
}

/** Forwards connections to Postgres. For each application name, the first `cuts` connections break during their first response. */
async function forward(port: number, cuts: number): Promise<void> {
  const seen = new Map<string, number>();
  const server = createServer((incoming: Socket) => {
    const { host, port: to } = postgres.adminConfig;
    const outgoing = connect(`${host}/.s.PGSQL.${to}`);
    for (const socket of [incoming, outgoing]) socket.on('error', () => undefined);
    incoming.on('close', () => outgoing.destroy());
    outgoing.on('close', () => incoming.destroy());
    incoming.once('data', (startup: Buffer) => {
      const name = /application_name\0([^\0]+)/.exec(startup.toString('latin1'))?.[1] ?? 'administrator';
      const count = (seen.get(name) ?? 0) + 1;
      seen.set(name, count);
      outgoing.write(startup);
      incoming.pipe(outgoing);
      if (count <= cuts) outgoing.once('data', () => incoming.destroy());
      else outgoing.pipe(incoming);
    });
  });
  servers.push(server);
  await once(server.listen(port, '127.0.0.1'), 'listening');
}

async function assertStarts(service: Service): Promise<void> {
  await until('the service is ready', () => {
    if (!service.isAlive()) throw new Error(`The service ended: ${service.output()}`);
    return service.output().includes('Ready at');
  });
  process.kill(service.pid, 'SIGTERM');
  assert.equal((await service.ended).code, 0, service.output());
}

describe('a start whose database does not answer', () => {
  it('says so, waits, and goes on when it is there', async () => {
    const port = await freePort();
    const service = await start(port, 600);
    await until('it waits', () => service.output().includes('retrying for') || !service.isAlive());
    assert.match(service.output(), new RegExp(`The database does not answer \\(${AWAY}\\); retrying for 600 seconds`));
    await forward(port, 0);
    await assertStarts(service);
  });

  it('goes on also when connections break at every step', async () => {
    const port = await freePort();
    await forward(port, 2);
    await assertStarts(await start(port, 600));
  });

  it('ends with one sentence and 1 when the time is over', async () => {
    const service = await start(await freePort(), 0);
    assert.equal((await service.ended).code, 1);
    const said = service.output();
    assert.match(said, new RegExp(`does not answer \\(${AWAY}\\)\\. Check DATABASE_URL`));
    assert.doesNotMatch(said, /^\s+at |undefined|\[object|node:internal/m);
  });
});

it('a service listens once this month has its partitions, also after months of downtime', async () => {
  const [databasePort, port] = [await freePort(), await freePort()];
  await forward(databasePort, 0);
  const database = { ...postgres.adminConfig, database: 'portal' };
  const service = await withClient(database, async (client) => {
    await client.query('begin; lock table partitioned_table in access exclusive mode');
    const starting = await start(databasePort, 600, port);
    await until('it makes partitions', async () => {
      const waiting = `select from pg_locks where relation = 'partitioned_table'::regclass and not granted`;
      return !starting.isAlive() || ((await client.query(waiting)).rowCount ?? 0) > 0;
    });
    // An event that arrived now would be in the way of the partition of its month for good.
    await assert.rejects(fetch(`http://127.0.0.1:${port}/health`), TypeError, starting.output());
    await client.query('rollback');
    return starting;
  });
  await assertStarts(service);
});
