import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { addPartner, addWorkflow } from '@partner-portal/tests/harness/world.ts';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { auditLog } from '#modules/1-ledger/audit/index.ts';
import { metering } from '#modules/1-ledger/metering/index.ts';
import { invoices } from '#modules/2-tenancy/billing/invoices/index.ts';
import { draft } from '#modules/2-tenancy/billing/invoices/test-drafts.ts';
import { partners } from '#modules/2-tenancy/partners/index.ts';
import { alerts } from '#modules/5-reactions/alerts/index.ts';
import { countAccounts, staffOverview } from './index.ts';

/** Each figure of the overview of staff, next to the route of the page that it links to. */

const DAY_MS = 86_400_000;
/** Read once: a figure and what it is compared with are of one day. */
const NOW = new Date();
const inDays = (days: number): Date => new Date(NOW.getTime() + days * DAY_MS);
let service: TestService;

type Agency = { id: string; name: string };
const agencies: Record<'suspended' | 'late' | 'trial' | 'failing' | 'calm', Agency> = {} as never; // filled before any test

before(async () => {
  service = await startTestService({
    clock: { now: () => NOW },
    modules: (platform) => [
      staffOverview(platform),
      auditLog(platform),
      metering(platform),
      partners(platform),
      invoices(platform),
      alerts(platform),
    ],
  });
  await service.db.asSystem('seed', async (tx) => {
    const plan = await tx.selectFrom('plan').select('id').where('name', '=', 'Growth').executeTakeFirstOrThrow();
    for (const name of ['suspended', 'late', 'trial', 'failing', 'calm'] as const)
      agencies[name] = { name, id: await addPartner(tx, { name, slug: `the-${name}`, planId: plan.id }) };
    const { suspended, late, trial, failing, calm } = agencies;
    await sql`update partner set created_at = now() - interval '40 days'`.execute(tx);
    await sql`update partner set created_at = now() where id = ${calm.id}`.execute(tx);
    await sql`update partner set status = 'suspended', suspended_at = now(), suspension_cause = 'manual' where id = ${suspended.id}`.execute(
      tx,
    );
    await sql`update subscription set status = 'trialing', trial_ends_at = ${inDays(3)} where partner_id = ${trial.id}`.execute(tx);
    await sql`update subscription set status = 'trialing', trial_ends_at = ${inDays(9)} where partner_id = ${calm.id}`.execute(tx);
    const bill = async (number: string, partnerId: string, due: Date): Promise<void> => {
      const id = await draft(tx, { partnerId });
      await sql`update invoice set status = 'issued', number = ${number}, seller = '{}', buyer = '{}', issued_at = ${inDays(-80)}, due_at = ${due}
        where id = ${id}`.execute(tx);
    };
    await bill('2020-000001', late.id, inDays(-5));
    await bill('2020-000002', late.id, inDays(-2));
    // Due today: not overdue yet.
    await bill('2020-000003', calm.id, NOW);
    const alert = (rule: string, status: 'open' | 'acknowledged' | 'resolved') =>
      sql`insert into alert (partner_id, rule, severity, status, subject_type, subject_id, subject_label, message, resolved_at)
        values (${failing.id}, ${rule}, 'critical', ${status}, ${rule === 'credential_invalid' ? 'credential' : 'agent'}, ${newId()}, 'It', 'Fails', ${status === 'resolved' ? NOW : null})`.execute(
        tx,
      );
    await alert('failure_streak', 'open');
    await alert('failure_streak', 'acknowledged');
    await alert('failure_streak', 'resolved');
    await alert('credential_invalid', 'open');
    await alert('agent_silent', 'open');
    // Failed runs of two agencies, and their counters, as the end of a run leaves them.
    const runs = async (partnerId: string, code: string, daysAgo: number, failed: number, succeeded: number): Promise<void> => {
      const workflowId = await addWorkflow(tx, { partnerId, clientId: null, templateName: `of-${code}` });
      const at = inDays(-daysAgo);
      await sql`insert into workflow_hour (partner_id, workflow_id, hour, succeeded, failed) values (${partnerId}, ${workflowId}, date_trunc('hour', ${at}::timestamptz), ${succeeded}, ${failed})`.execute(
        tx,
      );
      for (let run = 0; run < failed; run += 1)
        await sql`insert into execution (id, partner_id, workflow_id, status, source, summary, template_version, credits_held, due_at, started_at, finished_at, error_code, error_message)
          values (${newId()}, ${partnerId}, ${workflowId}, 'FAILED', 'ingest', 'Could not text', 1, 1, ${at}, ${at}, ${at}, ${code}, 'Said by a provider')`.execute(
          tx,
        );
    };
    await runs(calm.id, 'twilio_key_refused', 0, 3, 5);
    await runs(late.id, 'twilio_key_refused', 0, 1, 0);
    await runs(late.id, 'made_up', 0, 2, 0);
    await runs(calm.id, 'timeout', 8, 4, 20);
  });
});
after(() => service.close());

