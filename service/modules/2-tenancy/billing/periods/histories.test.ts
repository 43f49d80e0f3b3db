import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { isFull } from '@partner-portal/tests/harness/full.ts';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { addPartner, type PersonFacts } from '@partner-portal/tests/harness/world.ts';
import { newId } from '#platform/ids.ts';
import { metering } from '#modules/1-ledger/metering/index.ts';
import { billing } from '#modules/2-tenancy/billing/index.ts';
import { invitations } from '#modules/2-tenancy/invitations/index.ts';

/** Random histories of one agency in two processes: what must hold of seats, credits, orders and invoices after each of them. */

const HOUR_MS = 3_600_000;
let now = new Date();
const clock = { now: () => now };
type Process = { service: TestService; billing: ReturnType<typeof billing> };
let processes: Process[];
let [packId, count] = ['', 0];

before(async () => {
  const start = async (shared: Pick<TestService, 'database' | 'world'> | object): Promise<Process> => {
    let module: ReturnType<typeof billing> | undefined;
    const service = await startTestService({
      clock,
      ...shared,
      modules: (platform) => [(module = billing(platform)), invitations(platform), metering(platform)],
    });
    assert.ok(module);
    return { service, billing: module };
  };
  const first = await start({});
  const { database, world } = first.service;
  processes = [first, await start({ database, world })];
  const [plan] = await query<{ pack: string }>(`select credit_packs->0->>'id' as pack from plan where id = $1`, [world.planId]);
  packId = plan?.pack ?? '';
});
after(async () => {
  for (const { service } of processes.toReversed()) await service.close();
});

async function query<Row extends object>(text: string, values: unknown[]): Promise<Row[]> {
  const [first] = processes;
  assert.ok(first);
  return first.service.database.query<Row>(text, values);
}

/** An agency of one admin, with 2 seats, 100 credits a month and 19 % tax. */
async function addAgency(): Promise<PersonFacts> {
  const [first] = processes;
  assert.ok(first);
  const { db, world } = first.service;
  now = new Date();
  return db.asSystem('seed', async (tx) => {
    const partnerId = await addPartner(tx, { name: `Agency ${++count}`, slug: `history-${count}`, planId: world.planId, credits: 100 });
    await tx
      .updateTable('subscription')
      .set({ overrides: JSON.stringify({ includedSeats: 2, monthlyCredits: 100 }) })
      .where('partnerId', '=', partnerId)
      .execute();
    await tx.insertInto('billingProfile').values({ partnerId, taxRateBasisPoints: 1_900 }).execute();
    const admin = { role: 'PARTNER', partnerRole: 'admin', partnerId, clientId: null } as const;
    const user = { id: newId(), email: `admin@history-${count}.test`, ...admin };
    await tx
      .insertInto('appUser')
      .values({ ...user, fullName: 'Admin', passwordHash: 'x' })
      .execute();
    return { userId: user.id, email: user.email, ...admin };
  });
}

const ACTIONS = [
  'seats',
  'packs',
  'release',
  'grantCredits',
  'takeCredits',
  'grantSeats',
  'takeSeats',
  'moreSeats',
  'fewerSeats',
  'invite',
  'run',
  'read',
  'sweep',
] as const;
type Action = { what: (typeof ACTIONS)[number]; size: number };
/** Concurrent actions, alternately in both processes, after a while. */
type Moment = { afterHours: number; actions: Action[] };
const histories = fc.array(
  fc.record({
    afterHours: fc.oneof(
      { weight: 3, arbitrary: fc.integer({ min: 0, max: 24 * 9 }) },
      { weight: 1, arbitrary: fc.integer({ min: 24 * 25, max: 24 * 95 }) },
    ),
    actions: fc.array(fc.record({ what: fc.constantFrom(...ACTIONS), size: fc.integer({ min: 1, max: 4 }) }), {
      minLength: 1,
      maxLength: 5,
    }),
  }),
  { minLength: 4, maxLength: 12 },
);

