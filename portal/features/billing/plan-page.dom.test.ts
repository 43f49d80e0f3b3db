import assert from 'node:assert/strict';
import { test } from 'node:test';
import { suspensionRecord } from '@partner-portal/contract/records/account.ts';
import { planRecord } from '@partner-portal/contract/records/plan.ts';
import { button, fill, gone, holds, isInactive, open, press, reads, screen, sessionOf, user } from '../../testing/portal.ts';
import { idOf, sample } from '../../testing/sample.ts';
import { type Answers, reply, row } from '../../testing/service.ts';

type PlanRequest = ReturnType<typeof row<'listPlanRequests'>>;
const plan = (n: number, name: string) => sample(planRecord, { id: idOf(20 + n), name, currency: 'USD', isActive: true });
const GROWTH = plan(2, 'Growth');
const billing = reply('getBilling');
Object.assign(billing.subscription, { planId: idOf(21), planName: 'Starter', status: 'active' });
billing.subscription.terms.currency = 'USD';
const main = () => screen.getByRole('main');

/** Requests for another plan, the newest first. */
function requests(): { all: PlanRequest[]; answers: Answers } {
  const all: PlanRequest[] = [];
  const made = (body: {
    kind: 'change' | 'custom';
    planId?: string | undefined;
    desired?: PlanRequest['desired'] | undefined;
    message: string;
  }) =>
    row('listPlanRequests', {
      id: idOf(40 + all.length),
      kind: body.kind,
      status: 'pending',
      partnerId: idOf(1),
      planId: body.planId ?? null,
      planName: body.planId ? 'Growth' : null,
      desired: { ...body.desired, message: body.message },
      applicant: {
        email: 'owner@northwind.example',
        fullName: 'Maya Lindqvist',
        companyName: 'Northwind Digital',
        website: null,
        country: null,
      },
    });
  const answers: Answers = {
    getBilling: billing,
    listPlans: [plan(1, 'Starter'), GROWTH],
    listAllPlans: [{ ...plan(1, 'Starter'), subscriptions: 1 }],
    listPlanRequests: () => ({ data: all.slice(0, 1), nextCursor: null }),
    createPlanRequest: ({ body }) => {
      const one = made(body);
      all.unshift(one);
      return one;
    },
    cancelPlanRequest: ({ params }) =>
      Object.assign(all.find(({ id }) => id === params.id) ?? assert.fail(params.id), { status: 'cancelled' }),
  };
  return { all, answers };
}

test('plans are compared: what a change charges, and when', async () => {
  const { answers } = requests();
  const service = await open('owner', '/dashboard/billing/plan', {
    ...answers,
    previewPlanChange: ({ query: { planId } }) =>
      reply('previewPlanChange', {
        direction: planId === GROWTH.id ? 'up' : 'same',
        currency: 'USD',
        invoicedAt: '2026-07-01T00:00:00.000Z',
        dueNowMinor: 20_000,
        nextMonthlyMinor: 29_900,
        lines: [
          {
            id: null,
            kind: 'plan_credit',
            description: 'Starter, unused',
            quantity: 1,
            unitPriceMinor: -9_900,
            amountMinor: -9_900,
            periodStart: null,
            periodEnd: null,
            orderId: null,
          },
        ],
      }),
  });
  await user.click(await screen.findByRole('radio', { name: /Growth/ }));
  await reads(main(), /It takes effect as soon as we confirm it\./);
  assert.match(screen.getByRole('table', { name: 'Charged by the change' }).textContent, /Starter, unused.*−\$99\.00/);
  await fill(/^Reason/, 'More clients.');
  (await button('Send request')).focus();
  await user.keyboard('{Enter}');
  await holds(() => assert.equal(location.pathname, '/dashboard/billing'));
  await reads(main(), /You asked for Growth/);
  await holds(() => {
    assert.ok(document.activeElement?.closest('main *'), 'the focus is on the page');
    assert.match(document.activeElement?.textContent ?? '', /^You asked for Growth/);
  });
  assert.deepEqual(service.sent('createPlanRequest'), [{ kind: 'change', planId: GROWTH.id, message: 'More clients.' }]);
});

test('a plan without a feature of today names it before the request is sent; one with it does not', async () => {
  const { answers } = requests();
  const rich = reply('getBilling', structuredClone(billing));
  Object.assign(rich.subscription.terms.features, { chatbot: true, sso: true });
  const scale = plan(3, 'Scale');
  const all = { ...scale, features: { ...scale.features, chatbot: true, sso: true } };
  await open('owner', '/dashboard/billing/plan', { ...answers, getBilling: rich, listPlans: [GROWTH, all] });
  await user.click(await screen.findByRole('radio', { name: /Growth/ }));
  await reads(main(), /Growth does not include: Single sign-on and Website chatbot\. You have them today\./);
  await user.click(await screen.findByRole('radio', { name: /Scale/ }));
  await gone(/does not include/);
});

