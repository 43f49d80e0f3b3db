import assert from 'node:assert/strict';
import { test } from 'node:test';
import { subscriptionRecord, termsRecord } from '@partner-portal/contract/records/billing.ts';
import { planRecord } from '@partner-portal/contract/records/plan.ts';
import {
  choose,
  dialog,
  field,
  fill,
  gone,
  holds,
  isInactive,
  button,
  noDialog,
  open,
  press,
  reads,
  screen,
  see,
  user,
} from '../../testing/portal.ts';
import { idOf, sample } from '../../testing/sample.ts';
import { type Answers, reply, row } from '../../testing/service.ts';

const PARTNER = idOf(1);
const PATH = `/admin/partners/${PARTNER}/billing`;
const ENDS = '2026-07-01T00:00:00.000Z';
const plan = (n: number, name: string, monthlyPriceMinor: number) =>
  sample(planRecord, { id: idOf(20 + n), name, monthlyPriceMinor, currency: 'USD', isActive: true });
const STARTER = plan(1, 'Starter', 9_900);
const GROWTH = plan(2, 'Growth', 29_900);
const termsOf = (monthlyPriceMinor: number) => sample(termsRecord, { currency: 'USD', monthlyPriceMinor });
type Billing = ReturnType<typeof reply<'getBilling'>>;
const billingOn = (current: typeof STARTER): Billing =>
  reply('getBilling', {
    partnerId: PARTNER,
    plan: current,
    subscription: sample(subscriptionRecord, {
      partnerId: PARTNER,
      planId: current.id,
      planName: current.name,
      status: 'active',
      terms: termsOf(current.monthlyPriceMinor),
      currentPeriodEnd: ENDS,
    }),
  });

/** The agency's billing, which `change` alters when staff change its subscription; a preview of a plan as the service answers it. */
function answers(billing: Billing, change: (body: { planId?: string | undefined }, on: Billing['subscription']) => void): Answers {
  return {
    getBilling: () => billing,
    listAllPlans: [STARTER, GROWTH].map((one) => ({ ...one, subscriptions: 0 })),
    previewPlanChange: ({ query: { planId, monthlyPriceMinor } }) => {
      const next = monthlyPriceMinor ?? (planId === GROWTH.id ? GROWTH : STARTER).monthlyPriceMinor;
      const now = billing.subscription.terms.monthlyPriceMinor;
      const isUp = next > now;
      const line = { id: null, kind: 'plan' as const, quantity: 1, periodStart: null, periodEnd: null, orderId: null };
      return reply('previewPlanChange', {
        direction: isUp ? 'up' : 'down',
        currency: 'USD',
        effectiveAt: isUp ? '2026-06-01T00:00:00.000Z' : ENDS,
        invoicedAt: isUp ? ENDS : null,
        dueNowMinor: isUp ? next - now : 0,
        nextMonthlyMinor: next,
        lines: isUp
          ? [
              { ...line, description: 'Growth', unitPriceMinor: next, amountMinor: next },
              { ...line, kind: 'plan_credit', description: 'Starter, unused', unitPriceMinor: -now, amountMinor: -now },
            ]
          : [],
      });
    },
    updateSubscription: ({ body }) => {
      change(body, billing.subscription);
      return billing.subscription;
    },
  };
}

test('a change of plan shows its charge in advance; a change to a smaller plan is scheduled and can be withdrawn', async () => {
  const service = await open(
    'staff',
    PATH,
    answers(billingOn(STARTER), ({ planId }, subscription) => {
      if (planId === STARTER.id && subscription.planId === GROWTH.id)
        subscription.pendingPlan = { planId, planName: 'Starter', overrides: {}, terms: termsOf(9_900), at: ENDS, exceeds: [] };
      else Object.assign(subscription, { planId, planName: 'Growth', terms: termsOf(29_900), pendingPlan: null });
    }),
  );
  const pick = async (name: string): Promise<HTMLElement> => {
    await user.click((await screen.findAllByRole('button', { name: 'Change terms' }))[0] ?? document.body);
    const drawer = await dialog('Change terms');
    await choose('Plan', name, drawer);
    return drawer;
  };
  let drawer = await pick('Growth');
  await reads(drawer, /It takes effect at once\. \$200\.00 is charged/);
  assert.match(screen.getByRole('table', { name: 'Charged by the change' }).textContent, /−\$99\.00/);
  await press('Change terms', drawer);
  await holds(() => assert.match(screen.getByRole('row', { name: /Price per month/ }).textContent, /\$299\.00/));
  await noDialog('Change terms');
  drawer = await pick('Starter');
  await reads(drawer, /It takes effect on .*\$99\.00 a month from then on/);
  await press('Change terms', drawer);
  await see(/^Starter from/);
  await press('Keep Growth');
  await gone(/^Starter from/);
  assert.deepEqual(service.sent('updateSubscription').map(({ planId }) => planId), [GROWTH.id, STARTER.id, GROWTH.id]); // prettier-ignore
});

