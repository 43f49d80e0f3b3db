import type { Page, Route } from '@playwright/test';
import { expect, expectGood, PASSWORD, test } from './portal.ts';

/** Answers the first call of a path as the service does when it refuses it. */
async function refuseOnce(page: Page, path: string, problem: { status: number; [member: string]: unknown }): Promise<Route[]> {
  const calls: Route[] = [];
  await page.route(`**${path}`, (route) => {
    calls.push(route);
    if (calls.length > 1) return route.continue();
    const body = { type: 'about:blank', title: 'Refused', detail: 'Refused.', instance: path, requestId: 'r', ...problem };
    return route.fulfill({ status: problem.status, contentType: 'application/problem+json', body: JSON.stringify(body) });
  });
  return calls;
}

const ASKED = { status: 403, code: 'reauthentication_required' };

test('a change to the account’s security asks for the password once the login is old, and then continues', async ({
  as,
  page,
  complaints,
}) => {
  await as('client', '/client/settings');
  const calls = await refuseOnce(page, '/auth/mfa/setup', ASKED);
  const setUp = page.getByRole('button', { name: 'Set up' });
  await setUp.click();
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await expect(dialog.getByLabel('Current password')).toBeFocused();
  await expectGood(page);
  await dialog.getByLabel('Current password').fill('not the password');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('The password is not correct.')).toBeVisible();
  await dialog.getByLabel('Current password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('img', { name: 'QR code' })).toBeVisible();
  expect(calls).toHaveLength(2);
  await page.getByRole('button', { name: 'Not now' }).click();
  complaints.all.splice(0); // what was refused on purpose
});

test('who does not enter the password reads why nothing changed, and can try again', async ({ as, page, complaints }) => {
  await as('owner', '/dashboard/settings/security');
  await refuseOnce(page, '/auth/mfa/setup', { ...ASKED, title: 'Confirm that it is you' });
  await page.getByRole('button', { name: 'Set up' }).click();
  await expect(page.getByRole('dialog', { name: 'Confirm that it is you' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('alert')).toContainText('Confirm that it is you');
  await page.getByRole('button', { name: 'Set up' }).click();
  await expect(page.getByRole('img', { name: 'QR code' })).toBeVisible();
  complaints.all.splice(0); // what was refused on purpose
});
