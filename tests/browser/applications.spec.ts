import type { Browser, Page } from '@playwright/test';
import { expect, expectGood, logIn, PEOPLE, test } from './portal.ts';

/** A name that no other test has, so that its item in the queue is ours. */
const newName = (word: string): string => `${word} ${Date.now().toString(36)}`;

/** Staff at their work queue, in a browser of their own. */
async function staffAtQueue(browser: Browser, address: string): Promise<Page> {
  const page = await (await browser.newContext({ baseURL: address })).newPage();
  await page.goto('/login');
  await logIn(page, PEOPLE.staff.email);
  await page.waitForURL((url) => url.pathname === '/admin');
  return page;
}

/**
 * Opens the item of that title by keyboard, with its actions. `row` is the text of its line in the list, which holds what other tests left too:
 * pressing J for each of them would take minutes.
 */
async function openItem(page: Page, name: string, row: string | RegExp = name): Promise<void> {
  await page.getByRole('region', { name: 'Items' }).getByRole('link', { name: row }).focus();
  await page.keyboard.press('Enter');
  const open = page.getByRole('region', { name: 'The open item' });
  await expect(open.getByRole('heading', { level: 2, name })).toBeVisible();
  await expect(open.getByRole('button', { name: /^Approve/ })).toBeVisible();
}

async function fillApplication(page: Page, company: string, email: string): Promise<void> {
  await page.getByLabel('Your name').fill('Ana Ortiz');
  await page.getByLabel('Work e-mail').fill(email);
  await page.getByLabel('Agency', { exact: true }).fill(company);
  await page.getByLabel('Website').fill('brightline.example');
  await page.getByLabel('How many clients do you have?').fill('14');
  await page.getByLabel('Anything we should know?').fill('Mostly dentists.');
  await page.getByLabel(/^I accept the terms/).check();
}

test('an agency applies, staff approve by keyboard, and its owner sets a password and comes in', async ({
  page,
  browser,
  address,
  complaints,
}) => {
  const company = newName('Brightline');
  const email = `ana@${company.replace(' ', '-').toLowerCase()}.example`;
  await page.goto('/');
  await page.getByRole('link', { name: 'Apply for Growth' }).click();
  await expect(page.getByRole('radio', { name: /^Growth/ })).toBeChecked();

  await page.getByRole('button', { name: 'Send application' }).click();
  await expect(page.getByRole('alert')).toContainText('4 fields need attention.');
  await expect(page.getByLabel('Your name')).toBeFocused();
  await expectGood(page);
  await fillApplication(page, company, email);
  await page.reload();
  await expect(page.getByLabel('Agency', { exact: true })).toHaveValue(company);
  await expect(page.getByRole('radio', { name: /^Growth/ })).toBeChecked();
  await page.getByRole('button', { name: 'Send application' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'We received your application' })).toBeFocused();
  await expect(page.getByText(email)).toBeVisible();
  await expectGood(page);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'We received your application' })).toBeVisible();

  const staff = await staffAtQueue(browser, address);
  await openItem(staff, company);
  await expect(staff.getByText('Mostly dentists.', { exact: true })).toBeVisible();
  await staff.keyboard.press('m');
  await expect(staff.getByText('Yours')).toBeVisible();
  await staff.keyboard.press('a');
  const dialog = staff.getByRole('dialog', { name: `Approve ${company}` });
  await expect(dialog.getByLabel('Slug')).toHaveValue(company.replace(' ', '-').toLowerCase());
  await expect(dialog.getByRole('button', { name: 'Plan' })).toBeFocused();
  await expectGood(staff);
  await staff.keyboard.press('Tab');
  await staff.keyboard.press('Enter');
  const ready = staff.getByRole('dialog', { name: `${company} is ready` });
  const link = (await ready.locator('code').first().textContent()) ?? '';
  await expectGood(staff);
  await ready.getByRole('button', { name: 'Done' }).click();
  await expect(staff.getByRole('link', { name: company })).toHaveCount(0);
  await staff.context().close();

  await page.goto(new URL(link).pathname);
  await expect(page.getByRole('heading', { name: `Join ${company}` })).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill('eleven blue herons wading');
  await page.getByRole('button', { name: 'Set password and log in' }).click();
  await page.waitForURL((url) => url.pathname === '/dashboard');
  await expect(page.getByRole('navigation', { name: 'Main' }).first()).toContainText(company);
  expect(complaints.all).toEqual([]);
});

test('staff reject a trial with a note they cannot leave out, and the next item takes its place', async ({
  page,
  browser,
  address,
  api,
}) => {
  const company = newName('Two Rivers');
  await page.goto('/signup');
  await page.getByRole('switch', { name: 'Start with a trial' }).click();
  await expect(page.getByRole('radio')).toHaveCount(0);
  await fillApplication(page, company, `bea@${company.replaceAll(' ', '-').toLowerCase()}.example`);
  await page.getByRole('button', { name: 'Apply for a trial' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'We received your application' })).toBeVisible();

  const staff = await staffAtQueue(browser, address);
  await openItem(staff, company);
  await staff.keyboard.press('r');
  const dialog = staff.getByRole('dialog', { name: `Reject ${company}?` });
  await expect(dialog.getByLabel('Note')).toBeFocused();
  await expect(dialog.getByRole('button', { name: 'Reject' })).toHaveAttribute('aria-disabled', 'true');
  await staff.keyboard.type('We take no more agencies this month.');
  await dialog.getByRole('button', { name: 'Reject' }).click();
  await expect(staff.getByRole('link', { name: company })).toHaveCount(0);
  await expect(staff.getByRole('heading', { level: 2, name: company })).toHaveCount(0);
  await staff.context().close();
  const { data } = await api.staff.listPlanRequests({ query: { kind: 'trial', status: 'rejected' } });
  expect(data.find((one) => one.applicant.companyName === company)?.decisionNote).toBe('We take no more agencies this month.');
});

test('an agency asks for a plan, takes it back, asks again, and staff give it the terms', async ({
  as,
  page: _page,
  browser,
  address,
  api,
}) => {
  const page = await as('owner', '/dashboard/billing');
  const ask = async (): Promise<void> => {
    await page.getByRole('link', { name: 'Compare plans' }).click();
    await page.getByRole('radio', { name: /Custom terms/ }).check();
    await page.getByLabel('Seats', { exact: true }).fill('40');
    await page.getByLabel('Reason').fill('The team grows.');
    await expectGood(page);
    await page.getByRole('button', { name: 'Send request' }).click();
    await expect(page.getByText('You asked for 40 seats')).toBeVisible();
  };
  await ask();
  await page.getByRole('button', { name: 'Cancel request' }).click();
  await expect(page.getByText('You asked for 40 seats')).toHaveCount(0);
  await ask();

  const staff = await staffAtQueue(browser, address);
  await openItem(staff, 'Other terms for Northwind Studio', /Northwind Studio Plan request/);
  await staff.keyboard.press('a');
  const dialog = staff.getByRole('dialog', { name: 'New terms for Northwind Studio' });
  await expect(dialog.getByLabel('Seats')).toHaveValue('40');
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await expect(staff.getByRole('link', { name: /Plan request/ })).toHaveCount(0);
  await staff.context().close();
  const { data } = await api.owner.listPlanRequests({ query: { limit: 2 } });
  expect(data.map(({ status }) => status)).toEqual(['approved', 'cancelled']);
});
