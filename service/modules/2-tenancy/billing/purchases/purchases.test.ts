import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { billing } from '#modules/2-tenancy/billing/index.ts';
import { purchases } from './index.ts';
import { invitations } from '#modules/2-tenancy/invitations/index.ts';
import { partners } from '#modules/2-tenancy/partners/index.ts';
import { team } from '#modules/2-tenancy/team/index.ts';
import { metering } from '#modules/1-ledger/metering/index.ts';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';

let service: TestService;
/** A second process on the same database. */
let other: TestService;
before(async () => {
  const modules = (platform: TestService) => [
    billing(platform),
    invitations(platform),
    metering(platform),
    team(platform),
    partners(platform),
  ];
  service = await startTestService({ modules: (platform) => modules(platform as TestService) });
  const { database, world } = service;
  other = await startTestService({ database, world, modules: (platform) => modules(platform as TestService) });
});
after(async () => {
  await other.close();
  await service.close();
});
// Growth includes 10 seats; the period is in its sixth of 30 days.
beforeEach(() =>
  query(`update partner set status = 'active'; update invitation set status = 'revoked'; delete from first_answer;
    update partner_quota set purchased_credits = 0, used = 0;
    update subscription set status = 'active', purchased_seats = 0, purchased_beyond = null, granted_seats = 0, pending_seat_release = 0, overrides = '{}'`),
);

const query = (text: string, values?: unknown[]) => service.database.query(text, values);
const buySeats = (quantity: number, headers: Record<string, string> = {}, on = service) =>
  on.call('POST', '/billing/seats', { as: 'owner', body: { quantity }, headers });
const buyCredits = (body: object, headers: Record<string, string> = {}) =>
  service.call('POST', '/billing/credits', { as: 'owner', body, headers });
const adjust = (body: object) =>
  service.call('POST', '/billing/adjustments', { as: 'staff', body: { partnerId: service.world.partnerId, note: 'Goodwill', ...body } });
const orders = async (search = '') => (await service.call('GET', `/billing/orders?limit=100${search}`, { as: 'owner' })).body.data;
let invited = 0;
const invite = (on = service) =>
  on.call('POST', '/invitations', { as: 'owner', body: { kind: 'team', email: `seat${(invited += 1)}@elsewhere.test` } });
const seatsInUse = async () =>
  (await query('select members + pending_invites as used from seats_of($1, now())', [service.world.partnerId]))[0].used;
const quota = async () => (await service.call('GET', '/metering/quota', { as: 'owner' })).body;
const statuses = (replies: readonly { status: number }[]) => replies.map(({ status }) => status).toSorted((a, b) => a - b);
const lastAudit = async () =>
  (
    await query('select action, target_label, changes from audit_entry where partner_id = $1 order by id desc limit 1', [
      service.world.partnerId,
    ])
  )[0];