const read = async (path: string) => {
  const { status, body, text } = await service.call('GET', path, { as: 'staff' });
  assert.equal(status, 200, text);
  return body;
};
const overview = () => read('/provisioning/overview');

describe('the overview of staff', () => {
  it('has the revenue of this month and the last as the page of revenue has it, by currency', async () => {
    for (const currency of ['USD', 'EUR']) {
      const id = await service.db.asSystem('seed', (tx) => draft(tx, { partnerId: service.world.partnerId, currency }));
      await service.call('POST', `/billing/invoices/${id}/issue`, { as: 'staff' });
      if (currency === 'EUR') await service.call('POST', `/billing/invoices/${id}/pay`, { as: 'staff', body: { reference: 'x' } });
    }
    const revenue: { currency: string; invoicedMinor: number; paidMinor: number; lastInvoicedMinor: number; lastPaidMinor: number }[] = (
      await overview()
    ).revenue;
    const months: { month: string; currency: string; invoicedMinor: number; paidMinor: number }[] = await read('/billing/revenue?months=1');
    assert.deepEqual(
      revenue.map(({ currency, invoicedMinor, paidMinor }) => ({ currency, invoicedMinor, paidMinor })),
      months.map(({ month: _month, ...rest }) => rest).toSorted((a, b) => a.currency.localeCompare(b.currency)),
    );
    assert.equal(revenue.length, 2);
    assert.deepEqual(
      revenue.map(({ paidMinor }) => paidMinor > 0),
      [true, false],
    );
  });

  it('lists agencies at risk with each reason, suspended ones last, and no others', async () => {
    const { atRisk } = await overview();
    const none = { suspendedAt: null, overdueInvoices: 0, trialEndsAt: null, failingAgents: 0, refusedKeys: 0 };
    const of = ({ id, name }: Agency, reasons: object) => ({ ...none, partnerId: id, partnerName: name, ...reasons });
    const { suspended, late, trial, failing } = agencies;
    const { suspendedAt } = atRisk.agencies.at(-1);
    assert.ok(suspendedAt);
    assert.deepEqual(atRisk, {
      total: 4,
      agencies: [
        of(late, { overdueInvoices: 2 }),
        of(trial, { trialEndsAt: inDays(3).toISOString() }),
        of(failing, { failingAgents: 2, refusedKeys: 1 }),
        of(suspended, { suspendedAt }),
      ],
    });
  });

  it('lists those that staff can still help however many were suspended long ago, and of these the last ones', async () => {
    await service.db.asSystem('seed', (tx) =>
      sql`insert into partner (name, slug, status, suspended_at, suspension_cause)
        select 'Ended ' || n, 'ended-' || n, 'suspended', now() - interval '30 days', 'billing' from generate_series(1, 60) n`.execute(tx),
    );
    const { atRisk } = await overview();
    await service.db.asSystem('seed', (tx) => sql`delete from partner where slug like 'ended-%'`.execute(tx));
    assert.deepEqual([atRisk.total, atRisk.agencies.length], [64, 50]);
    assert.deepEqual(
      atRisk.agencies.slice(0, 4).map(({ partnerName }: { partnerName: string }) => partnerName),
      ['late', 'trial', 'failing', 'suspended'],
    );
  });

  it('counts as many overdue invoices, suspended agencies and open alerts as the pages that list them', async () => {
    const { atRisk } = await overview();
    const sum = (name: string): number =>
      atRisk.agencies.reduce((total: number, row: Record<string, number>) => total + (row[name] ?? 0), 0);
    const listed = async (path: string): Promise<number> => (await read(path)).data.length;
    assert.equal(sum('overdueInvoices'), await listed('/billing/invoices?overdue=true'));
    assert.equal(sum('failingAgents'), await listed('/alerts?open=true&rule=failure_streak'));
    assert.equal(sum('refusedKeys'), await listed('/alerts?open=true&rule=credential_invalid'));
    assert.equal(
      atRisk.agencies.filter(({ suspendedAt }: { suspendedAt: string | null }) => suspendedAt !== null).length,
      await listed('/partners?status=suspended'),
    );
  });

  it('counts runs, failures and their causes of seven days as the page of usage does', async () => {
    const { week, weekFrom, failures } = await overview();
    const days: { runs: number; failed: number }[] = await read(`/metering/usage?groupBy=day&from=${weekFrom}`);
    const sum = (name: 'runs' | 'failed'): number => days.reduce((total, day) => total + day[name], 0);
    assert.deepEqual([week.runs, week.failed], [sum('runs'), sum('failed')]);
    assert.equal(week.runs, 11);
    assert.deepEqual(failures, {
      isWhole: true,
      causes: [
        {
          code: 'twilio_key_refused',
          cause: 'Twilio did not accept the saved key',
          runs: 4,
          agencies: 2,
          most: [
            { partnerId: agencies.calm.id, partnerName: 'calm', runs: 3 },
            { partnerId: agencies.late.id, partnerName: 'late', runs: 1 },
          ],
        },
        {
          code: 'made_up',
          cause: 'Said by a provider',
          runs: 2,
          agencies: 1,
          most: [{ partnerId: agencies.late.id, partnerName: 'late', runs: 2 }],
        },
      ],
    });
    assert.equal(
      failures.causes.reduce((total: number, { runs }: { runs: number }) => total + runs, 0),
      week.failed,
    );
  });

  it('counts what was added in these days as the lists of agencies and of the audit log do', async () => {
    await service.db.asSystem('seed', async (tx) => {
      for (const [action, result, at] of [
        ['billing.subscription_changed', 'ok', NOW],
        ['billing.subscription_changed', 'refused', NOW],
        ['billing.subscription_changed', 'ok', inDays(-20)],
        ['billing.settings_changed', 'ok', NOW],
      ] as const)
        await sql`insert into audit_entry (partner_id, actor_type, action, result, at) values (${agencies.calm.id}, 'staff', ${action}, ${result}, ${at})`.execute(
          tx,
        );
    });
    const { week, weekFrom } = await overview();
    const all: { createdAt: string }[] = (await read('/partners?limit=100')).data;
    assert.equal(week.newAgencies, all.filter(({ createdAt }) => createdAt >= weekFrom).length);
    assert.equal(week.newAgencies, 1);
    assert.equal(week.newAgents, 4);
    const changes = await read(`/audit-log?action=billing.subscription_changed&result=ok&from=${weekFrom}`);
    assert.deepEqual([week.subscriptionChanges, changes.data.length], [1, 1]);
  });

  it('compares with the seven days before until the same hour', async () => {
    const { week } = await overview();
    // Eight days ago is in the week before, also where today has just begun.
    assert.equal(week.runsBefore, 24);
  });

  it('counts as many runs and failures of seven days as the list of agencies', async () => {
    const { weekFrom } = await overview();
    // The last hour before: within the last 168 hours as well, for most of a day.
    const before = new Date(Date.parse(weekFrom) - 3_600_000);
    await service.db.asSystem('seed', async (tx) => {
      const workflowId = await addWorkflow(tx, { partnerId: agencies.late.id, clientId: null, templateName: 'of-before' });
      await sql`insert into workflow_hour (partner_id, workflow_id, hour, succeeded, failed) values (${agencies.late.id}, ${workflowId}, ${before}, 7, 1)`.execute(
        tx,
      );
    });
    const { week } = await overview();
    const all: { runs7d: number; failures7d: number }[] = (await read('/partners?limit=100')).data;
    const sum = (name: 'runs7d' | 'failures7d'): number => all.reduce((total, agency) => total + agency[name], 0);
    assert.deepEqual([sum('runs7d'), sum('failures7d')], [week.runs, week.failed]);
    assert.equal(week.runs, 11);
  });

  it('takes one round trip of statements', async () => {
    await overview();
    assert.equal(await service.countStatements(overview), 8);
  });

  it('is for staff alone', () =>
    service.assertRefused('GET', '/provisioning/overview', {
      owner: 'role_forbidden',
      moderator: 'role_forbidden',
      clientUser: 'role_forbidden',
    }));
});

describe('the accounts', () => {
  it('are counted by status, without our own agency', async () => {
    const counted = await service.db.asSystem('staff', countAccounts);
    const sum = async (table: string) =>
      Object.fromEntries(
        (
          await service.db.asSystem('seed', (tx) =>
            sql<{ status: string; accounts: number }>`select status, count(*)::int as accounts from ${sql.table(table)}
              ${table === 'partner' ? sql`where not is_house` : sql``} group by status`.execute(tx),
          )
        ).rows.map(({ status, accounts }) => [status, accounts]),
      );
    for (const [kind, table] of [
      ['agency', 'partner'],
      ['client', 'client'],
    ] as const)
      assert.deepEqual(
        Object.fromEntries(counted.filter((row) => row.kind === kind).map(({ status, accounts }) => [status, accounts])),
        await sum(table),
      );
    assert.equal(counted.find(({ kind, status }) => kind === 'agency' && status === 'suspended')?.accounts, 1);
  });
});
