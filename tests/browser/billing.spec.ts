import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { type NewAgency, newAgency } from './agency.ts';
import { type Api, expect, expectGood, logIn, test } from './portal.ts';

/** An agency on Starter (3 seats at $15 for a further one), its owner on a page about billing. */
async function openBilling(page: Page, address: string, api: Api, path = ''): Promise<NewAgency> {
  const agency = await newAgency(page, address, api.staff, { hasSso: false });
  await page.goto(`/login?next=/dashboard/billing${path}`);
  await logIn(page, agency.owner.email);
  await page.waitForURL((url) => url.pathname === `/dashboard/billing${path}`);
  return agency;
}

test('seats are bought after their cost is shown, used at once, released and kept', async ({
  page,
  api,
  address,
  complaints: _watched,
}) => {
  const agency = await openBilling(page, address, api);
  const seats = page.getByRole('meter', { name: 'Seats in use' });
  await expect(seats).toHaveAttribute('aria-valuemax', '3');
  await expect(page.getByRole('button', { name: 'Release seats' })).toHaveAttribute('aria-disabled', 'true');

  await page.getByRole('button', { name: 'Buy seats' }).click();
  const buying = page.getByRole('dialog', { name: 'Buy seats' });
  await buying.getByLabel('Seats', { exact: true }).fill('0');
  await expect(buying.getByRole('button', { name: 'Buy seats' })).toHaveAttribute('aria-disabled', 'true');
  await buying.getByLabel('Seats', { exact: true }).fill('2');
  const costs = buying.getByRole('group', { name: 'What it costs' });
  await expect(costs).toContainText('$30.00 more a month');
  await expect(costs).toContainText('3 → 5');
  await expectGood(page);
  // A workspace of today: the whole period is left.
  await buying.getByRole('button', { name: 'Buy 2 seats for $30.00' }).click();
  await expect(page.getByText('2 seats bought.')).toBeVisible();
  await expect(seats).toHaveAttribute('aria-valuemax', '5');
  await expect(page.getByRole('table', { name: 'Next invoice' })).toContainText('Extra seats');
  for (const name of ['ann', 'ben', 'cat', 'dan'])
    await agency.api.createInvitation({ body: { kind: 'team', email: `${name}@${agency.slug}.example` } });

  await page.reload();
  await expect(page.getByRole('button', { name: 'Release seats' })).toHaveAttribute('aria-disabled', 'true');
  await agency.api.revokeInvitation({ params: { id: (await agency.api.listInvitations()).data[0]?.id ?? '' } });
  await page.reload();
  await page.getByRole('button', { name: 'Release seats' }).click();
  const releasing = page.getByRole('dialog', { name: 'Release seats' });
  await expect(releasing.getByText('1 at most')).toBeVisible();
  await expect(releasing.getByRole('group', { name: 'What it costs' })).toContainText('$15.00 less a month');
  await expectGood(page);
  await releasing.getByRole('button', { name: 'Release 1 seat' }).click();
  await expect(page.getByText('1 seat ends on').first()).toBeVisible();
  await page.getByRole('button', { name: 'Keep it' }).click();
  await expect(page.getByText('All seats stay.')).toBeVisible();
  expect((await agency.api.getBilling()).subscription.pendingSeatRelease).toBe(0);

  await page.getByRole('link', { name: 'Invoices & orders' }).click();
  await expect(page.getByRole('table', { name: 'Orders' })).toContainText('2 seats');
});

test('credits are bought in packs, and their ledger entry leads to the order', async ({ page, api, address, complaints: _watched }) => {
  await openBilling(page, address, api);
  await page.getByRole('button', { name: 'Buy credits' }).click();
  const buying = page.getByRole('dialog', { name: 'Buy credits' });
  await expect(buying.getByRole('radio', { name: /1,000 credits/ })).toBeChecked();
  await buying.getByLabel('Packs').fill('3');
  await expect(buying.getByRole('group', { name: 'What it costs' })).toContainText('2,000 → 5,000');
  await expectGood(page);
  await buying.getByRole('button', { name: 'Buy 3,000 credits for $87.00' }).click();
  await expect(page.getByText('3,000 credits bought.')).toBeVisible();
  await expect(page.getByRole('meter', { name: 'Credits used', exact: true })).toHaveAttribute('aria-valuemax', '5000');
  await page.getByRole('link', { name: 'Usage', exact: true }).first().click();
  await page.getByRole('link', { name: '3 × 1,000 credits' }).click();
  await expect(page.getByRole('row').filter({ hasText: '3 × 1,000 credits' })).toHaveAttribute('data-selected', '');
});

test('an invoice is listed when it is issued, opened with its lines, and saved as a PDF without a token in the address', async ({
  page,
  api,
  address,
  complaints: _watched,
}) => {
  const agency = await openBilling(page, address, api, '/invoices');
  await expect(page.getByText('No invoices yet')).toBeVisible();
  const [draft] = (await api.staff.listInvoices({ query: { partnerId: agency.id } })).data;
  const { number } = await api.staff.issueInvoice({ params: { id: draft?.id ?? '' } });
  await page.reload();
  const link = page.getByRole('link', { name: `Invoice ${number}` });
  const before = page.viewportSize();
  await page.setViewportSize({ width: 360, height: 844 });
  await expect(link).toBeVisible();
  expect(await link.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth), 'its number is whole on a phone').toBe(true);
  if (before) await page.setViewportSize(before);
  await link.click();
  const drawer = page.getByRole('dialog', { name: `Invoice ${number}` });
  await expect(drawer.getByRole('table', { name: 'Lines' })).toContainText('Starter');
  await expectGood(page);
  const answered = page.waitForResponse((response) => response.url().endsWith('/pdf'));
  const saved = page.waitForEvent('download');
  await drawer.getByRole('button', { name: 'PDF' }).click();
  const response = await answered;
  const request = response.request();
  expect([request.url(), ((await request.allHeaders())['authorization'] ?? '').startsWith('Bearer ')]).toEqual([
    `${address}/billing/invoices/${draft?.id}/pdf`,
    true,
  ]);
  const file = await saved;
  expect(file.suggestedFilename()).toBe(`invoice-${number}.pdf`);
  const bytes = readFileSync(await file.path());
  expect(bytes.subarray(0, 5).toString('latin1')).toBe('%PDF-');
  expect(bytes.equals(await response.body()), 'the file as it was sent').toBe(true);
});
