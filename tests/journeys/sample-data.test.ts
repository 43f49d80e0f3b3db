import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Client } from '@partner-portal/contract/client.ts';
import type { Routes } from '@partner-portal/contract/index.ts';
import { usageSince } from '@partner-portal/core/quota/breakdown.ts';
import { addMonths, monthOf, startOfMonth } from '@partner-portal/core/report/month.ts';
import { DEMO, ingestUrl, postJson } from '@partner-portal/service/quick-start/seed-workspace.ts';
import { runSweep, startSystem, type System, until } from '../harness/system.ts';

/** The quick start with its past, as `npm start` makes it, until the past is removed. The tests follow one another. */

const ZONE = DEMO.partner.timezone;
const PAST_TABLES = [
  'execution',
  'execution_payload',
  'usage_entry',
  'ai_call',
  'conversation_message',
  'event',
  'audit_entry',
  'alert',
  'notification',
  'mail',
  'delivery',
];
let system: System;
let owner: Client<Routes>;
let agency: { id: string; createdAt: Date };

before(async () => {
  system = await startSystem({ args: ['--with-history'], endsAtRest: true });
  owner = system.client(await system.login(DEMO.owner.email, system.admin.password));
  const [row] = await system.query<{ id: string; createdAt: Date }>(
    `select id, created_at as "createdAt" from partner where slug = 'northwind'`,
  );
  assert.ok(row);
  agency = row;
  await atRest();
});
after(() => system.stop());

/** Waits for the events of the present, so that no figure changes while it is compared. */
async function atRest(): Promise<void> {
  await until('all runs and calls have ended', async () => {
    const [open] = await system.query<{ n: number }>(
      `select (select count(*) from execution where status = 'RUNNING')::int + (select count(*) from ai_call where status = 'reserved')::int
        + (select count(*) from conversation_turn where finished_at is null)::int as n`,
    );
    return open?.n === 0;
  });
}

const hour = (): Date => new Date(Math.floor(agency.createdAt.getTime() / 3_600_000) * 3_600_000);
const listed = (rows: readonly { credits: number }[]): number => rows.reduce((sum, { credits }) => sum + credits, 0);
const clientId = async (name: string): Promise<string> => {
  const found = (await owner.listClients({ query: { limit: 100 } })).data.find((one) => one.name === name);
  assert.ok(found, name);
  return found.id;
};

async function ledger(from: string): Promise<number> {
  let used = 0;
  for (let cursor: string | undefined; ;) {
    const page = await owner.listLedger({ query: { from, limit: 100, ...(cursor === undefined ? {} : { cursor }) } });
    used -= listed(page.data.filter(({ kind }) => kind === 'run' || kind === 'ai_tokens'));
    if (page.nextCursor === null) return used;
    cursor = page.nextCursor;
  }
}

/** The present period agrees everywhere; returns what it used. */
async function assertCreditsAgree(): Promise<number> {
  const quota = await owner.getQuota({ query: {} });
  const from = usageSince(new Date(quota.periodStart)).toISOString();
  for (const groupBy of ['day', 'client', 'agent'] as const)
    assert.equal(listed(await owner.getUsage({ query: { groupBy, from } })), quota.used, groupBy);
  const kinds = await owner.getUsage({ query: { groupBy: 'kind', from } });
  assert.equal(listed(kinds.filter(({ key }) => key === 'run' || key === 'ai_tokens')), quota.used, 'kind');
  assert.equal(await ledger(from), quota.used, 'ledger');
  const summary = await owner.getMySummary({ query: {} });
  assert.equal(summary.quota.used, quota.used, 'overview');
  return quota.used;
}

/** Runs of an agency that ended, by the rows themselves and by each table of sums. */
async function assertSumsAgree(): Promise<void> {
  await runSweep(system, 'metering.fold-usage');
  await until('what was noted is added up', async () => (await system.query('select 1 from usage_delta limit 1')).length === 0);
  const [found] = await system.query<Record<string, string[]>>(
    `select array[count(*) filter (where status = 'SUCCEEDED'), count(*) filter (where status = 'FAILED'), coalesce(sum(credits_charged), 0)]::text[] as rows,
      (select array[sum(succeeded), sum(failed), sum(credits)]::text[]
        from workflow_hour where partner_id = $1) as hours,
      (select array[sum(succeeded), sum(failed), sum(credits)]::text[]
        from usage_span where partner_id = $1 and span = 'year' and counter = 'ended_runs') as years,
      (select array[sum(succeeded), sum(failed), sum(credits)]::text[]
        from usage_hour where partner_id = $1 and counter = 'ended_runs') as "hoursOfAgency"
     from execution where partner_id = $1`,
    [agency.id],
  );
  assert.ok(found);
  assert.deepEqual(found['hours'], found['rows']);
  assert.deepEqual(found['years'], found['rows']);
  assert.deepEqual(found['hoursOfAgency'], found['rows']);
}

