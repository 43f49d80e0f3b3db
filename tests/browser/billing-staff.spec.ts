import type { Page } from '@playwright/test';
import type { System } from '../harness/system.ts';
import { type Api, expect, expectAccessible, expectGood, expectLoaded, holdMessages, test, readAlone } from './portal.ts';

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

/** Issues the draft of an agency and lets it have been due days ago, as if it had been issued long before. */
async function makeOverdue(api: Api, system: System, id: string, days: number): Promise<void> {
  await api.staff.issueInvoice({ params: { id } });
  await system.query(`set local session_replication_role = replica;
    update invoice set issued_at = now() - interval '${days + 14} days', due_at = now() - interval '${days} days' where id = '${id}'`);
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
  held.resolve();
  await page.waitForResponse(/\/billing\/invoices\?.*status=draft/);
  await expect(row).toHaveCount(1);
  await expect(row).toContainText('Issued');
});

test('several selected drafts are issued together', async ({ as, api }) => {
  const both = [await newAgency(api), await newAgency(api)];
  const page = await as('staff', '/admin/invoices?show=draft');
  for (const { name } of both) await page.getByRole('checkbox', { name: `Select the draft of ${name}` }).click();
  await page.keyboard.press('i');
  const asked = page.getByRole('dialog', { name: 'Issue 2 invoices?' });
  for (const { name } of both) await expect(asked.getByText(name)).toBeVisible();
  await asked.getByRole('button', { name: 'Issue 2 invoices' }).click();
  await expect(asked).toHaveCount(0);
  await expect(page.getByRole('button', { name: /^Issue 2/ })).toHaveCount(0);
  for (const { draftId } of both) expect((await api.staff.getInvoice({ params: { id: draftId } })).status).toBe('issued');
});

test('overdue invoices come first, the longest on top, and staff see them from the work queue', async ({ as, api, system }) => {
  const [late, later] = [await newAgency(api), await newAgency(api)];
  await newAgency(api);
  await makeOverdue(api, system, late.draftId, 3);
  await makeOverdue(api, system, later.draftId, 400);
  const page = await as('staff', '/admin');
  await page.getByRole('link', { name: /overdue.*400 days/ }).click();
  await expect(page).toHaveURL(/show=overdue/);
  await expect(rowsOf(page, 'Invoices').filter({ hasText: late.name })).toContainText('Overdue 3 days');
  await page.getByRole('button', { name: 'Remove filter State' }).click();
  const rows = rowsOf(page, 'Open invoices');
  await expect(rows.first()).toContainText(later.name);
  const order = await page.getByRole('table', { name: 'Open invoices' }).locator('[data-group]').allTextContents();
  expect(order.map((text) => text.split(':')[0]).slice(0, 2)).toEqual(['Overdue', 'Drafts']);
  for (const { draftId } of [late, later])
    await api.staff.payInvoice({ params: { id: draftId }, body: { reference: 'settled by the test' } });
});

test('a credit note takes back all of an invoice, and the invoice names it', async ({ as, api }) => {
  const agency = await newAgency(api);
  await api.staff.issueInvoice({ params: { id: agency.draftId } });
  const page = await as('staff', `/admin/invoices?invoice=${agency.draftId}`);
  const drawer = page.getByRole('dialog', { name: /^Invoice \d/ });
  await drawer.getByRole('button', { name: 'Credit' }).click();
  const asked = page.getByRole('dialog', { name: /^Credit note for invoice/ });
  await asked.getByRole('button', { name: 'Credit all of it' }).click();
  await expect(asked.getByText('$99.00 before tax')).toBeVisible();
  await asked.getByLabel('Reason').fill('Opened twice');
  await asked.getByRole('button', { name: 'Issue credit note' }).click();
  await expect(asked).toHaveCount(0);
  await expect(drawer.getByText('Credited by', { exact: true })).toBeVisible();
  const { creditNotes } = await api.staff.getInvoice({ params: { id: agency.draftId } });
  expect(creditNotes.map(({ totalMinor }) => totalMinor)).toEqual([-9900]);
});

