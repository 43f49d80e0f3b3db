import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { lineAmount, taxOn } from '@partner-portal/core/billing/money.ts';
import { countLockWaits } from '@partner-portal/tests/harness/database.ts';
import { until } from '@partner-portal/tests/harness/system.ts';
import { addClient } from '@partner-portal/tests/harness/world.ts';
import {
  accept,
  count,
  invoicesOf,
  lastAudit,
  moveTo,
  newAgency,
  now,
  partnerId,
  patch,
  planOf,
  preview,
  read,
  service,
  set,
  share,
  startTerms,
  waiting,
} from '@partner-portal/tests/harness/terms.ts';

before(startTerms);
after(() => service.close());
beforeEach(newAgency);

/** The invoices of the period that begins then, of the present agency. */
const totalsOfPeriod = async (start: string) =>
  (await invoicesOf(partnerId)).filter(({ periodStart }) => periodStart?.toISOString() === start).map(({ totalMinor }) => totalMinor);

describe('the billing of an agency', () => {
  it('holds plan, terms, seats, credits, settings and the next invoice', async () => {
    const body = await read();
    assert.deepEqual(
      [body.partnerId, body.plan.name, body.subscription.planName, body.subscription.status],
      [partnerId, 'Growth', 'Growth', 'active'],
    );
    assert.deepEqual(body.seats, { included: 10, purchased: 0, used: 0, pendingInvites: 0, free: 10 });
    assert.deepEqual([body.credits.monthly, body.credits.purchased, body.credits.used, body.credits.remaining], [10_000, 0, 0, 10_000]);
    assert.equal(body.credits.resetsAt, body.subscription.currentPeriodEnd);
    assert.deepEqual(
      [body.subscription.overrides, body.subscription.terms.monthlyPriceMinor, body.subscription.pendingPlan],
      [{}, 29_900, null],
    );
    assert.deepEqual(
      body.nextInvoice.lines.map((line: { kind: string; amountMinor: number }) => [line.kind, line.amountMinor]),
      [['plan', 29_900]],
    );
    assert.equal(body.nextInvoice.at, body.subscription.currentPeriodEnd);
    assert.deepEqual(body.settings, { billingEmail: null, taxId: null, address: null, country: null, updatedAt: null });
    assert.deepEqual(body.tax, { rateBasisPoints: 0, note: null });
  });

  it('is for the agency itself and for staff who name one', async () => {
    for (const as of ['owner', 'moderator'] as const)
      assert.equal((await service.call('GET', '/billing', { as })).body.partnerId, service.world.partnerId);
    await service.assertRefused('GET', '/billing', { clientUser: 'role_forbidden', staff: 'invalid_query' });
    const foreign = `/billing?partnerId=${service.world.rivalPartnerId}`;
    await service.assertRefused('GET', foreign, { owner: 'scope_forbidden', moderator: 'scope_forbidden', clientUser: 'role_forbidden' });
    assert.equal((await service.call('GET', foreign, { as: 'staff' })).status, 200);
    for (const id of [planOf('Growth'), service.world.housePartnerId])
      assert.equal((await service.call('GET', `/billing?partnerId=${id}`, { as: 'staff' })).body.code, 'not_found');
  });

  it('names in the next invoice the plan, seats left after a release, what waits, and the tax', async () => {
    await set({ purchasedSeats: 3, pendingSeatRelease: 1 });
    await accept({ taxRateBasisPoints: 1_900 });
    const before = await read();
    assert.equal((await preview('Scale')).taxRateBasisPoints, 1_900);
    const rest = share(before.subscription, 99_900) - share(before.subscription, 29_900);
    await accept({ planId: planOf('Scale'), overrides: { seatPriceMinor: 1_500, includedSeats: 10 } });
    const { nextInvoice } = await read();
    assert.deepEqual(
      nextInvoice.lines.map((line: { kind: string; quantity: number }) => [line.kind, line.quantity]),
      [
        ['plan', 1],
        ['seats', 2],
        ['plan_credit', 1],
        ['plan', 1],
      ],
    );
    assert.equal(nextInvoice.subtotalMinor, 99_900 + 2 * 1_500 + rest);
    assert.equal(nextInvoice.totalMinor, nextInvoice.subtotalMinor + nextInvoice.taxMinor);
    assert.equal(nextInvoice.taxMinor, lineAmount(nextInvoice.subtotalMinor, 1_900, { days: 1, of: 10_000 }));
  });
});

