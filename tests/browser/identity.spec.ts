import type { Page, Request } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { newAgency } from './agency.ts';
import { type Api, expect, expectGood, expectLoaded, logIn, logOut, PASSWORD, test } from './portal.ts';

const STEP_MS = 30_000;
/** Of a second step: its secret, and the step of time whose code was used last. */
type Key = { secret: string; used: number };

/** The service takes the code of the present step and of its neighbours, each once. */
const codeOf = ({ secret, used }: Key): string => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: used * STEP_MS });

/** A code that was not used yet: the oldest one that is still taken in a quarter of a minute. */
async function nextCode(page: Page, key: Key): Promise<string> {
  key.used = Math.max(key.used + 1, Math.floor((Date.now() + STEP_MS / 2) / STEP_MS) - 1);
  // One of the future is taken as soon as the step before it begins.
  const early = (key.used - 1) * STEP_MS - Date.now();
  if (early > 0) await page.waitForTimeout(early);
  return codeOf(key);
}

/** Switches two-step sign-in on in the settings shown. */
async function switchOn(page: Page): Promise<{ key: Key; recoveryCodes: string[] }> {
  await page.getByRole('button', { name: 'Set up' }).click();
  await expect(page.getByRole('img', { name: 'QR code' })).toBeVisible();
  const secret = ((await page.getByRole('main').locator('code').first().textContent()) ?? '').replaceAll(' ', '');
  await expectGood(page);
  const key = { secret, used: 0 };
  await page.getByLabel('Six-digit code').fill(await nextCode(page, key));
  return { key, recoveryCodes: await saveCodes(page) };
}

/** Ten codes, shown once: done only when they are said to be saved. */
async function saveCodes(page: Page): Promise<string[]> {
  await expect(page.getByText('This is the only time you can see them.')).toBeVisible();
  const recoveryCodes = await page.getByRole('main').locator('ol code').allTextContents();
  expect(recoveryCodes).toHaveLength(10);
  await expectGood(page);
  await expect(page.getByRole('button', { name: 'Done' })).toHaveAttribute('aria-disabled', 'true');
  await page.getByLabel('I have saved them').check();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('10 recovery codes left')).toBeVisible();
  return recoveryCodes;
}

async function switchOff(page: Page, key: Key): Promise<void> {
  await page.getByRole('button', { name: 'Turn off' }).click();
  await page.getByLabel('Six-digit code').fill(await nextCode(page, key));
  await page.getByRole('button', { name: 'Turn off' }).click();
  await expect(page.getByRole('button', { name: 'Set up' })).toBeVisible();
}

/** A user of the first client for one test only: a second step left on would lock other tests out. */
async function newPerson(page: Page, api: Api): Promise<string> {
  const { id } = (await api.owner.listClients({ query: { q: 'Oak' } })).data[0] ?? { id: '' };
  const email = `two-step-${Date.now()}@oak.example`;
  const { acceptUrl } = await api.owner.createInvitation({ body: { kind: 'client_user', email, clientId: id } });
  const token = acceptUrl.slice(acceptUrl.lastIndexOf('/') + 1);
  const accepted = await page.request.post('/invitations/accept', { data: { token, password: PASSWORD, fullName: 'Two Steps' } });
  expect(accepted.status()).toBe(201);
  return email;
}

test('two-step sign-in: set up, requested at login, a wrong code reported, turned off', async ({ page, api, complaints }) => {
  const email = await newPerson(page, api);
  await page.goto('/login');
  await logIn(page, email);
  await page.waitForURL((url) => url.pathname === '/client');
  await page.goto('/client/settings');
  const { key, recoveryCodes } = await switchOn(page);

  await logOut(page);
  await logIn(page, email);
  await expect(page.getByRole('heading', { name: 'Enter the code from your app' })).toBeVisible();
  await expect(page.getByLabel('Six-digit code')).toBeFocused();
  await expectGood(page);
  await page.getByLabel('Six-digit code').fill(codeOf(key));
  await expect(page.getByRole('alert')).toContainText('4 tries left');
  await expectGood(page);
  // The browser notes every refused request.
  complaints.all = complaints.all.filter((text) => !text.includes('401'));
  // Pasted as apps show it, in two groups; sent by itself.
  const code = await nextCode(page, key);
  await page.getByLabel('Six-digit code').fill(`${code.slice(0, 3)} ${code.slice(3)}`);
  await page.waitForURL((url) => url.pathname === '/client');

  await logOut(page);
  await logIn(page, email);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await expectGood(page);
  await page.getByLabel('Recovery code').fill((recoveryCodes[0] ?? '').toLowerCase());
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname === '/client');
  await page.goto('/client/settings');
  await expect(page.getByText('9 recovery codes left')).toBeVisible();
  await switchOff(page, key);
});

