import { readFile } from 'node:fs/promises';
import { DEMO } from '@partner-portal/service/quick-start/seed-workspace.ts';
import { newAgency, newMember } from './agency.ts';
import { test } from './pages.ts';
import { expect, expectGood, holdMessages, logIn } from './portal.ts';

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
  await expectGood(page);

  await page.getByRole('button', { name: 'Make admin: Perry Promoted' }).click();
  await expect(page.getByRole('dialog')).toContainText('can change everything');
  await expectGood(page);
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

test('an invitation holds a seat, gives its link to copy, is sent again and revoked', async ({
  page,
  api,
  address,
  complaints: _watched,
}) => {
  const agency = await newAgency(page, address, api.staff, { hasSso: false });
  await page.goto('/login?next=/dashboard/settings/team');
  await logIn(page, agency.owner.email);
  await page.getByRole('button', { name: 'Invite a member' }).click();
  await page.getByRole('dialog').getByLabel('E-mail').fill(`new@${agency.slug}.example`);
  await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click();
  await expect(page.getByRole('dialog').getByText(/\/invite\//)).toBeVisible();
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Done' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('1 open invitation included')).toBeVisible();
  await expect(page).toHaveURL(/view=invitations/);
  const row = page.getByRole('row').filter({ hasText: `new@${agency.slug}.example` });
  await expectGood(page);
  await row.getByRole('button', { name: 'Send again' }).click();
  await expect(page.getByRole('dialog').getByText(/\/invite\//)).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
  await row.getByRole('button', { name: 'Revoke' }).click();
  await expect(row).toContainText('Revoked');
  await expect(page.getByRole('meter', { name: 'Seats taken' })).toHaveAttribute('aria-valuenow', '1');
});

test('a moderator sees the team and whom to ask, and can change no one', async ({ as }) => {
  const page = await as('moderator', '/dashboard/settings/team');
  const remove = page.getByRole('button', { name: `Remove ${DEMO.owner.fullName}` });
  await expect(remove).toHaveAttribute('aria-disabled', 'true');
  await remove.focus();
  await expect(page.getByRole('tooltip').filter({ hasText: DEMO.owner.fullName })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
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
  const other = sessions.filter({ hasText: 'Chrome' }).filter({ hasNotText: 'This browser' });
  await expect(other).toContainText('127.0.0.1');
  await expectGood(page);
  await other.getByRole('button', { name: /^Log out / }).focus();
  await page.keyboard.press('Enter');
  await expect(other).toHaveCount(0);
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

test('staff see the team of an agency and its invitations, and can disable a member there', async ({ as, page, api, address }) => {
  const agency = await newAgency(page, address, api.staff, { hasSso: false });
  await agency.api.createInvitation({ body: { kind: 'team', email: `later@${agency.slug}.example`, fullName: 'Lou Later' } });
  await as('staff', `/admin/partners/${agency.id}`);
  await page.getByRole('navigation', { name: 'Partner' }).getByRole('link', { name: 'Team' }).click();
  const member = page.getByRole('table', { name: 'Members' }).getByRole('row').filter({ hasText: agency.owner.email });
  await expect(member).toContainText('Admin');
  await expectGood(page);
  await page.getByRole('radio', { name: 'Invitations' }).focus();
  await page.keyboard.press('Space');
  await expect(page).toHaveURL(/view=invitations/);
  const invited = page.getByRole('table', { name: 'Invitations' }).getByRole('row').filter({ hasText: 'Lou Later' });
  await expect(invited).toContainText('Waiting');
  await expectGood(page);
  await page.goto(`/admin/partners/${agency.id}/team`);
  await member.getByRole('button', { name: `Disable ${agency.owner.fullName}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disable user' }).click();
  await expect(member).toContainText('Disabled');
});

for (const { path, table, column, file } of [
  { path: '/admin/partners', table: 'Partners', column: 'Plan', file: /^partners-.*\.csv$/ },
  { path: '/admin/users', table: 'Users', column: 'Agency', file: /^users-.*\.csv$/ },
  { path: '/admin/templates', table: 'Templates', column: 'Services', file: /^templates-.*\.csv$/ },
])
  test(`staff choose the columns of ${path} and save what is filtered as CSV`, async ({ as }) => {
    const page = await as('staff', path);
    const head = page.getByRole('table', { name: table }).getByRole('columnheader', { name: column, exact: true });
    await expect(head).toBeVisible();
    await page.getByRole('button', { name: 'Columns' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitemcheckbox', { name: column, exact: true }).click();
    await page.keyboard.press('Escape');
    await expect(head).toHaveCount(0);
    await page.reload();
    await expect(page.getByRole('table', { name: table })).toBeVisible();
    await expect(head).toHaveCount(0);
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export as CSV' }).click();
    const saved = await saving;
    expect(saved.suggestedFilename()).toMatch(file);
    expect((await readFile(await saved.path(), 'utf8')).split('\n').length).toBeGreaterThan(2);
  });

test('staff reset a second step and end sessions, with a reason', async ({ as, page, api, address }) => {
  await holdMessages(page);
  const agency = await newAgency(page, address, api.staff, { hasSso: false });
  await as('staff', `/admin/users?q=${agency.owner.email}`);
  const more = page.getByRole('button', { name: `More for ${agency.owner.fullName}` });
  await more.click();
  const reset = page.getByRole('menuitem', { name: 'Reset MFA' });
  await expect(reset).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByRole('menu')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(reset).toBeFocused();
  await expect(reset).toContainText('Two-step login is off.');
  await page.getByRole('menuitem', { name: 'Log out everywhere' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: 'Log out everywhere' })).toHaveAttribute('aria-disabled', 'true');
  await dialog.getByLabel('Reason').fill('Left a session open in a shop');
  await expectGood(page);
  await dialog.getByRole('button', { name: 'Log out everywhere' }).click();
  await expect(page.getByText('is logged out everywhere.')).toBeVisible();
  await expect(agency.api.getMe()).rejects.toMatchObject({ status: 401 });
});

test('a field that is refused says why, is counted at the top of its form and has the focus', async ({ as, api, complaints }) => {
  const before = await api.owner.getMyPartner();
  const page = await as('owner', '/dashboard/settings');
  const website = page.getByLabel('Website');
  await website.fill('ftp://nothing.example');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByRole('alert')).toHaveText('One field needs attention.');
  await expect(website).toBeFocused();
  await expect(website).toHaveAttribute('aria-invalid', 'true');
  await expect(website).toHaveAccessibleDescription(/web address/);
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(website).toHaveValue(before.website ?? '');
  // The browser notes every refused request.
  complaints.all = complaints.all.filter((text) => !text.includes('422'));
});