test('a smaller plan that what is in use does not fit says so while it waits, and is not shown once the subscription is cancelled', async () => {
  const billing = billingOn(GROWTH);
  const { subscription } = billing;
  const exceeds = [{ what: 'clients' as const, used: 12, limit: 10 }];
  subscription.pendingPlan = { planId: STARTER.id, planName: 'Starter', overrides: {}, terms: termsOf(9_900), at: ENDS, exceeds };
  await open(
    'staff',
    PATH,
    answers(billing, () => undefined),
  );
  await reads(
    screen.getByRole('main'),
    /\$99\.00 a month, if its usage fits by then: 12 clients in use, 10 included\. Otherwise the terms stay\./,
  );
  subscription.cancelAt = ENDS;
  await open(
    'staff',
    PATH,
    answers(billing, () => undefined),
  );
  await see(/^Ends on/);
  await gone(/^Starter from/);
});

test('an override is marked next to the value of the plan', async () => {
  const service = await open(
    'staff',
    `${PATH}?edit=terms`,
    answers(billingOn(STARTER), (_body, subscription) => {
      Object.assign(subscription, { overrides: { monthlyPriceMinor: 14_950 }, terms: termsOf(14_950) });
    }),
  );
  const drawer = await dialog('Change terms');
  await user.click(await screen.findByText('Override plan terms'));
  await fill('Price per month (USD)', '149.50', drawer);
  await reads(drawer, /\$149\.50 a month/);
  await press('Change terms', drawer);
  await holds(() => assert.match(screen.getByRole('row', { name: /Price per month/ }).textContent, /Override.*\$149\.50.*\$99\.00/));
  assert.deepEqual(service.sent('updateSubscription'), [{ overrides: { monthlyPriceMinor: 14_950 } }]);
});

test('the payment clock is paused with a reason and runs again', async () => {
  const billing = billingOn(STARTER);
  const service = await open('staff', PATH, {
    ...answers(billing, () => undefined),
    updateSubscription: ({ body: { clockPausedReason } }) => {
      billing.subscription.clockPaused = clockPausedReason ? { at: ENDS, reason: clockPausedReason } : null;
      return billing.subscription;
    },
  });
  await press('Pause the clock');
  const asked = await dialog('Pause the payment clock?');
  assert.ok(isInactive(await button('Pause the clock', asked)));
  await fill(/^Reason/, 'Their transfer is under way', asked);
  await press('Pause the clock', asked);
  await noDialog();
  await reads(screen.getByRole('main'), /Their transfer is under way/);
  await press('Resume the clock');
  await see('Payment reminders resumed.');
  await holds(() => assert.doesNotMatch(screen.getByRole('main').textContent, /Their transfer is under way/));
  assert.deepEqual(service.sent('updateSubscription'), [{ clockPausedReason: 'Their transfer is under way' }, { clockPausedReason: null }]);
});

test('an approval of another plan shows what it charges, with the plan’s price overridden', async () => {
  const request = reply('getPlanRequest', {
    id: idOf(40),
    kind: 'change',
    status: 'pending',
    partnerId: PARTNER,
    planId: GROWTH.id,
    planName: 'Growth',
    applicant: {
      email: 'owner@northwind.example',
      fullName: 'Maya Lindqvist',
      companyName: 'Northwind Digital',
      website: null,
      country: null,
    },
  });
  await open('staff', `/admin?item=plan_request.${request.id}`, {
    ...answers(billingOn(STARTER), () => undefined),
    getWorkQueue: [row('getWorkQueue', { kind: 'plan_request', itemId: request.id, partnerId: PARTNER, partnerName: 'Northwind Digital' })],
    getPlanRequest: request,
    getPartner: reply('getPartner', { id: PARTNER, planId: STARTER.id, planName: 'Starter' }),
  });
  await button(/^Approve/);
  await user.keyboard('a');
  const asked = await dialog('New terms for Northwind Digital');
  await reads(asked, /It takes effect at once\. \$200\.00 is charged/);
  await user.click(await screen.findByText('Override plan terms'));
  await fill('Price per month (USD)', '899', asked);
  await reads(asked, /\$899\.00/);
});