test('an adjustment of credits needs a note, takes effect at once and stays in the ledger', async ({ as, api }) => {
  const agency = await newAgency(api);
  const page = await as('staff', `/admin/partners/${agency.id}/billing`);
  await page.getByRole('button', { name: 'More actions for the terms' }).click();
  await page.getByRole('menuitem', { name: 'Adjust credits or seats' }).click();
  const asked = page.getByRole('dialog', { name: 'Adjust credits or seats' });
  await expect(asked.getByLabel('Credits to add')).toBeFocused();
  await page.keyboard.type('250');
  await expect(asked.getByText('Purchased credits: 0, then 250')).toBeVisible();
  await asked.getByRole('button', { name: 'Adjust' }).click();
  await expect(asked.getByLabel('Note')).toBeFocused();
  await asked.getByLabel('Note').fill('Goodwill for the outage');
  await asked.getByRole('button', { name: 'Adjust' }).click();
  await expect(asked).toHaveCount(0);
  await expect(rowsOf(page, 'Ledger').filter({ hasText: 'Goodwill for the outage' })).toContainText('+250');
  await expect(page.getByText('250 purchased')).toBeVisible();
});

test('a change of plan shows what it charges before it is made; a smaller plan waits and can be withdrawn', async ({ as, api }) => {
  const agency = await newAgency(api);
  const page = await as('staff', `/admin/partners/${agency.id}/billing`);
  const choose = async (plan: string): Promise<void> => {
    await page.getByRole('button', { name: 'Change terms' }).first().click();
    const drawer = page.getByRole('dialog', { name: 'Change terms' });
    await drawer.getByLabel('Plan', { exact: true }).click();
    await page.getByRole('option', { name: plan }).click();
  };
  const confirm = page.getByRole('dialog', { name: 'Change terms' }).getByRole('button', { name: 'Change terms' });
  await choose('Growth');
  await expect(page.getByText('It takes effect at once. $200.00 is charged')).toBeVisible();
  await expect(page.getByRole('table', { name: 'Charged by the change' })).toContainText('−$99.00');
  await expectGood(page);
  await confirm.click();
  await expect(page.getByRole('row', { name: /Price per month/ })).toContainText('$299.00');
  await choose('Starter');
  await expect(page.getByText(/It takes effect on .*\$99\.00 a month from then on/)).toBeVisible();
  await confirm.click();
  await expect(page.getByText(/^Starter from/)).toBeVisible();
  await page.getByRole('button', { name: 'Keep Growth' }).click();
  await expect(page.getByText(/^Starter from/)).toHaveCount(0);
  expect((await api.staff.getBilling({ query: { partnerId: agency.id } })).subscription.pendingPlan).toBe(null);
});

test('an override is marked beside the value of the plan', async ({ as, api }) => {
  const agency = await newAgency(api);
  const page = await as('staff', `/admin/partners/${agency.id}/billing?edit=terms`);
  const drawer = page.getByRole('dialog', { name: 'Change terms' });
  await drawer.getByText('Override plan terms').click();
  await drawer.getByLabel('Price per month (USD)').fill('149.50');
  await expect(drawer.getByText('$149.50 a month')).toBeVisible();
  await drawer.getByRole('button', { name: 'Change terms' }).click();
  const price = page.getByRole('row', { name: /Price per month/ });
  await expect(price).toContainText('Override');
  await expect(price).toContainText('$149.50');
  await expect(price).toContainText('$99.00');
});

test('the payment clock is paused with a reason and runs again', async ({ as, api, page }) => {
  await holdMessages(page);
  const agency = await newAgency(api);
  await as('staff', `/admin/partners/${agency.id}/billing`);
  await page.getByRole('button', { name: 'Pause the clock' }).click();
  const asked = page.getByRole('dialog', { name: 'Pause the payment clock?' });
  await asked.getByLabel('Reason').fill('Their transfer is under way');
  await asked.getByRole('button', { name: 'Pause the clock' }).click();
  await expect(page.getByText('Their transfer is under way')).toBeVisible();
  await page.getByRole('button', { name: 'Resume the clock' }).click();
  await expect(page.getByText('The payment clock runs again.')).toBeVisible();
  await expect(page.getByText('Their transfer is under way')).toHaveCount(0);
});