describe('seats that an agency buys', () => {
  it('are usable at once, charged for the days left of the period, and announced', async () => {
    await query('update subscription set overrides = \'{"includedSeats": 2}\' where partner_id = $1', [service.world.partnerId]);
    assert.equal((await invite()).body.code, 'seat_limit_reached');
    const bought = await buySeats(2);
    assert.equal(bought.status, 201, bought.text);
    const { id, kind, quantity, unitPriceMinor, amountMinor, currency, status, invoiceId, orderedByName } = bought.body;
    assert.deepEqual(
      [kind, quantity, unitPriceMinor, amountMinor, currency, status, invoiceId, orderedByName],
      ['seats', 2, 1_500, 2_500, 'USD', 'confirmed', null, 'Owner Tester'],
    );
    assert.equal((await invite()).status, 201);
    const [line] = await query('select kind, description, quantity, amount_minor::int, invoice_id from invoice_line where order_id = $1', [
      id,
    ]);
    assert.deepEqual(line, {
      kind: 'seats',
      description: 'Extra seats: 25 of 30 days',
      quantity: 2,
      amount_minor: 2_500,
      invoice_id: null,
    });
    const [event] = await query("select data from event where type = 'seat_purchase.completed' order by id desc limit 1");
    assert.deepEqual(event.data.order, { id, quantity: 2, unitPriceMinor: 1_500, amountMinor: 2_500, currency: 'USD' });
    assert.deepEqual(event.data.seats, { included: 2, purchased: 2, total: 4, used: 2 });
    assert.equal(event.data.portalUrl, `${service.baseUrl}/dashboard/billing`);
    assert.equal((await orders())[0].id, id);
  });

  it('are recorded in the audit log', async () => {
    await buySeats(1);
    assert.deepEqual(await lastAudit(), { action: 'billing.seats_bought', target_label: '1 seat', changes: { purchasedSeats: [0, 1] } });
  });

  it('cost what the override says', async () => {
    await query('update subscription set overrides = \'{"seatPriceMinor": 600}\' where partner_id = $1', [service.world.partnerId]);
    assert.equal((await buySeats(3)).body.amountMinor, 1_500);
  });

  it('are between 1 and 500 in one order', async () => {
    for (const quantity of [0, 501, 1.5, -1]) assert.equal((await buySeats(quantity)).body.code, 'validation_failed');
    assert.equal((await buySeats(500)).status, 201);
  });

  it('are never bought for a period that has ended: it is rolled over first', async () => {
    const ended = { partnerId: service.world.partnerId, back: '30 days' };
    const move = (sign: '-' | '+') =>
      query(
        `update subscription set current_period_start = current_period_start ${sign} $2::interval, current_period_end = current_period_end ${sign} $2::interval where partner_id = $1`,
        Object.values(ended),
      );
    await move('-');
    const rolled: string[] = [];
    const rolling = await startTestService({
      database: service.database,
      world: service.world,
      modules: (platform) => [
        {
          routes: purchases({
            ...platform,
            suspendAfterDays: 14,
            rollOver: async (id) => void rolled.push(id, ...(await move('+')).map(String)),
          }).routes,
        },
      ],
    });
    try {
      assert.equal((await buySeats(1, {}, rolling)).body.amountMinor, 1_250);
      assert.deepEqual(rolled, [service.world.partnerId]);
    } finally {
      await rolling.close();
    }
  });
});

