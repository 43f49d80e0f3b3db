import { test } from './pages.ts';
import { expect, expectLoaded } from './portal.ts';

test('staff reach every place by keys alone', async ({ as }) => {
  const page = await as('staff', '/admin/partners');
  await expect(page.getByRole('table', { name: 'Partners' })).toBeVisible();
  for (const [key, path] of [
    ['u', '/admin/users'],
    ['i', '/admin/invoices'],
    ['c', '/admin/usage'],
    ['t', '/admin/templates'],
    ['e', '/admin/engine'],
    ['s', '/admin/system'],
    ['o', '/admin/outbox'],
    ['p', '/admin/partners'],
  ] as const) {
    // One right after the other: the second counts only for a moment.
    await Promise.all([page.keyboard.press('g'), page.keyboard.press(key)]);
    await page.waitForURL((url) => url.pathname === path);
  }
});

test('a list is walked with J and K, opened with Enter and filtered with /', async ({ as }) => {
  const page = await as('staff', '/admin/templates');
  const rows = page.getByRole('table', { name: 'Templates' }).locator('[data-row]');
  await expect(rows.first()).toBeVisible();
  await page.keyboard.press('j');
  await expect(rows.nth(0)).toBeFocused();
  await page.keyboard.press('j');
  await expect(rows.nth(1)).toBeFocused();
  await page.keyboard.press('k');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeFocused();
  await expect(page).toHaveURL(/template=/);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(rows.nth(0)).toBeFocused();
  await page.keyboard.press('/');
  await page.keyboard.type('text-back');
  await expect(rows).toHaveCount(1);
  await expect(page).toHaveURL(/q=text-back/);
});

test('the palette finds a partner by its name, and ? lists the keys', async ({ as }) => {
  const page = await as('staff', '/admin/users');
  await expectLoaded(page);
  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('dialog', { name: 'Search or jump to' })).toBeVisible();
  await page.keyboard.type('Northwind');
  await expect(page.getByRole('option', { name: /^Northwind Studio Agency/ })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/admin\/partners\/[0-9a-f-]{36}$/);
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog', { name: 'Keys' })).toHaveCount(0);
});

test('the palette begins things: a client, a request, an invitation, a look as a client; and knows what was seen last', async ({
  as,
  page,
  api,
}) => {
  await as('owner', '/dashboard/usage');
  await expectLoaded(page);
  const palette = page.getByRole('dialog', { name: 'Search or jump to' });
  const choose = async (text: string): Promise<void> => {
    await page.keyboard.press('ControlOrMeta+k');
    await expect(palette).toBeVisible();
    await page.keyboard.type(text);
    await expect(palette.getByRole('option', { selected: true })).toContainText(text, { ignoreCase: true });
    await page.keyboard.press('Enter');
    await expect(palette).toHaveCount(0);
  };
  for (const [text, dialog] of [
    ['add a client', 'Add client'],
    ['request an agent', 'Request an agent'],
    ['invite a member', 'Invite a member'],
    ['view as oak street dental', 'View as Oak Street Dental'],
  ] as const) {
    await choose(text);
    await expect(page.getByRole('dialog', { name: dialog })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog', { name: dialog })).toHaveCount(0);
  }
  // A button that is about one agent does not open.
  await page.goto('/dashboard/catalog?open=missed-call-text-back');
  await expect(page.getByRole('button', { name: 'Request', exact: true })).toBeVisible();
  await choose('request an agent');
  await page.waitForURL(/\/dashboard\/requests/);
  await expect(page.getByRole('dialog', { name: 'Request an agent' }).getByText('Choose an agent')).toBeVisible();
  await page.keyboard.press('Escape');
  await choose('oak street dental');
  await page.waitForURL(/\/dashboard\/clients\/[0-9a-f-]{36}/);
  await expect(page.getByRole('heading', { level: 1, name: 'Oak Street Dental' })).toBeVisible();
  await Promise.all([page.keyboard.press('g'), page.keyboard.press('o')]);
  await page.waitForURL((url) => url.pathname === '/dashboard');
  await page.keyboard.press('ControlOrMeta+k');
  await expect(palette.getByRole('group', { name: 'Recent' }).getByRole('option', { name: /^Oak Street Dental/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/dashboard\/clients\/[0-9a-f-]{36}/);

  const { clients, agents } = await api.owner.getMyCounts();
  const rail = page.getByRole('navigation').first();
  await expect(rail.getByRole('link', { name: `Clients ${clients}` })).toBeVisible();
  await expect(rail.getByRole('link', { name: `Agents ${agents}` })).toBeVisible();
});

test('the first Tab offers to skip to the page', async ({ as }) => {
  const page = await as('client', '/client');
  await expectLoaded(page);
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to the page' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
});