async function rowsBefore(at: Date): Promise<Record<string, number>> {
  const counts = await Promise.all(
    PAST_TABLES.map(async (table): Promise<[string, number]> => {
      const [row] = await system.query<{ n: number }>(
        `select count(*)::int as n from ${table} where partner_id = $1 and id < uuid_floor($2)`,
        [agency.id, at],
      );
      return [table, row?.n ?? -1];
    }),
  );
  return Object.fromEntries(counts);
}

describe('the past of the quick start', () => {
  it('is the work of six clients over 90 days, said to be sample data', async () => {
    const summary = await owner.getMySummary({ query: {} });
    assert.equal(summary.sampleDataEndsAt, hour().toISOString());
    assert.equal(summary.counts.clients, 6);
    const rows = await rowsBefore(hour());
    assert.ok((rows['execution'] ?? 0) > 3_000, `${rows['execution']} runs`);
    assert.equal(rows['execution'], rows['execution_payload'], 'each with its contents');
    const [span] = await system.query<{ days: number; clients: number }>(
      `select count(distinct (started_at at time zone $2)::date)::int as days, count(distinct client_id)::int as clients from execution where partner_id = $1 and id < uuid_floor($3)`,
      [agency.id, ZONE, hour()],
    );
    assert.ok(span && span.days >= 85 && span.clients === 6, JSON.stringify(span));
  });

  it('uses as many credits by client, agent, day and kind, and in the ledger, as the meter shows', async () => {
    assert.ok((await assertCreditsAgree()) > 300);
    await assertSumsAgree();
  });

  it('has a report of the last month whose results are those of its runs', async () => {
    const id = await clientId('Oak Street Dental');
    const report = await owner.getClientReport({ params: { id }, query: {} });
    const { month } = report;
    assert.equal(month, addMonths(monthOf(new Date(report.generatedAt), ZONE), -1));
    const [counted] = await system.query<{ runs: number; results: number }>(
      `select count(*) filter (where e.status <> 'RUNNING')::int as runs, count(*) filter (where e.status = 'SUCCEEDED' and coalesce(p.output->>'skipped', '') <> 'true'
          and coalesce(p.output->>'asked', '') <> 'false')::int as results
        from execution e join execution_payload p on p.id = e.id and p.partner_id = e.partner_id where e.client_id = $1 and e.started_at >= $2 and e.started_at < $3`,
      [id, startOfMonth(month, ZONE), startOfMonth(addMonths(month, 1), ZONE)],
    );
    assert.ok(counted && counted.results > 100);
    assert.equal(report.totals.helped, counted.results);
    assert.equal(report.totals.runs, counted.runs);
  });

  it('has three invoices, of periods that follow each other, each issued when its period began', async () => {
    const invoices = (await owner.listInvoices({ query: {} })).data.toReversed();
    assert.deepEqual(
      invoices.map(({ status }) => status),
      ['paid', 'paid', 'issued'],
    );
    assert.deepEqual(
      invoices.map(({ number }) => number ?? ''),
      invoices.map(({ number }) => number ?? '').toSorted(),
    );
    for (const [place, { periodStart, periodEnd, issuedAt, paidAt }] of invoices.entries()) {
      assert.ok(periodStart && periodEnd && issuedAt && issuedAt.slice(0, 10) === periodStart.slice(0, 10));
      if (place > 0) assert.equal(periodStart, invoices[place - 1]?.periodEnd);
      if (place < 2) assert.ok(paidAt && paidAt > issuedAt && paidAt < periodEnd);
    }
    const { subscription } = await owner.getBilling();
    assert.equal(invoices.at(-1)?.periodEnd, subscription.currentPeriodEnd);
  });

  it('causes nothing now: no alert, notification, mail, event or audit entry, and no agent that fails or is silent', async () => {
    const rows = await rowsBefore(hour());
    for (const table of ['event', 'audit_entry', 'alert', 'notification', 'mail', 'delivery']) assert.equal(rows[table], 0, table);
    const alerts = await system.query<{ rule: string }>(
      `select rule from alert where rule in ('usage_threshold', 'failure_streak', 'agent_silent', 'chatbot_failing', 'chatbot_budget', 'first_contacts')`,
    );
    assert.deepEqual(alerts, []);
    assert.deepEqual(await system.query(`select kind from mail where kind in ('invoice_issued', 'monthly_report')`), []);
    const agents = (await owner.listAgents({ query: { limit: 100 } })).data;
    assert.deepEqual(
      agents.filter(({ health }) => health === 'failing' || health === 'silent'),
      [],
    );
  });

  it('is not made again by the next start', async () => {
    const count = async () =>
      (await system.query('select count(*) from execution where partner_id = $1 and id < uuid_floor($2)', [agency.id, hour()]))[0];
    const made = await count();
    await system.kill('SIGTERM');
    await system.restart();
    owner = system.client(await system.login(DEMO.owner.email, system.admin.password));
    assert.deepEqual(await count(), made);
  });

  it('goes with one call, without a trace, and leaves what is real untouched', async () => {
    await atRest();
    const live = () =>
      system.query(
        `select id, status, summary, credits_charged from execution where partner_id = $1 and id >= uuid_floor($2) order by id`,
        [agency.id, hour()],
      );
    const [runs, invoices, clients] = await Promise.all([
      live(),
      owner.listInvoices({ query: {} }),
      owner.listClients({ query: { limit: 100 } }),
    ]);
    assert.ok(runs.length >= 10);
    const removed = await owner.removeSampleData();
    assert.ok(removed.runs > 3_000 && removed.conversations > 40, JSON.stringify(removed));
    for (const [table, rows] of Object.entries(await rowsBefore(hour()))) assert.equal(rows, 0, table);
    assert.deepEqual(await live(), runs);
    assert.deepEqual((await owner.listInvoices({ query: {} })).data, invoices.data);
    assert.deepEqual(
      (await owner.listClients({ query: { limit: 100 } })).data.map(({ id }) => id).toSorted(),
      clients.data.map(({ id }) => id).toSorted(),
    );
    const used = await assertCreditsAgree();
    const [rest] = await system.query<{ credits: number }>(
      `select coalesce(-sum(credits), 0)::int as credits from usage_entry where kind in ('run', 'ai_tokens') and partner_id = $1`,
      [agency.id],
    );
    assert.equal(used, rest?.credits);
    await assertSumsAgree();
    const [old] = await system.query<{ n: number }>(
      `select ((select count(*) from workflow_hour where partner_id = $1 and hour < $2) + (select count(*) from usage_hour where partner_id = $1 and hour < $2)
        + (select count(*) from platform_hour where hour < $2) + (select count(*) from conversation where started_at < $2)
        + (select count(*) from client where partner_id = $1 and created_at < $2) + (select count(*) from workflow where partner_id = $1 and (created_at < $2 or last_run_at < $2))
        + (select count(*) from quota_period where partner_id = $1 and used > 0) + (select count(*) from sample_data))::int as n`,
      [agency.id, hour()],
    );
    assert.equal(old?.n, 0);
    assert.equal((await owner.getMySummary({ query: {} })).sampleDataEndsAt, null);
    await assert.rejects(owner.removeSampleData(), /There is no sample data/);
  });

  it('is followed by new events, which are answered as before', async () => {
    const agent = (await owner.listAgents({ query: { limit: 100 } })).data.find(
      ({ templateName, clientName }) => templateName === 'missed-call-text-back' && clientName === 'Bright Spark Electric',
    );
    const posted = await postJson(await ingestUrl(owner, agent?.id), { callerNumber: '+12015550121', businessNumber: '+12015550120' });
    const { executionId } = (await posted.json()) as { executionId: string }; // the contract's answer to an accepted event
    await until('the run has succeeded', async () => (await owner.getExecution({ params: { id: executionId } })).status === 'SUCCEEDED');
  });
});