describe('a purchase', () => {
  const buy = { seats: () => buySeats(1), credits: () => buyCredits({ packId: 'pack-1000' }) };
  for (const [what, attempt] of Object.entries(buy)) {
    for (const [status, says] of [
      ['trialing', /Request a plan/],
      ['expired', /Request a plan/],
      ['cancelled', /Request a plan/],
      ['suspended', /overdue invoices/],
    ] as const)
      it(`of ${what} is refused while the subscription is ${status}, with what to do`, async () => {
        await query('update subscription set status = $1', [status]);
        const refused = await attempt();
        assert.deepEqual([refused.status, refused.body.code], [409, 'invalid_state']);
        assert.match(refused.body.detail, says);
      });

    it(`of ${what} is possible while a payment is past due`, async () => {
      await query("update subscription set status = 'past_due'");
      assert.equal((await attempt()).status, 201);
    });
  }

  it('is made by admins of the agency only, and not while it is suspended', async () => {
    const refused = { moderator: 'partner_role_forbidden', clientUser: 'role_forbidden', staff: 'role_forbidden' };
    await service.assertRefused('POST', '/billing/seats', refused, { quantity: 1 });
    await service.assertRefused('POST', '/billing/seats/release', refused, { quantity: 0 });
    await service.assertRefused('POST', '/billing/credits', refused, { packId: 'pack-1000' });
    await query("update partner set status = 'suspended' where id = $1", [service.world.partnerId]);
    assert.equal((await buySeats(1)).body.code, 'account_suspended');
    assert.equal((await buyCredits({ packId: 'pack-1000' })).body.code, 'account_suspended');
    assert.equal((await service.call('GET', '/billing/orders', { as: 'owner' })).status, 200, 'orders stay readable');
  });

  it('repeated with its Idempotency-Key is made once, and answered like the first', async () => {
    const headers = { 'idempotency-key': 'once-more' };
    const before = (await orders()).length;
    const first = await buySeats(2, headers);
    const other = await buySeats(3, headers);
    assert.deepEqual([other.status, other.body.code], [422, 'idempotency_key_reused']);
    await query("update billing_order set status = 'invoiced' where id = $1", [first.body.id]);
    assert.deepEqual((await buySeats(2, headers)).body, first.body);
    assert.equal((await orders()).length, before + 1);
    const pack = await buyCredits({ packId: 'pack-1000' }, headers);
    assert.equal(pack.body.kind, 'credits', 'a key counts for its route');
    await query("update first_answer set created_at = created_at - interval '24 hours 1 second'");
    assert.notEqual((await buySeats(2, headers)).body.id, first.body.id);
  });

  it('sent many times at once with one key, by two processes, is one order', async () => {
    const headers = { 'idempotency-key': 'all-at-once' };
    const replies = await Promise.all(Array.from({ length: 12 }, (_, index) => buySeats(1, headers, index % 2 ? other : service)));
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([201]));
    assert.equal(new Set(replies.map(({ body }) => body.id)).size, 1);
    assert.deepEqual(await query('select purchased_seats from subscription where partner_id = $1', [service.world.partnerId]), [
      { purchased_seats: 1 },
    ]);
  });

  it('that is refused leaves its key free', async () => {
    const headers = { 'idempotency-key': 'second-chance' };
    assert.equal((await buyCredits({ packId: 'pack-77' }, headers)).status, 422);
    assert.equal((await buyCredits({ packId: 'pack-1000' }, headers)).status, 201);
    assert.equal((await buyCredits({ packId: 'pack-1000', quantity: 2 }, headers)).body.code, 'idempotency_key_reused');
  });

  it('is never changed or deleted, except that its status moves on', async () => {
    const { body } = await buySeats(1);
    await adjust({ seats: 1 });
    for (const change of [
      `update billing_order set quantity = 2 where id = '${body.id}'`,
      `delete from billing_order where id = '${body.id}'`,
      'update billing_adjustment set seats = 2',
      'delete from billing_adjustment',
    ])
      await assert.rejects(query(change), /countered, never changed/);
    await query('update billing_order set status = $2 where id = $1', [body.id, 'void']);
  });
});

describe('a price that staff change while someone buys', () => {
  it('is not charged before the buyer has seen it, and neither is a pack of other credits', async () => {
    const before = (await orders()).length;
    const sold = await query('select seat_price_minor, credit_packs from plan where id = $1', [service.world.planId]);
    const [{ seat_price_minor: seatPrice, credit_packs: packs }] = sold;
    const [pack] = packs;
    const buySeat = (unitPriceMinor: number, headers = {}) =>
      service.call('POST', '/billing/seats', { as: 'owner', body: { quantity: 1, unitPriceMinor }, headers });
    const buyPack = (unitPriceMinor: number, packCredits: number) => buyCredits({ packId: pack.id, unitPriceMinor, packCredits });
    const retry = { 'idempotency-key': 'with-a-shown-price' };
    for (const [refused, detail] of [
      [await buySeat(seatPrice - 100, retry), /^A seat costs \$15\.00 a month now\. Nothing was bought/],
      [await buyPack(pack.priceMinor - 1, pack.credits), /^This pack of 1,000 credits costs \$\d+\.00 now\./],
      [await buyPack(pack.priceMinor, pack.credits + 1), /^This pack of 1,000 credits costs/],
    ] as const) {
      assert.deepEqual([refused.status, refused.body.code], [409, 'invalid_state']);
      assert.match(refused.body.detail, detail);
    }
    assert.equal((await orders()).length, before);
    assert.deepEqual([(await buySeat(seatPrice, retry)).status, (await buyPack(pack.priceMinor, pack.credits)).status], [201, 201]);
    // A second attempt at what was bought is answered with the order, at its price.
    assert.equal((await buySeat(seatPrice + 100, retry)).body.unitPriceMinor, seatPrice);
  });
});

