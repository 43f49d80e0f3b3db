import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { readUpgrade } from '@partner-portal/service/platform/db/baseline.ts';
import { prepareDatabase, SCHEMA_DIR } from '@partner-portal/service/platform/db/migrate.ts';
import { withClient } from '@partner-portal/service/platform/db/roles.ts';
import { StartError } from '@partner-portal/service/platform/start-error.ts';
import { printedCommands } from './containers/printed.ts';
import { CATALOG } from './harness/catalog.ts';
import { createTestDatabase, type TestDatabase } from './harness/database.ts';
import { createOldDatabase } from './harness/old-database.ts';

let fresh: TestDatabase;
let folder: string;
const created: string[] = [];

before(async () => {
  fresh = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'portal-upgrade-'));
});
after(async () => {
  for (const name of created)
    await withClient(fresh.host.adminConfig, (client) => client.query(`drop database if exists ${name} with (force)`));
  await fresh.drop();
  rmSync(folder, { recursive: true, force: true });
});

const query = async (database: string, text: string): Promise<Record<string, unknown>[]> =>
  (await withClient({ ...fresh.host.adminConfig, database }, (client) => client.query(text))).rows;
const nextName = (): string => {
  const name = `${fresh.name}_old_${created.length}`;
  created.push(name);
  return name;
};
/** A copy of the one database of version 0.2.0 that is created, or of that time with the steps before `beforeStep`. */
let original: Promise<string> | undefined;
const createOld = async (beforeStep?: string): Promise<string> => {
  const name = nextName();
  if (beforeStep !== undefined) {
    await createOldDatabase(fresh.host, name, beforeStep);
    return name;
  }
  original ??= createOriginal();
  const text = `create database ${name} template ${await original} owner portal_owner strategy file_copy`;
  await withClient(fresh.host.adminConfig, (client) => client.query(text));
  return name;
};
async function createOriginal(): Promise<string> {
  const name = nextName();
  await createOldDatabase(fresh.host, name);
  return name;
}
const readCatalog = async (database: string): Promise<unknown[]> => (await query(database, CATALOG)).map((row) => row.line);
const isStartError = (pattern: RegExp) => (error: unknown) => error instanceof StartError && pattern.test(error.message);

