import type { Page } from '@playwright/test';
import { type Api, expect, test, readAlone } from './portal.ts';

let agencies = 0;

/** An agency on a paid plan, whose first invoice is a draft. */
async function newAgency(api: Api, planName = 'Starter') {
  const plans = await api.staff.listAllPlans();
  const slug = `billed-${++agencies}-${process.pid}`;
  const body = {
    name: `Agency ${slug}`,
    slug,
    ownerName: 'Ada Owner',
    ownerEmail: `ada@${slug}.example`,
    planId: plans.find(({ name }) => name === planName)?.id ?? '',
  };
  const { partner } = await api.staff.createPartner({ body });
  const [draft] = (await api.staff.listInvoices({ query: { partnerId: partner.id } })).data;
  return { ...partner, draftId: draft?.id ?? '' };
}

const rowsOf = (page: Page, table: string) => page.getByRole('table', { name: table }).locator('[data-row]');

test('staff issue a draft and record its payment by keys alone', async ({ as, api }) => {
  const agency = await newAgency(api);
  const page = await as('staff', `/admin/invoices?partner=${agency.id}`);
  const row = rowsOf(page, 'Open invoices');
  await expect(row).toHaveCount(1);
  await expect(row).toContainText('Draft');
  await page.keyboard.press('j');
  await page.keyboard.press('i');
  const asked = page.getByRole('dialog', { name: `Issue the invoice to ${agency.name}?` });
  await expect(asked.getByRole('button', { name: 'Keep as draft' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(asked).toHaveCount(0);
  await expect(row).toContainText('Issued');
  await expect(row).toContainText(/\d{4}-\d{6}/);
  await expect(row).toBeFocused();
  await page.keyboard.press('p');
  await expect(page.getByLabel('Reference')).toBeFocused();
  await page.keyboard.type('SEPA 4711');
  await page.keyboard.press('Enter');
  await expect(page.getByText('This agency owes nothing and has no draft.')).toBeVisible();
  const paid = await api.staff.getInvoice({ params: { id: agency.draftId } });
  expect([paid.status, paid.paidReference]).toEqual(['paid', 'SEPA 4711']);
});

test('an invoice is one row while the lists it leaves and enters are read again', async ({ as, api, page }) => {
  const agency = await newAgency(api);
  await readAlone(page);
  await as('staff', `/admin/invoices?partner=${agency.id}`);
  const row = rowsOf(page, 'Open invoices');
  await expect(row).toContainText('Draft');
  const held = Promise.withResolvers<void>();
  await page.route(/\/billing\/invoices\?.*status=draft/, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.keyboard.press('j');
  await page.keyboard.press('i');
  await page
    .getByRole('button', { name: /^Issue/ })
    .last()
    .click();
  await expect(row.filter({ hasText: 'Issued' })).toHaveCount(1);
  await expect(row).toHaveCount(1);
  const answered = page.waitForResponse(/\/billing\/invoices\?.*status=draft/);
  held.resolve();
  await answered;
  await expect(row).toHaveCount(1);
  await expect(row).toContainText('Issued');
});

test('an adjustment of credits needs a note, takes effect at once and stays in the ledger', async ({ as, api }) => {
  const agency = await newAgency(api);
  const page = await as('staff', `/admin/partners/${agency.id}/billing`);
  await page.getByRole('button', { name: 'More actions for the terms' }).click();
  await page.getByRole('menuitem', { name: 'Adjust credits or seats' }).click();
  const asked = page.getByRole('dialog', { name: 'Adjust credits or seats' });
  await expect(asked.getByLabel('Credits to add')).toBeFocused();
  await page.keyboard.type('250');
  await expect(asked.getByText('Purchased credits left: 0, then 250')).toBeVisible();
  await asked.getByRole('button', { name: 'Adjust' }).click();
  await expect(asked.getByLabel('Note')).toBeFocused();
  await asked.getByLabel('Note').fill('Goodwill for the outage');
  await asked.getByRole('button', { name: 'Adjust' }).click();
  await expect(asked).toHaveCount(0);
  await expect(rowsOf(page, 'Ledger').filter({ hasText: 'Goodwill for the outage' })).toContainText('+250');
  await expect(page.getByText('250 purchased')).toBeVisible();
});