it('the tax that staff set is at once in the drafts of the agency, as they will be issued, and in no issued invoice', async () => {
  const taxOf = (tax: object) => accept(tax).then(listed);
  const listed = async () => {
    const { data } = (await service.call('GET', `/billing/invoices?partnerId=${partnerId}`, { as: 'staff' })).body;
    return data.map((row: { id: string; taxMinor: number; totalMinor: number }) => [row.taxMinor, row.totalMinor]);
  };
  const [{ id }] = (await service.call('GET', `/billing/invoices?partnerId=${partnerId}`, { as: 'staff' })).body.data;
  const one = async () => (await service.call('GET', `/billing/invoices/${id}`, { as: 'staff' })).body;
  // 8.25 % of 299.00 is 24.6675.
  assert.deepEqual(await taxOf({ taxRateBasisPoints: 825 }), [[2_467, 32_367]]);
  assert.deepEqual(await taxOf({ taxRateBasisPoints: 1_900, taxNote: 'VAT' }), [[5_681, 35_581]]);
  assert.deepEqual([(await one()).taxRateBasisPoints, (await one()).taxNote], [1_900, 'VAT']);
  const issued = (await service.call('POST', `/billing/invoices/${id}/issue`, { as: 'staff' })).body;
  assert.deepEqual([issued.taxMinor, issued.totalMinor], [5_681, 35_581]);
  assert.deepEqual(await taxOf({ taxRateBasisPoints: 0 }), [[5_681, 35_581]]);
});

