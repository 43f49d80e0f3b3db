import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openPlannedDatabase, type PlannedDatabase } from './harness/planned-database.ts';
import type { Work } from './harness/query-plans.ts';
import type { Seats } from './harness/scale-rows.ts';
import { listEntries as listAuditEntries } from '@partner-portal/service/modules/1-ledger/audit/store.ts';
import { listEntries } from '@partner-portal/service/modules/1-ledger/metering/store.ts';
import {
  usageByAgent,
  usageByClient,
  usageByDay,
  usageByKind,
  usageByPartner,
} from '@partner-portal/service/modules/1-ledger/metering/store-usage.ts';
import { listClients } from '@partner-portal/service/modules/2-tenancy/clients/store.ts';
import { findExecutionDetail } from '@partner-portal/service/modules/3-product/executions/read/store-detail.ts';
import {
  listCauses,
  listExecutionRows,
  listOldestRows,
  searchExecutionRows,
} from '@partner-portal/service/modules/3-product/executions/read/store.ts';
import { listAlerts } from '@partner-portal/service/modules/5-reactions/alerts/store.ts';
import { daysOfClients } from '@partner-portal/service/modules/6-views/overview/store-activity.ts';
import { troubledAgents } from '@partner-portal/service/modules/6-views/overview/store-attention.ts';
import { countAll, hoursOfDay, successesByTemplate, topClients } from '@partner-portal/service/modules/6-views/overview/store.ts';
import { countChanges, groupFailures, listAtRisk, sumRuns } from '@partner-portal/service/modules/6-views/staff-overview/store.ts';
import type { Database, SystemTx, TenantTx, Tx } from '@partner-portal/service/platform/db/tx.ts';
import type pg from 'pg';

/**
 * How the server reads on a database where one agency has a fifth of all runs: no partition from end to end, and no sort of more than a page for a
 * list. Times are measured by `npm run bench scale`.
 */

const SIZE = { agencies: 20, clients: 400, runs: 100_000 };
const LIMIT = 26;
/** The largest page there is; tables of fewer rows may be read and sorted whole. */
const SORTED_MAX = 100;

let planned: PlannedDatabase;
let pool: pg.Pool;
let db: Database;
let seats: Seats;
const workOf = (read: () => Promise<unknown>): Promise<Work> => planned.workOf(read);

before(async () => {
  planned = await openPlannedDatabase(SIZE);
  ({ pool, db, seats } = planned);
});
after(() => planned?.close());

const huge = () => seats.huge;
const asAgency = (read: (tx: TenantTx, partnerId: string) => Promise<unknown>) => () =>
  db.asTenant({ kind: 'tenant', partnerId: huge().partnerId, clientId: null }, (tx) => read(tx, huge().partnerId));
const asStaff = (read: (tx: SystemTx) => Promise<unknown>) => () => db.asSystem('staff', read);

const runs = (filter: object) => (tx: Tx, partnerId: string | null) => listExecutionRows(tx, { partnerId, ...filter }, null, LIMIT);
const oldestRuns = (filter: object) => (tx: Tx, partnerId: string | null) => listOldestRows(tx, { partnerId, ...filter }, null, LIMIT);
const ledger = (filter: object) => (tx: Tx, partnerId: string | null) => listEntries(tx, { partnerId, ...filter }, null, LIMIT);
const yearAgo = new Date(Date.now() - 365 * 86_400_000);
const usage = (partnerId: string | null) => ({ partnerId, clientId: null, from: yearAgo, to: new Date(), runsOnly: false });
const clients = (filter: object) => (tx: Tx, partnerId: string | null) =>
  listClients(tx, { partnerId, ...filter }, { after: null, limit: LIMIT });
const NO_FILTER = {
  since: undefined,
  actor: undefined,
  action: undefined,
  targetType: undefined,
  targetId: undefined,
  clientId: undefined,
  result: undefined,
  from: undefined,
  to: undefined,
};
const audit = (tx: Tx, partnerId: string | null) => listAuditEntries(tx, { ...NO_FILTER, partnerId }, null, LIMIT);