test('an agency that billing suspended sends a plan request; one that was suspended otherwise does not', async () => {
  for (const cause of ['billing', 'manual'] as const) {
    const { answers } = requests();
    const { user: me } = sessionOf('owner');
    const suspension = sample(suspensionRecord, { scope: 'partner', cause });
    const getMe = reply('getMe', { user: { ...me, suspension }, partner: me.partner, client: me.client, features: me.features });
    const service = await open('owner', '/dashboard/billing/plan', { ...answers, getMe }, {}, { suspension });
    await user.click(await screen.findByRole('radio', { name: /Growth/ }));
    await fill(/^Reason/, 'We stay.');
    const send = await button('Send request');
    assert.equal(isInactive(send), cause !== 'billing');
    await user.click(send);
    if (cause === 'billing') {
      await reads(main(), /You asked for Growth/);
      await press('Cancel request');
      await gone(/You asked for Growth/);
    }
    assert.equal(service.sent('createPlanRequest').length, cause === 'billing' ? 1 : 0);
  }
});

/** An agency on Growth that moves to Starter with the next period. */
function movingDown(): Answers {
  const { answers } = requests();
  const moving = reply('getBilling', structuredClone(billing));
  const { terms, overrides } = moving.subscription;
  const at = '2026-12-19T00:00:00.000Z';
  Object.assign(moving.subscription, {
    status: 'active',
    cancelAt: null,
    planId: GROWTH.id,
    planName: 'Growth',
    currentPeriodEnd: at,
    pendingPlan: { planId: idOf(21), planName: 'Starter', overrides, terms, at, exceeds: [] },
  });
  return { ...answers, getBilling: moving };
}

test('an agency that moves to another plan with the next period asks to stay by one press, and the tile names the end of its plan', async (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-12-01T09:00:00Z') });
  const service = await open('owner', '/dashboard/billing', movingDown());
  await reads(main(), /Active, until 19 Dec/);
  const stay = await button('Stay on Growth');
  await holds(() => assert.ok(!isInactive(stay)));
  await user.click(stay);
  await reads(main(), /You asked for Growth/);
  assert.deepEqual(service.sent('createPlanRequest'), [{ kind: 'change', planId: GROWTH.id, message: 'We want to stay on Growth.' }]);
  await holds(() => assert.ok(isInactive(screen.getByRole('button', { name: 'Stay on Growth' }))));
});

test('the plans name the one of the next period, which is not chosen again, and the present one can be', async (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-12-01T09:00:00Z') });
  await open('owner', '/dashboard/billing/plan', movingDown());
  await screen.findByRole('radio', { name: /Growth.*Your plan/ });
  await reads(main(), /StarterFrom 19 Dec/);
  assert.equal(screen.queryByRole('radio', { name: /Starter/ }), null);
  // With nothing scheduled the present plan is the one that is only shown.
  await open('owner', '/dashboard/billing/plan', requests().answers);
  await screen.findByRole('radio', { name: /Growth/ });
  await reads(main(), /StarterYour plan/);
  assert.equal(screen.queryByRole('radio', { name: /Starter/ }), null);
});

test('an agency whose subscription or trial has ended, or that is on trial, chooses its own plan; a trial any currency', async () => {
  const euro = { ...plan(4, 'Europe'), currency: 'EUR' };
  for (const [status, name] of [
    ['cancelled', /Starter.*Your last plan/],
    ['expired', /Starter.*Your last plan/],
    ['trialing', /Starter.*Your plan/],
  ] as const) {
    const { answers } = requests();
    const ended = reply('getBilling', structuredClone(billing));
    Object.assign(ended.subscription, { status, pendingPlan: null });
    await open('owner', '/dashboard/billing/plan', { ...answers, getBilling: ended, listPlans: [plan(1, 'Starter'), euro] });
    await user.click(await screen.findByRole('radio', { name }));
    assert.equal(screen.queryByRole('radio', { name: /Europe/ }) !== null, status === 'trialing');
  }
  const trial = { ...plan(1, 'Starter'), isTrial: true };
  const cancelled = reply('getBilling', structuredClone(billing));
  Object.assign(cancelled.subscription, { status: 'cancelled', pendingPlan: null });
  await open('owner', '/dashboard/billing/plan', { ...requests().answers, getBilling: cancelled, listPlans: [trial, GROWTH] });
  await screen.findByRole('radio', { name: /Growth/ });
  assert.equal(screen.queryByRole('radio', { name: /Starter/ }), null);
});

test('the focus is on the heading when the link or the button that had it is gone', async () => {
  const { answers } = requests();
  await open('owner', '/dashboard/billing', answers);
  (await screen.findByRole('link', { name: 'Compare plans' })).focus();
  await user.keyboard('{Enter}');
  await screen.findByRole('radio', { name: /Growth/ });
  const isOnHeading = () => assert.equal(document.activeElement?.tagName, 'H1');
  await holds(isOnHeading);
  await user.click(screen.getByRole('radio', { name: /Growth/ }));
  await fill(/^Reason/, 'More clients.');
  await press('Send request');
  (await button('Cancel request')).focus();
  await user.keyboard('{Enter}');
  await gone(/You asked for Growth/);
  await holds(isOnHeading);
});