describe('a plan change', () => {
  it('up holds at once: the preview is what is charged, and the meter has the credits', async () => {
    const shown = await preview('Scale');
    assert.deepEqual(
      [shown.direction, shown.effectiveAt, shown.nextMonthlyMinor, shown.currency],
      ['up', now.toISOString(), 99_900, 'USD'],
    );
    const { subscription } = await read();
    assert.equal(shown.dueNowMinor, share(subscription, 99_900) - share(subscription, 29_900));
    assert.equal((await waiting()).length, 0);
    const changed = await accept({ planId: planOf('Scale') });
    assert.deepEqual([changed.planName, changed.currentPeriodEnd, changed.pendingPlan], ['Scale', subscription.currentPeriodEnd, null]);
    const strip = ({ id: _id, ...line }: Record<string, unknown>) => line;
    assert.deepEqual(JSON.parse(JSON.stringify(await waiting())), shown.lines.map(strip));
    assert.equal((await read()).credits.monthly, 100_000);
    const entry = await lastAudit();
    assert.deepEqual(entry, { actorType: 'staff', changes: { plan: ['Growth', 'Scale'], chargedMinor: [null, shown.dueNowMinor] } });
  });

  it('up bills purchased seats that the new plan includes until the period ends: preview, terms and next invoice agree', async () => {
    await set({ purchasedSeats: 2, pendingSeatRelease: 1 });
    const { subscription } = await read();
    const shown = await preview('Scale');
    const end = subscription.currentPeriodEnd;
    assert.deepEqual(
      [shown.purchasedSeats, shown.nextMonthlyMinor, shown.nextChargeAt, shown.invoicedAt],
      [{ before: 1, after: 0 }, 99_900, end, end],
    );
    const rest = share(subscription, 99_900) - share(subscription, 29_900);
    assert.equal(shown.dueNowMinor, rest);
    const changed = await accept({ planId: planOf('Scale') });
    assert.deepEqual([changed.purchasedSeats, changed.pendingSeatsIncluded, changed.pendingSeatRelease], [2, 2, 0]);
    const after = await read();
    assert.deepEqual([after.seats.included, after.seats.purchased], [50, 2]);
    assert.equal(after.nextInvoice.subtotalMinor, 99_900 + rest);
    assert.deepEqual((await lastAudit())?.changes, { plan: ['Growth', 'Scale'], chargedMinor: [null, rest] });
    moveTo(new Date(Date.parse(end) + 1));
    const next = await accept({ taxNote: 'Reverse charge' });
    assert.deepEqual([next.purchasedSeats, next.pendingSeatsIncluded], [0, 0]);
    assert.deepEqual(await totalsOfPeriod(end), [99_900 + rest]);
  });

  it('up credits what the period was charged, at each of several changes, though staff change the price of the plan meanwhile', async () => {
    const { subscription } = await read();
    const rePrice = (monthlyPriceMinor: number) =>
      service.call('PATCH', `/plans/${planOf('Growth')}`, { as: 'staff', body: { monthlyPriceMinor } });
    assert.equal((await rePrice(9_900)).status, 200);
    const [growth, scale] = [share(subscription, 29_900), share(subscription, 99_900)];
    assert.equal((await preview('Scale')).dueNowMinor, scale - growth);
    await accept({ planId: planOf('Scale') });
    assert.equal((await rePrice(29_900)).status, 200);
    await accept({ overrides: { monthlyPriceMinor: 150_000 } });
    assert.deepEqual(
      (await waiting()).map(({ kind, amountMinor }) => [kind, Number(amountMinor)]),
      [
        ['plan_credit', -growth],
        ['plan', scale],
        ['plan_credit', -scale],
        ['plan', share(subscription, 150_000)],
      ],
    );
  });

  for (const what of ['void', 'credited in full'] as const)
    it(`up credits nothing of a period whose invoice is ${what}`, async () => {
      const { subscription } = await read();
      const path = `/billing/invoices?partnerId=${partnerId}`;
      const [{ id }] = (await service.call('GET', path, { as: 'staff' })).body.data;
      const act = async (action: string, body: object): Promise<void> => {
        const { status, text } = await service.call('POST', `/billing/invoices/${id}/${action}`, { as: 'staff', body });
        assert.ok(status === 200 || status === 201, text);
      };
      if (what === 'void') await act('void', { reason: 'Drafted by mistake' });
      else {
        await act('issue', {});
        await act('credit', { reason: 'Not used', lines: [{ description: 'Growth', quantity: 1, unitPriceMinor: 29_900 }] });
      }
      await accept({ planId: planOf('Scale') });
      assert.deepEqual(
        (await waiting()).map(({ kind, amountMinor }) => [kind, Number(amountMinor)]),
        [['plan', share(subscription, 99_900)]],
      );
    });

  for (const first of ['credit note', 'change'] as const)
    it(`up and a credit note of a part, the ${first} first, together credit no more than the invoice`, async () => {
      const { subscription } = await read();
      const [{ id }] = (await service.call('GET', `/billing/invoices?partnerId=${partnerId}`, { as: 'staff' })).body.data;
      const note = (unitPriceMinor: number) =>
        service.call('POST', `/billing/invoices/${id}/credit`, {
          as: 'staff',
          body: { reason: 'Outage', lines: [{ description: 'Growth', quantity: 1, unitPriceMinor }] },
        });
      const credited = async () => (await waiting()).filter(({ kind }) => kind === 'plan_credit').map((line) => Number(line.amountMinor));
      const growth = share(subscription, 29_900);
      assert.equal((await service.call('POST', `/billing/invoices/${id}/issue`, { as: 'staff', body: {} })).status, 200);
      if (first === 'credit note') {
        assert.equal((await note(29_899)).status, 201);
        assert.equal((await preview('Scale')).dueNowMinor, share(subscription, 99_900) - 1);
        await accept({ planId: planOf('Scale') });
        assert.deepEqual(await credited(), [-1]);
      } else {
        await accept({ planId: planOf('Scale') });
        const refused = await note(29_900 - growth + 1);
        assert.deepEqual([refused.status, refused.body.errors[0].code], [422, 'too_much']);
        assert.match(refused.body.detail, /less what the next invoice credits of it/);
        assert.equal((await note(29_900 - growth)).status, 201);
        assert.deepEqual(await credited(), [-growth]);
      }
    });

  for (const what of ['void', 'credited in full, also once it is paid'] as const)
    it(`up loses the credit of its invoice when that is ${what}, and keeps what a change since then credits`, async () => {
      const { subscription } = await read();
      const [{ id }] = (await service.call('GET', `/billing/invoices?partnerId=${partnerId}`, { as: 'staff' })).body.data;
      const act = async (action: string, body: object): Promise<void> => {
        const { status, text } = await service.call('POST', `/billing/invoices/${id}/${action}`, { as: 'staff', body });
        assert.ok(status === 200 || status === 201, text);
      };
      await accept({ planId: planOf('Scale') });
      await accept({ overrides: { monthlyPriceMinor: 150_000 } });
      const [growth, scale] = [share(subscription, 29_900), share(subscription, 99_900)];
      const amounts = async () => (await waiting()).map(({ kind, amountMinor }) => [kind, Number(amountMinor)]);
      const since = [
        ['plan', scale],
        ['plan_credit', -scale],
        ['plan', share(subscription, 150_000)],
      ];
      assert.deepEqual(await amounts(), [['plan_credit', -growth], ...since]);
      const line = (unitPriceMinor: number) => ({ reason: 'Not used', lines: [{ description: 'Growth', quantity: 1, unitPriceMinor }] });
      if (what === 'void') await act('void', { reason: 'Drafted by mistake' });
      else {
        await act('issue', {});
        await act('pay', { reference: 'Bank 1' });
        await act('credit', line(100));
        assert.deepEqual(await amounts(), [['plan_credit', -growth], ...since], 'a part of it');
        await act('credit', line(29_800));
      }
      assert.deepEqual(await amounts(), since);
      const entry = await service.db.asSystem('seed', (tx) =>
        tx.selectFrom('auditEntry').select('changes').where('partnerId', '=', partnerId).orderBy('id', 'desc').executeTakeFirst(),
      );
      assert.deepEqual((entry?.changes as { waitingCreditMinor?: unknown } | undefined)?.waitingCreditMinor, [-growth, null]);
    });

  describe('up, with its credit on the invoice of the next period,', () => {
    const list = async (): Promise<
      { id: string; status: string; number: string; periodStart: string; subtotalMinor: number; taxMinor: number }[]
    > => (await service.call('GET', `/billing/invoices?partnerId=${partnerId}`, { as: 'staff' })).body.data;
    const act = (id: string, action: string, body: object) =>
      service.call('POST', `/billing/invoices/${id}/${action}`, { as: 'staff', body });
    const credit = (unitPriceMinor: number) => ({ reason: 'Not used', lines: [{ description: 'Growth', quantity: 1, unitPriceMinor }] });

    /** Moves up in a period whose invoice is issued, and into the next one. Returns both invoices, and the credit. */
    async function nextPeriod() {
      const { subscription } = await read();
      const [first] = await list();
      assert.ok(first);
      assert.equal((await act(first.id, 'issue', {})).status, 200);
      await accept({ planId: planOf('Scale') });
      const growth = share(subscription, 29_900);
      moveTo(new Date(Date.parse(subscription.currentPeriodEnd) + 1));
      await accept({ taxRateBasisPoints: 1_900 });
      const second = (await list()).find(({ periodStart }) => periodStart === subscription.currentPeriodEnd);
      assert.ok(second);
      return { first, second, growth };
    }
    const subtotal = async (id: string) => {
      const found = (await list()).find((one) => one.id === id);
      return [found?.status, found?.subtotalMinor, found?.taxMinor];
    };
    const taxed = (minor: number) => [minor, taxOn(minor, 1_900)];
    const kindsWaiting = async () => (await waiting()).map(({ kind }) => kind);

    for (const what of ['void', 'credited in full'] as const)
      it(`loses it from a draft when the invoice is ${what}`, async () => {
        const { first, second, growth } = await nextPeriod();
        const reply = what === 'void' ? await act(first.id, 'void', { reason: 'Not owed' }) : await act(first.id, 'credit', credit(29_900));
        assert.ok(reply.status < 300, reply.text);
        assert.deepEqual(await subtotal(second.id), ['draft', ...taxed(second.subtotalMinor + growth)]);
      });

    it('keeps it on a draft when a part of the invoice is credited, and the invoice drafted again', async () => {
      const { first, second } = await nextPeriod();
      assert.equal((await act(first.id, 'void', { reason: 'The tax ID is missing', replace: true })).status, 200);
      assert.deepEqual(await subtotal(second.id), ['draft', ...taxed(second.subtotalMinor)]);
      const again = (await list()).find(({ status, periodStart }) => status === 'draft' && periodStart === first.periodStart);
      assert.ok(again);
      assert.equal((await act(again.id, 'issue', {})).status, 200);
      assert.equal((await act(again.id, 'credit', credit(100))).status, 201);
      assert.deepEqual(await subtotal(second.id), ['draft', ...taxed(second.subtotalMinor)]);
    });

    it('is void only after the issued one that credits it, and credited only by the rest', async () => {
      const { first, second, growth } = await nextPeriod();
      const issued = await act(second.id, 'issue', {});
      const refused = await act(first.id, 'void', { reason: 'Not owed' });
      assert.deepEqual([refused.status, refused.body.code], [409, 'invalid_state']);
      assert.ok(refused.body.detail.startsWith(`Invoice ${issued.body.number} credits `), refused.body.detail);
      assert.equal((await act(first.id, 'credit', credit(29_900 - growth + 1))).status, 422);
      assert.equal((await act(first.id, 'credit', credit(29_900 - growth))).status, 201);
      assert.deepEqual((await subtotal(first.id))[0], 'issued', 'what the other invoice credits is owed');
    });

    it('is void once the one that credits it is drafted again', async () => {
      const { first, second, growth } = await nextPeriod();
      assert.equal((await act(second.id, 'issue', {})).status, 200);
      assert.equal((await act(second.id, 'void', { reason: 'Growth is not owed', replace: true })).status, 200);
      assert.equal((await act(first.id, 'void', { reason: 'Not owed' })).status, 200);
      const again = (await list()).find(({ status }) => status === 'draft');
      assert.equal(again?.subtotalMinor, second.subtotalMinor + growth);
    });

    for (const what of ['void', 'credited in full'] as const)
      it(`is ${what} once the one that credits it is credited in full`, async () => {
        const { first, second } = await nextPeriod();
        assert.equal((await act(second.id, 'issue', {})).status, 200);
        assert.equal((await act(second.id, 'pay', { paidAt: service.clock.now().toISOString(), reference: 'Transfer 1' })).status, 200);
        const refused = await act(first.id, 'void', { reason: 'Not owed' });
        assert.match(refused.body.detail, /Credit that invoice in full first/, 'a paid invoice cannot be void');
        assert.equal((await act(second.id, 'credit', credit(second.subtotalMinor))).status, 201);
        const reply = what === 'void' ? await act(first.id, 'void', { reason: 'Not owed' }) : await act(first.id, 'credit', credit(29_900));
        assert.ok(reply.status < 300, reply.text);
      });

    for (const what of ['void', 'credited in full', 'void after the next one is issued'] as const)
      it(`made after the printed end of a period that staff moved, is held alike when the invoice is ${what}`, async () => {
        const { subscription } = await read();
        const [first] = await list();
        assert.ok(first);
        assert.equal((await act(first.id, 'issue', {})).status, 200);
        const days = (count: number) => new Date(Date.parse(subscription.currentPeriodEnd) + count * 86_400_000);
        await accept({ currentPeriodEnd: days(20).toISOString() });
        moveTo(days(5));
        await accept({ planId: planOf('Scale') });
        assert.deepEqual(await kindsWaiting(), ['plan_credit', 'plan']);
        if (what === 'void' || what === 'credited in full') {
          const reply =
            what === 'void' ? await act(first.id, 'void', { reason: 'Not owed' }) : await act(first.id, 'credit', credit(29_900));
          assert.ok(reply.status < 300, reply.text);
          assert.deepEqual(await kindsWaiting(), ['plan']);
          return;
        }
        moveTo(days(21));
        await accept({ taxRateBasisPoints: 1_900 });
        const second = (await list()).find(({ status }) => status === 'draft');
        assert.equal((await act(second?.id ?? '', 'issue', {})).status, 200);
        assert.equal((await act(first.id, 'void', { reason: 'Not owed' })).body.code, 'invalid_state');
      });

    it('holds no draft while it waits for an older one, which another may hold and want both', async () => {
      await nextPeriod();
      const { subscription } = await read();
      moveTo(new Date(Date.parse(subscription.currentPeriodEnd) + 1));
      await accept({ taxRateBasisPoints: 1_900 });
      const [older = '', newer = ''] = (await list())
        .filter(({ status }) => status === 'draft')
        .map(({ id }) => id)
        .toSorted();
      const [inside, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const holding = service.db.asSystem('sweep', async (tx) => {
        await tx.selectFrom('invoice').select('id').where('id', '=', older).forUpdate().execute();
        inside.resolve();
        await release.promise;
      });
      await inside.promise;
      const voiding = act(newer, 'void', { reason: 'Not owed' });
      await until('it waits', async () => (await countLockWaits(service.database)) === 1);
      const free = await service.database.query('select id from invoice where id = $1 for update skip locked', [newer]);
      release.resolve();
      await holding;
      assert.deepEqual([free.length, (await voiding).status], [1, 200]);
    });
  });

  it('up keeps its credit when the invoice is drafted again', async () => {
    const [{ id }] = (await service.call('GET', `/billing/invoices?partnerId=${partnerId}`, { as: 'staff' })).body.data;
    await accept({ planId: planOf('Scale') });
    const before = await waiting();
    for (const [action, body] of [
      ['issue', {}],
      ['void', { reason: 'The tax ID is missing', replace: true }],
    ] as const)
      assert.equal((await service.call('POST', `/billing/invoices/${id}/${action}`, { as: 'staff', body })).status, 200);
    assert.deepEqual(await waiting(), before);
  });

  it('to a higher fee is up though the plan includes seats that cost more, and takes back no more than it charges', async () => {
    await set({ purchasedSeats: 50 });
    const { subscription } = await read();
    const changed = await accept({ planId: planOf('Scale'), overrides: { includedSeats: 60, seatPriceMinor: 100 } });
    assert.deepEqual(
      [changed.planName, changed.pendingPlan, changed.purchasedSeats, changed.pendingSeatsIncluded],
      ['Scale', null, 50, 50],
    );
    const due = (await waiting()).reduce((sum, { amountMinor }) => sum + Number(amountMinor), 0);
    assert.equal(due, share(subscription, 99_900) - share(subscription, 29_900));
    assert.equal((await read()).nextInvoice.subtotalMinor, 99_900 + due);
  });

  it('that is undone before the period ends leaves the purchased seats as they were', async () => {
    await set({ purchasedSeats: 2 });
    await accept({ planId: planOf('Scale') });
    const shown = await preview('Growth');
    assert.deepEqual(
      [shown.direction, shown.purchasedSeats, shown.nextMonthlyMinor],
      ['down', { before: 0, after: 2 }, 29_900 + 2 * 1_500],
    );
    const undone = await accept({ planId: planOf('Growth') });
    assert.deepEqual([undone.pendingPlan.planName, undone.purchasedSeats, undone.pendingSeatsIncluded], ['Growth', 2, 0]);
    const seatsBilled = async () =>
      (await read()).nextInvoice.lines
        .filter(({ kind }: { kind: string }) => kind === 'seats')
        .map((line: { quantity: number }) => line.quantity);
    assert.deepEqual(await seatsBilled(), [2]);
    // Withdrawn, the larger plan includes them again.
    assert.equal((await accept({ planId: planOf('Scale') })).pendingSeatsIncluded, 2);
    assert.deepEqual(await seatsBilled(), []);
    await accept({ planId: planOf('Growth') });
    moveTo(new Date(Date.parse(undone.currentPeriodEnd) + 1));
    const next = await accept({ taxNote: 'Reverse charge' });
    assert.deepEqual([next.planName, next.purchasedSeats, await seatsBilled()], ['Growth', 2, [2]]);
  });

  it('of the overrides alone leaves the plan that waits pending, and its preview says what that costs', async () => {
    await accept({ planId: planOf('Starter') });
    const path = `/billing/plan-change?partnerId=${partnerId}&monthlyCredits=20000`;
    const shown = (await service.call('GET', path, { as: 'staff' })).body;
    assert.deepEqual([shown.direction, shown.nextMonthlyMinor], ['up', 9_900]);
    const changed = await accept({ overrides: { monthlyCredits: 20_000 } });
    assert.deepEqual([changed.terms.monthlyCredits, changed.pendingPlan.planName], [20_000, 'Starter']);
    assert.equal((await read()).nextInvoice.subtotalMinor, shown.nextMonthlyMinor);
    // Named, the plan takes the place of the one that waits.
    const named = (await service.call('GET', `${path}&planId=${planOf('Growth')}`, { as: 'staff' })).body;
    assert.equal(named.nextMonthlyMinor, 29_900);
  });

  it('down waits for the end of the period, is visible, and can be withdrawn', async () => {
    const shown = await preview('Starter');
    const { subscription } = await read();
    assert.deepEqual([shown.direction, shown.effectiveAt, shown.dueNowMinor, shown.lines], ['down', subscription.currentPeriodEnd, 0, []]);
    const changed = await accept({ planId: planOf('Starter') });
    assert.deepEqual(
      [changed.planName, changed.pendingPlan.planName, changed.pendingPlan.at],
      ['Growth', 'Starter', subscription.currentPeriodEnd],
    );
    const after = await read();
    assert.deepEqual([after.credits.monthly, after.nextInvoice.totalMinor, (await waiting()).length], [10_000, 9_900, 0]);
    assert.equal((await accept({ planId: planOf('Growth') })).pendingPlan, null);
    assert.equal((await read()).nextInvoice.totalMinor, 29_900);
  });

  it('down takes effect when the period ends', async () => {
    const { currentPeriodEnd } = await accept({ planId: planOf('Starter') });
    moveTo(new Date(Date.parse(currentPeriodEnd) + 1));
    // A change in a period that has ended rolls the subscription over first.
    const changed = await accept({ taxNote: 'Reverse charge' });
    assert.deepEqual([changed.planName, changed.pendingPlan, changed.currentPeriodStart], ['Starter', null, currentPeriodEnd]);
    assert.deepEqual(await totalsOfPeriod(currentPeriodEnd), [9_900]);
    assert.equal((await read()).credits.monthly, 2_000);
  });

  it('down is refused with what exceeds, and accepted once it fits', async () => {
    const ids = await service.db.asSystem('seed', async (tx) => {
      const added: string[] = [];
      for (let index = 0; index < 11; index += 1) added.push(await addClient(tx, partnerId, `Client ${index}`));
      return added;
    });
    assert.deepEqual((await preview('Starter')).exceeds, [{ what: 'clients', used: 11, limit: 10 }]);
    const refused = await patch({ planId: planOf('Starter') });
    assert.deepEqual([refused.status, refused.body.code, refused.body.used, refused.body.limit], [409, 'client_limit_reached', 11, 10]);
    assert.equal((await read()).subscription.pendingPlan, null);
    await service.db.asSystem('seed', (tx) =>
      tx
        .updateTable('client')
        .set({ status: 'archived' })
        .where('id', '=', ids[0] ?? '')
        .execute(),
    );
    assert.equal((await accept({ planId: planOf('Starter') })).pendingPlan.planName, 'Starter');
    await service.db.asSystem('seed', (tx) =>
      tx
        .insertInto('appUser')
        .values(
          Array.from({ length: 4 }, (_, index) => ({
            email: `seat-${count}-${index}@terms.test`,
            fullName: 'x',
            role: 'PARTNER',
            partnerRole: 'moderator',
            partnerId,
          })),
        )
        .execute(),
    );
    assert.deepEqual(
      [(await patch({ planId: planOf('Starter') })).body.code, (await preview('Starter')).exceeds],
      ['seat_limit_reached', [{ what: 'seats', used: 4, limit: 3 }]],
    );
    assert.equal((await accept({ planId: planOf('Starter'), overrides: { includedSeats: 4 } })).pendingPlan.overrides.includedSeats, 4);
  });

  it('down names what exceeds it while it waits, and then changes neither the next invoice nor the seats', async () => {
    await set({ purchasedSeats: 2 });
    assert.deepEqual((await accept({ planId: planOf('Starter'), overrides: { includedSeats: 12 } })).pendingPlan.exceeds, []);
    const waits = await read();
    assert.deepEqual([waits.subscription.pendingSeatsIncluded, waits.nextInvoice.totalMinor], [2, 9_900]);
    await service.db.asSystem('seed', async (tx) => {
      for (let index = 0; index < 12; index += 1) await addClient(tx, partnerId, `Client ${index}`);
    });
    const exceeds = [{ what: 'clients', used: 12, limit: 10 }];
    const { subscription, nextInvoice } = await read();
    assert.deepEqual([subscription.pendingPlan.planName, subscription.pendingPlan.exceeds], ['Starter', exceeds]);
    assert.deepEqual([subscription.pendingSeatsIncluded, nextInvoice.totalMinor], [0, 29_900 + 2 * 1_500]);
    assert.deepEqual((await accept({ taxNote: 'x' })).pendingPlan.exceeds, exceeds);
  });

  it('of the overrides alone keeps the plan, and they are visible as such', async () => {
    const up = await accept({ overrides: { monthlyPriceMinor: 39_900, includedSeats: 20 } });
    assert.deepEqual(
      [up.overrides, up.terms.monthlyPriceMinor, up.terms.includedSeats],
      [{ monthlyPriceMinor: 39_900, includedSeats: 20 }, 39_900, 20],
    );
    assert.equal((await read()).seats.included, 20);
    const down = await accept({ overrides: { monthlyPriceMinor: 19_900, includedSeats: 20 } });
    assert.deepEqual([down.terms.monthlyPriceMinor, down.pendingPlan.terms.monthlyPriceMinor], [39_900, 19_900]);
    // A move to another plan drops them.
    assert.deepEqual((await accept({ planId: planOf('Scale') })).overrides, {});
  });

  it('needs a plan that can be chosen, in the same currency, and no trial', async () => {
    assert.equal((await patch({ planId: partnerId })).body.code, 'not_found');
    const other = await patch({ planId: planOf('Euro') });
    assert.deepEqual([other.status, other.body.errors[0].code], [422, 'other_currency']);
    assert.equal((await preview('Euro')).code, 'invalid_state');
    assert.equal((await patch({ planId: planOf('Trial') })).body.errors[0].code, 'trial_plan');
  });

  it('happens once when two ask for it at the same time', async () => {
    const replies = await Promise.all([patch({ planId: planOf('Scale') }), patch({ planId: planOf('Scale') })]);
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 200],
    );
    assert.equal((await waiting()).length, 2);
  });

  it('is refused when the record has changed since it was read', async () => {
    const { subscription } = await read();
    const match = { 'if-match': `"${subscription.updatedAt}"` };
    assert.equal((await patch({ taxNote: 'x', clockPausedReason: 'Asked by phone' }, match)).status, 200);
    assert.equal((await patch({ planId: planOf('Scale') }, match)).body.code, 'stale_record');
    // The tax alone counts as well.
    const current = { 'if-match': `"${(await read()).subscription.updatedAt}"` };
    assert.equal((await patch({ taxNote: 'y' }, current)).status, 200);
    assert.equal((await patch({ taxNote: 'z' }, current)).body.code, 'stale_record');
  });

  it('is previewed for the agency on public plans, and made by staff only', async () => {
    const path = `/billing/plan-change?planId=${planOf('Scale')}`;
    for (const as of ['owner', 'moderator'] as const) assert.equal((await service.call('GET', path, { as })).body.direction, 'up');
    await service.assertRefused('GET', path, { clientUser: 'role_forbidden', staff: 'invalid_query' });
    assert.equal((await service.call('GET', `/billing/plan-change?planId=${planOf('Euro')}`, { as: 'owner' })).body.code, 'not_found');
    await service.assertRefused(
      'PATCH',
      `/billing/subscriptions/${service.world.partnerId}`,
      { owner: 'role_forbidden', moderator: 'role_forbidden', clientUser: 'role_forbidden' },
      { planId: planOf('Scale') },
    );
    assert.equal(
      (await service.call('PATCH', `/billing/subscriptions/${service.world.housePartnerId}`, { as: 'staff', body: {} })).status,
      404,
    );
  });
});
