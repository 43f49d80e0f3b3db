import { business, test } from './pages.ts';
import { expect, expectAccessible } from './portal.ts';

test('the settings of a client say whom its agents text, take countries and a cap, and refuse others at their field', async ({
  as,
  page,
  api,
  complaints,
}) => {
  const id = await business(api);
  await as('owner', `/dashboard/clients/${id}?tab=settings`);
  const countries = page.getByLabel('Countries that are texted');
  const cap = page.getByLabel('New people per hour');
  await expect(page.getByText('Empty: United States')).toBeVisible();
  await expect(page.getByText(/^Above it, first texts wait for their turn\. Empty: \d+$/)).toBeVisible();
  await countries.fill('us, ca');
  await cap.fill('5');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Everything is saved.')).toBeVisible();
  await expect(countries).toHaveValue('US, CA');
  const saved = await api.owner.getClient({ params: { id } });
  expect([saved.textCountries, saved.firstContactsPerHour]).toEqual([['US', 'CA'], 5]);

  await countries.fill('US, XX');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('“XX” is not the code of a country. Use codes such as US or DE.')).toBeVisible();
  // The browser itself reports the refusal.
  complaints.all = complaints.all.filter((line) => !line.includes('422'));
  await expectAccessible(page, 'light');
  await expectAccessible(page, 'dark');
  await api.owner.updateClient({ params: { id }, body: { textCountries: null, firstContactsPerHour: null } });
});
