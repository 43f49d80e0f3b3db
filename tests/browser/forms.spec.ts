import { test } from './pages.ts';
import { expect } from './portal.ts';

test('a submitted form shows each violated constraint beside its field and focuses the first one', async ({ as }) => {
  const page = await as('owner', '/dashboard/clients');
  await page.getByRole('button', { name: 'Add client' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add client' });
  await dialog.getByLabel('Business name').fill('Harbor & Pine Vet');
  // An address without its scheme is completed; what is no address is refused in our words.
  await dialog.getByLabel('Booking link').click();
  await page.keyboard.type('harborpine.example/book');
  await page.keyboard.press('Tab');
  await expect(dialog.getByLabel('Booking link')).toHaveValue('https://harborpine.example/book');
  await dialog.getByLabel('Booking link').fill('our booking page');
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

test('what the schema of the route refuses shows beside its field, and nothing is sent', async ({ as, api }) => {
  const page = await as('owner', '/dashboard/settings');
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PATCH') sent.push(request.url());
  });
  const colour = page.getByRole('textbox', { name: 'Brand colour', exact: true });
  await colour.fill('blue');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Use a colour such as #1f4e8c.')).toBeVisible();
  await expect(colour).toBeFocused();
  await expect(page.getByText('Not saved yet')).toBeVisible();
  expect(sent).toEqual([]);

  // What the schema accepts is sent.
  const { brandColor } = await api.owner.getMyPartner();
  await colour.fill('#1f4e8d');
  await expect(page.getByText('Use a colour such as #1f4e8c.')).toHaveCount(0);
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Everything is saved.')).toBeVisible();
  expect((await api.owner.getMyPartner()).brandColor).toBe('#1f4e8d');
  expect(sent).toHaveLength(1);
  await api.owner.updateMyPartner({ body: { brandColor } });
});

test('the schemas are loaded once a field is edited, and a form works without them', async ({ as, complaints }) => {
  const page = await as('owner', '/dashboard/settings');
  let loads = 0;
  await page.route(/\/assets\/schemas-/, (route) => {
    loads += 1;
    return route.abort();
  });
  const colour = page.getByRole('textbox', { name: 'Brand colour', exact: true });
  await expect(colour).toBeVisible();
  expect(loads).toBe(0);
  await colour.fill('blue');
  await page.getByRole('button', { name: 'Save changes' }).click();
  // The answer of the service.
  await expect(page.getByText('Use a colour such as #1f4e8c.')).toBeVisible();
  await expect(colour).toBeFocused();
  expect(loads).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByText('Use a colour such as #1f4e8c.')).toHaveCount(0);
  await expect(page.getByText('Everything is saved.')).toBeVisible();
  // The browser reports every refused request.
  complaints.all = complaints.all.filter((line) => !line.includes('422') && !line.includes('ERR_FAILED'));
});

test('an unverified SQL database shows its risk before it is saved, and a CA certificate has a field of its own', async ({
  as,
  complaints,
}) => {
  const page = await as('owner', '/dashboard/integrations?service=postgres');
  const drawer = page.getByRole('dialog');
  const pick = async (option: string): Promise<void> => {
    await drawer.getByRole('button', { name: 'Encryption' }).click();
    await page.getByRole('option', { name: option }).click();
  };
  await expect(drawer.getByText('can pretend to be your database')).toHaveCount(0);
  await pick('TLS, do not verify');
  await expect(drawer.getByText('can pretend to be your database')).toBeVisible();
  await pick('No TLS');
  await expect(drawer.getByText('unencrypted')).toBeVisible();
  await pick('TLS, verify with a CA certificate');
  await drawer.getByRole('textbox', { name: 'CA certificate' }).fill('not a certificate');
  for (const [field, value] of [
    ['Host', 'db.example.com'],
    ['Database', 'shop'],
    ['User', 'reader'],
    ['Password', 'a password'],
  ] as const)
    await drawer.getByLabel(field, { exact: true }).fill(value);
  await drawer.getByRole('button', { name: 'Save and test' }).click();
  const ca = drawer.getByRole('textbox', { name: 'CA certificate' });
  await expect(ca).toHaveAttribute('aria-invalid', 'true');
  await expect(drawer.getByText('begins with -----BEGIN CERTIFICATE-----')).toBeVisible();
  complaints.all = complaints.all.filter((line) => !line.includes('422'));
});

test('a field error of the server shows beside its field, which gets the focus', async ({ as, complaints }) => {
  const page = await as('owner', '/dashboard/integrations?service=postgres');
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('textbox', { name: 'Host' }).fill('db.example.com');
  await drawer.getByRole('button', { name: 'Save and test' }).click();
  await expect(drawer.getByRole('alert')).toHaveText(/fields need attention\.$/);
  await expect(drawer.getByRole('textbox', { name: 'Database' })).toBeFocused();
  await expect(drawer.getByRole('textbox', { name: 'Host' })).not.toHaveAttribute('aria-invalid');
  // Editing a field drops its error and no other.
  await drawer.getByRole('textbox', { name: 'Database' }).fill('shop');
  await expect(drawer.getByRole('textbox', { name: 'Database' })).not.toHaveAttribute('aria-invalid');
  await expect(drawer.getByRole('textbox', { name: 'User' })).toHaveAttribute('aria-invalid', 'true');
  complaints.all = complaints.all.filter((line) => !line.includes('422'));
});