async function act({ service, billing: { periods } }: Process, admin: PersonFacts, { what, size }: Action): Promise<void> {
  const { partnerId } = admin;
  const asAdmin = async (path: string, body: object, method: 'GET' | 'POST' = 'POST'): Promise<void> => {
    const options = method === 'GET' ? {} : { body };
    const { status, text } = await service.call(method, path, { ...options, headers: service.bearer(admin) });
    assert.ok([200, 201, 409].includes(status), `${path} ${status} ${text}`);
  };
  const adjust = async (change: object): Promise<void> => {
    const { status, text } = await service.call('POST', '/billing/adjustments', {
      as: 'staff',
      body: { partnerId, note: 'Test', ...change },
    });
    assert.ok([201, 409].includes(status), `${status} ${text}`);
  };
  /** Other terms: more or fewer seats included, at a fee that makes it a move up or down. */
  const changeTerms = async (includedSeats: number, monthlyPriceMinor: number): Promise<void> => {
    const { status, text } = await service.call('PATCH', `/billing/subscriptions/${partnerId}`, {
      as: 'staff',
      body: { overrides: { includedSeats, monthlyPriceMinor, monthlyCredits: 100 } },
    });
    assert.ok([200, 409].includes(status), `${status} ${text}`);
  };
  switch (what) {
    case 'seats':
      return asAdmin('/billing/seats', { quantity: size });
    case 'packs':
      return asAdmin('/billing/credits', { packId, quantity: size });
    case 'release':
      // As the route stores it.
      await query('update subscription set pending_seat_release = least($2, purchased_seats) where partner_id = $1', [partnerId, size]);
      return;
    case 'grantCredits':
      return adjust({ credits: size * 40 });
    case 'takeCredits':
      return adjust({ credits: size * -500 });
    case 'grantSeats':
      return adjust({ seats: size });
    case 'takeSeats':
      return adjust({ seats: -1 });
    case 'moreSeats':
      return changeTerms(2 + size * 3, 30_000 + size * 2_000 * (size % 2 === 0 ? 1 : -1));
    case 'fewerSeats':
      return changeTerms(size, 30_000 + size * 1_000 * (size % 2 === 0 ? 1 : -1));
    case 'invite':
      return asAdmin('/invitations', { kind: 'team', email: `${newId()}@elsewhere.test` });
    case 'run':
      // As the statement that ends an execution meters it.
      await query(
        `with entry as (insert into usage_entry (id, kind, partner_id, credits) values (uuidv7(), 'run', $1, -$2::int) returning partner_id)
          select settle_quota(jsonb_build_array(jsonb_build_object('partner', partner_id, 'held', 0, 'charged', $2::int, 'free_failure', false)), true) from entry`,
        [partnerId, size * 60],
      );
      return;
    case 'read':
      return asAdmin('/metering/quota', {}, 'GET');
    case 'sweep':
      await periods.rollOver(partnerId, now);
  }
}

/** Checks the invariants. Returns each violation. */
async function violations(partnerId: string): Promise<string[]> {
  const rows = await query<{ problem: string }>(
    `with q as (select * from partner_quota where partner_id = $1), u as (select * from usage_entry where partner_id = $1), c as (select * from quota_period where partner_id = $1)
    select 'used ' || (select used from q) || ' in this period' as problem
      where (select used from q) + coalesce((select sum(used) from c), 0) <> -coalesce((select sum(credits) from u where kind in ('run', 'ai_tokens')), 0)
    union all select 'purchased ' || (select purchased_credits from q)
      where (select purchased_credits from q) <> coalesce((select sum(credits) from u where kind in ('purchase', 'grant', 'adjustment')), 0)
    union all select 'purchased credits below 0' from q where purchased_credits < 0
    union all select 'taken in a period of ' || period_start from c where taken <> least(purchased_credits, greatest(0, used - monthly_credits))
    union all select 'lines of invoice ' || i.id from invoice i where i.partner_id = $1
      and (i.subtotal_minor <> (select coalesce(sum(l.amount_minor), 0) from invoice_line l where l.invoice_id = i.id)
        or i.total_minor <> i.subtotal_minor + i.tax_minor or i.tax_minor <> round(i.subtotal_minor * 0.19) and i.subtotal_minor * 19 % 100 <> 50)
    union all select 'lines of order ' || o.id from billing_order o where o.partner_id = $1
      and (select array_agg(l.amount_minor) from invoice_line l where l.order_id = o.id) is distinct from array[o.amount_minor]
    union all select 'line of another partner' from invoice_line l join invoice i on i.id = l.invoice_id where l.partner_id = $1 and i.partner_id <> $1
    union all select seats.members + seats.pending_invites || ' seats in use of ' || seats.included + seats.purchased
      from seats_of($1, $2) seats where seats.members + seats.pending_invites > seats.included + seats.purchased`,
    [partnerId, now],
  );
  return rows.map(({ problem }) => problem);
}

/** The periods that ended, as seen by the subscription's audit entries, its invoices and its meter. */
async function endedPeriods(partnerId: string) {
  const [row] = await query<{ audited: number; invoiced: string[]; closed: string[]; sameEnd: boolean }>(
    `select (select count(*)::int from audit_entry where partner_id = $1 and action = 'billing.period_ended') as audited,
      array(select iso_time(period_start) from invoice where partner_id = $1 order by period_start) as invoiced,
      array(select iso_time(period_end) from quota_period where partner_id = $1 order by period_end) as closed,
      (select s.current_period_end = q.period_end and s.current_period_end > $2 from subscription s join partner_quota q using (partner_id) where partner_id = $1) as "sameEnd"`,
    [partnerId, now],
  );
  assert.ok(row);
  return row;
}

describe('any history of orders, adjustments, runs and roll-overs in two processes', () => {
  it('keeps the meter equal to the ledger, invoices to their lines, one line an order, one invoice a period, and every seat in use', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (history: Moment[]) => {
        const admin = await addAgency();
        for (const { afterHours, actions } of history) {
          now = new Date(now.getTime() + afterHours * HOUR_MS);
          await Promise.all(
            actions.map((action, index) => {
              const process = processes[index % processes.length];
              assert.ok(process);
              return act(process, admin, action);
            }),
          );
          assert.deepEqual(await violations(admin.partnerId), [], JSON.stringify(actions));
        }
        await Promise.all(processes.map(({ billing: { periods } }) => periods.rollOver(admin.partnerId, now)));
        assert.deepEqual(await violations(admin.partnerId), []);
        const { audited, invoiced, closed, sameEnd } = await endedPeriods(admin.partnerId);
        assert.deepEqual([audited, invoiced, sameEnd], [closed.length, closed, true]);
      }),
      { numRuns: isFull ? 60 : 4, endOnFailure: true, includeErrorInReport: true },
    );
  });
});
