import { readFile } from 'node:fs/promises';
import { test } from './pages.ts';
import { expect, expectGood, expectLoaded } from './portal.ts';

test('an export is followed until it is ready, and saved as a zip without a token in its address', async ({
  as,
  page,
  complaints: _watched,
}) => {
  const addresses: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/account-export/')) addresses.push(request.url());
  });
  await as('owner', '/dashboard/settings/account');
  await expectLoaded(page);
  await expectGood(page);
  await page.getByRole('button', { name: 'Export data' }).click();
  const table = page.getByRole('table', { name: 'Exports' });
  await expect(table).toBeVisible();
  const download = table.getByRole('button', { name: 'Download' });
  await expect(download.first()).toBeVisible({ timeout: 60_000 });
  await expect(table).toContainText(/Ready until \d+ \w+/);
  await expectGood(page);
  const saving = page.waitForEvent('download');
  await download.first().click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toMatch(/^northwind-studio-\d{4}-\d\d-\d\d\.zip$/);
  const bytes = await readFile(await saved.path());
  expect(bytes.subarray(0, 4).toString('latin1')).toBe('PK\u0003\u0004');
  expect(bytes.subarray(-22, -18).toString('latin1')).toBe('PK\u0005\u0006');
  expect(addresses.some((address) => address.endsWith('/download'))).toBe(true);
  expect(addresses.filter((address) => /token|ey[A-Za-z0-9]/.test(new URL(address).search))).toEqual([]);
});

test('the clients of a list are saved as CSV by its filters', async ({ as, page }) => {
  await as('owner', '/dashboard/clients?q=Oak');
  await expect(page.getByRole('table', { name: 'Clients' })).toBeVisible();
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export as CSV' }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toMatch(/^clients-\d{4}-\d\d-\d\d\.csv$/);
  const lines = (await readFile(await saved.path(), 'utf8')).trim().split('\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain('Oak Street Dental');
});