describe('a database of version 0.2.0', () => {
  it('becomes the one of a new installation, keeps its rows, and a second start changes nothing', async () => {
    const old = await createOld();
    await query(
      old,
      `with p as (insert into partner (name, slug) values ('An agency', 'agency') returning id)
       insert into agent_request_key (partner_id, key_hash, request_ids) select id, 'k', array['01890000-0000-7000-8000-000000000001'::uuid] from p`,
    );
    const applied = await prepareDatabase(fresh.host, old);
    assert.deepEqual(await query(old, `select p.name, k.answer, k.body_hash from partner p join first_answer k on k.partner_id = p.id`), [
      { name: 'An agency', answer: ['01890000-0000-7000-8000-000000000001'], body_hash: null },
    ]);
    const steps = (await readUpgrade(SCHEMA_DIR)).map((step) => step.name);
    assert.deepEqual(
      applied.filter((name) => !name.startsWith('functions/')),
      [...steps, 'baseline'],
    );
    assert.deepEqual(await prepareDatabase(fresh.host, old), []);
    await query(old, `delete from first_answer; delete from partner where slug = 'agency'`);
    const catalog = await readCatalog(old);
    assert.ok(catalog.length > 1_000, 'the catalog was read');
    assert.deepEqual(catalog, await readCatalog(fresh.name));
  });

  it('ends the trials that were resumed without an end, and no subscription that is paid for', async () => {
    const old = await createOld('0999');
    const subscriptions = [
      ['resumed', true, 'active', '{}', 0],
      ['late', true, 'past_due', '{}', 0],
      ['halted', true, 'suspended', '{}', 0],
      ['priced', true, 'active', '{"monthlyPriceMinor": 9900}', 0],
      ['seated', true, 'active', '{}', 2],
      ['paying', false, 'active', '{}', 0],
    ] as const;
    for (const [slug, isTrial, status, overrides, seats] of subscriptions)
      await query(
        old,
        `with p as (insert into partner (name, slug) values ('${slug}', '${slug}') returning id)
         insert into subscription (partner_id, plan_id, currency, status, current_period_start, current_period_end, period_anchor, purchased_seats, overrides)
         select p.id, g.id, g.currency, '${status}', now(), now() + interval '1 month', now(), ${seats}, '${overrides}'
         from p, (select * from plan where is_trial = ${isTrial} order by sort limit 1) g`,
      );
    await prepareDatabase(fresh.host, old);
    assert.deepEqual(
      await query(
        old,
        `select p.slug, s.status, round(extract(epoch from s.trial_ends_at - now()) / 86400)::int as days
         from subscription s join partner p on p.id = s.partner_id where p.slug <> 'house' order by s.id`,
      ),
      [
        { slug: 'resumed', status: 'trialing', days: 14 },
        { slug: 'late', status: 'trialing', days: 14 },
        { slug: 'halted', status: 'expired', days: 0 },
        { slug: 'priced', status: 'active', days: null },
        { slug: 'seated', status: 'active', days: null },
        { slug: 'paying', status: 'active', days: null },
      ],
    );
  });

  it('counts AI tokens in what a run cost, once, also one that counts them already', async () => {
    const old = await createOld();
    for (const [summary, charged, run, tokens] of [
      ['failed', 0, 0, 7],
      ['succeeded', 3, 3, 4],
      ['without AI', 3, 3, 0],
      ['counted', 9, 5, 4],
    ] as const)
      await query(
        old,
        `with e as (insert into execution (id, partner_id, workflow_id, status, source, summary, template_version, credits_held, credits_charged, due_at)
           values (uuidv7(), uuidv7(), uuidv7(), 'SUCCEEDED', 'ingest', '${summary}', 1, 3, ${charged}, now()) returning *)
         insert into usage_entry (id, kind, partner_id, workflow_id, execution_id, credits)
         select e.id, k.kind, e.partner_id, e.workflow_id, e.id, -k.credits from e, (values ('run', ${run}), ('ai_tokens', ${tokens})) k(kind, credits) where k.credits > 0`,
      );
    await prepareDatabase(fresh.host, old);
    assert.deepEqual(await query(old, 'select summary, credits_charged as charged from execution order by id'), [
      { summary: 'failed', charged: 7 },
      { summary: 'succeeded', charged: 7 },
      { summary: 'without AI', charged: 3 },
      { summary: 'counted', charged: 9 },
    ]);
  });

  it('marks the runs that stopped', async () => {
    const old = await createOld();
    for (const [summary, status, output] of [
      ['stopped', 'SUCCEEDED', '{"skipped": true}'],
      ['succeeded', 'SUCCEEDED', '{}'],
      ['failed', 'FAILED', '{"skipped": true}'],
    ] as const)
      await query(
        old,
        `with e as (insert into execution (id, partner_id, workflow_id, status, source, summary, template_version, credits_held, due_at)
           values (uuidv7(), uuidv7(), uuidv7(), '${status}', 'ingest', '${summary}', 1, 3, now()) returning *)
         insert into execution_payload (id, partner_id, input, output) select id, partner_id, '{}', '${output}' from e`,
      );
    await prepareDatabase(fresh.host, old);
    assert.deepEqual(await query(old, 'select summary from execution where stopped'), [{ summary: 'stopped' }]);
  });

  it('keeps each planned reminder when two events wrote one visit in two ways, and those whose visit was understood', async () => {
    const old = await createOld('0999');
    const [agent] = await query(
      old,
      `with p as (insert into partner (name, slug) values ('An agency', 'agency') returning id)
       insert into workflow (partner_id, template_name, name) select id, 'appointment-reminder', 'Reminders' from p returning id`,
    );
    const subject = (startTime: string, phone: string) =>
      `'visit:' || encode(sha256(convert_to('${startTime}|${phone}|Ada', 'UTF8')), 'hex')`;
    const canonical = '2027-01-05 15:00:00+00';
    for (const [label, due, startTime, phone, of] of [
      ['ended', '05', canonical, '+13125550121', subject(canonical, '+13125550121')],
      ['clashes', '05', '2027-01-05T15:00:00Z', '+13125550121', subject('2027-01-05T15:00:00Z', '+13125550121')],
      ['alone', '04', '2027-01-05T15:00:00Z', '+13125550121', subject('2027-01-05T15:00:00Z', '+13125550121')],
      ['understood', '03', '2027-01-05T15:00:00Z', '(312) 555-0121', subject(canonical, '+13125550121')],
    ] as const)
      await query(
        old,
        `insert into planned_run (partner_id, workflow_id, kind, origin, subject, label, due_at, last_at, input, status, try_at)
         select partner_id, id, 'reminder', 'run', ${of}, '${label}', '2027-01-${due}', '2027-01-06',
           '{"attendeeName": "Ada", "startTime": "${startTime}", "attendeePhone": "${phone}"}', ${label === 'ended' ? `'started', null` : `'waiting', '2027-01-${due}'`}
         from workflow where id = '${String(agent?.id)}'`,
      );
    await prepareDatabase(fresh.host, old);
    assert.deepEqual(
      await query(old, `select label from planned_run where subject = ${subject(canonical, '+13125550121')} order by label`),
      ['alone', 'ended', 'understood'].map((label) => ({ label })),
    );
    assert.deepEqual(await query(old, 'select count(*)::int as n from planned_run'), [{ n: 4 }]);
  });

  it('of which a step fails is as it was, and the step is named', async () => {
    const old = await createOld();
    const schema = join(folder, 'failing');
    cpSync(SCHEMA_DIR, schema, { recursive: true });
    const script = join(schema, 'upgrades', '0.2.0.sql');
    writeFileSync(script, `${readFileSync(script, 'utf8')}\n-- step 9999-wrong\nselect nonsense;\n`);
    await assert.rejects(
      prepareDatabase(fresh.host, old, schema),
      isStartError(/step 9999-wrong of upgrades\/0\.2\.0\.sql failed.*nonsense/),
    );
    assert.deepEqual(await query(old, `select to_regclass('conversation') as conversation`), [{ conversation: null }]);
    assert.deepEqual(await query(old, `select count(*)::int as n from kysely_migration where name = '0097-invitation-links'`), [{ n: 1 }]);
  });
});

