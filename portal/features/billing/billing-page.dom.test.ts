import assert from 'node:assert/strict';
import { test } from 'node:test';
import { suspensionRecord } from '@partner-portal/contract/records/account.ts';
import { button, dialog, holds, isInactive, open, press, reads, rows, screen, see, sessionOf, user, within } from '../../testing/portal.ts';
import { idOf, sample } from '../../testing/sample.ts';
import { Refused, reply, row } from '../../testing/service.ts';

function billingOf(status: 'active' | 'past_due' | 'suspended') {
  const billing = reply('getBilling');
  Object.assign(billing.subscription, {
    status,
    planName: 'Starter',
    suspendsAt: '2026-07-10T00:00:00.000Z',
    currentPeriodEnd: '2026-07-01T00:00:00.000Z',
  });
  billing.subscription.terms.currency = 'USD';
  billing.plan.creditPacks = [{ id: 'pack-1000', credits: 1_000, priceMinor: 2_900 }];
  Object.assign(billing.credits, { monthly: 2_000, remaining: 2_000 });
  return billing;
}

test('an agency that is past due or suspended sees what is owed, and can only look', async () => {
  await open('owner', '/dashboard/billing', { getBilling: billingOf('past_due') });
  const main = () => screen.getByRole('main');
  await reads(main(), /A payment is overdue\./);
  await reads(main(), /Pay before 9 Jul( 2026)?, 19:00\. After that your agency is suspended/);
  assert.equal(within(main()).getAllByRole('link', { name: 'Usage' }).length, 2);
  assert.ok(within(main()).getByRole('link', { name: 'Team' }));

  const { user: me } = sessionOf('owner');
  const suspension = sample(suspensionRecord, { scope: 'partner', cause: 'billing' });
  const invoice = row('listInvoices', {
    id: idOf(90),
    number: '2026-000001',
    status: 'issued',
    overdueDays: 20,
    totalMinor: 9_900,
    owedMinor: 5_000,
    currency: 'USD',
  });
  const suspended = {
    getMe: reply('getMe', { user: { ...me, suspension }, partner: me.partner, client: null, features: me.features }),
    getBilling: billingOf('suspended'),
    listInvoices: { data: [invoice], nextCursor: null },
  };
  await open('owner', '/dashboard/billing', suspended);
  await reads(main(), /\$50\.00 is overdue on invoice 2026-000001\./);
  await reads(main(), /Your agency is suspended and its agents are paused\./);
  assert.ok(isInactive(await button('Buy seats')));
  // Those pages are closed.
  for (const name of ['Usage', 'Team']) assert.equal(within(main()).queryByRole('link', { name }), null);
  assert.ok(within(main()).getByRole('link', { name: 'Billing details' }));
  await open('owner', '/dashboard/clients', suspended);
  await see('Your account is active again as soon as the overdue invoices are paid.');
  await user.click(await screen.findByRole('link', { name: 'See invoices' }));
  await holds(() => assert.equal(location.pathname, '/dashboard/billing/invoices'));
});

test('an agency that staff suspended is not promised that a payment resumes it', async () => {
  const { user: me } = sessionOf('owner');
  const suspension = sample(suspensionRecord, { scope: 'partner', cause: 'manual' });
  const billing = billingOf('past_due');
  billing.subscription.suspendsAt = null;
  await open('owner', '/dashboard/billing', {
    getMe: reply('getMe', { user: { ...me, suspension }, partner: me.partner, client: null, features: me.features }),
    getBilling: billing,
  });
  await reads(screen.getByRole('main'), /is overdue\. Your agency is suspended for another reason/);
  assert.doesNotMatch(screen.getByRole('main').textContent, /agents keep running|Everything resumes/);
});

