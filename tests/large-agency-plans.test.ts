import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type EntryFilters, listEntries as listAuditEntries } from '@partner-portal/service/modules/1-ledger/audit/store.ts';
import { listEntries } from '@partner-portal/service/modules/1-ledger/metering/store.ts';
import { usageByDay } from '@partner-portal/service/modules/1-ledger/metering/store-usage.ts';
import { countMail, listMailRows } from '@partner-portal/service/modules/1-ledger/mail/log/store-views.ts';
import { listAgentRows } from '@partner-portal/service/modules/3-product/agents/store.ts';
import { listChatbotRows } from '@partner-portal/service/modules/3-product/chatbot/settings/store-list.ts';
import { listConversationRows, searchConversationIds } from '@partner-portal/service/modules/3-product/conversations/inbox/store.ts';
import { listExecutionRows } from '@partner-portal/service/modules/3-product/executions/read/store.ts';
import { countNeedRows, listMissingKeyRows, listNeedRows } from '@partner-portal/service/modules/3-product/credentials/store-resolution.ts';
import { listClients } from '@partner-portal/service/modules/2-tenancy/clients/store.ts';
import {
  listDrift,
  listNewestWorkflows,
  listShownWorkflows,
} from '@partner-portal/service/modules/4-setup/provisioning/views/store-views.ts';
import { listSummaries } from '@partner-portal/service/modules/3-product/credentials/store-views.ts';
import { listAlerts } from '@partner-portal/service/modules/5-reactions/alerts/store.ts';
import { listNotifications } from '@partner-portal/service/modules/5-reactions/notifications/store.ts';
import { currentAlerts, troubledAgents, waitingRequests } from '@partner-portal/service/modules/6-views/overview/store-attention.ts';
import { countAll } from '@partner-portal/service/modules/6-views/overview/store.ts';
import { listSetupWorkflows } from '@partner-portal/service/modules/6-views/overview/store-setup.ts';
import { findWorkItem, listWorkItems } from '@partner-portal/service/modules/6-views/work-queue/store.ts';
import type { SystemTx, TenantTx, Tx } from '@partner-portal/service/platform/db/tx.ts';
import { openPlannedDatabase, type PlannedDatabase } from './harness/planned-database.ts';

/**
 * How the server reads where a thousand agencies have ten clients each and one has a tenth of them all: what it expects of an average agency must not decide how
 * it reads that one. The bounds are several times what is read, and a fraction of what one row at a time, or a list to its end, would take.
 */

const SIZE = { agencies: 1_000, clients: 10_000, runs: 100_000 };
const LIMIT = 26;
/** After every id. */
const LAST_ID = 'ffffffff-ffff-7fff-bfff-ffffffffffff';
/** A few times the agents of the huge agency. */
const PASSED_MAX = 5_000;

let planned: PlannedDatabase;
before(async () => void (planned = await openPlannedDatabase(SIZE)));
after(() => planned?.close());

const asAgency =
  (read: (tx: TenantTx, partnerId: string) => Promise<unknown>, who: 'huge' | 'large' = 'huge') =>
  () => {
    const { partnerId } = planned.seats[who];
    return planned.db.asTenant({ kind: 'tenant', partnerId, clientId: null }, (tx) => read(tx, partnerId));
  };
const asStaff = (read: (tx: SystemTx) => Promise<unknown>) => () => planned.db.asSystem('staff', read);
const scopeOf = (partnerId: string) => ({ partnerId, clientId: null });
const none = (filter: object) => (tx: Tx, partnerId: string | null) => listAlerts(tx, { partnerId, ...filter }, null, LIMIT);
const listAudit = (tx: TenantTx, partnerId: string, filter: Partial<EntryFilters> = {}, limit = 101) => {
  const all = { actor: undefined, action: undefined, targetType: undefined, targetId: undefined, clientId: undefined, result: undefined };
  const since = new Date(Date.now() - 3 * 366 * 86_400_000);
  return listAuditEntries(tx, { partnerId, since, ...all, from: undefined, to: undefined, ...filter }, null, limit);
};
const lastYear = (partnerId: string) => ({
  partnerId,
  clientId: null,
  from: new Date(Date.now() - 365 * 86_400_000),
  to: new Date(),
  runsOnly: false,
});
/** Each agent needs a key of its client. */
const NEEDS = { templateNames: ['missed-call-text-back', 'lead-qualifier'], providers: ['twilio', 'openai'] };