describe('seats bought after a change of terms', () => {
  for (const [what, beyond, kept, included] of [
    ['come on top of those that the new terms include', 0, 8, 2],
    ['count from the present terms when those include fewer', 20, 10, 0],
    ['count as before when nothing changed', null, null, 0],
  ] as const)
    it(what, async () => {
      await query('update subscription set purchased_seats = 2, purchased_beyond = $2 where partner_id = $1', [
        service.world.partnerId,
        beyond,
      ]);
      await buySeats(3);
      assert.deepEqual(
        await query('select purchased_seats, purchased_beyond from subscription where partner_id = $1', [service.world.partnerId]),
        [{ purchased_seats: 5, purchased_beyond: kept }],
      );
      const { subscription, nextInvoice } = (await service.call('GET', '/billing', { as: 'owner' })).body;
      assert.equal(subscription.pendingSeatsIncluded, included);
      const billed = nextInvoice.lines.find(
        (line: { kind: string; orderId: string | null }) => line.kind === 'seats' && line.orderId === null,
      );
      assert.equal(billed.quantity, 5 - included);
    });
});

describe('seats that an agency releases', () => {
  const release = (quantity: number) => service.call('POST', '/billing/seats/release', { as: 'owner', body: { quantity } });
  it('end with the period: they stay until then, and the number can be changed', async () => {
    await buySeats(3);
    const released = await release(2);
    assert.equal(released.status, 200, released.text);
    assert.deepEqual([released.body.pendingSeatRelease, released.body.purchasedSeats], [2, 3]);
    assert.deepEqual((await lastAudit()).changes, { seatsToRelease: [0, 2] });
    assert.equal((await release(1)).body.pendingSeatRelease, 1);
    assert.equal((await release(0)).body.pendingSeatRelease, 0);
  });

  it('may be more at once than one order buys', async () => {
    await buySeats(500);
    await buySeats(200);
    const released = await release(600);
    assert.deepEqual([released.status, released.body.pendingSeatRelease], [200, 600]);
    assert.equal((await release(701)).body.errors[0].code, 'too_large');
  });

  it('are never more than were bought, nor any that members and invitations need', async () => {
    const used = await seatsInUse();
    await query('update subscription set granted_seats = $2::int - 12 where partner_id = $1', [service.world.partnerId, used]);
    await buySeats(3);
    assert.equal((await release(4)).body.errors[0].field, 'quantity');
    const refused = await release(2);
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.used, refused.body.limit],
      [409, 'seat_limit_reached', used, used - 1],
    );
    assert.equal((await release(1)).status, 200);
  });

  it('leave enough for them on the terms that wait, too', async () => {
    const used = await seatsInUse();
    await buySeats(3);
    await query(
      `update subscription set granted_seats = $2::int - 10, pending_plan_id = plan_id, pending_overrides = '{"includedSeats":8}' where partner_id = $1`,
      [service.world.partnerId, used],
    );
    const refused = await release(2);
    assert.deepEqual([refused.body.code, refused.body.used, refused.body.limit], ['seat_limit_reached', used, used - 1]);
    const released = await release(1);
    assert.deepEqual([released.status, released.body.pendingSeatRelease], [200, 1]);
  });

  it('are refused to a subscription that cannot buy', async () => {
    await query("update subscription set status = 'expired'");
    assert.equal((await release(0)).body.code, 'invalid_state');
  });
});

