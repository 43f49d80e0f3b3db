import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { nextBoundary } from '@partner-portal/core/billing/period.ts';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { addPartner } from '@partner-portal/tests/harness/world.ts';
import { sql } from 'kysely';
import { rollAndReadQuota } from './store.ts';

/** Closing the ended periods of the meter: `roll_quota`. */

let service: TestService;
let count = 0;
before(async () => {
  service = await startTestService();
});
after(() => service.close());

const at = (text: string): Date => new Date(`${text}T00:00:00.000Z`);

/** A partner whose first period is 31 January to 28 February 2026. */
async function partnerWith(quota: { used?: number; purchased?: number; highestThreshold?: number } = {}): Promise<string> {
  return service.db.asSystem('seed', async (tx) => {
    const id = await addPartner(tx, { name: 'Roll', slug: `roll-${++count}`, planId: service.world.planId });
    const period = { periodStart: at('2026-01-31'), periodEnd: at('2026-02-28'), periodAnchor: at('2026-01-31') };
    const { used = 0, purchased: purchasedCredits = 0, highestThreshold = 0 } = quota;
    await tx
      .updateTable('partnerQuota')
      .set({ ...period, used, purchasedCredits, highestThreshold })
      .where('partnerId', '=', id)
      .execute();
    await tx
      .updateTable('subscription')
      .set({ currentPeriodStart: period.periodStart, currentPeriodEnd: period.periodEnd, periodAnchor: period.periodAnchor })
      .where('partnerId', '=', id)
      .execute();
    return id;
  });
}

const facts = (id: string, now: Date) => service.db.asSystem('seed', (tx) => rollAndReadQuota(tx, id, now));
const closedPeriods = (id: string) =>
  service.db.asSystem('seed', (tx) =>
    tx.selectFrom('quotaPeriod').selectAll().where('partnerId', '=', id).orderBy('periodStart').execute(),
  );
const entries = (id: string) =>
  service.db.asSystem('seed', (tx) =>
    tx.selectFrom('usageEntry').select(['kind', 'credits', 'note', 'at']).where('partnerId', '=', id).orderBy('id').execute(),
  );

describe('the boundary of a period', () => {
  it('is the same in SQL as in core, for every day of four years', async () => {
    const anchors: Date[] = [];
    const instants: Date[] = [];
    for (let day = 0; day < 1461; day++) {
      const anchor = new Date(Date.UTC(2023, 0, 1 + day, (day * 7) % 24, (day * 13) % 60, 0, day % 1000));
      for (const later of [0, 1, 27 + (day % 6), 59 + (day % 4), 365]) {
        const instant = new Date(anchor.getTime() + later * 86_400_000 + (day % 3) - 1);
        anchors.push(anchor, anchor);
        instants.push(instant, nextBoundary(anchor, instant));
      }
    }
    const { rows } = await service.db.asSystem('seed', (tx) =>
      sql<{ end: Date }>`select period_boundary(a, i) as end
        from unnest(${anchors}::timestamptz[], ${instants}::timestamptz[]) with ordinality as t(a, i, n) order by n`.execute(tx),
    );
    assert.equal(rows.length, anchors.length);
    const wrong = rows.flatMap((row, index) => {
      const [anchor, instant] = [anchors[index] ?? new Date(0), instants[index] ?? new Date(0)];
      const end = nextBoundary(anchor, instant);
      return end.getTime() === row.end.getTime() ? [] : [{ anchor, instant, core: end, sql: row.end }];
    });
    assert.deepEqual(wrong, []);
  });
});

