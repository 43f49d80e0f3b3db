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
  await expect(page.getByRole('option', { name: /^Northwind Studio Partner/ })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/admin\/partners\/[0-9a-f-]{36}$/);
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog', { name: 'Keys' })).toHaveCount(0);
});

test('the first Tab offers to skip to the page', async ({ as }) => {
  const page = await as('client', '/client');
  await expectLoaded(page);
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to the page' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
});
