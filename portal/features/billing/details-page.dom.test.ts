import assert from 'node:assert/strict';
import { test } from 'node:test';
import { button, field, fill, holds, isInactive, open, press, screen, see, user } from '../../testing/portal.ts';
import { reply } from '../../testing/service.ts';

const PATH = '/dashboard/billing/details';

test('billing details are checked, saved and kept', async () => {
  const billing = reply('getBilling');
  billing.settings.updatedAt = '2026-11-20T09:00:00.000Z';
  const service = await open('owner', PATH, {
    getBilling: billing,
    updateBillingSettings: ({ body }) => ({ ...reply('updateBillingSettings'), ...body }) as never,
  });
  await fill('Billing e-mail', 'books');
  await press('Save changes');
  await see('One field needs attention.');
  await fill('Billing e-mail', 'books@agency.example');
  await fill('Address', 'Oak Street 1');
  await press('Country');
  await user.type(await screen.findByLabelText(/^Search country$/i), 'Germ');
  await user.click(await screen.findByRole('option', { name: /^Germany/ }));
  await press('Save changes');
  await holds(() => assert.equal(service.sent('updateBillingSettings').length, 1));
  assert.deepEqual(service.sent('updateBillingSettings')[0], {
    ...service.sent('updateBillingSettings')[0],
    billingEmail: 'books@agency.example',
    address: 'Oak Street 1',
    country: 'DE',
  });
  assert.deepEqual(
    service.calls.filter(({ name }) => name === 'updateBillingSettings').map(({ headers }) => headers.get('if-match')),
    ['"2026-11-20T09:00:00.000Z"'],
  );
});

test('a moderator reads the billing details and changes none', async () => {
  await open('moderator', PATH);
  assert.ok((await field('Tax ID')).disabled);
  assert.ok(isInactive(await button('Save changes')));
});
