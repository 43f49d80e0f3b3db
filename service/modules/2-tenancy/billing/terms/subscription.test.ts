import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { nextBoundary } from '@partner-portal/core/billing/period.ts';
import { draft } from '../invoices/test-drafts.ts';
import {
  accept,
  count,
  endTrials,
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
  startTerms,
  useAgency,
} from '@partner-portal/tests/harness/terms.ts';

before(startTerms);
after(() => service.close());
beforeEach(newAgency);

const DAY_MS = 86_400_000;

describe('a subscription', () => {
  it('is cancelled at the end of its period, which can be withdrawn', async () => {
    const cancelled = await accept({ status: 'cancelled' });
    assert.deepEqual([cancelled.status, cancelled.cancelAt], ['active', cancelled.currentPeriodEnd]);
    assert.equal((await read()).nextInvoice, null);
    assert.equal((await accept({ status: 'active' })).cancelAt, null);
    assert.equal((await read()).nextInvoice.totalMinor, 29_900);
  });

  it('that is cancelled goes on with another plan; its overrides alone change only once that is withdrawn', async () => {
    const cancelled = async () => (await accept({ status: 'cancelled' })).cancelAt;
    const end = await cancelled();
    assert.deepEqual([end === null, (await preview('Scale')).withdrawsCancellation], [false, true]);
    const shown = (await service.call('GET', `/billing/plan-change?partnerId=${partnerId}&includedSeats=12`, { as: 'staff' })).body;
    const refused = await patch({ overrides: { includedSeats: 12 } });
    assert.deepEqual([shown.code, refused.status, refused.body.code], ['invalid_state', 409, 'invalid_state']);
    const down = await accept({ planId: planOf('Starter') });
    assert.deepEqual([down.cancelAt, down.pendingPlan.planName, (await read()).nextInvoice.totalMinor], [null, 'Starter', 9_900]);
    assert.deepEqual(((await lastAudit())?.changes as { cancelAt?: unknown } | undefined)?.cancelAt, [end, null]);
    await cancelled();
    const kept = await accept({ planId: planOf('Growth') });
    assert.deepEqual([kept.cancelAt, kept.pendingPlan], [end, null]);
    assert.equal((await preview('Growth')).withdrawsCancellation, false);
    const up = await accept({ planId: planOf('Scale') });
    assert.deepEqual([up.cancelAt, up.planName], [null, 'Scale']);
    await cancelled();
    const both = await accept({ status: 'active', overrides: { includedSeats: 60 } });
    assert.deepEqual([both.cancelAt, both.terms.includedSeats], [null, 60]);
    assert.deepEqual(((await lastAudit())?.changes as { cancelAt?: unknown } | undefined)?.cancelAt, [end, null]);
  });

  it('that is suspended suspends the account: reads of billing answer, all else does not; active resumes it', async () => {
    const { partnerId: acme } = service.world;
    const path = `/billing/subscriptions/${acme}`;
    const change = async (body: object) => (await service.call('PATCH', path, { as: 'staff', body })).body;
    assert.ok((await change({ status: 'past_due' })).suspendsAt > now.toISOString());
    assert.equal((await change({ status: 'suspended' })).status, 'suspended');
    for (const as of ['owner', 'moderator'] as const)
      assert.equal((await service.call('GET', '/billing', { as })).body.subscription.status, 'suspended');
    assert.equal((await service.call('GET', `/billing/plan-change?planId=${planOf('Scale')}`, { as: 'owner' })).status, 200);
    assert.equal((await service.call('GET', '/clients', { as: 'owner' })).body.code, 'account_suspended');
    assert.equal((await service.call('POST', '/billing/seats', { as: 'owner', body: { quantity: 1 } })).body.code, 'account_suspended');
    const events = await service.db.asSystem('seed', (tx) =>
      tx.selectFrom('event').select(['type', 'data']).where('partnerId', '=', acme).execute(),
    );
    assert.deepEqual(
      events.map(({ type, data }) => [type, (data as { reason?: string }).reason]),
      [['account.suspended', 'billing']],
    );
    assert.equal((await change({ status: 'active' })).status, 'active');
    assert.equal((await service.call('GET', '/clients', { as: 'owner' })).status, 200);
  });

  it('does not lift a suspension by hand', async () => {
    const partner = async (path: string, body?: object) =>
      (await service.call('POST', `/partners/${partnerId}/${path}`, { as: 'staff', body })).body;
    await partner('suspend', { reason: 'Spam' });
    await accept({ status: 'suspended' });
    await accept({ status: 'active' });
    assert.equal((await service.call('GET', `/partners/${partnerId}`, { as: 'staff' })).body.status, 'suspended');
    assert.equal((await partner('resume')).status, 'active');
    assert.equal((await read()).subscription.status, 'active');
  });

  /** An issued invoice that was due `days` days ago. */
  const addDue = (days: number) =>
    service.db.asSystem('seed', async (tx) => {
      const id = await draft(tx, { partnerId });
      const sent = { issuedAt: new Date(now.getTime() - (days + 14) * DAY_MS), dueAt: new Date(now.getTime() - days * DAY_MS) };
      await tx
        .updateTable('invoice')
        .set({ status: 'issued', number: `2020-${String(count).padStart(6, '0')}`, seller: '{}', buyer: '{}', ...sent })
        .where('id', '=', id)
        .execute();
    });

  it('with an invoice that was due today is active again when staff say so, and when they resume its account', async () => {
    await addDue(0.9);
    await accept({ status: 'suspended' });
    assert.equal((await accept({ status: 'active' })).status, 'active');
    await accept({ status: 'suspended' });
    await service.call('POST', `/partners/${partnerId}/resume`, { as: 'staff' });
    assert.equal((await read()).subscription.status, 'active');
  });

  it('with overdue invoices is active again only when its clock is paused; resuming its account gives it time', async () => {
    await addDue(36);
    await accept({ status: 'suspended' });
    assert.equal((await patch({ status: 'active' })).body.code, 'invalid_state');
    await service.call('POST', `/partners/${partnerId}/resume`, { as: 'staff' });
    const resumed = (await read()).subscription;
    assert.deepEqual([resumed.status, resumed.pastDueSince], ['past_due', now.toISOString()]);
    const paused = await accept({ status: 'active', clockPausedReason: 'They pay by Friday' });
    assert.deepEqual([paused.status, paused.clockPaused], ['active', { at: now.toISOString(), reason: 'They pay by Friday' }]);
    assert.equal((await accept({ clockPausedReason: null })).clockPaused, null);
  });

  it('whose clock is paused shows why to staff alone, in no log of the agency either', async () => {
    const { partnerId: acme } = service.world;
    const change = (clockPausedReason: string | null) =>
      service.call('PATCH', `/billing/subscriptions/${acme}`, { as: 'staff', body: { clockPausedReason } });
    const reason = 'Their CFO is on leave';
    assert.deepEqual((await change(reason)).body.clockPaused, { at: now.toISOString(), reason });
    assert.equal((await read(acme)).subscription.clockPaused.reason, reason);
    assert.match((await service.call('GET', `/audit-log?partnerId=${acme}`, { as: 'staff' })).text, /Their CFO is on leave/);
    for (const as of ['owner', 'moderator'] as const) {
      const { body } = await service.call('GET', '/billing', { as });
      assert.deepEqual(body.subscription.clockPaused, { at: now.toISOString(), reason: null });
      const log = await service.call('GET', '/audit-log', { as });
      assert.deepEqual(log.body.data[0].changes, { clockPaused: [false, true], internalNotes: ['changed', 'changed'] });
      assert.doesNotMatch(log.text, /CFO/);
    }
    const released = await service.call('POST', '/billing/seats/release', { as: 'owner', body: { quantity: 0 } });
    assert.deepEqual([released.status, released.body.clockPaused?.reason], [200, null]);
    assert.equal((await change(null)).body.clockPaused, null);
    assert.doesNotMatch((await service.call('GET', '/audit-log', { as: 'owner' })).text, /CFO/);
  });

  it('whose period end is moved is anchored there, with its meter', async () => {
    const end = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 28, 9));
    const moved = await accept({ currentPeriodEnd: end.toISOString() });
    assert.equal(moved.currentPeriodEnd, end.toISOString());
    assert.equal((await read()).credits.resetsAt, end.toISOString());
    moveTo(new Date(end.getTime() + 1));
    const next = await accept({ clockPausedReason: 'x' });
    assert.deepEqual([next.currentPeriodStart, next.currentPeriodEnd], [end.toISOString(), nextBoundary(end, end).toISOString()]);
    assert.equal((await read()).credits.resetsAt, next.currentPeriodEnd);
    assert.equal((await patch({ currentPeriodEnd: new Date(now.getTime() - 1).toISOString() })).body.errors[0].code, 'in_the_past');
  });
});