test('an approval of another plan shows what it charges, with the plan’s price overridden', async ({ as, api }) => {
  const plans = await api.staff.listAllPlans();
  const planId = plans.find(({ name }) => name === 'Scale')?.id;
  const request = await api.owner.createPlanRequest({ body: { kind: 'change', ...(planId ? { planId } : {}), message: 'We grow.' } });
  const page = await as('staff', `/admin?item=plan_request.${request.id}`);
  await expectLoaded(page);
  await expect(page.getByRole('button', { name: /^Approve/ })).toBeVisible();
  await page.keyboard.press('a');
  const asked = page.getByRole('dialog', { name: /^New terms for/ });
  await expect(asked.getByText(/It takes effect at once/)).toBeVisible();
  await asked.getByText('Override plan terms').click();
  await asked.getByLabel('Price per month (USD)').fill('899');
  await expect(asked.getByText('$899.00', { exact: true }).first()).toBeVisible();
  await page.keyboard.press('Escape');
  await api.owner.cancelPlanRequest({ params: { id: request.id } });
});

test('staff see which agencies use most, as a picture and as a table', async ({ as, api, system }) => {
  const agency = await newAgency(api);
  await system.query(
    `insert into workflow_hour (partner_id, workflow_id, hour, succeeded, failed, credits)
     values ($1, gen_random_uuid(), date_trunc('hour', now()), 90400, 3, 90400),
       ($1, gen_random_uuid(), date_trunc('hour', now() - interval '1 day'), 60, 40, 60)`,
    [agency.id],
  );
  const page = await as('staff', '/admin/usage');
  await expect(page.getByRole('img', { name: 'Agencies with most credits' })).toBeVisible();
  await expectGood(page);
  await page.getByRole('button', { name: 'Show as table: Agencies with most credits' }).focus();
  await page.keyboard.press('Enter');
  const first = page.getByRole('table', { name: 'Agencies with most credits' }).locator('tbody tr').first();
  await expect(first.locator('td')).toHaveText([agency.name, '90,460', '90,503', '43']);
  await expectAccessible(page, 'dark');
  await expect(page.getByRole('table', { name: 'Credits by kind' }).getByRole('cell', { name: 'Run', exact: true })).toBeVisible();

  await page.getByRole('table', { name: 'Credits by agency' }).getByRole('link', { name: agency.name }).click();
  await expect(page).toHaveURL(new RegExp(`/admin/partners/${agency.id}/billing`));
});

test('staff see how the runs of an agency succeed by day, and its days on its own page', async ({ as, api, system }) => {
  const agency = await newAgency(api);
  const yesterday = "date_trunc('hour', now() - interval '1 day')";
  await system.query(
    `insert into workflow_hour (partner_id, workflow_id, hour, succeeded, failed, credits)
     values ($1, gen_random_uuid(), date_trunc('hour', now()), 9, 1, 9), ($1, gen_random_uuid(), ${yesterday}, 3, 1, 3)`,
    [agency.id],
  );
  const page = await as('staff', `/admin/usage?partner=${agency.id}&span=7d`);
  await page.getByRole('button', { name: 'Show as table: Share of succeeded runs per day' }).focus();
  await page.keyboard.press('Enter');
  const rows = page.getByRole('table', { name: 'Share of succeeded runs per day' }).locator('tbody tr');
  await expect(rows.last().locator('td')).toHaveText([/.+/, '90%', '10', '1']);
  await expect(rows.nth(5).locator('td')).toHaveText([/.+/, '75%', '4', '1']);
  await expect(rows.first().locator('td')).toHaveText([/.+/, '–', '0', '0']);
  await expectGood(page);
  await page.goto(`/admin/partners/${agency.id}`);
  await expect(page.getByRole('img', { name: 'Runs per day' })).toBeVisible();
  await expectGood(page);
  await page.getByRole('link', { name: '12 credits' }).click();
  await expect(page).toHaveURL(new RegExp(`/admin/usage\\?partner=${agency.id}`));
});