describe('credit packs', () => {
  it('are usable at once, and their ledger entry links to the order', async () => {
    const before = await quota();
    const bought = await buyCredits({ packId: 'pack-10000', quantity: 2 });
    assert.equal(bought.status, 201, bought.text);
    const { id, packId, credits, unitPriceMinor, amountMinor } = bought.body;
    assert.deepEqual([packId, credits, unitPriceMinor, amountMinor], ['pack-10000', 20_000, 19_900, 39_800]);
    const now = await quota();
    assert.deepEqual([now.purchased, now.remaining], [before.purchased + 20_000, before.remaining + 20_000]);
    const ledger = await service.call('GET', '/metering/ledger', { as: 'owner' });
    const { kind, credits: entered, orderId, executionId, note } = ledger.body.data[0];
    assert.deepEqual([kind, entered, orderId, executionId, note], ['purchase', 20_000, id, null, '2 × 10,000 credits']);
    const [line] = await query(
      'select kind, description, quantity, amount_minor::int, period_start from invoice_line where order_id = $1',
      [id],
    );
    assert.deepEqual(line, {
      kind: 'credits',
      description: 'Credit pack of 10,000 credits',
      quantity: 2,
      amount_minor: 39_800,
      period_start: null,
    });
  });

  it('come one at a time by default, and only those of the plan', async () => {
    assert.equal((await buyCredits({ packId: 'pack-1000' })).body.credits, 1_000);
    const unknown = await buyCredits({ packId: 'pack-7' });
    assert.deepEqual([unknown.status, unknown.body.errors[0].field], [422, 'packId']);
  });

  it('end where the meter cannot count them', async () => {
    await query('update partner_quota set purchased_credits = 1147480000');
    const refused = await buyCredits({ packId: 'pack-1000', quantity: 4 });
    assert.deepEqual([refused.status, refused.body.errors[0].field], [422, 'quantity']);
    assert.equal((await buyCredits({ packId: 'pack-1000', quantity: 3 })).status, 201);
  });
});

describe('an adjustment by staff', () => {
  it('adds and takes credits with an entry of the ledger, never more than are left', async () => {
    const added = await adjust({ credits: 500 });
    assert.equal(added.status, 201, added.text);
    assert.deepEqual([added.body.credits, added.body.seats, added.body.note], [500, null, 'Goodwill']);
    assert.equal((await quota()).purchased, 500);
    const refused = await adjust({ credits: -501 });
    assert.deepEqual([refused.status, refused.body.code, refused.body.limit], [409, 'invalid_state', 500]);
    await query('update partner_quota set used = monthly_credits + 400 where partner_id = $1', [service.world.partnerId]);
    assert.equal((await adjust({ credits: -101 })).body.limit, 100, 'those used beyond the monthly credits are gone');
    assert.equal((await adjust({ credits: -100 })).status, 201);
    assert.equal((await quota()).purchased, 400);
    const ledger = await service.call('GET', '/metering/ledger?kind=adjustment', { as: 'owner' });
    assert.deepEqual(
      ledger.body.data.slice(0, 2).map((row: { credits: number; note: string }) => [row.credits, row.note]),
      [
        [-100, 'Goodwill'],
        [500, 'Goodwill'],
      ],
    );
  });

  it('adds no more credits than can be counted together with the most monthly ones', async () => {
    assert.equal((await adjust({ credits: 1_000_000_000 })).status, 201);
    const refused = await adjust({ credits: 147_483_648 });
    assert.deepEqual([refused.status, refused.body.errors[0].field, refused.body.errors[0].code], [422, 'credits', 'too_large']);
    assert.equal((await adjust({ credits: 147_483_647 })).status, 201);
    await query('update partner_quota set monthly_credits = 1000000000 where partner_id = $1', [service.world.partnerId]);
    assert.equal((await quota()).limit, 2_147_483_647);
  });

  it('adds and takes included seats, never below those in use', async () => {
    const used = await seatsInUse();
    assert.equal((await adjust({ seats: 2 })).status, 201);
    assert.equal((await lastAudit()).changes.includedSeats[1], 12);
    const refused = await adjust({ seats: used - 13 });
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.used, refused.body.limit],
      [409, 'seat_limit_reached', used, used - 1],
    );
    assert.equal((await adjust({ seats: used - 12 })).status, 201);
    assert.equal((await invite()).body.code, 'seat_limit_reached');
  });

  it('names credits or seats, an agency that exists, and is for staff', async () => {
    for (const body of [{}, { credits: 1, seats: 1 }, { credits: 0 }]) assert.equal((await adjust(body)).status, 422);
    for (const partnerId of ['0199b3d2-6f58-7c1a-b3e9-0d84a27f5c09', service.world.housePartnerId])
      assert.equal((await adjust({ partnerId, seats: 1 })).body.code, 'not_found');
    await service.assertRefused(
      'POST',
      '/billing/adjustments',
      { owner: 'role_forbidden', moderator: 'role_forbidden', clientUser: 'role_forbidden' },
      { partnerId: service.world.partnerId, seats: 1, note: 'Mine' },
    );
  });
});