/** The server decides on the plan that it keeps after five calls. */
const CALLS = 8;
const eightTimes = (read: () => Promise<unknown>) => async () => {
  for (let call = 0; call < CALLS; call += 1) await read();
};

/** Most blocks, and most rows that a node passes on. */
const READS: [string, number, () => Promise<unknown>, number?][] = [
  ['the agents of the overview', 1_500, asAgency((tx, partnerId) => listSetupWorkflows(tx, scopeOf(partnerId)))],
  ['its newest runs', CALLS * 400, eightTimes(asAgency((tx, partnerId) => listExecutionRows(tx, { partnerId }, null, LIMIT)))],
  [
    'its newest runs of one source',
    CALLS * 400,
    eightTimes(asAgency((tx, partnerId) => listExecutionRows(tx, { partnerId, source: 'ingest' }, null, LIMIT))),
  ],
  ['its newest agents', CALLS * 400, eightTimes(asAgency((tx, partnerId) => listAgentRows(tx, { partnerId }, null, LIMIT)))],
  [
    'its active clients, of which none is among the newest of all agencies',
    300,
    asAgency((tx, partnerId) => listClients(tx, { partnerId, status: 'active' }, { after: null, limit: LIMIT })),
  ],
  ['its newest alerts', CALLS * 400, eightTimes(asAgency((tx, partnerId) => listAlerts(tx, { partnerId }, null, LIMIT)))],
  ['a hundred of its newest alerts', CALLS * 1_300, eightTimes(asAgency((tx, partnerId) => listAlerts(tx, { partnerId }, null, 101))), 250],
  [
    'a hundred of its newest alerts, for staff',
    CALLS * 1_300,
    eightTimes(() => asStaff((tx) => listAlerts(tx, { partnerId: planned.seats.huge.partnerId }, null, 101))()),
    250,
  ],
  [
    'a hundred of its newest entries in the audit log',
    CALLS * 2_000,
    eightTimes(asAgency((tx, partnerId) => listAudit(tx, partnerId))),
    250,
  ],
  [
    'a page of its audit log without what was refused, which is most of it',
    800,
    asAgency((tx, partnerId) => listAudit(tx, partnerId, { result: 'ok' }, LIMIT)),
    250,
  ],
  [
    'what is in its audit log about one target, of any type',
    100,
    asAgency((tx, partnerId) => listAudit(tx, partnerId, { targetId: '20' }, LIMIT)),
    LIMIT,
  ],
  [
    'what is in its audit log of an address that did nothing',
    100,
    asAgency((tx, partnerId) => listAudit(tx, partnerId, { actor: { by: 'email', value: 'none@huge.test', mayBeStaff: false } })),
    LIMIT,
  ],
  [
    'what is in its audit log of a user who did nothing',
    200,
    asAgency((tx, partnerId) => listAudit(tx, partnerId, { actor: { by: 'id', value: planned.seats.staffId, mayBeStaff: false } })),
    LIMIT,
  ],
  [
    'a page of what its owner did',
    800,
    asAgency((tx, partnerId) =>
      listAudit(tx, partnerId, { actor: { by: 'id', value: planned.seats.huge.ownerId, mayBeStaff: false } }, LIMIT),
    ),
    250,
  ],
  [
    'what staff did in its account',
    100,
    asAgency((tx, partnerId) => listAudit(tx, partnerId, { actor: { by: 'type', value: 'staff', mayBeStaff: false } })),
    LIMIT,
  ],
  ['its usage of a year, by day', 600, asAgency((tx, partnerId) => usageByDay(tx, lastYear(partnerId))), 9_000],
  ['an older page of its alerts', 400, asAgency((tx, partnerId) => listAlerts(tx, { partnerId }, LAST_ID, LIMIT))],
  [
    'what a client of it was charged',
    400,
    asAgency((tx, partnerId) => listEntries(tx, { partnerId, clientId: planned.seats.huge.clientId }, null, LIMIT)),
  ],
  [
    'the newest notifications of its owner',
    CALLS * 60,
    eightTimes(asAgency((tx) => listNotifications(tx, planned.seats.huge.ownerId, { unread: false, before: null, limit: LIMIT }))),
    LIMIT,
  ],
  ['the counts of the overview', 300, asAgency((tx, partnerId) => countAll(tx, scopeOf(partnerId)))],
  ['open alerts of the overview', 60, asAgency((tx, partnerId) => currentAlerts(tx, scopeOf(partnerId)))],
  ['open requests of the overview', 600, asAgency((tx, partnerId) => waitingRequests(tx, scopeOf(partnerId)))],
  ['agents that fail, with their last failure', 3_000, asAgency((tx, partnerId) => troubledAgents(tx, scopeOf(partnerId)), 'large')],
  ['alerts of a rule of which there are none', 60, asAgency(none({ rule: 'sso_certificate' }))],
  ['alerts of a severity of which there are none', 60, asAgency(none({ severity: 'info' }))],
  ['alerts of all agencies of a rule of which there are none', 60, asStaff((tx) => none({ rule: 'sso_certificate' })(tx, null))],
  ['alerts of all agencies that are not resolved', 60, asStaff((tx) => none({ status: 'open' })(tx, null))],
  ['all keys with the agents that use them', 1_500, asAgency((tx, partnerId) => listSummaries(tx, scopeOf(partnerId), NEEDS))],
  [
    'all its keys, for staff, eight times with the plan that the server then keeps',
    CALLS * 1_500,
    eightTimes(() => asStaff((tx) => listSummaries(tx, scopeOf(planned.seats.huge.partnerId), NEEDS))()),
  ],
  [
    'the keys that count for a client',
    200,
    asAgency((tx, partnerId) => listSummaries(tx, { partnerId, clientId: planned.seats.huge.clientId }, NEEDS)),
  ],
  ['what 250 of its agents need', 4_000, asAgency((tx, partnerId) => listNeedRows(tx, scopeOf(partnerId), NEEDS, [], 250))],
  [
    'what 250 of its agents need, for staff, eight times with the plan that the server then keeps',
    CALLS * 4_000,
    eightTimes(() => asStaff((tx) => listNeedRows(tx, scopeOf(planned.seats.huge.partnerId), NEEDS, [], 250))()),
  ],
  [
    'how many of its agents need a key',
    CALLS * 300,
    eightTimes(asAgency((tx, partnerId) => countNeedRows(tx, scopeOf(partnerId), NEEDS, []))),
  ],
  ['the keys that its agents lack', 1_500, asAgency((tx, partnerId) => listMissingKeyRows(tx, scopeOf(partnerId), NEEDS, [], 20))],
  [
    'the keys that its agents lack, eight times with the plan that the server then keeps',
    CALLS * 1_500,
    eightTimes(asAgency((tx, partnerId) => listMissingKeyRows(tx, scopeOf(partnerId), NEEDS, [], 20))),
  ],
  ['its agents on the page of its setup', 4_000, asAgency((tx, partnerId) => listNewestWorkflows(tx, scopeOf(partnerId)))],
  [
    'its agents on the page of its setup, and what was compared with the engine, for staff',
    5_000,
    asStaff(async (tx) => {
      const { rows } = await listShownWorkflows(tx, planned.seats.huge.partnerId);
      return listDrift(
        tx,
        planned.seats.huge.partnerId,
        rows.map((row) => row.workflowId),
      );
    }),
  ],
  ['paused agents of all agencies', 60, asStaff((tx) => listAgentRows(tx, { partnerId: null, health: 'paused' }, null, LIMIT))],
  [
    'agents of all agencies that are not installed',
    60,
    asStaff((tx) => listAgentRows(tx, { partnerId: null, health: 'not_installed' }, null, LIMIT)),
  ],
  ['its silent agents', 400, asAgency((tx, partnerId) => listAgentRows(tx, { partnerId, health: 'silent' }, null, LIMIT))],
  ['silent agents of all agencies', 3_000, asStaff((tx) => listAgentRows(tx, { partnerId: null, health: 'silent' }, null, LIMIT))],
  ['its failing agents', 1_500, asAgency((tx, partnerId) => listAgentRows(tx, { partnerId, health: 'failing' }, null, LIMIT))],
  [
    'clients of all agencies by a text that none has',
    150,
    asStaff((tx) => listClients(tx, { partnerId: null, q: 'zqzq' }, { after: null, limit: LIMIT })),
  ],
  [
    'clients of all agencies that are archived, of which there are none',
    60,
    asStaff((tx) => listClients(tx, { partnerId: null, status: 'archived' }, { after: null, limit: LIMIT })),
  ],
  [
    'its newest agents of one template',
    500,
    asAgency((tx, partnerId) => listAgentRows(tx, { partnerId, templateName: 'lead-qualifier' }, null, LIMIT)),
    60,
  ],
  ['its chatbots', 3_000, asAgency((tx) => listChatbotRows(tx, null, 101)), 1_500],
  [
    'its conversations of a week, with the names of their clients',
    800,
    asAgency((tx, partnerId) =>
      listConversationRows(
        tx,
        planned.seats.huge.ownerId,
        { partnerId, from: new Date(Date.now() - 7 * 86_400_000).toISOString() },
        { before: null, among: null, limit: LIMIT },
      ),
    ),
    250,
  ],
  [
    'the next page of its conversations, a day after the first',
    1_200,
    asAgency((tx, partnerId) => {
      const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();
      const before = { at: daysAgo(2), id: planned.seats.huge.ownerId, asOf: daysAgo(1) };
      return listConversationRows(tx, planned.seats.huge.ownerId, { partnerId }, { before, among: null, limit: LIMIT });
    }),
  ],
  ['what waits for staff', 6_000, asStaff((tx) => listWorkItems(tx, 500))],
  [
    'its agents that differ in the engine, for staff, eight times with the plan that the server then keeps',
    CALLS * 150,
    eightTimes(() => asStaff((tx) => findWorkItem(tx, 'drift', planned.seats.huge.partnerId))()),
  ],
  ['mail that failed', 60, asStaff((tx) => listMailRows(tx, { status: 'failed' }, null, LIMIT))],
  ['the counts of mail', 60, asStaff((tx) => countMail(tx))],
  [
    'the newest conversations of all agencies, of which thousands are from one moment',
    800,
    asStaff((tx) =>
      listConversationRows(tx, planned.seats.staffId, { partnerId: null, unread: false }, { before: null, among: null, limit: LIMIT }),
    ),
    250,
  ],
  [
    'a word that is in no conversation',
    100,
    asStaff((tx) => searchConversationIds(tx, { partnerId: null }, { words: 'zqzq:*', label: 'zqzq%' })),
  ],
];

describe('an agency with a tenth of all', () => {
  for (const [name, most, read, passedMax = PASSED_MAX] of READS)
    it(`reads at most ${most} blocks, and no row again and again: ${name}`, async () => {
      // The first call also reads the catalog.
      await read();
      const { blocks, passed } = await planned.workOf(read);
      assert.ok(blocks <= most, `${blocks} blocks`);
      assert.ok(passed <= passedMax, `a node passed on ${passed} rows`);
    });
});

it('finds the agents that differ in the engine, for the work queue, without reading the thousands that do not', async () => {
  const read = asStaff((tx) => listWorkItems(tx, 500));
  await read();
  // There are some two thousand requests, and an agent or more of each client.
  const { dropped } = await planned.workOf(read);
  assert.ok(dropped < SIZE.clients / 2, `dropped ${dropped} rows`);
});
