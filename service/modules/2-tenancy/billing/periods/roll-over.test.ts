import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { nextBoundary } from '@partner-portal/core/billing/period.ts';
import { countLockWaits } from '@partner-portal/tests/harness/database.ts';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { until } from '@partner-portal/tests/harness/system.ts';
import { addClient, addPartner } from '@partner-portal/tests/harness/world.ts';
import { withClient } from '#platform/db/roles.ts';
import { billing } from '#modules/2-tenancy/billing/index.ts';
import { notifyFromAudit } from '#modules/5-reactions/notifications/notify-from-audit.ts';
import { createNotify } from '#modules/5-reactions/notifications/notify.ts';
import { rollAndReadQuota } from '#modules/1-ledger/metering/index.ts';

/** The end of a billing period: meter, release, change of plan, cancellation, draft. Two services on one database are two processes. */

let now = new Date('2026-01-31T00:00:00.000Z');
const clock = { now: () => now };
let service: TestService;
let other: TestService;
let one: ReturnType<typeof billing> | undefined;
let two: ReturnType<typeof billing> | undefined;
let planId: string;
let smallId: string;
let count = 0;

const at = (text: string): Date => new Date(`${text}T00:00:00.000Z`);

before(async () => {
  const modules = (keep: (module: ReturnType<typeof billing>) => void) => (platform: Parameters<typeof billing>[0]) => {
    const module = billing(platform);
    keep(module);
    return [module];
  };
  service = await startTestService({ clock, modules: modules((module) => (one = module)) });
  const { database, world } = service;
  other = await startTestService({ clock, database, world, modules: modules((module) => (two = module)) });
  const plan = (name: string, monthlyPriceMinor: number, includedSeats: number) => ({
    name,
    description: '',
    features: '{}',
    includedSeats,
    includedClients: includedSeats,
    monthlyCredits: monthlyPriceMinor,
    monthlyPriceMinor,
    seatPriceMinor: 500,
  });
  [planId, smallId] = await service.db.asSystem('seed', async (tx) => {
    // Those of the harness never end.
    await tx
      .updateTable('subscription')
      .set({ currentPeriodEnd: at('2100-01-01') })
      .execute();
    const rows = await tx
      .insertInto('plan')
      .values([plan('Large', 2_900, 5), plan('Small', 900, 1)])
      .returning('id')
      .execute();
    return rows.map(({ id }) => id) as [string, string]; // two were inserted
  });
});
after(async () => {
  await other.close();
  await service.close();
});

type Change = Partial<{
  status: string;
  purchasedSeats: number;
  purchasedBeyond: number;
  pendingSeatRelease: number;
  pendingPlanId: string;
  pendingOverrides: string;
  overrides: string;
  cancelAt: Date;
}>;
/** A partner in its first period, 31 January to 28 February 2026. */
function addSubscription(change: Change = {}): Promise<string> {
  return service.db.asSystem('seed', async (tx) => {
    const id = await addPartner(tx, { name: `Agency ${++count}`, slug: `agency-${count}`, planId });
    const [start, end] = [at('2026-01-31'), at('2026-02-28')];
    await tx
      .updateTable('subscription')
      .set({ currentPeriodStart: start, currentPeriodEnd: end, periodAnchor: start, ...change })
      .where('partnerId', '=', id)
      .execute();
    await tx
      .updateTable('partnerQuota')
      .set({ periodStart: start, periodEnd: end, periodAnchor: start, monthlyCredits: 2_900 })
      .where('partnerId', '=', id)
      .execute();
    return id;
  });
}
const seed: TestService['db']['asSystem'] = (_reason, fn) => service.db.asSystem('seed', fn);
const subscription = (id: string) =>
  seed('seed', (tx) => tx.selectFrom('subscription').selectAll().where('partnerId', '=', id).executeTakeFirstOrThrow());
const invoices = (id: string) =>
  seed('seed', (tx) => tx.selectFrom('invoice').selectAll().where('partnerId', '=', id).orderBy('periodStart').orderBy('id').execute());
const lines = (invoiceId: string | null, partnerId: string) =>
  seed('seed', (tx) =>
    tx
      .selectFrom('invoiceLine')
      .select(['kind', 'description', 'amountMinor', 'position'])
      .where('partnerId', '=', partnerId)
      .where('invoiceId', invoiceId === null ? 'is' : '=', invoiceId)
      .orderBy('position')
      .orderBy('id')
      .execute(),
  );
