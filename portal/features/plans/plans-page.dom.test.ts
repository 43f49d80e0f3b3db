import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dialog, fill, holds, open, press, screen, user } from '../../testing/portal.ts';
import { idOf } from '../../testing/sample.ts';
import { changed, reply } from '../../testing/service.ts';

test('staff make a plan that applicants see, change it, and retire it', async () => {
  let plans: ReturnType<typeof reply<'listAllPlans'>> = [];
  const one = () => plans[0] ?? assert.fail('no plan');
  const service = await open('staff', '/admin/plans', {
    listAllPlans: () => plans,
    createPlan: ({ body }) => {
      plans = [{ ...changed(reply('createPlan', { id: idOf(20), isActive: true }), body), subscriptions: 0 }];
      return one();
    },
    updatePlan: ({ body }) => {
      plans = [changed(one(), body)];
      return one();
    },
    retirePlan: () => {
      plans = [{ ...one(), isActive: false }];
      return undefined;
    },
  });
  await press('Create plan');
  const drawer = await dialog('New plan');
  await fill('Name', 'Solo', drawer);
  await fill('Price per month', '49.50', drawer);
  await press('Create plan', drawer);
  const row = () => screen.findByRole('row', { name: /Solo/ });
  await holds(async () => assert.match((await row()).textContent, /\$49\.50.*Public/));
  await user.click(await row());
  const opened = await dialog('Solo');
  await fill('Price per month', '59', opened);
  await press('Save plan', opened);
  await holds(async () => assert.match((await row()).textContent, /\$59/));
  await user.click(await row());
  await press('Retire', await dialog('Solo'));
  await press('Retire', await dialog('Retire Solo?'));
  await holds(async () => assert.match((await row()).textContent, /Retired/));
  assert.deepEqual(
    [...service.sent('createPlan'), ...service.sent('updatePlan')].map(({ monthlyPriceMinor, isPublic }) => [monthlyPriceMinor, isPublic]),
    [
      [4_950, true],
      [5_900, true],
    ],
  );
});

test('prices are typed with the decimals of the currency of the plan', async () => {
  const priced = { id: idOf(31), isActive: true, currency: 'KWD', name: 'Dinar', monthlyPriceMinor: 12_345, seatPriceMinor: 1_001 };
  const features = { ...reply('createPlan').features, auditRetentionDays: 365 };
  const plan = reply('createPlan', {
    ...priced,
    features,
    includedSeats: 3,
    creditPacks: [{ id: 'pack-1000', credits: 1_000, priceMinor: 2_005 }],
  });
  const service = await open('staff', '/admin/plans', {
    listAllPlans: [{ ...plan, subscriptions: 0 }],
    updatePlan: ({ body }) => changed(plan, body),
  });
  await user.click(await screen.findByRole('row', { name: /Dinar/ }));
  const drawer = await dialog('Dinar');
  await fill('Name', 'Dinar 2', drawer);
  await press('Save plan', drawer);
  await holds(() => assert.equal(service.sent('updatePlan').length, 1, drawer.textContent));
  const [sent] = service.sent('updatePlan');
  assert.deepEqual([sent?.monthlyPriceMinor, sent?.seatPriceMinor, sent?.creditPacks?.[0]?.priceMinor], [12_345, 1_001, 2_005]);
});

test('a price with more decimals than the currency has is refused, not rounded', async () => {
  const service = await open('staff', '/admin/plans', { listAllPlans: [] });
  await press('Create plan');
  const drawer = await dialog('New plan');
  await fill('Name', 'Yen', drawer);
  await fill('Currency', 'jpy', drawer);
  const price = await fill('Price per month', '99.5', drawer);
  await press('Create plan', drawer);
  await holds(() => assert.equal(price.getAttribute('aria-invalid'), 'true'));
  assert.equal(service.sent('createPlan').length, 0);
});
