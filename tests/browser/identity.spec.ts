import { test } from './pages.ts';
import { expect, expectGood } from './portal.ts';

test('settings of an agency show profile and security', async ({ as }) => {
  const page = await as('moderator', '/dashboard/settings/security');
  await expect(page.getByRole('button', { name: 'Set up' })).toBeVisible();
  await expectGood(page);
  await page.getByRole('link', { name: 'Profile' }).click();
  await expect(page.getByLabel('Your name')).toBeVisible();
  await expectGood(page);
});

test('a wrong current password is reported next to its field, and the session continues', async ({ as, complaints }) => {
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

test('a request to reset a password gets the same message for every address', async ({ page, complaints: _watched }) => {
  await page.goto('/login');
  await page.getByLabel('E-mail').fill('unknown@nowhere.example');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(page.getByLabel('E-mail')).toHaveValue('unknown@nowhere.example');
  await expectGood(page);
  await page.getByRole('button', { name: 'Send link' }).click();
  // The demo sends no mail.
  await expect(page.getByText(/^No e-mail was sent/)).toBeVisible();
  await expectGood(page);
});

test('a reset link leaves the address bar, outlasts a reload, and a dead one says so', async ({ page, api: _ready }) => {
  await page.goto('/reset-password#some-unknown-token-x');
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible();
  await expect.poll(() => new URL(page.url()).hash).toBe('');
  // A phone discards the page while its reader fetches the password.
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible();
  await page.getByLabel('New password').fill('four green sparrows on a wire');
  await expectGood(page);
  await page.getByRole('button', { name: 'Save new password' }).click();
  await expect(page.getByRole('heading', { name: 'This link no longer works' })).toBeVisible();
  await expectGood(page);
});

test('staff find their own account behind their initials', async ({ as }) => {
  const page = await as('staff', '/admin/partners');
  await page.getByRole('button', { name: /account of/ }).click();
  await page.getByRole('menuitem', { name: 'Profile and security' }).click();
  await page.waitForURL((url) => url.pathname === '/admin/account');
  await expect(page.getByRole('button', { name: 'Set up' })).toBeVisible();
  await expectGood(page);
});
