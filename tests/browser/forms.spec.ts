import { expect, test } from './portal.ts';

test('a submitted form shows each violated constraint beside its field and focuses the first one', async ({ as }) => {
  const page = await as('owner', '/dashboard/clients');
  await page.getByRole('button', { name: 'Add client' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add client' });
  await dialog.getByLabel('Business name').fill('Harbor & Pine Vet');
  await dialog.getByLabel('Booking link').fill('harborpine.example/book');
  await dialog.getByLabel('Contact e-mail').fill('owner');
  await dialog.getByRole('button', { name: 'Add client' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('2 fields need attention.');
  await expect(dialog.getByText('Enter a web address, such as https://example.com.')).toBeVisible();
  await expect(dialog.getByLabel('Booking link')).toBeFocused();

  // Editing a field drops its error and no other.
  await dialog.getByLabel('Booking link').fill('https://harborpine.example/book');
  await expect(dialog.getByRole('alert')).toHaveText('One field needs attention.');
  await expect(dialog.getByLabel('Contact e-mail')).toHaveAttribute('aria-invalid', 'true');
  await expect(dialog.getByLabel('Booking link')).not.toHaveAttribute('aria-invalid');
});

test('a field error of the server shows beside its field, which gets the focus', async ({ as, api, complaints }) => {
  const page = await as('owner', '/dashboard/settings');
  await page.getByRole('textbox', { name: 'Brand colour', exact: true }).fill('blue');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Use a colour such as #1f4e8c.')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Brand colour', exact: true })).toBeFocused();
  await expect(page.getByText('Not saved yet')).toBeVisible();
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByText('Use a colour such as #1f4e8c.')).toHaveCount(0);
  await expect(page.getByText('Everything is saved.')).toBeVisible();
  expect((await api.owner.getMyPartner()).brandColor).not.toBe('blue');
  // The browser reports every refused request.
  complaints.all = complaints.all.filter((line) => !line.includes('422'));
});