const audits = (id: string, action = 'billing.period_ended') =>
  seed('seed', (tx) =>
    tx.selectFrom('auditEntry').select(['changes', 'actorType']).where('partnerId', '=', id).where('action', '=', action).execute(),
  );
const addWaiting = (partnerId: string, ...amounts: number[]) =>
  seed('seed', (tx) =>
    tx
      .insertInto('invoiceLine')
      .values(
        amounts.map((amountMinor) => ({
          partnerId,
          kind: amountMinor < 0 ? 'plan_credit' : 'credits',
          description: `line of ${amountMinor}`,
          quantity: 1,
          unitPriceMinor: amountMinor,
          amountMinor,
          currency: 'USD',
        })),
      )
      .execute(),
  );

/** Ends the missed periods of one partner. */
function rollOver(id: string, until = now): Promise<number> {
  assert.ok(one);
  return one.periods.rollOver(id, until);
}
/** Sweeps in both processes at the same time. */
function sweepBoth(): Promise<number[]> {
  assert.ok(one && two);
  return Promise.all([one.periods.rollOverDue(), two.periods.rollOverDue()]);
}

describe('a subscription whose period has ended', () => {
  it('moves on, with a draft of what the next period costs and all that waits, taxed, and an audit entry', async () => {
    const id = await addSubscription({ purchasedSeats: 2 });
    await seed('seed', (tx) =>
      tx.insertInto('billingProfile').values({ partnerId: id, taxRateBasisPoints: 1_900, taxNote: 'VAT' }).execute(),
    );
    await addWaiting(id, 333, -100);
    now = at('2026-02-28');
    assert.equal(await rollOver(id), 1);
    const row = await subscription(id);
    assert.deepEqual([row.currentPeriodStart, row.currentPeriodEnd, row.status], [at('2026-02-28'), at('2026-03-31'), 'active']);
    const [draft, ...more] = await invoices(id);
    assert.ok(draft && more.length === 0);
    assert.deepEqual(
      [
        draft.status,
        draft.kind,
        draft.number,
        draft.periodStart,
        draft.periodEnd,
        draft.subtotalMinor,
        draft.taxMinor,
        draft.totalMinor,
        draft.taxNote,
      ],
      ['draft', 'invoice', null, at('2026-02-28'), at('2026-03-31'), 4_133, 785, 4_918, 'VAT'],
    );
    assert.deepEqual(await lines(draft.id, id), [
      { kind: 'plan', description: 'Large', amountMinor: 2_900, position: 1 },
      { kind: 'seats', description: 'Extra seats', amountMinor: 1_000, position: 2 },
      { kind: 'credits', description: 'line of 333', amountMinor: 333, position: 3 },
      { kind: 'plan_credit', description: 'line of -100', amountMinor: -100, position: 4 },
    ]);
    assert.deepEqual(await audits(id), [
      {
        actorType: 'system',
        changes: { currentPeriodEnd: ['2026-02-28T00:00:00.000Z', '2026-03-31T00:00:00.000Z'], invoiceId: [null, draft.id] },
      },
    ]);
  });

  it('is left alone before its end', async () => {
    const id = await addSubscription();
    assert.equal(await rollOver(id, new Date(at('2026-02-28').getTime() - 1)), 0);
    assert.deepEqual([(await subscription(id)).currentPeriodEnd, await invoices(id)], [at('2026-02-28'), []]);
  });

  it('has no draft when nothing is due, as in a trial; what waits is billed with the first charge', async () => {
    const trial = await addSubscription({ status: 'trialing' });
    const free = await addSubscription({ overrides: JSON.stringify({ monthlyPriceMinor: 0 }) });
    await addWaiting(free, -100);
    now = at('2026-03-01');
    await Promise.all([trial, free].map((id) => rollOver(id)));
    assert.deepEqual([await invoices(trial), await invoices(free)], [[], []]);
    assert.deepEqual((await subscription(trial)).currentPeriodEnd, at('2026-03-31'));
    await addWaiting(free, 250);
    now = at('2026-04-01');
    await rollOver(free);
    assert.deepEqual(
      (await invoices(free)).map(({ periodStart, totalMinor }) => [periodStart, totalMinor]),
      [[at('2026-03-31'), 150]],
    );
  });

  it('is never invoiced a negative amount: the rest of a credit waits for the next invoice', async () => {
    const id = await addSubscription();
    await addWaiting(id, -4_000);
    now = at('2026-03-31');
    assert.equal(await rollOver(id), 2);
    assert.deepEqual(
      (await invoices(id)).map(({ totalMinor }) => totalMinor),
      [0, 1_800],
    );
    assert.deepEqual(await lines(null, id), []);
  });

  it('loses released seats as far as they are free then', async () => {
    const id = await addSubscription({ purchasedSeats: 6, pendingSeatRelease: 5 });
    await seed('seed', async (tx) => {
      for (let user = 0; user < 8; user++)
        await tx
          .insertInto('appUser')
          .values({ partnerId: id, role: 'PARTNER', partnerRole: 'admin', email: `u${user}@${id}.test`, fullName: 'U', passwordHash: 'x' })
          .execute();
    });
    now = at('2026-03-01');
    await rollOver(id);
    const row = await subscription(id);
    assert.deepEqual([row.purchasedSeats, row.pendingSeatRelease], [3, 0]);
    const [draft] = await invoices(id);
    assert.equal(draft?.totalMinor, 2_900 + 3 * 500);
    assert.deepEqual((await audits(id))[0]?.changes, {
      currentPeriodEnd: ['2026-02-28T00:00:00.000Z', '2026-03-31T00:00:00.000Z'],
      purchasedSeats: [6, 3],
      invoiceId: [null, draft?.id],
    });
  });

  it('loses purchased seats that its terms include as far as they are free then', async () => {
    const id = await addSubscription({ purchasedSeats: 2, purchasedBeyond: 0 });
    now = at('2026-03-01');
    await rollOver(id);
    const row = await subscription(id);
    assert.deepEqual([row.purchasedSeats, row.purchasedBeyond], [0, null]);
    const [draft] = await invoices(id);
    assert.equal(draft?.totalMinor, 2_900);
  });

  it('takes on the terms that wait, at the prices that the plan has then, and its meter with it', async () => {
    const id = await addSubscription({ pendingPlanId: smallId, pendingOverrides: JSON.stringify({ monthlyCredits: 70 }) });
    now = at('2026-03-01');
    await rollOver(id);
    const row = await subscription(id);
    assert.deepEqual([row.planId, row.overrides, row.pendingPlanId, row.pendingOverrides], [smallId, { monthlyCredits: 70 }, null, null]);
    assert.equal((await invoices(id))[0]?.totalMinor, 900);
    assert.equal((await seed('seed', (tx) => rollAndReadQuota(tx, id, now)))?.monthly, 70);
    assert.deepEqual((await audits(id))[0]?.changes?.['plan' as never], ['Large', 'Small']);
  });

  it('stays on its terms when the waiting ones no longer fit, its meter too, and the audit entry says what exceeds', async () => {
    const id = await addSubscription({ pendingPlanId: smallId, pendingOverrides: '{}' });
    await seed('seed', async (tx) => {
      await addClient(tx, id, 'First');
      await addClient(tx, id, 'Second');
    });
    now = at('2026-03-01');
    // Ingest comes before the roll-over and has the new terms' credits.
    assert.equal((await seed('seed', (tx) => rollAndReadQuota(tx, id, now)))?.monthly, 900);
    await rollOver(id);
    const row = await subscription(id);
    assert.deepEqual([row.planId, row.pendingPlanId], [planId, null]);
    assert.equal((await seed('seed', (tx) => rollAndReadQuota(tx, id, now)))?.monthly, 2_900);
    const [entry] = await audits(id);
    const changes = entry?.changes as Record<string, unknown>; // written by the roll-over
    assert.deepEqual(
      [changes['pendingPlan'], changes['exceeds']],
      [
        ['Small', null],
        [null, '2 of 1 clients'],
      ],
    );
  });

  it('notifies the team, with a mail, and staff that the waiting terms did not begin; of terms that began, no one', async () => {
    const admin = { role: 'PARTNER', partnerRole: 'admin', passwordHash: 'x' };
    const [kept, moved] = [
      await addSubscription({ pendingPlanId: smallId, pendingOverrides: '{}' }),
      await addSubscription({ pendingPlanId: smallId, pendingOverrides: '{}' }),
    ];
    await seed('seed', async (tx) => {
      for (const id of [kept, moved])
        await tx
          .insertInto('appUser')
          .values({ ...admin, partnerId: id, email: `${id}@roll-over.test`, fullName: 'Nora' })
          .execute();
      await addClient(tx, kept, 'First');
      await addClient(tx, kept, 'Second');
    });
    now = at('2026-03-01');
    await rollOver(kept);
    await rollOver(moved);
    const entries = await seed('seed', (tx) =>
      tx
        .selectFrom('auditEntry')
        .select(['id', 'partnerId'])
        .where('action', '=', 'billing.plan_kept')
        .where('partnerId', 'in', [kept, moved])
        .execute(),
    );
    assert.deepEqual(
      entries.map(({ partnerId }) => partnerId),
      [kept],
    );
    await notifyFromAudit({ db: service.db, clock: service.clock, notify: createNotify(service.mail) }, entries[0]?.id ?? '');
    const agency = await seed('seed', (tx) => tx.selectFrom('partner').select('name').where('id', '=', kept).executeTakeFirstOrThrow());
    const notified = await seed('seed', (tx) =>
      tx
        .selectFrom('notification')
        .select(['title', 'body', 'href'])
        .where('subject', '=', `partner:${kept}`)
        .orderBy('href', 'desc')
        .execute(),
    );
    assert.deepEqual(notified, [
      {
        title: 'Your change to Small did not take effect',
        body: 'It does not fit your usage: 2 clients in use, 1 included. Your plan and its price stay. Request the change again once it fits.',
        href: '/dashboard/billing',
      },
      {
        title: `The change of ${agency.name} to Small did not take effect`,
        body: 'It does not fit its usage: 2 clients in use, 1 included. Its plan and its price stay. Its team was notified.',
        href: `/admin/partners/${kept}`,
      },
    ]);
    const mails = await seed('seed', (tx) => tx.selectFrom('mail').select('toAddress').where('partnerId', '=', kept).execute());
    assert.deepEqual(mails, [{ toAddress: `${kept}@roll-over.test` }]);
  });

  it('charges no period while the deletion of the account is approved, and goes on with the next one after a reactivation', async () => {
    const id = await addSubscription({ purchasedSeats: 2 });
    const suspend = (suspensionCause: string | null) =>
      seed('seed', (tx) =>
        tx
          .updateTable('partner')
          .set({ status: suspensionCause ? 'suspended' : 'active', suspensionCause })
          .where('id', '=', id)
          .execute(),
      );
    await suspend('deletion_approved');
    now = at('2026-04-01');
    assert.equal(await one?.periods.rollOver(id, now), 2);
    assert.deepEqual(await invoices(id), []);
    await suspend(null);
    now = at('2026-05-01');
    assert.equal(await one?.periods.rollOver(id, now), 1);
    const [invoice, ...rest] = await invoices(id);
    assert.deepEqual([invoice?.periodStart, rest], [at('2026-04-30'), []]);
    const other = await addSubscription();
    await seed('seed', (tx) =>
      tx.updateTable('partner').set({ status: 'suspended', suspensionCause: 'manual' }).where('id', '=', other).execute(),
    );
    await one?.periods.rollOver(other, at('2026-03-01'));
    assert.equal((await invoices(other)).length, 1, 'another suspension goes on');
  });

  it('loses released seats also when it is cancelled', async () => {
    const id = await addSubscription({ cancelAt: at('2026-02-28'), purchasedSeats: 5, pendingSeatRelease: 3 });
    now = at('2026-03-01');
    await rollOver(id);
    const row = await subscription(id);
    assert.deepEqual([row.status, row.purchasedSeats, row.pendingSeatRelease], ['cancelled', 2, 0]);
    assert.deepEqual((await audits(id))[0]?.changes, { status: ['active', 'cancelled'], purchasedSeats: [5, 2] });
  });

  it('ends when it is cancelled: no further period, what waits is billed, and the account is suspended by billing', async () => {
    const id = await addSubscription({ cancelAt: at('2026-02-28') });
    await addWaiting(id, 420);
    now = at('2026-05-01');
    assert.equal(await rollOver(id), 1);
    assert.equal((await subscription(id)).status, 'cancelled');
    assert.deepEqual(
      (await invoices(id)).map(({ periodStart, totalMinor }) => [periodStart, totalMinor]),
      [[null, 420]],
    );
    const events = await seed('seed', (tx) => tx.selectFrom('event').select(['type', 'data']).where('partnerId', '=', id).execute());
    assert.deepEqual(
      events.map(({ type, data }) => [type, (data as { reason: string }).reason]),
      [['account.suspended', 'billing']],
    );
    const partner = await seed('seed', (tx) => tx.selectFrom('partner').select('status').where('id', '=', id).executeTakeFirstOrThrow());
    assert.equal(partner.status, 'suspended');
  });
});