describe('seats under concurrency', () => {
  it('are never oversold while two processes buy and invite', async () => {
    const used = await seatsInUse();
    await query('update subscription set granted_seats = $2 - 10 where partner_id = $1', [service.world.partnerId, used]);
    const replies = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        index % 4 === 0 ? buySeats(1, {}, index % 8 ? other : service) : invite(index % 2 ? other : service),
      ),
    );
    assert.ok(statuses(replies).every((status) => status === 201 || status === 409));
    const [seats] = await query('select included + purchased as total, members + pending_invites as used from seats_of($1, now())', [
      service.world.partnerId,
    ]);
    assert.equal(seats.total, used + 6);
    assert.ok(seats.used <= seats.total, `${seats.used} of ${seats.total} seats`);
    assert.equal(seats.used, used + replies.filter(({ status }, index) => index % 4 !== 0 && status === 201).length);
  });

  it('are never taken by staff from someone who is being invited', async () => {
    const used = await seatsInUse();
    await query('update subscription set granted_seats = $2 - 8 where partner_id = $1', [service.world.partnerId, used]);
    await Promise.all([
      ...Array.from({ length: 4 }, (_, index) => invite(index % 2 ? other : service)),
      ...Array.from({ length: 4 }, () => adjust({ seats: -1 })),
    ]);
    const [seats] = await query('select included + purchased as total, members + pending_invites as used from seats_of($1, now())', [
      service.world.partnerId,
    ]);
    assert.ok(seats.used <= seats.total, `${seats.used} of ${seats.total} seats`);
  });
});

describe('seats in use', () => {
  it('are counted alike by invitations, the team, billing and the list of agencies', async () => {
    await buySeats(1);
    await invite();
    const used = await seatsInUse();
    assert.ok(used >= 3, 'two members and an invitation');
    const { seats } = (await service.call('GET', '/billing', { as: 'owner' })).body;
    assert.deepEqual([seats.used, seats.pendingInvites, seats.purchased, seats.free], [used, 1, 1, 11 - used]);
    const team = await service.call('GET', '/partners/me/team', { as: 'owner' });
    assert.deepEqual([team.body.seats.used, team.body.seats.total], [used, 11]);
    const listed = await service.call('GET', `/partners/${service.world.partnerId}`, { as: 'staff' });
    assert.equal(listed.body.counts.seatsUsed, used);
    await query('update subscription set granted_seats = $2::int - 11 where partner_id = $1', [service.world.partnerId, used]);
    const refused = await invite();
    assert.deepEqual([refused.body.used, refused.body.limit], [used, used]);
  });
});

