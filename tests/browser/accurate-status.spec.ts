import { test } from './pages.ts';
import { expect, expectGood, expectLoaded } from './portal.ts';

/** Pages report the actual state: time zones, refused keys, unknown placeholders, a lost connection. */

test('a refused key is not reported as saved, and the focus moves to the service’s answer', async ({ as, page, api, complaints }) => {
  const client = await api.owner.createClient({ body: { name: 'Refused Roofing', timezone: 'America/Chicago' } });
  await as('owner', `/dashboard/integrations?service=resend&for=${client.id}`);
  const drawer = page.getByRole('dialog');
  await drawer.getByLabel('API key').click();
  await page.keyboard.type('re_live_of_someone');
  await page.keyboard.press('Enter');
  // The client uses the key of the agency, which works: it stays in use until someone insists.
  await expect(drawer.getByRole('alert')).toContainText(
    'The new key was not saved, and the one before stays in use. Resend refused the key.',
  );
  await expect(drawer).toContainText('keys that contain the word “sandbox”');
  await expect(drawer).toContainText('If you save it anyway, each agent that needs it fails until Resend accepts it.');
  expect((await api.owner.listCredentials({ query: { clientId: client.id } })).filter(({ inherited }) => !inherited)).toEqual([]);
  await expectGood(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await drawer.getByRole('button', { name: 'Save anyway' }).click();
  await expect(drawer.getByRole('alert')).toContainText('The key is saved, but does not work.');
  await expect(drawer.getByRole('alert')).toContainText('keys that contain the word “sandbox”');
  await expect(page.getByText('Resend key saved.')).toHaveCount(0);
  expect(await page.evaluate(`document.activeElement?.contains(document.querySelector('.drawer [role="alert"]'))`)).toBe(true);
  await drawer.getByRole('button', { name: 'Replace the Resend key' }).click();
  await drawer.getByLabel('API key').click();
  await page.keyboard.type('re_sandbox_1');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Resend key saved.')).toBeVisible();
  complaints.all = complaints.all.filter((line) => !line.includes('422'));
});

test('without a connection a page is not live, and says that it cannot be reached', async ({ as, page, complaints }) => {
  await as('owner', '/dashboard/runs?started=7d');
  await expectLoaded(page);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await page.context().setOffline(true);
  await expect(page.getByText('Reconnecting', { exact: true })).toBeVisible();
  await page.getByRole('searchbox').click();
  await page.keyboard.type('zzz');
  await expect(page.getByText('The service cannot be reached.').first()).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  complaints.all = [];
});

test('a test of all keys distinguishes keys that do not work from keys that could not be tested', async ({ as, page, complaints }) => {
  await page.route(/\/credentials\/[^/]+\/test/, (route) => route.abort());
  await as('owner', '/dashboard/integrations');
  await page.getByRole('button', { name: 'Test all keys' }).click();
  const message = page.getByRole('region', { name: 'Messages' }).getByRole('alert');
  await expect(message).toContainText(/^0 of \d+ keys? tested, 0 not working\. The others could not be tested: try again\./);
  await page.unroute(/\/credentials\/[^/]+\/test/);
  await message.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('region', { name: 'Messages' }).getByRole('status')).toContainText(
    /^\d+ keys? tested, (all|\d+ not) working\./,
  );
  complaints.all = complaints.all.filter((line) => !line.includes('ERR_FAILED'));
});