describe('a workspace', () => {
  const open = async (body: object): Promise<string> => {
    const { status, body: opened } = await service.call('POST', '/partners', {
      as: 'staff',
      body: { name: `Opened ${count}`, slug: `opened-${count}`, ownerEmail: `own@opened-${count}.test`, ownerName: 'Nora', ...body },
    });
    assert.equal(status, 201, JSON.stringify(opened));
    return opened.partner.id;
  };

  it('that pays has its first invoice drafted, for the period that begins with it', async () => {
    useAgency(await open({ planId: planOf('Growth'), overrides: { monthlyPriceMinor: 19_900 } }));
    const { subscription } = await read();
    assert.deepEqual(
      [subscription.currentPeriodStart, subscription.currentPeriodEnd],
      [now.toISOString(), nextBoundary(now, now).toISOString()],
    );
    assert.deepEqual(await invoicesOf(partnerId), [{ status: 'draft', periodStart: now, totalMinor: 19_900, currency: 'USD' }]);
  });

  it('on trial has none until it gets a plan to pay for: then a period begins at once', async () => {
    useAgency(await open({ planId: planOf('Trial') }));
    assert.equal((await read()).nextInvoice, null);
    moveTo(new Date(now.getTime() + 3 * DAY_MS));
    await service.db.asSystem('seed', (tx) =>
      tx.updateTable('partnerQuota').set({ used: 40 }).where('partnerId', '=', partnerId).execute(),
    );
    const trial = await accept({ overrides: { monthlyCredits: 900 } });
    assert.deepEqual([trial.status, (await read()).credits.monthly, await invoicesOf(partnerId)], ['trialing', 900, []]);
    // Nothing was charged yet, so the currency is open.
    assert.equal((await preview('Euro')).dueNowMinor, 100_000);
    const paid = await accept({ planId: planOf('Euro') });
    assert.deepEqual([paid.status, paid.trialEndsAt, paid.overrides, paid.currentPeriodStart], ['active', null, {}, now.toISOString()]);
    const { credits } = await read();
    assert.deepEqual([credits.monthly, credits.used, credits.resetsAt], [1_000, 0, nextBoundary(now, now).toISOString()]);
    assert.deepEqual(await invoicesOf(partnerId), [{ status: 'draft', periodStart: now, totalMinor: 100_000, currency: 'EUR' }]);
    const closed = await service.db.asSystem('seed', (tx) =>
      tx.selectFrom('quotaPeriod').select(['used', 'monthlyCredits', 'periodEnd']).where('partnerId', '=', partnerId).execute(),
    );
    assert.deepEqual(closed, [{ used: 40, monthlyCredits: 900, periodEnd: now }]);
    assert.equal((await patch({ planId: planOf('Growth') })).body.errors[0].code, 'other_currency');
  });

  it('whose trial ended is active again with a plan, or when staff resume its account', async () => {
    for (const revive of [
      () => patch({ planId: planOf('Growth') }),
      () => service.call('POST', `/partners/${partnerId}/resume`, { as: 'staff' }),
    ]) {
      await newAgency();
      useAgency(await open({ planId: planOf('Growth'), trialDays: 1 }));
      moveTo(new Date(now.getTime() + 2 * DAY_MS));
      await endTrials();
      assert.equal((await read()).subscription.status, 'expired');
      assert.equal((await revive()).status, 200);
      const { subscription } = await read();
      assert.deepEqual([subscription.status, subscription.currentPeriodStart], ['active', now.toISOString()]);
      assert.equal((await service.call('GET', `/partners/${partnerId}`, { as: 'staff' })).body.status, 'active');
      assert.deepEqual(
        (await invoicesOf(partnerId)).map(({ totalMinor }) => totalMinor),
        [29_900],
      );
    }
  });

  it('whose trial of a trial plan ended gets another one with its credits, which ends too, when staff resume its account', async () => {
    useAgency(await open({ planId: planOf('Trial') }));
    const { monthly } = (await read()).credits;
    await service.db.asSystem('seed', (tx) =>
      tx.updateTable('partnerQuota').set({ used: monthly }).where('partnerId', '=', partnerId).execute(),
    );
    const ended = async (): Promise<string> => {
      moveTo(new Date(now.getTime() + 20 * DAY_MS));
      await endTrials();
      return (await read()).subscription.status;
    };
    assert.equal(await ended(), 'expired');
    assert.equal((await service.call('POST', `/partners/${partnerId}/resume`, { as: 'staff' })).body.status, 'active');
    const { subscription, credits } = await read();
    assert.deepEqual(
      [subscription.status, subscription.planName, subscription.trialEndsAt],
      ['trialing', 'Trial', new Date(now.getTime() + 14 * DAY_MS).toISOString()],
    );
    assert.deepEqual([credits.monthly, credits.used, credits.remaining, credits.periodStart], [monthly, 0, monthly, now.toISOString()]);
    assert.deepEqual([await ended(), await invoicesOf(partnerId)], ['expired', []]);
  });

  for (const status of ['cancelled', 'trialing'] as const)
    it(`whose deletion is approved while it is ${status} begins no paid period`, async () => {
      await set({ status, trialEndsAt: status === 'trialing' ? new Date(now.getTime() + DAY_MS) : null });
      const suspend = (suspensionCause: 'deletion_approved' | 'manual') =>
        service.db.asSystem('seed', (tx) =>
          tx.updateTable('partner').set({ status: 'suspended', suspensionCause }).where('id', '=', partnerId).execute(),
        );
      await suspend('deletion_approved');
      const planId = planOf('Scale');
      const refused = await patch({ planId });
      assert.deepEqual([refused.status, refused.body.code], [409, 'invalid_state']);
      assert.match(refused.body.detail, /deletion of this account is approved/);
      assert.equal((await read()).subscription.status, status);
      await suspend('manual');
      assert.equal((await accept({ planId })).status, 'active');
    });

  it('on trial gets no paid period on its trial plan: overrides leave a trial going, and an ended one needs another plan', async () => {
    useAgency(await open({ planId: planOf('Trial') }));
    const planId = planOf('Trial');
    const { trialEndsAt } = (await read()).subscription;
    for (const body of [{ planId }, { planId, overrides: { includedSeats: 5 } }]) {
      const kept = await accept(body);
      assert.deepEqual([kept.status, kept.trialEndsAt, kept.overrides], ['trialing', trialEndsAt, body.overrides ?? {}]);
    }
    moveTo(new Date(now.getTime() + 20 * DAY_MS));
    await endTrials();
    for (const body of [{ overrides: { includedSeats: 6 } }, { planId }, { status: 'active' }]) {
      const { status, body: refused } = await patch(body);
      assert.deepEqual([status, refused.errors?.[0]?.field], [422, 'planId'], JSON.stringify(body));
    }
    const path = `/billing/plan-change?partnerId=${partnerId}`;
    assert.equal((await service.call('GET', `${path}&includedSeats=6`, { as: 'staff' })).body.code, 'invalid_state');
    assert.deepEqual([(await read()).subscription.status, await invoicesOf(partnerId)], ['expired', []]);
    assert.equal((await accept({ planId: planOf('Starter') })).status, 'active');
  });

  it('whose subscription on what is a trial plan was cancelled gets a trial when staff resume its account', async () => {
    useAgency(await open({ planId: planOf('Trial') }));
    const set = (values: { status: string; trialEndsAt?: null }) =>
      service.db.asSystem('seed', (tx) => tx.updateTable('subscription').set(values).where('partnerId', '=', partnerId).execute());
    // As versions before 1.0.0 left it.
    await set({ status: 'active', trialEndsAt: null });
    moveTo(new Date(Date.parse((await accept({ status: 'cancelled' })).currentPeriodEnd) + DAY_MS));
    await set({ status: 'cancelled' });
    assert.equal(
      (await service.call('POST', `/partners/${partnerId}/suspend`, { as: 'staff', body: { reason: 'It ended.' } })).status,
      200,
    );
    const resumed = await service.call('POST', `/partners/${partnerId}/resume`, { as: 'staff' });
    assert.deepEqual([resumed.status, resumed.body.status], [200, 'active']);
    const { subscription } = await read();
    assert.deepEqual(
      [subscription.status, subscription.planName, subscription.trialEndsAt, subscription.cancelAt],
      ['trialing', 'Trial', new Date(now.getTime() + 14 * DAY_MS).toISOString(), null],
    );
    assert.deepEqual(await invoicesOf(partnerId), []);
  });
});

it('credits of an edited plan reach the agencies on it with their next period', async () => {
  const path = `/plans/${planOf('Growth')}`;
  const edit = async (monthlyCredits: number) =>
    assert.equal((await service.call('PATCH', path, { as: 'staff', body: { monthlyCredits } })).status, 200);
  await edit(12_345);
  // Neither a change of other terms nor keeping the plan brings them before.
  await accept({ planId: planOf('Starter') });
  await accept({ planId: planOf('Growth') });
  await accept({ overrides: { features: { sso: true } } });
  const { credits } = await read();
  assert.equal(credits.monthly, 10_000);
  assert.equal((await accept({ overrides: { monthlyCredits: 20_000 } })).terms.monthlyCredits, 20_000);
  assert.equal((await read()).credits.monthly, 20_000);
  await accept({ overrides: {} });
  moveTo(new Date(Date.parse(credits.resetsAt) + 1));
  assert.equal((await read()).credits.monthly, 12_345);
  await edit(10_000);
});