it('the printed way back restores the whole dumps that the printed backup makes, which reads no table that 0.2.0 lacks', () => {
  const [backup = []] = printedCommands('upgrading.md', 'Backup before the upgrade');
  const [restore = []] = printedCommands('upgrading.md', 'Back to 0.2.0');
  const dumps = backup.filter((command) => command.includes(' > '));
  for (const command of dumps) assert.match(command, / pg_dump --username=(\w+) --format=custom \1 > (\w+\.new) && mv \2 \S+$/);
  const files = dumps.map((command) => command.split(' ').at(-1));
  assert.deepEqual(
    restore.flatMap((command) => / < (\S+)$/.exec(command)?.[1] ?? []),
    files,
  );
  assert.equal(files.length, 2);
});

describe('a database of the time between 0.2.0 and 1.0.0', () => {
  for (const [what, beforeStep] of [
    ['half of the steps', '0200'],
    ['all of them', '0999'],
  ] as const)
    it(`that has applied ${what} as migrations gets the others alone, and becomes the one of a new installation`, async () => {
      const old = await createOld(beforeStep);
      const applied = await prepareDatabase(fresh.host, old);
      const steps = (await readUpgrade(SCHEMA_DIR)).map((step) => step.name).filter((name) => name >= beforeStep || name === 'names');
      assert.deepEqual(
        applied.filter((name) => !name.startsWith('functions/')),
        [...steps, 'baseline'],
      );
      assert.deepEqual(await readCatalog(old), await readCatalog(fresh.name));
    });
});

it('migrations begin at 0001 in a new database and in an upgraded one, and run once', async () => {
  const schema = join(folder, 'later');
  cpSync(SCHEMA_DIR, schema, { recursive: true });
  writeFileSync(join(schema, 'migrations', '0001-more.sql'), 'create table more (id int);');
  for (const name of [nextName(), await createOld()]) {
    const applied = await prepareDatabase(fresh.host, name, schema);
    assert.deepEqual(
      applied.filter((one) => one === 'baseline' || one === '0001-more'),
      ['baseline', '0001-more'],
    );
    assert.deepEqual(await prepareDatabase(fresh.host, name, schema), []);
    writeFileSync(join(schema, 'migrations', '0002-again.sql'), 'alter table more add name text;');
    assert.deepEqual(await prepareDatabase(fresh.host, name, schema), ['0002-again']);
    rmSync(join(schema, 'migrations', '0002-again.sql'));
  }
});

describe('a start is refused, and changes nothing,', () => {
  it('when the database is of a version before 0.2.0', async () => {
    const old = await createOld();
    await query(old, `delete from kysely_migration where name = '0097-invitation-links'`);
    const functions = `select oid::regprocedure::text as name, xmin::text from pg_proc where pronamespace = 'public'::regnamespace order by oid`;
    const unchanged = await query(old, functions);
    await assert.rejects(prepareDatabase(fresh.host, old), isStartError(/before 0\.2\.0.*docs\/upgrading\.md/));
    assert.deepEqual(await query(old, functions), unchanged);
  });

  it('when a file of tables was changed since it was applied', async () => {
    const schema = join(folder, 'edited');
    cpSync(SCHEMA_DIR, schema, { recursive: true });
    writeFileSync(join(schema, 'tables', 'events.sql'), '-- nothing is left');
    await assert.rejects(prepareDatabase(fresh.host, fresh.name, schema), isStartError(/schema\/tables\/ was changed/));
    assert.deepEqual(await prepareDatabase(fresh.host, fresh.name), []);
  });
});

it('a file of tables that fails in a new database is named, and leaves nothing of the others behind', async () => {
  const name = nextName();
  const schema = join(folder, 'broken');
  cpSync(SCHEMA_DIR, schema, { recursive: true });
  writeFileSync(join(schema, 'tables', 'alerts.sql'), 'select nonsense;');
  await assert.rejects(prepareDatabase(fresh.host, name, schema), isStartError(/tables\/alerts\.sql failed.*nonsense/));
  assert.deepEqual(await query(name, `select to_regclass('partner') as partner`), [{ partner: null }]);
});