test('recovery codes are renewed with a current code: ten new ones, shown as at the start', async ({ page, api }) => {
  const email = await newPerson(page, api);
  await page.goto('/login');
  await logIn(page, email);
  await page.waitForURL((url) => url.pathname === '/client');
  await page.goto('/client/settings');
  const { key, recoveryCodes } = await switchOn(page);

  await logOut(page);
  await logIn(page, email);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(recoveryCodes[0] ?? '');
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname === '/client');
  await page.goto('/client/settings');
  await expect(page.getByText('9 recovery codes left')).toBeVisible();
  await page.getByRole('button', { name: 'New recovery codes' }).click();
  await expectGood(page);
  await page.getByLabel('Six-digit code').fill(await nextCode(page, key));
  await page.getByRole('button', { name: 'Generate new codes' }).click();
  const renewed = await saveCodes(page);
  expect(renewed.filter((code) => recoveryCodes.includes(code))).toEqual([]);
  await switchOff(page, key);
});

test('settings of an agency show profile and security', async ({ as }) => {
  const page = await as('moderator', '/dashboard/settings/security');
  await expect(page.getByRole('button', { name: 'Set up' })).toBeVisible();
  await expectGood(page);
  await page.getByRole('link', { name: 'Profile' }).click();
  await expect(page.getByLabel('Your name')).toBeVisible();
  await expectGood(page);
});

test('a wrong current password is reported beside its field, and the session continues', async ({ as, complaints }) => {
  const page = await as('owner', '/dashboard/settings/security');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByLabel('Current password').fill('not the password');
  await page.getByLabel('New password').fill('Password1');
  await expect(page.getByText('one of the first an attacker would try')).toBeVisible();
  await page.getByLabel('New password').fill('four green sparrows on a wire');
  await expect(page.getByText('Very strong')).toBeVisible();
  await expectGood(page);
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('The current password is not correct.')).toBeVisible();
  // The browser notes every refused request.
  complaints.all = complaints.all.filter((text) => !text.includes('401'));
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('button', { name: 'Set up' })).toBeVisible();
});

test('a forgotten password gets the same words for every address', async ({ page, complaints: _watched }) => {
  await page.goto('/login');
  await page.getByLabel('E-mail').fill('unknown@nowhere.example');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(page.getByLabel('E-mail')).toHaveValue('unknown@nowhere.example');
  await expectGood(page);
  await page.getByRole('button', { name: 'Send link' }).click();
  await expect(page.getByRole('heading', { name: 'Check your e-mail' })).toBeVisible();
  await expectGood(page);
});

test('a reset link leaves the address bar, and a dead one says so', async ({ page, api: _ready }) => {
  await page.goto('/reset-password#some-unknown-token-x');
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible();
  await expect.poll(() => new URL(page.url()).hash).toBe('');
  await page.getByLabel('New password').fill('four green sparrows on a wire');
  await expectGood(page);
  await page.getByRole('button', { name: 'Save new password' }).click();
  await expect(page.getByRole('heading', { name: 'This link no longer works' })).toBeVisible();
  await expectGood(page);
});

