import { test } from './pages.ts';
import { expect, expectLoaded, test as withHistory } from './portal.ts';

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

withHistory(
  'screen readers are led to the heading of each page that is opened, also by Back, and left alone by a filter',
  async ({ as, page }) => {
    await as('owner', '/dashboard/usage');
    await expectLoaded(page);
    const reader = await page.context().newCDPSession(page);
    /** What a screen reader is at, and what it was given to read. */
    const isAt = async (place: string, said: string): Promise<void> =>
      expect
        .poll(async () => {
          const { nodes } = await reader.send('Accessibility.getFullAXTree');
          const at = nodes.findLast(({ properties }) => properties?.some(({ name, value }) => name === 'focused' && value.value === true));
          const status = nodes.filter(({ role }) => role?.value === 'status').flatMap(({ childIds }) => childIds ?? []);
          const texts = nodes.filter(({ nodeId }) => status.includes(nodeId)).map(({ name }) => String(name?.value));
          return `${at?.role?.value} ${at?.name?.value}${texts.includes(said) ? `, ${said}` : ''}`;
        })
        .toBe(`${place}, ${said}`);
    const rail = page.getByRole('navigation', { name: 'Main' });
    await rail.getByRole('link', { name: /^Runs/ }).focus();
    await page.keyboard.press('Enter');
    await isAt('heading Runs', 'Runs');
    await rail.getByRole('link', { name: /^Agents/ }).focus();
    await page.keyboard.press('Enter');
    await isAt('heading Agents', 'Agents');
    await page.goBack();
    await isAt('heading Runs', 'Runs');
    await page.keyboard.press('/');
    await page.keyboard.type('no such run');
    await page.waitForURL((url) => url.searchParams.get('q') === 'no such run');
    await expect(page.locator('[data-filter-text]')).toBeFocused();
    await page.goBack();
    await page.waitForURL(/dashboard\/usage/);
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  },
);
