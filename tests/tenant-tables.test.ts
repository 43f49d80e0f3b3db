import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { planPurge, type PurgePlan } from '@partner-portal/service/modules/4-setup/purge/plan.ts';
import { readForeignKeys, readTables } from '@partner-portal/service/modules/4-setup/purge/store-catalogue.ts';
import { createPool } from '@partner-portal/service/platform/db/pool.ts';
import { withClient } from '@partner-portal/service/platform/db/roles.ts';
import { createDatabase, type Database } from '@partner-portal/service/platform/db/tx.ts';
import { TABLES } from '@partner-portal/service/schema/tables.ts';
import { OTHER_TABLES, TENANT_TABLES, type Treatment } from '@partner-portal/service/schema/tenant-tables.ts';
import type pg from 'pg';
import { createTestDatabase, type TestDatabase } from './harness/database.ts';

/** Compares the purge's lists of tables with the database, and the export's with them. */

const STEPS = ['destroy_key', 'delete_rows', 'delete_files', 'end_sessions'];
let database: TestDatabase;
let pool: pg.Pool;
let db: Database;
const plans = new Map<'partner' | 'client', PurgePlan>();

before(async () => {
  database = await createTestDatabase();
  pool = createPool(database.configFor('portal_service'), { name: 'test', max: 2 });
  db = createDatabase(pool);
  for (const scope of ['partner', 'client'] as const) plans.set(scope, await planPurge(db, scope));
});
after(async () => {
  await pool?.end();
  await database?.drop();
});

const tablesOf = (scope: 'partner' | 'client') => plans.get(scope)?.tables ?? [];

describe('the tables of a purge', () => {
  it('are all tables of the database: those with a partner_id in one list, the others in a second list', async () => {
    const tables = await db.asSystem('purge', readTables);
    const own = tables.filter((table) => !/^(?:kysely|schema|sql|function)_/.test(table.name));
    const has = (name: string, column: string): boolean => own.find((table) => table.name === name)?.columns.includes(column) ?? false;
    assert.deepEqual(
      own.filter(({ name }) => has(name, 'partner_id')).map(({ name }) => name),
      Object.keys(TENANT_TABLES).toSorted(),
    );
    assert.deepEqual(
      own.filter(({ name }) => !has(name, 'partner_id')).map(({ name }) => name),
      Object.keys(OTHER_TABLES).toSorted(),
    );
    // A client's rows are found by its id, or by a condition.
    for (const [name, { client }] of Object.entries(TENANT_TABLES))
      if (client.how === 'delete' && client.only === undefined) assert.ok(has(name, 'client_id'), name);
  });

  it('without a partner_id go with a user where the list says so', async () => {
    const keys = await db.asSystem('purge', readForeignKeys);
    const withUser = Object.keys(OTHER_TABLES).filter((name) => OTHER_TABLES[name] === 'goes with its user');
    assert.ok(withUser.length > 0);
    for (const name of withUser)
      assert.ok(
        keys.some((key) => key.table === name && key.references === 'app_user' && !key.setsNull),
        name,
      );
  });

  it('keep what docs/behaviour/purge.md says, for the reason it says', () => {
    const page = readFileSync(join(import.meta.dirname, '../docs/behaviour/purge.md'), 'utf8');
    const rows = [...page.matchAll(/^\| `(\w+)` \| (agency|client) \| (.+) \| (.+) \|$/gm)].map((row) => row.slice(1).join(' | '));
    const kept = Object.entries(TENANT_TABLES).flatMap(([name, rule]) =>
      (['agency', 'client'] as const).flatMap((scope) => {
        const [what, why] = describeKept(rule[scope]);
        return what === undefined ? [] : [`${name} | ${scope} | ${what} | ${why}`];
      }),
    );
    assert.deepEqual(rows, kept);
  });

  for (const scope of ['partner', 'client'] as const) {
    it(`of a ${scope} lose rows before those these refer to`, async () => {
      const keys = await db.asSystem('purge', readForeignKeys);
      const place = new Map(tablesOf(scope).map((table, n) => [table.name, STEPS.indexOf(table.step) * 1_000 + n]));
      assert.ok(place.size > 25);
      for (const key of keys.filter((one) => !one.setsNull && one.table !== one.references)) {
        const [first, second] = [place.get(key.table), place.get(key.references)];
        if (first !== undefined && second !== undefined) assert.ok(first < second, `${key.table} before ${key.references}`);
      }
    });

    it(`of a ${scope} keep a place in an order that names each row once, where some rows stay`, () => {
      const filtered = tablesOf(scope).filter((table) => table.matching !== 'true');
      assert.ok(filtered.length > 3);
      assert.deepEqual(
        filtered.filter(({ walk }) => !walk.isUnique).map(({ name, walk }) => `${name} by ${walk.index}`),
        [],
      );
    });

    it(`of a ${scope} are read by an index that starts with the account, never from end to end`, async () => {
      for (const table of tablesOf(scope)) {
        const nodes = await explain(table);
        assert.deepEqual(
          nodes.filter((node) => node['Relation Name']?.startsWith(table.name) && node['Node Type'] === 'Seq Scan'),
          [],
          table.name,
        );
        const scan = nodes.find((node) => node['Index Name'] !== undefined && node['Alias']?.startsWith('t'));
        assert.match(scan?.['Index Cond'] ?? '', /partner_id = |client_id = /, `${table.name}: ${JSON.stringify(scan)}`);
      }
    });
  }
});