/** Lists, which never sort more than a page and what names it. */
const LISTS: [string, (tx: Tx, partnerId: string | null) => Promise<unknown>][] = [
  ['runs', runs({})],
  ['runs from a source that there is none of', runs({ source: 'chatbot' })],
  ['runs of a rare source', runs({ source: 'rerun' })],
  ['failed runs', runs({ status: 'FAILED' })],
  ['the oldest runs', oldestRuns({})],
  ['the oldest runs of this week', oldestRuns({ from: new Date(Date.now() - 7 * 86_400_000).toISOString() })],
  ['the oldest failed runs', oldestRuns({ status: 'FAILED' })],
  ['the ledger', ledger({})],
  ['entries of a kind that there is none of', ledger({ kind: 'purchase' })],
  ['alerts', (tx, partnerId) => listAlerts(tx, { partnerId }, null, LIMIT)],
  ['clients', clients({})],
  ['the audit log', audit],
];

describe('the plan of a list', () => {
  for (const [name, read] of LISTS)
    for (const who of ['agency', 'staff'] as const)
      it(`reads no partition to the end and sorts no more than a page: ${name}, ${who}`, async () => {
        const work = await workOf(who === 'agency' ? asAgency(read) : asStaff((tx) => read(tx, null)));
        assert.deepEqual(work.scanned, []);
        assert.ok(work.sorted <= SORTED_MAX, `sorted ${work.sorted} rows`);
      });

  it('reads the runs and entries of one client or agent alone, also for staff', async () => {
    const { clientId, workflowId } = huge();
    for (const read of [
      runs({ clientId }),
      oldestRuns({ clientId }),
      oldestRuns({ workflowId }),
      ledger({ clientId }),
      ledger({ workflowId }),
    ]) {
      const work = await workOf(asStaff((tx) => read(tx, null)));
      assert.deepEqual(work.scanned, []);
      assert.ok(work.blocks < 1_500, `${work.blocks} blocks`);
    }
  });
});

const SUMS: [string, () => Promise<unknown>][] = [
  ['usage by day of an agency', asAgency((tx, partnerId) => usageByDay(tx, usage(partnerId)))],
  ['usage by kind of an agency', asAgency((tx, partnerId) => usageByKind(tx, usage(partnerId)))],
  ['usage by client of an agency', asAgency((tx, partnerId) => usageByClient(tx, usage(partnerId)))],
  ['usage by agent of an agency', asAgency((tx, partnerId) => usageByAgent(tx, usage(partnerId)))],
  ['usage by day of all', asStaff((tx) => usageByDay(tx, usage(null)))],
  ['usage by kind of all', asStaff((tx) => usageByKind(tx, usage(null)))],
  ['usage by agency', asStaff((tx) => usageByPartner(tx, usage(null)))],
  ['causes of a year', asAgency((tx, partnerId) => listCauses(tx, { partnerId, from: yearAgo.toISOString() }))],
  ['a text in runs', asAgency((tx, partnerId) => searchExecutionRows(tx, { partnerId }, 'zqzq', null, LIMIT))],
  ['the counts of the overview', asAgency((tx, partnerId) => countAll(tx, { partnerId, clientId: null }))],
  ['the hours of the overview', asAgency((tx, partnerId) => hoursOfDay(tx, { partnerId, clientId: null }))],
  ['the clients of the overview', asAgency((tx, partnerId) => topClients(tx, { partnerId, clientId: null }))],
  ['a client of the overview', asAgency((tx, partnerId) => topClients(tx, { partnerId, clientId: huge().clientId }))],
  ['the hours saved of the overview', asAgency((tx, partnerId) => successesByTemplate(tx, { partnerId, clientId: null }))],
  ['the agents that need attention', asAgency((tx, partnerId) => troubledAgents(tx, { partnerId, clientId: null }))],
  ['clients by activity', asAgency((tx, partnerId) => daysOfClients(tx, partnerId, 'runs'))],
];

