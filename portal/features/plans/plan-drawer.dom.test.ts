import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dialog, field, open, screen, user, within } from '../../testing/portal.ts';
import { idOf } from '../../testing/sample.ts';
import { Refused, reply } from '../../testing/service.ts';

test('a plan with agencies on it says which terms apply to them at once, and keeps its currency', async () => {
  const plan = reply('createPlan', { isActive: true, currency: 'USD' });
  const used = { ...plan, id: idOf(21), name: 'Growth', subscriptions: 2 };
  const free = { ...plan, id: idOf(22), name: 'Scale', subscriptions: 0 };
  await open('staff', '/admin/plans', { listAllPlans: [used, free] });
  await user.click(await screen.findByRole('row', { name: /Growth/ }));
  const drawer = await dialog('Growth');
  assert.match(
    drawer.textContent,
    /New seats, clients and features apply to them at once, credits and the price from their next period\. Seats and packs that they buy cost the new prices at once\./,
  );
  assert.equal((await field('Currency', drawer)).readOnly, true);
  // A flag that opens nothing is no feature of a plan.
  assert.equal(within(drawer).queryByLabelText('Custom agents'), null);
  await user.keyboard('{Escape}');
  await user.click(await screen.findByRole('row', { name: /Scale/ }));
  assert.equal((await field('Currency', await dialog('Scale'))).readOnly, false);
});

test('why a plan with agencies on it becomes none for trials is said at its box', async () => {
  const made = reply('createPlan', { isActive: true, currency: 'USD', isTrial: false, includedSeats: 1 });
  const features = { ...made.features, auditRetentionDays: 30 };
  const plan = { ...made, features, id: idOf(21), name: 'Growth', subscriptions: 2 };
  const message = 'Agencies are on this plan.';
  await open('staff', '/admin/plans', {
    listAllPlans: [plan],
    updatePlan: () => {
      throw new Refused('validation_failed', { errors: [{ field: 'isTrial', code: 'in_use', message }] });
    },
  });
  await user.click(await screen.findByRole('row', { name: /Growth/ }));
  const drawer = await dialog('Growth');
  const box = within(drawer).getByRole('checkbox', { name: /^Trial/ });
  assert.equal(box.getAttribute('aria-invalid'), null);
  await user.click(box);
  await user.type(await field('Trial length', drawer), '14');
  await user.click(within(drawer).getByRole('button', { name: 'Save plan' }));
  await within(drawer).findByText(message);
  assert.equal(box.getAttribute('aria-invalid'), 'true');
});
