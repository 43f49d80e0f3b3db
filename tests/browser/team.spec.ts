import { newAgency, newMember } from './agency.ts';
import { test } from './pages.ts';
import { expect, logIn } from './portal.ts';

test('an admin promotes, demotes and removes; the own row has no controls; seats are counted', async ({
  page,
  api,
  address,
  complaints: _watched,
}) => {
  const agency = await newAgency(page, address, api.staff, { hasSso: false });
  await newMember(page, agency, 'Perry Promoted');
  await newMember(page, agency, 'Robin Removed');
  await page.goto('/login?next=/dashboard/settings/team');
  await logIn(page, agency.owner.email);
  await page.waitForURL((url) => url.pathname === '/dashboard/settings/team');

  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  await expect(page.getByRole('meter', { name: 'Seats taken' })).toHaveAttribute('aria-valuenow', '3');
  await expect(row('Olive Owner')).toContainText('You cannot change your own role');
  await expect(row('Olive Owner').getByRole('button')).toHaveCount(0);

  await page.getByRole('button', { name: 'Make admin: Perry Promoted' }).click();
  await expect(page.getByRole('dialog')).toContainText('can change everything');
  await page.getByRole('dialog').getByRole('button', { name: 'Make admin' }).click();
  await expect(row('Perry Promoted')).toContainText('Admin');
  await page.getByRole('button', { name: 'Make moderator: Perry Promoted' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Make moderator' }).click();
  await expect(row('Perry Promoted')).toContainText('Moderator');

  await page.getByRole('button', { name: 'Remove Robin Removed' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Keep it' }).click();
  await expect(row('Robin Removed')).toBeVisible();
  await page.getByRole('button', { name: 'Remove Robin Removed' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove member' }).click();
  await expect(row('Robin Removed')).toHaveCount(0);
  await expect(page.getByRole('meter', { name: 'Seats taken' })).toHaveAttribute('aria-valuenow', '2');
});

test('a person sees where they are logged in, and ends one session and then all others', async ({ page, api, address, otherBrowser }) => {
  const agency = await newAgency(page, address, api.staff, { hasSso: false });
  const security = '/dashboard/settings/security';
  const lost = await otherBrowser();
  for (const one of [lost, page]) {
    await one.goto(`/login?next=${security}`);
    await logIn(one, agency.owner.email);
    await one.waitForURL((url) => url.pathname === security);
  }
  const sessions = page.getByRole('list', { name: 'Where you are logged in' }).getByRole('listitem');
  await expect(sessions.filter({ hasText: 'This browser' })).toHaveCount(1);
  await expect(sessions.filter({ hasText: 'This browser' }).getByRole('button')).toHaveCount(0);
  // The newest first: below it is the session in which the invitation was accepted.
  const others = sessions.filter({ hasText: 'Chrome' }).filter({ hasNotText: 'This browser' });
  await expect(others).toHaveCount(2);
  const other = others.first();
  await expect(other).toContainText('127.0.0.1');
  await other.getByRole('button', { name: /^Log out / }).focus();
  await page.keyboard.press('Enter');
  await expect(others).toHaveCount(1);
  await lost.reload();
  await lost.waitForURL((url) => url.pathname === '/login');

  await expect(agency.api.getMe()).resolves.toMatchObject({ user: { email: agency.owner.email } });
  await page.getByRole('button', { name: 'Log out everywhere else' }).focus();
  await page.keyboard.press('Enter');
  await expect(sessions).toHaveCount(1);
  await expect(agency.api.getMe()).rejects.toMatchObject({ status: 401 });
  await page.reload();
  await expect(sessions).toHaveCount(1);
});
