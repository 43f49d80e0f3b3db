import { newAgency } from './agency.ts';
import { agent, test } from './pages.ts';
import { collectComplaints, expect, expectLoaded, expectNoSidewaysScroll, expectWideTexts, logIn } from './portal.ts';

/** What a page says is so: time zones, refused keys, texts with gaps, a lost connection. */

test('a key that the service refuses is no success, and the focus is on what the service answered', async ({
  as,
  page,
  api,
  complaints,
}) => {
  const client = await api.owner.createClient({ body: { name: 'Refused Roofing', timezone: 'America/Chicago' } });
  await as('owner', `/dashboard/integrations?service=resend&for=${client.id}`);
  const drawer = page.getByRole('dialog');
  await drawer.getByLabel('API key').click();
  await page.keyboard.type('re_live_of_someone');
  await page.keyboard.press('Enter');
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

test('a text with an unknown placeholder is refused beside its field, by name', async ({ as, page, api, complaints }) => {
  const id = await agent(api);
  await as('owner', `/dashboard/agents/${id}`);
  const text = page.getByRole('textbox', { name: /^(Text|Message)/ }).first();
  await text.click();
  await page.keyboard.press('End');
  await page.keyboard.type(' {customer}');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('“{customer}” is not a placeholder.').first()).toBeVisible();
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByText('Everything is saved.')).toBeVisible();
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

test('an address of the login’s provider without an answer leads to the login', async ({ page }) => {
  await page.goto('/login/callback');
  await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible();
  await expect(page).toHaveURL(/\/login$/);
});

test('an admin of a new agency is asked for its time zone, offered the browser’s, and reads times in it', async ({
  browser,
  page,
  address,
  api,
}) => {
  const agency = await newAgency(page, address, api.staff, { hasSso: false });
  const context = await browser.newContext({ baseURL: address, timezoneId: 'America/Denver' });
  const own = await context.newPage();
  const complaints = collectComplaints(own);
  await own.goto('/login');
  await logIn(own, agency.owner.email);
  await expect(own.getByText('Which time zone is your agency in?')).toBeVisible();
  await expect(own.getByText(/ in UTC$/)).toBeVisible();
  // On a phone the question keeps its lines beside the buttons.
  await own.setViewportSize({ width: 390, height: 844 });
  await expect(own.getByRole('button', { name: 'Keep UTC' })).toBeInViewport();
  await expectWideTexts(own);
  await expectNoSidewaysScroll(own);
  await own.getByRole('button', { name: 'Use Denver' }).click();
  await expect(own.getByText('Which time zone is your agency in?')).toHaveCount(0);
  await expect(own.getByText(/ in Denver$/)).toBeVisible();
  expect((await agency.api.getMyPartner()).timezone).toBe('America/Denver');
  expect((await agency.api.getMe()).user.timezone).toBe('America/Denver');
  expect(complaints.all).toEqual([]);
  await context.close();
});

test('a test of all keys tells keys that do not work from those that could not be tested', async ({ as, page, complaints }) => {
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