describe('the plan of a sum', () => {
  for (const [name, read] of SUMS)
    it(`reads no partition to the end: ${name}`, async () => {
      assert.deepEqual((await workOf(read)).scanned, []);
    });

  it('adds up a year from the hours and spans of agency and agents, not from runs', async () => {
    for (const [name, read] of SUMS.filter(
      ([one]) => one.startsWith('usage by') && one !== 'usage by day of all' && one !== 'usage by kind of all',
    )) {
      // A new connection reads the catalog of all partitions with its first statement of a kind.
      await read();
      const { blocks } = await workOf(read);
      assert.ok(blocks < 600, `${name}: ${blocks} blocks`);
    }
  });
});

const weekAgo = new Date(Date.now() - 7 * 86_400_000);
/** Most blocks of each statement. None reads the runs of a week, some two thousand. */
const STAFF: [string, number, (tx: SystemTx) => Promise<unknown>][] = [
  ['agencies at risk', 100, (tx) => listAtRisk(tx, { overdueAt: new Date(), trialsUntil: new Date() })],
  ['failures by cause', 300, (tx) => groupFailures(tx, weekAgo)],
  [
    'runs of two weeks',
    400,
    (tx) => sumRuns(tx, { from: weekAgo, before: new Date(weekAgo.getTime() - 7 * 86_400_000), beforeUntil: weekAgo }),
  ],
  ['what was added in a week', 100, (tx) => countChanges(tx, weekAgo)],
];

describe('the plan of the overview of staff', () => {
  for (const [name, most, read] of STAFF)
    it(`reads little of all agencies: ${name}`, async () => {
      // A new connection reads the catalog of all partitions with its first statement of a kind.
      await asStaff(read)();
      const work = await workOf(asStaff(read));
      assert.deepEqual(work.scanned, []);
      assert.ok(work.blocks < most, `${work.blocks} blocks`);
      assert.ok(work.dropped < 1_000, `dropped ${work.dropped} rows`);
    });
});

/** What pages ask for first, and most. */
const FIRST: [string, (tx: TenantTx, partnerId: string) => Promise<unknown>][] = [
  ['the runs', runs({})],
  ['a run', (tx) => findExecutionDetail(tx, huge().executionId)],
  ['the clients', clients({})],
  ['a hundred clients', (tx, partnerId) => listClients(tx, { partnerId }, { after: null, limit: 100 })],
  ['the alerts', (tx, partnerId) => listAlerts(tx, { partnerId }, null, LIMIT)],
  ['the open alerts', (tx, partnerId) => listAlerts(tx, { partnerId, open: true }, null, LIMIT)],
  ['the audit log', audit],
  ['the hours of the overview', (tx, partnerId) => hoursOfDay(tx, { partnerId, clientId: null })],
  ['a client of the overview', (tx, partnerId) => topClients(tx, { partnerId, clientId: huge().clientId })],
  ['usage by client', (tx, partnerId) => usageByClient(tx, usage(partnerId))],
  ['usage by agent', (tx, partnerId) => usageByAgent(tx, usage(partnerId))],
  ['usage by kind', (tx, partnerId) => usageByKind(tx, usage(partnerId))],
];

describe('the plan of a first page', () => {
  for (const [name, read] of FIRST)
    it(`is kept by the server: ${name}`, async () => {
      // The pool has one connection.
      const kept = async () =>
        (
          await pool.query<{ statement: string; plans: number }>(
            'select statement, generic_plans::int as plans from pg_prepared_statements',
          )
        ).rows;
      const before = new Map((await kept()).map((row) => [row.statement, row.plans]));
      for (let call = 0; call < 12; call += 1) await asAgency(read)();
      const after = (await kept()).filter(({ statement }) => /\bfrom\b/.test(statement) && !statement.includes('pg_prepared'));
      const grown = after.filter(({ statement, plans }) => plans > (before.get(statement) ?? 0));
      assert.ok(grown.length > 0, `only planned anew: ${after.map(({ statement }) => statement.slice(0, 80)).join('\n')}`);
    });
});