test('an approval of what an agency requests begins with its own terms, which it keeps', async () => {
  const request = reply('getPlanRequest', {
    id: idOf(41),
    kind: 'custom',
    status: 'pending',
    partnerId: PARTNER,
    planId: null,
    desired: { clients: 120 },
    applicant: {
      email: 'owner@northwind.example',
      fullName: 'Maya Lindqvist',
      companyName: 'Northwind Digital',
      website: null,
      country: null,
    },
  });
  const billing = billingOn(GROWTH);
  billing.subscription.overrides = { monthlyPriceMinor: 19_900, features: { sso: true } };
  const service = await open('staff', `/admin?item=plan_request.${request.id}`, {
    ...answers(billing, () => undefined),
    getWorkQueue: [row('getWorkQueue', { kind: 'plan_request', itemId: request.id, partnerId: PARTNER, partnerName: 'Northwind Digital' })],
    getPlanRequest: request,
    getPartner: reply('getPartner', { id: PARTNER, planId: GROWTH.id, planName: 'Growth' }),
    approvePlanRequest: () => reply('approvePlanRequest', { invitation: null }),
  });
  await button(/^Approve/);
  await user.keyboard('a');
  const asked = await dialog('New terms for Northwind Digital');
  assert.equal((await field('Price per month (USD)', asked)).value, '199');
  assert.equal((await field('Clients', asked)).value, '120');
  await choose('Plan', 'Starter', asked);
  await see('The overrides of the present plan do not carry over. Enter what the agency keeps.', asked);
  assert.equal((await field('Price per month (USD)', asked)).value, '');
  await choose('Plan', 'Growth', asked);
  await press('Approve', asked);
  await holds(() =>
    assert.deepEqual(service.sent('approvePlanRequest'), [
      { planId: GROWTH.id, overrides: { monthlyPriceMinor: 19_900, includedClients: 120, features: { sso: true } } },
    ]),
  );
});

test('the payment clock of a suspended account stands still, and names no day of a suspension', async () => {
  const billing = billingOn(STARTER);
  Object.assign(billing.subscription, { status: 'past_due', pastDueSince: '2026-05-20T00:00:00.000Z', suspendsAt: null });
  for (const [status, clock, notes] of [
    ['suspended', /Stands still while the account is suspended25 May/, /Invoices are past due\. The payment clock stands still/],
    ['active', /Past due since20 May(?!.*Stands still)/, /Invoices are past due\. It is active again/],
  ] as const) {
    await open('staff', PATH, {
      getBilling: billing,
      getPartner: reply('getPartner', { id: PARTNER, status, suspendedAt: status === 'active' ? null : '2026-05-25T00:00:00.000Z' }),
    });
    await reads(screen.getByRole('main'), clock);
    await reads(screen.getByRole('main'), notes);
  }
});

test('an adjustment of credits counts from what the period has left of the purchased ones', async () => {
  const billing = billingOn(STARTER);
  Object.assign(billing.credits, { monthly: 2_000, purchased: 1_000, used: 2_900, remaining: 100, forecast: null });
  billing.subscription.purchasedCredits = 1_000;
  await open(
    'staff',
    PATH,
    answers(billing, () => undefined),
  );
  await see('1,000 purchased, 100 of them left');
  await press('More actions for the terms');
  await user.click(await screen.findByRole('menuitem', { name: 'Adjust credits or seats' }));
  const form = await dialog('Adjust credits or seats');
  await see('Purchased credits left: 100', form);
  for (const [count, then] of [
    ['-80', 'then 20'],
    ['200', 'then 300'],
    ['-800', '100 can be taken'],
  ] as const) {
    await fill(/^Credits to add/, count, form);
    await see(`Purchased credits left: 100, ${then}`, form);
  }
});
