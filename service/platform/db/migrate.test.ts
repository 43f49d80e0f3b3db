import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { freePort } from '@partner-portal/tests/harness/free-port.ts';
import { StartError } from '../start-error.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded.ts';
import { externalHost } from './host.ts';
import { prepareDatabase, SCHEMA_DIR } from './migrate.ts';
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

describe('an update', () => {
  it('lets the engine be asked about what it runs already, and adds up what was used before', async () => {
    const before = join(folder, 'before');
    cpSync(join(SCHEMA_DIR, 'functions', 'base'), join(before, 'functions', 'base'), { recursive: true });
    for (const name of readdirSync(join(SCHEMA_DIR, 'migrations')).filter((file) => file < '0211'))
      cpSync(join(SCHEMA_DIR, 'migrations', name), join(before, 'migrations', name));
    await prepareDatabase(server, 'updated', before);
    await withClient({ ...server.adminConfig, database: 'updated' }, async (client) => {
      await client.query(`
        with agency as (insert into partner (name, slug) values ('An agency', 'agency') returning id),
        agent as (insert into workflow (partner_id, template_name, name) select id, 'x', 'x' from agency returning id, partner_id),
        run as (
          insert into execution (id, partner_id, workflow_id, status, source, summary, template_version, credits_held, due_at)
          select uuidv7(), a.partner_id, a.id, r.status, r.source, r.summary, 1, 1, now() from agent a
          cross join (values ('RUNNING', 'ingest', 'sent'), ('RUNNING', 'ingest', 'waiting'), ('RUNNING', 'chatbot', 'turn'), ('FAILED', 'ingest', 'ended'))
            as r(status, source, summary)
          returning id, partner_id, workflow_id, summary)
        insert into dispatch (execution_id, partner_id, workflow_id) select id, partner_id, workflow_id from run where summary = 'waiting'`);
      await prepareDatabase(server, 'updated');
      const asked = await client.query(
        'select e.summary from under_way u join execution e on e.id = u.execution_id where u.ask_at <= now()',
      );
      assert.deepEqual(asked.rows, [{ summary: 'sent' }]);
      const filled = await client.query("select p.slug from usage_fill f join partner p on p.id = f.partner_id where p.slug = 'agency'");
      assert.equal(filled.rowCount, 1);
    });
  });
});