/** Tables of an account that its export leaves out, by the reason. */
const NOT_EXPORTED: Readonly<Record<string, readonly string[]>> = {
  'secrets, and what protects logins and keys': [
    'credential_use',
    'idempotency_key',
    'mfa_recovery_code',
    'partner_data_key',
    'sso_attempt',
    'sso_code',
    'sso_login',
    'sso_logout_request',
    'sso_session',
    'sso_test',
    'user_mfa',
    'user_session',
    'view_as_session',
  ],
  'how a person looks at the portal': ['conversation_read', 'notification_preference', 'onboarding_dismissal', 'saved_filter'],
  'sums, queues and marks that the service makes from exported records': [
    'agent_span',
    'chat_spending',
    'delivery_queue',
    'dispatch',
    'event',
    'first_answer',
    'first_contact',
    'knowledge_passage',
    'knowledge_word',
    'notification_digest',
    'partner_quota',
    'quota_period',
    'under_way',
    'usage_delta',
    'usage_hour',
    'usage_span',
    'workflow_contact',
    'workflow_hour',
  ],
  'the bytes and variants of exported files': ['file', 'file_chunk', 'media_variant'],
  'the set-up of agents in the engine': [
    'agent_removal',
    'automation_instance',
    'engine_connection',
    'provisioning_attempt',
    'provisioning_step',
    'rollout_partner',
    'template_copy',
    'workflow_drift',
  ],
  'steps of actions that the audit log names': ['client_import_row', 'rerun_item', 'rerun_request', 'webhook_recovery'],
  'who looked at records, which the access log shows': ['agency_look', 'client_look'],
  'mail, whose contents come from exported records': ['mail', 'report_mail'],
  'decisions of staff with their internal notes': ['billing_adjustment', 'name_review'],
  'sample data, which is removed with one click': ['sample_data'],
  'the export and the removal themselves': ['account_export', 'purge', 'purge_step'],
};

describe('the tables of an export', () => {
  it('are all tables of an account but those left out for a reason', () => {
    const exported = TABLES['6-views/account-export']?.reads ?? [];
    const leftOut = Object.values(NOT_EXPORTED).flat();
    assert.deepEqual(
      leftOut.filter((table) => exported.includes(table)),
      [],
    );
    const ofAccounts = Object.keys(TENANT_TABLES).filter((table) => !exported.includes(table));
    assert.deepEqual(ofAccounts.toSorted(), leftOut.toSorted());
  });
});

function describeKept(treatment: Treatment): [string?, string?] {
  if (treatment.how === 'keep') return ['all', treatment.because];
  if (treatment.how === 'clear') return ['the row, without names', treatment.because];
  return treatment.keeps === undefined ? [] : ['some', treatment.keeps];
}

type Node = { 'Node Type': string; 'Relation Name'?: string; 'Index Name'?: string; 'Index Cond'?: string; Alias?: string; Plans?: Node[] };

/** The plan of the first window of a table, as the function that runs it plans it. */
async function explain({ name, scope, ranges, walk }: PurgePlan['tables'][number]): Promise<Node[]> {
  const order = walk.columns.map((column, n) => `t.${column}${walk.descending[n] ? ' desc' : ''}`).join(', ');
  const someone = "'01890000-0000-7000-8000-000000000001'::uuid";
  const text = `select t.ctid from ${name} t where ${scope}${ranges[1] ?? ''} ${order && `order by ${order}`} limit 5000`
    .replaceAll('$1', someone)
    .replaceAll('$2', someone);
  return withClient({ ...database.host.adminConfig, database: database.name }, async (client) => {
    await client.query('set enable_seqscan = off');
    await client.query('set enable_bitmapscan = off');
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(`explain (format json) ${text}`);
    const flat = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(flat)];
    return flat(rows[0]?.['QUERY PLAN'][0].Plan ?? { 'Node Type': 'none' });
  });
}
