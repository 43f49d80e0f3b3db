import { test } from './pages.ts';
import { expect } from './portal.ts';

test('the schemas are loaded once a field is edited, and a form works without them', async ({ as, complaints }) => {
  const page = await as('owner', '/dashboard/settings');
  let loads = 0;
  await page.route(/\/assets\/schemas-/, (route) => {
    loads += 1;
    return route.abort();
  });
  const colour = page.getByRole('textbox', { name: 'Brand colour', exact: true });
  await expect(colour).toBeVisible();
  expect(loads).toBe(0);
  await colour.fill('blue');
  await page.getByRole('button', { name: 'Save changes' }).click();
  // The answer of the service.
  await expect(page.getByText('Use a colour such as #1f4e8c.')).toBeVisible();
  await expect(colour).toBeFocused();
  expect(loads).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByText('Use a colour such as #1f4e8c.')).toHaveCount(0);
  await expect(page.getByText('Everything is saved.')).toBeVisible();
  // The browser reports every refused request.
  complaints.all = complaints.all.filter((line) => !line.includes('422') && !line.includes('ERR_FAILED'));
});
