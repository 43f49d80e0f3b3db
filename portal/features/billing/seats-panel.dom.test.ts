import assert from 'node:assert/strict';
import { test } from 'node:test';
import { button, dialog, fill, gone, holds, isInactive, open, press, screen, see } from '../../testing/portal.ts';
import { idOf } from '../../testing/sample.ts';
import { reply } from '../../testing/service.ts';

const END = '2027-01-28T09:00:00.000Z';

/** Billing of an agency whose plan includes 50 seats, with seats that it bought, of which the plan includes some from the next period on. */
function billingWith(purchasedSeats: number, pendingSeatsIncluded: number, change: object = {}) {
  const plain = reply('getBilling');
  const terms = { ...plain.subscription.terms, includedSeats: 50, currency: 'USD', seatPriceMinor: 1_500 };
  const states = { status: 'active', currentPeriodEnd: END, cancelAt: null, pendingPlan: null, pendingSeatRelease: 0 } as const;
  return {
    ...plain,
    seats: { included: 50, purchased: purchasedSeats, used: 4, pendingInvites: 0, free: 46 + purchasedSeats },
    subscription: { ...plain.subscription, ...states, planName: 'Scale', terms, purchasedSeats, pendingSeatsIncluded, ...change },
  };
}

test('seats that the plan includes are said to be billed until the period ends, and are not to be released', async () => {
  await open('owner', '/dashboard/billing', { getBilling: billingWith(2, 2) });
  await see(/^2 seats you bought are not billed from 28 Jan( 2027)? on$/);
  await see(/Scale includes them\./);
  assert.ok(isInactive(await button('Release seats')));
});

test('only the other seats can be released, and the seats that are left are counted without those', async () => {
  await open('owner', '/dashboard/billing', { getBilling: billingWith(3, 1) });
  await see(/^1 seat you bought is not billed from 28 Jan( 2027)? on$/);
  await press('Release seats');
  const form = await dialog('Release seats');
  await see('2 at most', form);
  await see('53 → 51', form);
});

test('no seat can be released that the members need on the plan of the next period', async () => {
  const plain = billingWith(4, 0);
  const { terms } = plain.subscription;
  const pendingPlan = {
    planId: idOf(8),
    planName: 'Starter',
    overrides: plain.subscription.overrides,
    at: END,
    exceeds: [],
    terms: { ...terms, includedSeats: 48 },
  };
  const usedBy = (used: number, subscription: object) => ({
    ...plain,
    seats: { ...plain.seats, used, free: 54 - used },
    subscription: { ...plain.subscription, ...subscription },
  });
  await open('owner', '/dashboard/billing', { getBilling: usedBy(51, { pendingPlan }) });
  await press('Release seats');
  const form = await dialog('Release seats');
  await see('1 at most', form);
  await see('54 → 51', form);
  // The plan includes two of the four more than when they were bought, and three are in use beyond it.
  await open('owner', '/dashboard/billing', { getBilling: usedBy(53, { pendingSeatsIncluded: 1 }) });
  await see(/^1 seat you bought is not billed from 28 Jan( 2027)? on$/);
  assert.ok(isInactive(await button('Release seats')));
});

test('nothing is said of seats that go on, or of a subscription that ends', async () => {
  for (const billing of [billingWith(2, 0), billingWith(2, 2, { cancelAt: END })]) {
    await open('owner', '/dashboard/billing', { getBilling: billing });
    await see('Seats');
    await gone(/not billed/);
  }
});

test('a trial buys and releases no seats, and says what to do; a subscription that is past due goes on buying', async () => {
  await open('owner', '/dashboard/billing', { getBilling: billingWith(2, 0, { status: 'trialing' }) });
  const buy = await button('Buy seats');
  assert.ok(isInactive(buy) && isInactive(await button('Release seats')));
  buy.focus();
  await holds(() => assert.ok(screen.getAllByRole('tooltip').some(({ textContent }) => textContent.includes('Request a plan first.'))));
  await open('owner', '/dashboard/billing', { getBilling: billingWith(2, 0, { status: 'past_due' }) });
  assert.ok(!isInactive(await button('Buy seats')));
});

test('seats and credits of a plan that is replaced are said to be so until the period ends', async () => {
  const plain = billingWith(2, 0);
  const { terms } = plain.subscription;
  const pendingPlan = { planId: idOf(8), planName: 'Starter', overrides: plain.subscription.overrides, at: END };
  const waiting = {
    ...pendingPlan,
    exceeds: [],
    terms: { ...terms, seatPriceMinor: 1_200, monthlyPriceMinor: 9_900, monthlyCredits: 2_000 },
  };
  const billing = billingWith(2, 0, { pendingPlan: waiting });
  const credits = { ...billing.credits, monthly: 100_000, purchased: 0, resetsAt: END };
  await open('owner', '/dashboard/billing', { getBilling: { ...billing, credits } });
  await see(/2 bought at \$15\.00 a month each, \$12\.00 from 28 Jan/);
  await see(/^100,000 this month, 2,000 on Starter from 28 Jan/);
  await see(/^You move to Starter on 28 Jan/);
  // A plan that does not fit will not begin.
  const exceeds = [{ what: 'clients', used: 12, limit: 10 }] as const;
  const subscription = { ...billing.subscription, planId: idOf(7), pendingPlan: { ...waiting, exceeds: [...exceeds] } };
  await open('owner', '/dashboard/billing', { getBilling: { ...billing, subscription, credits } });
  await see(/^You move to Starter on 28 Jan( 2027)? only if your usage fits by then:$/);
  await see(/12 clients in use, 10 included\. Otherwise your plan and its price stay\./);
  await see(/2 bought at \$15\.00 a month each\./);
  await see(/^100,000 this month, resets 28 Jan/);
  await gone(/^You move to Starter on 28 Jan( 2027)?[.:]?$/);
  await open('owner', '/dashboard/billing', { getBilling: { ...plain, credits } });
  await see(/2 bought at \$15\.00 a month each\./);
  await see(/^100,000 this month, resets 28 Jan/);
  await open('owner', '/dashboard/billing', {
    getBilling: { ...billingWith(2, 0, { cancelAt: END }), credits: { ...credits, endsAt: END } },
  });
  await see(/^100,000 this month, until 28 Jan/);
});

test('seats to buy are priced from the next period on as the plan that waits has them, and end with a cancelled subscription', async () => {
  const plain = billingWith(0, 0);
  const { terms } = plain.subscription;
  const pendingOn = (change: object) => ({
    planId: plain.subscription.planId,
    planName: 'Starter',
    overrides: plain.subscription.overrides,
    at: END,
    exceeds: [],
    terms: { ...terms, ...change },
  });
  for (const [change, expected] of [
    [{}, '$15.00 more a month'],
    [{ pendingPlan: pendingOn({ seatPriceMinor: 1_800 }) }, '$18.00 more a month'],
    [{ pendingPlan: pendingOn({ seatPriceMinor: 1_800, includedSeats: 52 }) }, 'Included in Starter'],
    [{ cancelAt: END, pendingPlan: null }, 'Nothing: they end with your subscription'],
  ] as const) {
    await open('owner', '/dashboard/billing', { getBilling: billingWith(0, 0, change) });
    await press('Buy seats');
    await see(expected, await dialog('Buy seats'));
  }
  // The plan that waits includes two of three.
  await open('owner', '/dashboard/billing', { getBilling: billingWith(0, 0, { pendingPlan: pendingOn({ includedSeats: 52 }) }) });
  await press('Buy seats');
  await fill('Seats', '3', await dialog('Buy seats'));
  await see('$15.00 more a month', await dialog('Buy seats'));
});