test('an agency looks as its client: unmissable, read-only, and back where it was', async ({ as, api }) => {
  const { id, name } = (await api.owner.listClients({ query: { q: 'Oak' } })).data[0] ?? { id: '', name: '' };
  const page = await as('owner', `/dashboard/clients/${id}`);
  await page.getByRole('button', { name: 'View as client' }).click();
  await page.getByLabel('Reason').fill('They asked why a text was not sent');
  await expectGood(page);
  await page.getByRole('button', { name: `View as ${name}` }).click();
  await page.waitForURL((url) => url.pathname === '/client');
  const bar = page.getByRole('complementary', { name: 'View as' });
  await expect(bar).toContainText(name);
  await expect(bar).toContainText('Read only');
  await expect(bar.getByRole('timer')).toContainText(/^(30:00|2\d:\d\d)/);
  await expectGood(page);
  for (const [path, gone] of [
    ['/client/business', 'Save changes'],
    ['/client/integrations', 'Use own key'],
    ['/client/suggestions', 'Ask'],
    ['/client/settings', 'Save profile'],
  ] as const) {
    await page.goto(path);
    await expectLoaded(page);
    await expect(bar).toBeVisible();
    await expect(page.getByRole('button', { name: gone })).toHaveCount(0);
    await expect(page.getByRole('switch')).toHaveCount(0);
  }
  await bar.getByRole('button', { name: 'Exit view' }).click();
  await page.waitForURL((url) => url.pathname === `/dashboard/clients/${id}`);
  await expect(bar).toHaveCount(0);
});

test('staff look as an agency, which shows everything and changes nothing', async ({ as, api }) => {
  const { id, name } = (await api.staff.listPartners({ query: { q: 'Northwind' } })).data[0] ?? { id: '', name: '' };
  const page = await as('staff', `/admin/partners/${id}`);
  await page.getByRole('button', { name: 'View as agency' }).click();
  await page.getByLabel('Reason').fill('A setup that failed');
  await page.getByRole('button', { name: `View as ${name}` }).click();
  await page.waitForURL((url) => url.pathname === '/dashboard');
  const bar = page.getByRole('complementary', { name: 'View as' });
  await expect(bar).toContainText(name);
  await expectGood(page);
  for (const path of [
    '/dashboard/clients',
    '/dashboard/agents',
    '/dashboard/integrations',
    '/dashboard/settings',
    '/dashboard/settings/security',
  ]) {
    await page.goto(path);
    await expectLoaded(page);
    await expect(page.getByRole('button', { name: /^(Create|New|Add|Use own|Invite|Save|Set up|Sign out|Replace|Change)\b/ })).toHaveCount(
      0,
    );
    await expect(page.getByRole('switch')).toHaveCount(0);
  }
  await bar.getByRole('button', { name: 'Exit view' }).click();
  await page.waitForURL((url) => url.pathname === `/admin/partners/${id}`);
});

test('staff find their own account behind their initials', async ({ as }) => {
  const page = await as('staff', '/admin/partners');
  await page.getByRole('button', { name: /account of/ }).click();
  await page.getByRole('menuitem', { name: 'Profile and security' }).click();
  await page.waitForURL((url) => url.pathname === '/admin/account');
  await expect(page.getByRole('button', { name: 'Set up' })).toBeVisible();
  await expectGood(page);
});

for (const [way, leave] of [
  ['logging out', logOut],
  ['signing out everywhere', signOutEverywhere],
] as const) {
  test(`what a page was still reading is dropped by ${way}, and Back shows nothing of it`, async ({
    page,
    address,
    api,
    complaints: _watched,
  }) => {
    const agency = await newAgency(page, address, api.staff, { hasSso: false });
    const reading = Promise.withResolvers<void>();
    const left = Promise.withResolvers<void>();
    await page.route(/\/metering\/quota/, async (route) => {
      reading.resolve();
      await left.promise;
      // Asked now, the session has ended.
      await route.continue().catch(() => undefined);
    });
    await page.goto('/login?next=/dashboard/settings/security');
    await logIn(page, agency.owner.email);
    await reading.promise;
    const isReading = (request: Request): boolean => /\/metering\/quota/.test(request.url());
    const over = Promise.race([page.waitForEvent('requestfinished', isReading), page.waitForEvent('requestfailed', isReading)]);
    await page.route(/\/auth\/logout/, async (route) => {
      const response = await route.fetch();
      left.resolve();
      await over;
      await route.fulfill({ response });
    });
    await leave(page);
    await expect(page).toHaveURL(`${address}/login`);
    await page.goBack();
    await expect(page).toHaveURL(/\/login\?next=/);
    await expect(page.getByText(agency.name)).toHaveCount(0);
  });
}

async function signOutEverywhere(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.waitForURL((url) => url.pathname === '/login');
}