describe('the list of orders', () => {
  it('is filtered, paged, exported as CSV, and of this agency only', async () => {
    await buySeats(1);
    await buyCredits({ packId: 'pack-1000' });
    const newest = await orders();
    assert.deepEqual(
      newest.slice(0, 2).map((row: { kind: string }) => row.kind),
      ['credits', 'seats'],
    );
    assert.ok((await orders('&kind=seats')).every((row: { kind: string }) => row.kind === 'seats'));
    assert.deepEqual(await orders('&status=void&from=2100-01-01T00:00:00Z'), []);
    const page = await service.call('GET', '/billing/orders?limit=1', { as: 'owner' });
    const next = await service.call('GET', `/billing/orders?limit=1&cursor=${page.body.nextCursor}`, { as: 'owner' });
    assert.equal(next.body.data[0].id, newest[1].id);
    const csv = await service.call('GET', '/billing/orders/export.csv?kind=credits', { as: 'moderator' });
    assert.match(
      csv.text.split('\r\n')[1] ?? '',
      new RegExp(`^${newest[0].id},.*,credits,1,2900,2900,USD,pack-1000,1000,confirmed,Owner Tester,`),
    );
    assert.deepEqual((await service.call('GET', '/billing/orders', { as: 'rivalOwner' })).body.data, []);
    const staff = await service.call('GET', `/billing/orders?partnerId=${service.world.partnerId}`, { as: 'staff' });
    assert.equal(staff.body.data[0].id, newest[0].id);
    await service.assertRefused('GET', `/billing/orders?partnerId=${service.world.partnerId}`, { rivalOwner: 'scope_forbidden' });
    await service.assertRefused('GET', '/billing/orders', { clientUser: 'role_forbidden' });
    await service.assertRefused('GET', '/billing/orders?partnerId=0199b3d2-6f58-7c1a-b3e9-0d84a27f5c09', { staff: 'not_found' });
  });
});

describe('the billing details', () => {
  const save = (body: object, as: 'owner' | 'moderator' = 'owner', headers = {}) =>
    service.call('PATCH', '/billing/settings', { as, body, headers });
  const shown = async () => (await service.call('GET', '/billing', { as: 'owner' })).body.settings;
  const saved = async (body: object) => {
    const { updatedAt, ...settings } = (await save(body)).body;
    assert.equal((await shown()).updatedAt, updatedAt);
    return settings;
  };
  it('are changed one by one, and removed by an empty text', async () => {
    assert.deepEqual(await saved({ billingEmail: 'Books@Acme.test', country: 'de' }), {
      billingEmail: 'books@acme.test',
      taxId: null,
      address: null,
      country: 'DE',
    });
    assert.deepEqual(await saved({ address: 'Oak Street 1\nBerlin', taxId: 'DE123' }), {
      billingEmail: 'books@acme.test',
      taxId: 'DE123',
      address: 'Oak Street 1\nBerlin',
      country: 'DE',
    });
    assert.equal((await lastAudit()).action, 'billing.settings_changed');
    assert.deepEqual(await saved({ taxId: '', billingEmail: null }), {
      billingEmail: null,
      taxId: null,
      address: 'Oak Street 1\nBerlin',
      country: 'DE',
    });
    assert.equal((await save({ country: 'Germany' })).body.errors[0].field, 'country');
    await service.assertRefused(
      'PATCH',
      '/billing/settings',
      { moderator: 'partner_role_forbidden', staff: 'role_forbidden' },
      { taxId: 'x' },
    );
  });

  it('keep what another admin saved meanwhile: a form that is older is refused', async () => {
    const { updatedAt } = (await save({ taxId: 'DE-OLD' })).body;
    const matching = { 'if-match': `"${updatedAt}"` };
    const newer = await save({ taxId: 'DE-NEW' }, 'owner', matching);
    assert.equal(newer.status, 200);
    const older = await save({ taxId: 'DE-OLD', billingEmail: 'pay@acme.test' }, 'owner', matching);
    assert.deepEqual([older.status, older.body.code, (await shown()).taxId], [412, 'stale_record', 'DE-NEW']);
    // Tax is not theirs: staff may change it meanwhile.
    const tax = await service.call('PATCH', `/billing/subscriptions/${service.world.partnerId}`, { as: 'staff', body: { taxNote: 'VAT' } });
    assert.equal(tax.status, 200, tax.text);
    assert.equal((await save({ taxId: 'DE-3' }, 'owner', { 'if-match': `"${newer.body.updatedAt}"` })).status, 200);
  });
});
