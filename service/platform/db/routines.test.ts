import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '@partner-portal/tests/harness/database.ts';
import { StartError } from '../start-error.ts';
import { readUpgrade } from './baseline.ts';
import { prepareDatabase, SCHEMA_DIR } from './migrate.ts';
import { withClient } from './roles.ts';

let folder: string;
let database: TestDatabase;
let schemas = 0;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'portal-routines-'));
  database = await createTestDatabase();
});
after(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

/** A schema folder of its own and a database for it. */
async function createSchema(files: Record<string, string>) {
  const dir = join(folder, `schema-${++schemas}`);
  const name = `${database.name}_${schemas}`;
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  const query = (text: string) => withClient({ ...database.host.adminConfig, database: name }, (client) => client.query(text));
  return {
    write,
    remove: (path: string) => rmSync(join(dir, path)),
    start: () => prepareDatabase(database.host, name, dir),
    value: async (text: string): Promise<unknown> => Object.values((await query(text)).rows[0] ?? {})[0],
    query,
    drop: () => withClient(database.host.adminConfig, (client) => client.query(`drop database if exists ${name} with (force)`)),
  };
}

const TABLE = 'create table thing (id int, note text default label());';
const LABEL = "create or replace function label() returns text language sql as $$ select 'first' $$;\n";
const STAMP = `create or replace function stamp() returns trigger language plpgsql as $$ begin new.note := 'stamped'; return new; end $$;
create or replace trigger thing_stamp before insert on thing for each row execute function stamp();
`;
const FILES = { 'migrations/0001-thing.sql': TABLE, 'functions/base/label.sql': LABEL, 'functions/things/stamp.sql': STAMP };

describe('function files', () => {
  it('of base are there before the first migration, the others after the last, and a second start applies none', async () => {
    const schema = await createSchema(FILES);
    assert.deepEqual(await schema.start(), ['functions/base/label.sql', '0001-thing', 'functions/things/stamp.sql']);
    assert.deepEqual(await schema.start(), []);
    await schema.drop();
  });

  it('are applied once by two processes that start together', async () => {
    const schema = await createSchema(FILES);
    const applied = await Promise.all([schema.start(), schema.start()]);
    assert.deepEqual(
      applied.map((paths) => paths.length).sort((a, b) => a - b),
      [0, 3],
    );
    schema.write('functions/base/label.sql', LABEL.replace('first', 'second'));
    const again = await Promise.all([schema.start(), schema.start()]);
    assert.deepEqual(again.flat(), ['functions/base/label.sql']);
    assert.equal(await schema.value('select label()'), 'second');
    await schema.drop();
  });

  it('are applied at the next start after their text has changed, with a new signature and fewer grants too', async () => {
    const schema = await createSchema({
      'migrations/0001-thing.sql': 'create table thing (id int);',
      'functions/things/count.sql': `create or replace function count_things(of_kind int) returns int language sql as $$ select count(*)::int from thing $$;
revoke execute on function count_things from public;
grant execute on function count_things to portal_tenant, portal_system;
`,
    });
    await schema.start();
    schema.write(
      'functions/things/count.sql',
      `create or replace function count_things(kind bigint) returns bigint language sql as $$ select count(*) + 7 from thing $$;
revoke execute on function count_things from public;
grant execute on function count_things to portal_system;
`,
    );
    assert.deepEqual(await schema.start(), ['functions/things/count.sql']);
    assert.equal(await schema.value('select count_things(1)'), '7');
    assert.equal(await schema.value("select count(*)::int from pg_proc where proname = 'count_things'"), 1);
    assert.equal(await schema.value("select has_function_privilege('portal_system', 'count_things(bigint)', 'execute')"), true);
    assert.equal(await schema.value("select has_function_privilege('portal_tenant', 'count_things(bigint)', 'execute')"), false);
    await schema.drop();
  });

  it('take their triggers and functions along when these leave the text or the file goes', async () => {
    const schema = await createSchema(FILES);
    const triggers = () => schema.value("select count(*)::int from pg_trigger where tgname like 'thing_%'");
    await schema.start();
    assert.equal(await triggers(), 1);
    schema.write('functions/things/stamp.sql', STAMP.replace(/create or replace trigger.*\n/, ''));
    await schema.start();
    assert.equal(await triggers(), 0);
    schema.write('functions/things/stamp.sql', STAMP);
    await schema.start();
    assert.equal(await triggers(), 1);
    schema.remove('functions/things/stamp.sql');
    await schema.start();
    assert.equal(await triggers(), 0);
    assert.equal(await schema.value("select to_regproc('stamp') is null"), true);
    await schema.drop();
  });

  it('may be aggregates, which stay at the next start and go with their file', async () => {
    const schema = await createSchema(FILES);
    schema.write(
      'functions/base/add_up.sql',
      "create or replace aggregate add_up(bigint) (sfunc = int8pl, stype = bigint, initcond = '0');\n",
    );
    await schema.start();
    schema.write('functions/base/label.sql', LABEL.replace('first', 'second'));
    await schema.start();
    assert.equal(await schema.value('select add_up(n) from (values (2::bigint), (null), (3)) v(n)'), '5');
    schema.write('functions/base/add_up.sql', "create or replace aggregate add_up(int) (sfunc = int4pl, stype = int, initcond = '0');\n");
    await schema.start();
    assert.equal(
      await schema.value("select string_agg(oid::regprocedure::text, ', ') from pg_proc where proname = 'add_up'"),
      'add_up(integer)',
    );
    schema.remove('functions/base/add_up.sql');
    await schema.start();
    assert.equal(await schema.value("select to_regproc('add_up') is null"), true);
    await schema.drop();
  });

  it('that fail leave the database as it was and are named', async () => {
    const schema = await createSchema(FILES);
    await schema.start();
    schema.write('functions/base/label.sql', LABEL.replace('first', 'second'));
    schema.write('functions/things/broken.sql', 'create or replace function broken() returns int language sql as $$ select nothing $$;\n');
    const isNamed = (error: unknown): boolean => error instanceof StartError && /broken\(\) failed.*nothing/.test(error.message);
    await assert.rejects(schema.start(), isNamed);
    assert.equal(await schema.value("select to_regproc('broken') is null"), true);
    await schema.drop();
  });
});

describe('an applied migration', () => {
  it('whose file has changed since stops the start', async () => {
    const schema = await createSchema(FILES);
    await schema.start();
    schema.write('migrations/0001-thing.sql', `${TABLE} -- edited`);
    await assert.rejects(
      schema.start(),
      (error: unknown) => error instanceof StartError && /0001-thing was changed after/.test(error.message),
    );
    await schema.drop();
  });

  it('that the files do not have, as after a downgrade, stops the start', async () => {
    const schema = await createSchema(FILES);
    schema.write('migrations/0002-later.sql', 'alter table thing add more int;');
    await schema.start();
    schema.remove('migrations/0002-later.sql');
    await assert.rejects(
      schema.start(),
      (error: unknown) => error instanceof StartError && /0002-later, which this version does not know/.test(error.message),
    );
    schema.write('migrations/0002-later.sql', 'alter table thing add more int;');
    assert.deepEqual(await schema.start(), []);
    await schema.drop();
  });

  it('that a new one precedes stops the start, and one that follows is applied', async () => {
    const schema = await createSchema({ 'migrations/0002-thing.sql': 'create table thing (id int);' });
    await schema.start();
    schema.write('migrations/0001-before.sql', 'create table before (id int);');
    await assert.rejects(
      schema.start(),
      (error: unknown) => error instanceof StartError && /0001-before comes before 0002-thing/.test(error.message),
    );
    schema.remove('migrations/0001-before.sql');
    schema.write('migrations/0003-after.sql', 'create table after (id int);');
    assert.deepEqual(await schema.start(), ['0003-after']);
    await schema.drop();
  });
});

/** Functions, their rights and triggers, as the catalog has them. */
const ROUTINES = `
  select json_build_object(
    'routines', (select json_agg(r order by r::text) from (
      select p.oid::regprocedure::text as name, p.prosrc, p.prosecdef, p.proconfig, (
        select json_agg(g order by g) from (select case a.grantee when 0 then 'public' else a.grantee::regrole::text end as g
          from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a) s) as rights
      from pg_proc p where p.pronamespace = 'public'::regnamespace) r),
    'triggers', (select json_agg(pg_get_triggerdef(oid) order by pg_get_triggerdef(oid)) from pg_trigger where not tgisinternal))`;

/** What version 0.1 recorded as applied, in its order: functions were part of these migrations, and no checksum was stored. */
const RECORDED_IN_0_1 =
  `0001-foundation 0002-jobs 0003-tenancy 0004-ledger 0005-agents 0006-vault 0007-executions 0008-provisioning 0009-plans 0020-identity
  0060-agent-requests 0070-schedules 0071-overdue 0072-drift 0072-engine-back 0073-rollouts 0074-planned-runs 0075-agent-removals 0076-request-news
  0076-unchecked-drift 0080-webhooks 0081-reactions 0082-redeliveries 0083-mail 0084-audit 0085-alerts 0086-notifications 0090-mfa 0091-view-as
  0092-applications 0093-sso 0095-team 0096-due-exactly 0097-invitation-links 0098-renewed-recovery-codes 0099-known-zone`.split(/\s+/);

describe('a database of version 0.1', () => {
  it('gets the functions, rights and triggers of a fresh one, and no migration runs again', async () => {
    const query = (text: string, values: unknown[] = []) =>
      withClient({ ...database.host.adminConfig, database: database.name }, (client) => client.query(text, values));
    const fresh = (await query(ROUTINES)).rows;
    const steps = (await readUpgrade(SCHEMA_DIR)).map(({ name }) => name);
    await query(`drop schema applied cascade; set role portal_owner;
      create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null);
      create table kysely_migration_lock (id varchar(255) primary key, is_locked integer not null)`);
    const names = [...RECORDED_IN_0_1, ...steps];
    await query(
      `insert into kysely_migration select name, to_char(now() + n * interval '1 second', 'YYYY-MM-DD"T"HH24:MI:SS.000Z') from unnest($1::text[]) with ordinality as t(name, n)`,
      [names],
    );
    // Older texts, a function of another signature, wider rights, and a trigger that exists no more.
    await query(`set role portal_owner;
      create or replace function may_send_mail_for(partner uuid) returns boolean language sql stable as $$ select true $$;
      create function assert_session(user_id uuid, session_partner uuid) returns void language sql as $$ select $$;
      grant execute on function queue_mail to portal_service;
      create function old_notice() returns trigger language plpgsql as $$ begin return null; end $$;
      create trigger partner_old after insert on partner for each row execute function old_notice()`);
    const applied = await prepareDatabase(database.host, database.name, SCHEMA_DIR);
    assert.ok(applied.length > 0 && applied.every((path) => path.startsWith('functions/') || path === 'baseline'), applied.join());
    assert.deepEqual((await query(ROUTINES)).rows, fresh);
    assert.deepEqual(await prepareDatabase(database.host, database.name, SCHEMA_DIR), []);
  });
});