describe('a period of the meter that ended', () => {
  it('is closed with what it used, and takes what went beyond the monthly credits from the purchased ones, in the ledger', async () => {
    const id = await partnerWith({ used: 10_400, purchased: 1_000, highestThreshold: 100 });
    const now = await facts(id, at('2026-03-05'));
    assert.deepEqual(now, {
      used: 0,
      inFlight: 0,
      monthly: 10_000,
      purchased: 600,
      periodStart: at('2026-02-28'),
      periodEnd: at('2026-03-31'),
      endsAt: null,
    });
    assert.deepEqual(await closedPeriods(id), [
      {
        partnerId: id,
        periodStart: at('2026-01-31'),
        periodEnd: at('2026-02-28'),
        monthlyCredits: 10_000,
        purchasedCredits: 1_000,
        used: 10_400,
        taken: 400,
      },
    ]);
    assert.deepEqual(await entries(id), [
      { kind: 'adjustment', credits: -400, note: 'Used beyond the monthly credits from 2026-01-31 to 2026-02-28', at: at('2026-03-05') },
    ]);
    const armed = await service.db.asSystem('seed', (tx) =>
      tx.selectFrom('partnerQuota').select('highestThreshold').where('partnerId', '=', id).executeTakeFirstOrThrow(),
    );
    assert.equal(armed.highestThreshold, 0);
  });

  it('takes no more than was purchased, and nothing while the monthly credits suffice', async () => {
    const over = await partnerWith({ used: 10_900, purchased: 300 });
    assert.equal((await facts(over, at('2026-03-01')))?.purchased, 0);
    assert.deepEqual(
      (await entries(over)).map(({ credits }) => credits),
      [-300],
    );
    const within = await partnerWith({ used: 10_000, purchased: 300 });
    assert.equal((await facts(within, at('2026-03-01')))?.purchased, 300);
    assert.deepEqual(await entries(within), []);
  });

  it('is followed by each period of a long absence, on the days of the anchor', async () => {
    const id = await partnerWith({ used: 10_001, purchased: 5 });
    await facts(id, at('2026-05-31'));
    const closed = await closedPeriods(id);
    assert.deepEqual(
      closed.map(({ periodStart, used, taken }) => [periodStart.toISOString().slice(0, 10), used, taken]),
      [
        ['2026-01-31', 10_001, 1],
        ['2026-02-28', 0, 0],
        ['2026-03-31', 0, 0],
        ['2026-04-30', 0, 0],
      ],
    );
    assert.deepEqual((await facts(id, at('2026-05-31')))?.periodEnd, at('2026-06-30'));
    assert.equal((await entries(id)).length, 1);
  });

  it('is not closed before its end, and once however many close it at the same time', async () => {
    const id = await partnerWith({ used: 10_050, purchased: 100 });
    const early = new Date(at('2026-02-28').getTime() - 1);
    assert.equal((await facts(id, early))?.used, 10_050);
    assert.deepEqual(await closedPeriods(id), []);
    await Promise.all(Array.from({ length: 6 }, () => facts(id, at('2026-02-28'))));
    assert.equal((await closedPeriods(id)).length, 1);
    assert.equal((await facts(id, at('2026-02-28')))?.purchased, 50);
  });

  it('begins the next one with the monthly credits of the plan as it is now, or of the terms that wait for this boundary', async () => {
    const [plain, waiting, earlier] = [await partnerWith(), await partnerWith(), await partnerWith()];
    await service.db.asSystem('seed', async (tx) => {
      const plan = await tx
        .insertInto('plan')
        .values({
          name: 'Next',
          description: '',
          features: '{}',
          includedSeats: 1,
          includedClients: 1,
          monthlyCredits: 777,
          monthlyPriceMinor: 0,
          seatPriceMinor: 0,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await tx.updateTable('subscription').set({ planId: plan.id }).where('partnerId', '=', plain).execute();
      const pending = { pendingPlanId: plan.id, pendingOverrides: JSON.stringify({ monthlyCredits: 55 }) };
      await tx.updateTable('subscription').set(pending).where('partnerId', 'in', [waiting, earlier]).execute();
      // The change waits for the end of a later period.
      await tx
        .updateTable('subscription')
        .set({ currentPeriodEnd: at('2026-03-31') })
        .where('partnerId', '=', earlier)
        .execute();
    });
    assert.equal((await facts(plain, at('2026-03-01')))?.monthly, 777);
    assert.equal((await facts(waiting, at('2026-03-01')))?.monthly, 55);
    assert.equal((await facts(earlier, at('2026-03-01')))?.monthly, 10_000);
    assert.equal((await facts(earlier, at('2026-04-01')))?.monthly, 55);
  });

  it('costs a meter whose period has not ended nothing', async () => {
    const id = await partnerWith();
    const before = await service.db.asSystem('seed', (tx) =>
      sql<{ xmin: string }>`select xmin::text from partner_quota where partner_id = ${id}`.execute(tx),
    );
    await facts(id, at('2026-02-27'));
    const after = await service.db.asSystem('seed', (tx) =>
      sql<{ xmin: string }>`select xmin::text from partner_quota where partner_id = ${id}`.execute(tx),
    );
    assert.deepEqual(after.rows, before.rows);
  });
});
