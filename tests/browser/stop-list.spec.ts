import { business, conversation, test } from './pages.ts';
import { expect, expectAccessible, expectAccessibleInThemes, expectNoSidewaysScroll } from './portal.ts';

test('an agency puts a contact on the stop list of a client, who sees it and takes it off with a reason', async ({
  as,
  page,
  api,
  system,
  complaints,
}) => {
  const id = await business(api);
  await as('owner', `/dashboard/clients/${id}?tab=stop-list`);
  await page.getByRole('button', { name: 'Add a contact' }).click();
  const adding = page.getByRole('dialog', { name: 'Add to the stop list' });
  await adding.getByLabel('Phone number or e-mail address').fill('555 0177');
  await adding.getByRole('button', { name: 'Add a contact' }).click();
  await expect(adding.getByText('Use a phone number with its country code, such as +13125550121, or an e-mail address.')).toBeVisible();
  // The browser itself reports the refusal.
  complaints.all = complaints.all.filter((line) => !line.includes('422'));
  await adding.getByLabel('Phone number or e-mail address').fill('+1 (312) 555-0177');
  await adding.getByLabel('Note').fill('Asked on the phone.');
  await adding.getByRole('button', { name: 'Add a contact' }).click();
  const row = page.getByRole('row').filter({ hasText: '+13125550177' });
  await expect(row).toContainText('Added by the agency');
  await expect(row).toContainText('Asked on the phone.');
  await page.getByRole('searchbox', { name: 'Number or address' }).fill('(312) 555-0999');
  await expect(page.getByText('No contact matches')).toBeVisible();
  await page.getByRole('searchbox', { name: 'Number or address' }).fill('555-0177');
  await expect(row).toBeVisible();
  await expectAccessibleInThemes(page);

  await as('client', '/client/stop-list');
  await expect(row).toContainText('Added by the agency');
  await row.getByRole('button', { name: 'Remove +13125550177' }).click();
  const removing = page.getByRole('dialog', { name: 'Remove +13125550177?' });
  await expect(removing.getByRole('button', { name: 'Remove' })).toHaveAttribute('aria-disabled', 'true');
  await removing.getByLabel('Reason').fill('Asked in the shop to get reminders again.');
  await expectAccessibleInThemes(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
  await removing.getByRole('button', { name: 'Remove' }).click();
  await expect(row).toHaveCount(0);
  const { data } = await api.owner.listStopList({ params: { id } });
  expect(data.filter(({ contact }) => contact === '+13125550177')).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });

  const talk = await conversation(api, system);
  const remark = page.getByText('This visitor’s number is on the stop list: no agent texts it.');
  await as('owner', `/dashboard/inbox/${talk}`);
  await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible();
  await expect(remark).toHaveCount(0);
  await system.query(`update conversation set visitor_number = '+13125550178' where id = $1`, [talk]);
  const { clientId } = await api.owner.getConversation({ params: { id: talk } });
  await api.owner.addToStopList({ params: { id: clientId }, body: { contact: '+13125550178' } });
  await as('owner', `/dashboard/inbox/${talk}`);
  await expect(remark).toBeVisible();
  await expectAccessible(page, 'light');
  await api.owner.removeFromStopList({ params: { id: clientId, contact: '+13125550178' }, body: { reason: 'The test is over.' } });
});
