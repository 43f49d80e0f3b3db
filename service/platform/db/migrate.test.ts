import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { freePort } from '@partner-portal/tests/harness/free-port.ts';
import { StartError } from '../start-error.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded.ts';
import { externalHost } from './host.ts';
import { prepareDatabase } from './migrate.ts';
import { explainDatabaseError, withClient } from './roles.ts';

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
let folder: string;
let server: EmbeddedPostgres;
let port: number;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'portal-external-'));
  port = await freePort();
  server = await startEmbeddedPostgres({ dataDir: join(folder, 'pg'), log: quiet, listenTcp: port, settings: { fsync: 'off' } });
});

after(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const admin = (text: string): Promise<unknown> => withClient(server.adminConfig, (client) => client.query(text));
const isStartError = (pattern: RegExp) => (error: unknown) => {
  assert.ok(error instanceof StartError, String(error));
  assert.match(error.message, pattern);
  return true;
};

describe('a server named by DATABASE_URL', () => {
  it('is prepared by an ordinary administrator, no superuser needed, and a second time changes nothing', async () => {
    await admin('create role ops login createrole createdb');
    await admin('create database portal owner ops');
    const host = externalHost(`postgres://ops:secret@127.0.0.1:${port}/portal`, 'x'.repeat(40));
    const applied = await prepareDatabase(host, host.database);
    assert.ok(applied.length > 3, applied.join());
    assert.deepEqual(await prepareDatabase(host, host.database), []);
    const answer = await withClient(host.configFor('portal_service', 'portal'), (client) => client.query('select current_user as me'));
    assert.deepEqual(answer.rows, [{ me: 'portal_service' }]);
  });

  it('may be prepared by two starters at once', async () => {
    const host = externalHost(`postgres://portal_admin:x@127.0.0.1:${port}/twice`, 'x'.repeat(40));
    await admin('create database twice');
    const applied = await Promise.all([prepareDatabase(host, 'twice'), prepareDatabase(host, 'twice')]);
    assert.equal(Math.min(...applied.map((names) => names.length)), 0, 'one of them finds the work done');
  });

  it('gives each login role a password that only the secret reproduces', () => {
    const of = (secret: string, role: string): string | undefined =>
      externalHost('postgres://a:b@h/d', secret).configFor(role, 'd').password;
    assert.equal(of('one', 'portal_service'), of('one', 'portal_service'));
    assert.notEqual(of('one', 'portal_service'), of('one', 'portal_engine'));
    assert.notEqual(of('one', 'portal_service'), of('two', 'portal_service'));
  });

  it('is refused in one sentence when it does not answer, lacks rights or is no address', async () => {
    const closed = await freePort();
    await assert.rejects(
      prepareDatabase(externalHost(`postgres://a:b@127.0.0.1:${closed}/d`, 's'), 'd'),
      isStartError(/does not answer \(ECONNREFUSED\)/),
    );
    const silent = explainDatabaseError(new Error('timeout expired'), { host: 'db', port: 1 });
    assert.ok(isStartError(/at db:1 does not answer \(ETIMEDOUT\)/)(silent));
    await admin('create role weak login');
    await assert.rejects(
      prepareDatabase(externalHost(`postgres://weak:b@127.0.0.1:${port}/postgres`, 's'), 'postgres'),
      isStartError(/"weak" of DATABASE_URL may not create roles/),
    );
    assert.throws(() => externalHost('mysql://a:b@h/d', 's'), isStartError(/DATABASE_URL must name/));
  });
});

describe('a migration that fails', () => {
  it('is named, and leaves nothing of itself behind', async () => {
    const schemaDir = join(folder, 'schema');
    const migrations = join(schemaDir, 'migrations');
    mkdirSync(migrations, { recursive: true });
    writeFileSync(join(migrations, '0001-good.sql'), 'create table good (id int);');
    writeFileSync(join(migrations, '0002-bad.sql'), 'create table half (id int); select nonsense;');
    await assert.rejects(prepareDatabase(server, 'broken', schemaDir), isStartError(/migration 0002-bad failed.*nonsense/));
    const found = await withClient({ ...server.adminConfig, database: 'broken' }, (client) =>
      client.query(`select to_regclass('half') as half`),
    );
    assert.deepEqual(found.rows, [{ half: null }]);
  });
});
