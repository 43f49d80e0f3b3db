import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { makeDataDir } from '@partner-portal/tests/harness/data-folder.ts';
import pg from 'pg';
import { StartError } from '../start-error.ts';
import { type EmbeddedOptions, type EmbeddedPostgres, startEmbeddedPostgres } from './embedded.ts';
import { explainServerFailure, unusableFolder } from './embedded-errors.ts';
import type { DatabaseAddress } from './host.ts';
import { isPostmasterOf, processStartedAt, readPostmasterFile } from './postmaster.ts';
import { withClient } from './roles.ts';

/** Only root hands its files to another account, which may then not be able to enter a folder. */
const asRoot = { skip: process.getuid?.() !== 0 };
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
const folders: string[] = [];
const running: EmbeddedPostgres[] = [];

after(async () => {
  await Promise.all(running.map((server) => server.stop()));
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function freshFolder(): string {
  const folder = makeDataDir();
  folders.push(folder);
  return folder;
}

async function start(dataDir: string, options: Partial<EmbeddedOptions> = {}): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, log: quiet, ...options });
  running.push(server);
  return server;
}

const ask = (address: DatabaseAddress, text: string): Promise<unknown> =>
  withClient(address, async (client) => (await client.query<Record<string, unknown>>(text)).rows[0]);