describe('the sweep over ended periods', () => {
  it('ends each missed period in turn, with one invoice each, once for two processes', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, () => addSubscription()));
    now = at('2026-05-15');
    const ended = await sweepBoth();
    for (const id of ids) {
      assert.deepEqual(
        (await invoices(id)).map(({ periodStart, totalMinor }) => [periodStart?.toISOString().slice(0, 10), totalMinor]),
        [
          ['2026-02-28', 2_900],
          ['2026-03-31', 2_900],
          ['2026-04-30', 2_900],
        ],
      );
      assert.equal((await audits(id)).length, 3);
      assert.equal((await subscription(id)).currentPeriodEnd.getTime(), nextBoundary(at('2026-01-31'), now).getTime());
    }
    assert.ok(ended.reduce((sum, periods) => sum + periods, 0) >= ids.length * 3, String(ended));
    assert.equal(await one?.periods.rollOverDue(), 0);
  });

  it('leaves a subscription whole whose process is killed halfway, and the next sweep ends its period once', async () => {
    const id = await addSubscription();
    now = at('2026-03-01');
    const admin = { ...service.database.host.adminConfig, database: service.database.name };
    await withClient(admin, async (blocker) => {
      // The roll-over waits with its locks and its meter closed, before it stores the draft.
      await blocker.query('begin; lock table invoice in exclusive mode');
      const killed = rollOver(id).then(
        () => 'done',
        () => 'killed',
      );
      await until('the roll-over waits', async () => (await countLockWaits(service.database)) > 0);
      await withClient(admin, (killer) =>
        killer.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        ),
      );
      assert.equal(await killed, 'killed');
      await blocker.query('rollback');
    });
    const between = await seed('seed', (tx) => tx.selectFrom('quotaPeriod').selectAll().where('partnerId', '=', id).execute());
    assert.deepEqual([(await subscription(id)).currentPeriodEnd, await invoices(id), between], [at('2026-02-28'), [], []]);
    await sweepBoth();
    assert.equal((await invoices(id)).length, 1);
    assert.equal((await audits(id)).length, 1);
  });

  it('goes on with the others when one fails, and skips deleted agencies', async () => {
    const [broken, sound, deleted] = await Promise.all([addSubscription(), addSubscription(), addSubscription()]);
    await seed('seed', async (tx) => {
      await tx.updateTable('partner').set({ status: 'deleted' }).where('id', '=', deleted).execute();
      // Its next period has an invoice already, which must not happen.
      await tx
        .insertInto('invoice')
        .values({ partnerId: broken, currency: 'USD', periodStart: at('2026-02-28'), periodEnd: at('2026-03-31') })
        .execute();
    });
    now = at('2026-03-01');
    await one?.periods.rollOverDue();
    const ends = await Promise.all([broken, sound, deleted].map(async (id) => (await subscription(id)).currentPeriodEnd));
    assert.deepEqual(ends, [at('2026-02-28'), at('2026-03-31'), at('2026-02-28')]);
    await seed('seed', (tx) =>
      tx
        .updateTable('subscription')
        .set({ currentPeriodEnd: at('2100-01-01') })
        .where('partnerId', '=', broken)
        .execute(),
    );
  });

  it('sends few statements for a subscription', async () => {
    await addSubscription();
    now = at('2026-03-01');
    const idle = await service.countStatements(async () => void (await one?.periods.rollOverDue()));
    const id = await addSubscription();
    const sent = await service.countStatements(async () => void (await rollOver(id)));
    assert.ok(idle > 0);
    // BEGIN, scope, lock, lines, tax, draft, subscription, audit, COMMIT.
    assert.equal(sent, 9);
  });
});
