import assert from 'node:assert/strict';
import { test } from 'node:test';
import { suspensionRecord } from '@partner-portal/contract/records/account.ts';
import { button, holds, isInactive, open, reads, screen, see, sessionOf, user } from '../../testing/portal.ts';
import { idOf, sample } from '../../testing/sample.ts';
import { reply, row } from '../../testing/service.ts';

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
  await reads(main(), /After that your agency is suspended/);

  const { user: me } = sessionOf('owner');
  const suspension = sample(suspensionRecord, { scope: 'partner', cause: 'billing' });
  const invoice = row('listInvoices', {
    id: idOf(90),
    number: '2026-000001',
    status: 'issued',
    overdueDays: 20,
    totalMinor: 9_900,
    currency: 'USD',
  });
  const suspended = {
    getMe: reply('getMe', { user: { ...me, suspension }, partner: me.partner, client: null, features: me.features }),
    getBilling: billingOf('suspended'),
    listInvoices: { data: [invoice], nextCursor: null },
  };
  await open('owner', '/dashboard/billing', suspended);
  await reads(main(), /\$99\.00 is overdue on invoice 2026-000001\./);
  await reads(main(), /Your agency is suspended and its agents are paused\./);
  assert.ok(isInactive(await button('Buy seats')));
  await open('owner', '/dashboard/clients', suspended);
  await see('Your account is active again as soon as the overdue invoices are paid.');
  await user.click(await screen.findByRole('link', { name: 'See invoices' }));
  await holds(() => assert.equal(location.pathname, '/dashboard/billing/invoices'));
});