/** Asks again until the server answers; the test runner's own limit ends it otherwise. */
async function askUntilAnswered(address: DatabaseAddress, text: string): Promise<unknown> {
  for (;;) {
    const client = new pg.Client(address);
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<Record<string, unknown>>(text);
      return rows[0];
    } catch {
      await setImmediate();
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

async function refusal(work: Promise<EmbeddedPostgres>): Promise<string> {
  const error: unknown = await work.then(
    (server) => server.stop(),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof StartError, String(error));
  assert.doesNotMatch(error.message, /undefined|\[object/);
  return error.message;
}

describe('the embedded server', () => {
  it('listens on a private socket and on no port, durable by default', async () => {
    const server = await start(freshFolder());
    const settings = await ask(
      server.adminConfig,
      `select current_setting('listen_addresses') as listen, current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit, current_setting('server_encoding') as encoding`,
    );
    assert.deepEqual(settings, { listen: '', fsync: 'on', commit: 'on', encoding: 'UTF8' });
    assert.equal(statSync(server.adminConfig.host).mode & 0o777, 0o700);
    const uid = statSync(server.adminConfig.host).uid;
    assert.notEqual(uid, 0, 'never root');
  });

  it('writes a log that only its owner reads and that refused statements, of which a tenant can send any number, do not fill', async () => {
    const folder = freshFolder();
    const server = await start(folder);
    await assert.rejects(
      withClient(server.adminConfig, async (client) => {
        await client.query('create temp table person (email text unique)');
        await client.query(`insert into person values ($1)`, ['canary@example.com']);
        await client.query(`insert into person values ($1)`, ['canary@example.com']);
      }),
    );
    const written = readFileSync(join(folder, 'server.log'), 'utf8');
    assert.match(written, /ready to accept connections/);
    assert.doesNotMatch(written, /duplicate key|canary/);
    assert.equal(statSync(join(folder, 'server.log')).mode & 0o077, 0);
  });

  it('keeps committed rows over a stop and a start, and leaves no process behind', async () => {
    const folder = freshFolder();
    const first = await startEmbeddedPostgres({ dataDir: folder, log: quiet });
    const pid = first.pid() ?? 0;
    await ask(first.adminConfig, 'create table kept as select 7 as seven');
    await first.stop();
    assert.equal(processStartedAt(pid), null);
    const second = await start(folder);
    assert.equal(second.adopted, false);
    assert.deepEqual(await ask(second.adminConfig, 'select seven from kept'), { seven: 7 });
  });

  it('comes back by itself when it is killed, with what was committed', async () => {
    const server = await start(freshFolder());
    await ask(server.adminConfig, 'create table kept as select 8 as eight');
    process.kill(server.pid() ?? 0, 'SIGKILL');
    assert.deepEqual(await askUntilAnswered(server.adminConfig, 'select eight from kept'), { eight: 8 });
  });

  it('that is stopped while it comes back leaves no process behind', async () => {
    const folder = freshFolder();
    const cluster = join(folder, 'cluster');
    const server = await startEmbeddedPostgres({ dataDir: folder, log: quiet });
    const killed = server.pid() ?? 0;
    process.kill(killed, 'SIGKILL');
    let next = killed;
    while (next === killed || !isPostmasterOf(next, cluster)) {
      await setImmediate();
      next = (await readPostmasterFile(cluster))?.pid ?? killed;
    }
    await server.stop();
    assert.equal(processStartedAt(next), null);
  });

  it('starts where the socket path would be too long', async () => {
    const folder = join(freshFolder(), 'a-rather-long-folder-name-'.repeat(4));
    const server = await start(folder);
    assert.ok(Buffer.byteLength(join(server.adminConfig.host, '.s.PGSQL.5432.lock')) <= 107);
    assert.deepEqual(await ask(server.adminConfig, 'select 1 as one'), { one: 1 });
  });

  it('then uses a private socket folder that no one can foresee, the same at each start, and never one that was opened or replaced', async () => {
    const dataDir = join(freshFolder(), 'a-rather-long-folder-name-'.repeat(4));
    const socketFolder = async (): Promise<string> => {
      const server = await start(dataDir);
      const { host } = server.adminConfig;
      await server.stop();
      folders.push(host);
      const found = lstatSync(host);
      assert.ok(found.isDirectory() && (found.mode & 0o777) === 0o700, host);
      return host;
    };
    const first = await socketFolder();
    assert.match(first, /\/portal-pg-[A-Za-z0-9]{6}$/);
    assert.equal(await socketFolder(), first);
    chmodSync(first, 0o755);
    const second = await socketFolder();
    assert.notEqual(second, first);
    const elsewhere = freshFolder();
    rmSync(second, { recursive: true });
    symlinkSync(elsewhere, second);
    const third = await socketFolder();
    assert.ok(third !== second && lstatSync(elsewhere).isDirectory());
    assert.deepEqual(readdirSync(elsewhere), []);
  });

  it(
    'in a folder that its account cannot enter keeps its data with the folder: moved it is there, deleted it is gone',
    asRoot,
    async () => {
      const closed = freshFolder();
      chmodSync(closed, 0o700);
      const dataDir = join(closed, 'data');
      const first = await start(dataDir);
      await ask(first.adminConfig, 'create table kept ()');
      await first.stop();
      folders.push(dirname(readFileSync(join(dataDir, 'LOCATION'), 'utf8').trim()));
      renameSync(dataDir, join(closed, 'moved'));
      const tables = `select count(*)::int as count from pg_tables where tablename = 'kept'`;
      const moved = await start(join(closed, 'moved'));
      assert.deepEqual(await ask(moved.adminConfig, tables), { count: 1 });
      await moved.stop();
      const anew = await start(dataDir);
      folders.push(dirname(readFileSync(join(dataDir, 'LOCATION'), 'utf8').trim()));
      assert.deepEqual(await ask(anew.adminConfig, tables), { count: 0 });
      await anew.stop();
    },
  );

  it('starts over the pid file of a dead server', async () => {
    const folder = freshFolder();
    const first = await startEmbeddedPostgres({ dataDir: folder, log: quiet });
    await first.stop();
    // The number of a process that lives but is no server of ours: Postgres itself would refuse to start.
    writeFileSync(
      join(folder, 'cluster', 'postmaster.pid'),
      `${process.pid}\n${join(folder, 'cluster')}\n1\n5432\n${join(folder, 'socket')}\n\n\nready\n`,
    );
    const second = await start(folder);
    assert.deepEqual(await ask(second.adminConfig, 'select 1 as one'), { one: 1 });
  });
});

describe('a server whose parent was killed', () => {
  it('is taken over by the next start with its sessions, not fought over', async () => {
    const folder = freshFolder();
    const parent = startParent(folder);
    const [line] = (await once(parent.stdout ?? process.stdin, 'data')) as [Buffer]; // the parent prints the pid when ready
    const pid = Number(line.toString());
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    const server = await start(folder);
    assert.equal(server.adopted, true);
    assert.equal(server.pid(), pid);
    await server.stop();
    assert.equal(processStartedAt(pid), null, 'an adopted server is stopped like an own one');
  });

  it('is left alone while its parent lives', async () => {
    const folder = freshFolder();
    const parent = startParent(folder);
    await once(parent.stdout ?? process.stdin, 'data');
    assert.match(await refusal(startEmbeddedPostgres({ dataDir: folder, log: quiet })), /Another service \(process \d+\) already uses/);
    parent.kill('SIGTERM');
    await once(parent, 'exit');
  });
});

describe('a start that cannot work says why in one sentence', () => {
  it('when the cluster was made by another version', async () => {
    const folder = freshFolder();
    mkdirSync(join(folder, 'cluster'));
    writeFileSync(join(folder, 'cluster', 'PG_VERSION'), '15\n');
    assert.match(await refusal(startEmbeddedPostgres({ dataDir: folder, log: quiet })), /created by PostgreSQL 15.*PostgreSQL 18/);
  });

  it('when the folder is a file', async () => {
    const file = join(freshFolder(), 'file');
    writeFileSync(file, '');
    assert.match(await refusal(startEmbeddedPostgres({ dataDir: file, log: quiet })), /cannot be used for the database/);
  });

  it('when the folder cannot be written', async () => {
    // Not even root writes here.
    assert.match(await refusal(startEmbeddedPostgres({ dataDir: '/sys/portal', log: quiet })), /\/sys\/portal cannot be written/);
  });

  it('when the disk is full, whoever noticed it first', async () => {
    const place = { dataDir: freshFolder(), clusterDir: 'cluster', logFile: 'log' };
    const said = 'FATAL:  could not write lock file "postmaster.pid": No space left on device';
    assert.match((await explainServerFailure(place, said, 'did not start')).message, /disk that holds .* is full/);
    assert.match(unusableFolder(place.dataDir, Object.assign(new Error('full'), { code: 'ENOSPC' })).message, /is full/);
  });

  it('when the server refuses its settings, and leaves nothing running', async () => {
    const folder = freshFolder();
    const server = await startEmbeddedPostgres({ dataDir: folder, log: quiet });
    await server.stop();
    const message = await refusal(startEmbeddedPostgres({ dataDir: folder, log: quiet, settings: { shared_buffers: 'nonsense' } }));
    assert.match(message, /did not start: .*shared_buffers/);
    assert.equal(existsSync(join(folder, 'cluster', 'postmaster.pid')), false);
  });
});

/** Another process that starts the server, prints its pid and stops it on SIGTERM. */
function startParent(folder: string): ChildProcess {
  const script = `
    import { startEmbeddedPostgres } from ${JSON.stringify(join(import.meta.dirname, 'embedded.ts'))};
    const quiet = { info() {}, warn() {}, error() {} };
    const server = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(folder)}, log: quiet });
    process.on('SIGTERM', () => server.stop().then(() => process.exit(0)));
    setInterval(() => {}, 1000);
    console.log(server.pid());`;
  return spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
}
