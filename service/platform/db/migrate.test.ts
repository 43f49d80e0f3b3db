import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { freePort } from '@partner-portal/tests/harness/free-port.ts';
import { createOldDatabase } from '@partner-portal/tests/harness/old-database.ts';
import { StartError } from '../start-error.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded.ts';
import { externalHost } from './host.ts';
import { prepareDatabase } from './migrate.ts';
import { explainDatabaseError, LOGIN_ROLES, withClient } from './roles.ts';

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
let folder: string;
let server: EmbeddedPostgres;
let port: number;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'portal-external-'));
  port = await freePort();
  chmodSync(folder, 0o755);
  // Passwords count for two databases.
  const hba_file = join(folder, 'hba.conf');
  writeFileSync(hba_file, `local all all trust\nhost production,staging all 127.0.0.1/32 scram-sha-256\nhost all all 127.0.0.1/32 trust\n`);
  server = await startEmbeddedPostgres({
    dataDir: join(folder, 'pg'),
    log: quiet,
    listenTcp: port,
    settings: { fsync: 'off', hba_file },
  });
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

  it('has sessions and months of tables in UTC, also in a database of another time zone', async () => {
    await admin('create database indian');
    await admin("alter database indian set timezone to 'Asia/Kolkata'");
    const host = externalHost(`postgres://portal_admin:x@127.0.0.1:${port}/indian`, 'x'.repeat(40));
    await prepareDatabase(host, 'indian');
    for (const role of LOGIN_ROLES) {
      const { rows } = await withClient(host.configFor(role, 'indian'), (client) => client.query('show timezone'));
      assert.deepEqual(rows, [{ TimeZone: 'UTC' }], role);
    }
    const months = await withClient({ ...host.adminConfig, database: 'indian' }, (client) =>
      client.query<{ bound: string; first: string }>(`
        select pg_get_expr(c.relpartbound, c.oid) as bound,
          uuid_floor(to_date(right(c.relname, 7), 'YYYY_MM')::timestamp at time zone 'UTC')::text as first
        from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent = 'execution_payload'::regclass and c.relname ~ '_\\d{4}_\\d{2}$'`),
    );
    assert.ok(months.rows.length > 0);
    for (const { bound, first } of months.rows) assert.ok(bound.startsWith(`FOR VALUES FROM ('${first}')`), `${bound}, not from ${first}`);
  });

  it('may be prepared by two starters at once', async () => {
    const host = externalHost(`postgres://portal_admin:x@127.0.0.1:${port}/twice`, 'x'.repeat(40));
    await admin('create database twice');
    const applied = await Promise.all([prepareDatabase(host, 'twice'), prepareDatabase(host, 'twice')]);
    assert.equal(Math.min(...applied.map((names) => names.length)), 0, 'one of them finds the work done');
  });

  it('is refused with one sentence when it is older than what the SQL needs, before anything is changed', async () => {
    await admin('create database former');
    const host = externalHost(`postgres://portal_admin:x@127.0.0.1:${port}/former`, 'x'.repeat(40));
    const former = { ...host.adminConfig, database: 'former' };
    // The server answers as an older one would.
    await withClient(former, (client) =>
      client.query(`create schema old; create function old.current_setting(name text) returns text language sql as
        $$ select case name when 'server_version_num' then '150013' else '15.13 (Debian 15.13-0+deb12u1)' end $$`),
    );
    const asked = { ...host, adminConfig: { ...former, options: '-c search_path=old,pg_catalog' } };
    await assert.rejects(
      prepareDatabase(asked, 'former'),
      isStartError(
        /^The database at 127\.0\.0\.1:\d+ is PostgreSQL 15\.13 \(Debian 15\.13-0\+deb12u1\); this release needs PostgreSQL 18 or newer\.$/,
      ),
    );
    const { rows } = await withClient(former, (client) => client.query("select from pg_namespace where nspname in ('engine', 'sandbox')"));
    assert.deepEqual(rows, []);
    assert.ok((await prepareDatabase(host, 'former')).length > 0, 'the same server is taken once it is new enough');
  });

  it('carries one installation: a second one is refused, and shuts the first one out of nothing', async () => {
    await admin("create role keeper login superuser password 'secret'");
    await admin('create database production owner keeper');
    await admin('create database staging owner keeper');
    const hostOf = (database: string, secret: string) => externalHost(`postgres://keeper:secret@127.0.0.1:${port}/${database}`, secret);
    const first = hostOf('production', 'y'.repeat(40));
    await prepareDatabase(first, 'production');
    const logIn = (database: string) =>
      withClient(
        first.configFor('portal_service', database),
        async (client) => (await client.query('select current_database() as at')).rows,
      );
    assert.deepEqual(await logIn('production'), [{ at: 'production' }]);
    await assert.rejects(
      prepareDatabase(hostOf('staging', 'z'.repeat(40)), 'staging'),
      isStartError(/carries the installation of the database "production".* One server carries one installation/),
    );
    assert.deepEqual(await logIn('production'), [{ at: 'production' }]);
    // A copy of it is none: a restore that is tried with the same settings.
    await prepareDatabase(hostOf('staging', 'y'.repeat(40)), 'staging');
    assert.deepEqual([await logIn('production'), await logIn('staging')], [[{ at: 'production' }], [{ at: 'staging' }]]);
    // A new secret is taken once the copy is gone.
    const rotated = hostOf('production', 'r'.repeat(40));
    await assert.rejects(prepareDatabase(rotated, 'production'), isStartError(/drop "staging" if nothing uses it any more/));
    await admin('drop database staging with (force)');
    assert.deepEqual(await prepareDatabase(rotated, 'production'), []);
    await assert.rejects(logIn('production'), isStartError(/refused the user "portal_service"/));
    await admin('drop database production with (force)');
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
  it('lets the engine be asked about what it runs already', async () => {
    await createOldDatabase(server, 'updated', '0211');
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
    });
  });

  for (const [of, beforeStep, noted] of [
    ['a version without sums', '0211', ''],
    [
      'a version that had not added it yet, in place of what was noted since',
      '0240',
      `insert into usage_fill select id from partner where slug = 'agency';
       insert into usage_delta (partner_id, hour, counter, credits, entries) select id, '2025-03-01T10:00Z', 'run', 2, 1 from partner where slug = 'agency'`,
    ],
  ] as const)
    it(`adds up what was used before, of ${of}`, async () => {
      const database = `used_${beforeStep}`;
      await createOldDatabase(server, database, beforeStep);
      await withClient({ ...server.adminConfig, database }, async (client) => {
        await client.query(`
          with agency as (insert into partner (name, slug) values ('An agency', 'agency') returning id),
          agent as (insert into workflow (partner_id, template_name, name) select id, 'x', 'x' from agency returning id, partner_id),
          counted as (insert into workflow_hour (partner_id, workflow_id, hour, succeeded, failed, credits)
            select partner_id, id, '2025-03-01T10:00Z', 3, 1, 6 from agent)
          insert into usage_entry (id, kind, partner_id, execution_id, credits, at)
          select uuidv7(), e.kind, partner_id, case when e.kind = 'run' then uuidv7() end, e.credits, '2025-03-01T10:20Z'
          from agent cross join (values ('run', -2), ('run', -4), ('ai_tokens', -5)) as e(kind, credits)`);
        await client.query(noted);
        await prepareDatabase(server, database);
        const { rows } = await client.query(
          `select counter, sum(credits)::int as credits, sum(entries)::int as entries, sum(succeeded)::int as succeeded, sum(failed)::int as failed
           from partner p, usage_of(p.id, '2025-03-01', '2025-03-02') where p.slug = 'agency' group by 1 order by 1`,
        );
        assert.deepEqual(rows, [
          { counter: 'ai_calls', credits: 5, entries: 1, succeeded: 0, failed: 0 },
          { counter: 'ai_tokens', credits: 5, entries: 1, succeeded: 0, failed: 0 },
          { counter: 'ended_runs', credits: 6, entries: 0, succeeded: 3, failed: 1 },
          { counter: 'run', credits: 6, entries: 2, succeeded: 0, failed: 0 },
        ]);
      });
    });
});
