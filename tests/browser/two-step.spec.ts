import type { Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { type Api, expect, expectGood, logIn, logOut, PASSWORD, test } from './portal.ts';

const STEP_MS = 30_000;
/** A second factor: its secret, and the last TOTP time step (RFC 6238) whose code was used. */
type Key = { secret: string; used: number };

/** The service accepts the code of the current time step and of the adjacent ones, each once. */
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

/** The user of a client of one test only: a second step left on would lock other tests out. */
async function newPerson(page: Page, api: Api): Promise<string> {
  const { id } = await api.owner.createClient({ body: { name: 'Two Steps Dance', timezone: 'America/Chicago' } });
  const email = `two-step-${Date.now()}@dance.example`;
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
});