test('an invoice that is credited in part says what is left to pay, in the list and in its details', async () => {
  const part = { id: idOf(90), number: '2026-000001', status: 'issued', totalMinor: 9_900, owedMinor: 5_000, currency: 'USD' } as const;
  const whole = { ...part, id: idOf(91), number: '2026-000002', totalMinor: 2_900, owedMinor: 2_900 };
  const note = { id: idOf(92), number: '2026-000003', subtotalMinor: -4_900, totalMinor: -4_900, issuedAt: null };
  await open('owner', `/dashboard/billing/invoices?invoice=${part.id}`, {
    listInvoices: { data: [row('listInvoices', whole), row('listInvoices', part)], nextCursor: null },
    getInvoice: reply('getInvoice', { ...part, creditNotes: [note] }),
  });
  await holds(() => {
    const [first, second] = rows('Invoices').map(({ textContent }) => textContent);
    assert.match(first ?? '', /\$29\.00(?!.*left to pay)/);
    assert.match(second ?? '', /\$99\.00\$50\.00 left to pay/);
  });
  await reads(await dialog('Invoice 2026-000001'), /Credit note 2026-000003−\$49\.00Left to pay\$50\.00/);
});

test('a pack whose price changed while its dialog was open is not bought: the new price is shown first', async () => {
  let priceMinor = 4_000;
  const service = await open('owner', '/dashboard/billing', {
    getBilling: () => {
      const billing = billingOf('active');
      billing.plan.creditPacks = [{ id: 'pack-5000', credits: 5_000, priceMinor }];
      return billing;
    },
    buyCredits: ({ body }) => {
      if (body.unitPriceMinor !== priceMinor)
        throw new Refused('invalid_state', {
          detail: 'This pack of 5,000 credits costs $80.00 now. Nothing was bought: check the amount and buy again.',
        });
      return reply('buyCredits', { credits: 5_000 });
    },
  });
  await press('Buy credits');
  const form = await dialog('Buy credits');
  priceMinor = 8_000;
  await press('Buy 5,000 credits for $40.00', form);
  await see(/costs \$80\.00 now/, form);
  await press('Buy 5,000 credits for $80.00', form);
  await see('5,000 credits bought.');
  assert.deepEqual(
    service.sent('buyCredits').map(({ unitPriceMinor, packCredits }) => [unitPriceMinor, packCredits]),
    [
      [4_000, 5_000],
      [8_000, 5_000],
    ],
  );
});

test('nothing is said of how long credits last in the first hours of a period', async (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-06-01T09:00:00Z') });
  const lasts = /At this period’s pace they last until the reset/;
  for (const [periodStart, isSaid] of [
    ['2026-06-01T02:00:00Z', true],
    ['2026-06-01T04:00:00Z', false],
  ] as const) {
    const billing = billingOf('active');
    // After an ended trial, the period of the subscription may have begun before that of its credits.
    billing.subscription.currentPeriodStart = '2026-05-15T09:00:00Z';
    Object.assign(billing.credits, { periodStart, forecast: null });
    await open('owner', '/dashboard/billing', { getBilling: billing });
    await see(/2,000 this month/);
    assert.equal(lasts.test(screen.getByRole('main').textContent), isSaid);
  }
});

test('credits to buy are added to what is left once those used beyond the limit are taken off', async () => {
  const billing = billingOf('active');
  billing.plan.creditPacks = [{ id: 'pack-1000', credits: 1_000, priceMinor: 2_900 }];
  // AI tokens are known after the fact (PLAN-15).
  for (const [used, remaining, shown] of [
    [10_300, 0, '0 → 700'],
    [11_200, 0, '0 → 0'],
    // 200 are reserved by runs in progress.
    [9_000, 800, '800 → 1,800'],
  ] as const) {
    Object.assign(billing.credits, { monthly: 10_000, purchased: 0, used, remaining });
    await open('owner', '/dashboard/billing', { getBilling: billing });
    await press('Buy credits');
    await reads(await dialog('Buy credits'), new RegExp(`Credits left${shown}`));
  }
});

test('bought credits that this period has used are not shown as owned', async () => {
  const billing = billingOf('active');
  for (const [used, shown] of [
    [2_900, '1,000 bought, 100 of them left'],
    [1_900, '1,000 bought, which never expire'],
  ] as const) {
    Object.assign(billing.credits, { monthly: 2_000, purchased: 1_000, used, remaining: 3_000 - used });
    await open('owner', '/dashboard/billing', { getBilling: billing });
    await see(new RegExp(`; ${shown}\\.`));
  }
});
