import type { Page } from '@playwright/test';
import { newAgency, newClientUser, newMember } from './agency.ts';
import { test } from './pages.ts';
import { expect, expectGood, expectLoaded, logIn } from './portal.ts';

/** Opens a page of this user, as after a login, in a browser of its own when `page` is one. */
async function open(page: Page, email: string, path: string): Promise<void> {
  await page.goto(`/login?next=${encodeURIComponent(path)}`);
  await logIn(page, email);
  await page.waitForURL((url) => `${url.pathname}${url.search}` === path);
}

/** What browsers log for each refused request. */
const isRefusal = (line: string): boolean => line.includes('403');

test('a client requests its deletion; its agency rejects it with a note, then approves and keeps it', async ({
  page,
  api,
  address,
  complaints,
  otherBrowser,
}) => {
  const agency = await newAgency(page, address, api.staff, { hasSso: false });
  const client = await newClientUser(page, agency, 'Elm Street Bakery');
  const other = await otherBrowser();
  await open(other, client.email, '/client/settings?part=business');
  await open(page, agency.owner.email, `/dashboard/clients/${client.id}`);
  await page.getByRole('navigation', { name: 'Client' }).getByRole('link', { name: 'Settings' }).click();

  await test.step('the client asks', async () => {
    await other.getByRole('button', { name: 'Request deletion' }).click();
    const dialog = other.getByRole('dialog');
    await dialog.getByLabel('Reason').click();
    await other.keyboard.type('We close the shop');
    await dialog.getByLabel(/^Type/).click();
    await other.keyboard.type(client.name);
    await dialog.getByRole('button', { name: 'Request deletion' }).click();
    await expect(other.getByText(`Nothing stops until ${agency.name} has decided`)).toBeVisible();
    await expectGood(other);
  });
  await test.step('the agency rejects with a note, which the client reads', async () => {
    await page.reload();
    await expect(page.getByText('We close the shop')).toBeVisible();
    await page.getByRole('button', { name: 'Reject with a note' }).click();
    await page.keyboard.type('Please call us first');
    await page.getByRole('dialog').getByRole('button', { name: 'Reject deletion' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await other.reload();
    await expect(other.getByText('Please call us first')).toBeVisible();
  });
  await test.step('the agency deletes the client itself: suspended at once', async () => {
    await page.getByRole('button', { name: 'Delete client' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').click();
    await page.keyboard.type('Called: they close');
    await dialog.getByLabel(/^Type/).click();
    await page.keyboard.type(client.name);
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByText(`${client.name} is suspended. Everything is removed on`)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Resume' })).toHaveCount(0);
    await expectGood(page);
    await other.reload();
    await expect(other.getByRole('heading', { level: 1, name: `${client.name} will be deleted` })).toBeVisible();
    await expectGood(other);
  });
  await test.step('and keeps it after all: the client continues where it was', async () => {
    await page.getByRole('button', { name: 'Keep this client' }).click();
    await page.keyboard.type('They sold the shop instead');
    await page.getByRole('dialog').getByRole('button', { name: 'Reactivate' }).click();
    await expect(page.getByRole('button', { name: 'Delete client' })).toBeVisible();
    await other.reload();
    await expectLoaded(other);
    await expect(other.getByRole('heading', { level: 1, name: /will be deleted/ })).toHaveCount(0);
  });
  complaints.all = complaints.all.filter((line) => !isRefusal(line));
});

test('staff decide deletions and reactivations in the work queue by keys alone', async ({ as, api, address, page }) => {
  const leaving = await newAgency(page, address, api.staff, { hasSso: false });
  await leaving.api.requestDeletion({ body: { scope: 'partner', reason: 'We retire', confirmName: leaving.name } });
  const returning = await newAgency(page, address, api.staff, { hasSso: false });
  await api.staff.suspendPartner({ params: { id: returning.id }, body: { reason: 'Terms of use, section 4' } });
  await returning.api.requestReactivation({ body: { message: 'We removed the flow you named' } });
  await as('staff', '/admin');
  const items = page.getByRole('region', { name: 'Items' });
  const pane = page.getByRole('region', { name: 'The open item' });
  const item = (name: string) => items.getByRole('link').filter({ hasText: name });
  /** Presses the key until the item has the focus. */
  const walk = async (key: 'j' | 'k', name: string): Promise<void> => {
    await expect(item(name)).toBeVisible();
    const hasFocus = async () => String(await page.evaluate("document.activeElement?.closest('[data-item]')?.textContent")).includes(name);
    for (let left = await items.getByRole('link').count(); left > 0 && !(await hasFocus()); left--) await page.keyboard.press(key);
    await expect(item(name)).toBeFocused();
  };

  await test.step('R rejects a reactivation with a note that cannot be left out', async () => {
    await walk('j', returning.name);
    await page.keyboard.press('Enter');
    await expect(pane).toBeFocused();
    await expect(pane.getByText('We removed the flow you named')).toBeVisible();
    await page.keyboard.press('r');
    const dialog = page.getByRole('dialog', { name: `Reject the reactivation of ${returning.name}?` });
    await expect(dialog.getByLabel('Note')).toBeFocused();
    await expect(dialog.getByRole('button', { name: 'Reject reactivation' })).toHaveAttribute('aria-disabled', 'true');
    await page.keyboard.type('One flow is left');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(item(returning.name)).toHaveCount(0);
  });
  await test.step('A approves a deletion, and says in words what stops and when everything is removed', async () => {
    await walk('k', leaving.name);
    await expect(pane.getByText('We retire')).toBeVisible();
    await expect(pane.getByText(/^\d+ \w+, if approved today$/)).toBeVisible();
    await expectGood(page);
    await page.keyboard.press('a');
    const dialog = page.getByRole('dialog', { name: `Approve the deletion of ${leaving.name}?` });
    await expect(dialog.getByText(/^No agent is running. Everything is removed on \d+ \w+, unless/)).toBeVisible();
    await page.keyboard.type('Good luck');
    await page.keyboard.press('Tab');
    await expect(dialog.getByLabel(/^Type/)).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(dialog.getByRole('button', { name: 'Approve deletion' })).toHaveAttribute('aria-disabled', 'true');
    await page.keyboard.type(leaving.name);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await expect(dialog.getByRole('button', { name: 'Approve deletion' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(item(leaving.name)).toHaveCount(0);
  });
  const [rejected] = (await api.staff.listReactivationRequests({ query: { partnerId: returning.id } })).data;
  const [approved] = (await api.staff.listDeletionRequests({ query: { partnerId: leaving.id } })).data;
  expect([rejected?.status, rejected?.decisionNote]).toEqual(['rejected', 'One flow is left']);
  expect([approved?.status, approved?.decisionNote]).toEqual(['approved', 'Good luck']);
});

test('a suspended agency: one calm page for its admin, moderator and client, and back where they were', async ({
  page,
  api,
  address,
  complaints,
  otherBrowser,
}) => {
  const agency = await newAgency(page, address, api.staff, { hasSso: false });
  const moderator = await newMember(page, agency, 'Mo Moderator');
  const client = await newClientUser(page, agency, 'Ash Lane Florist');
  const second = await otherBrowser();
  const third = await otherBrowser();
  await open(page, agency.owner.email, '/dashboard/clients');
  await open(second, moderator, '/dashboard/agents');
  await open(third, client.email, '/client/activity');
  await api.staff.suspendPartner({ params: { id: agency.id }, body: { reason: 'Terms of use, section 4' } });

  await test.step('an open page becomes the page that says so, with the focus on it', async () => {
    await page.getByRole('link', { name: 'Agents' }).click();
    const heading = page.getByRole('heading', { level: 1, name: `${agency.name} is suspended` });
    await expect(heading).toBeFocused();
    await expect(page.getByText('Terms of use, section 4')).toBeVisible();
    await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link')).toHaveCount(4);
    await expectGood(page);
    for (const [name, path] of [
      ['Billing', '/dashboard/billing'],
      ['Profile', '/dashboard/settings/profile'],
    ] as const) {
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click();
      await page.waitForURL((url) => url.pathname === path);
      await expectLoaded(page);
      await expect(heading).toHaveCount(0);
    }
    await page.goto('/dashboard/agents');
  });
  await test.step('a moderator sees the same, and whom to ask', async () => {
    await second.reload();
    const ask = second.getByRole('button', { name: 'Request reactivation' });
    await expect(ask).toHaveAttribute('aria-disabled', 'true');
    await ask.focus();
    await expect(second.getByRole('tooltip').filter({ hasText: agency.owner.fullName })).toBeVisible();
    await second.keyboard.press('Escape');
    await expectGood(second);
  });
  await test.step('a client reads its agency’s name, and no other', async () => {
    await third.reload();
    await expect(third.getByRole('heading', { level: 1, name: `${agency.name} is paused` })).toBeVisible();
    await expect(third.getByText('Portal', { exact: true })).toHaveCount(0);
    await expect(third.getByText('Terms of use, section 4')).toHaveCount(0);
    await expectGood(third);
  });
  await test.step('the admin asks, staff approve, and every page continues without a reload', async () => {
    await page.getByRole('textbox', { name: 'Message' }).click();
    await page.keyboard.type('We removed the flow you named');
    await page.getByRole('button', { name: 'Request reactivation' }).click();
    await expect(page.getByText('This page continues by itself once the account is active.')).toBeVisible();
    const [asked] = (await api.staff.listReactivationRequests({ query: { partnerId: agency.id } })).data;
    await api.staff.approveReactivation({ params: { id: asked?.id ?? '' }, body: {} });
    for (const [tab, name] of [
      [page, 'Agents'],
      [second, 'Agents'],
      [third, 'Activity'],
    ] as const) {
      // As a person who comes back to the tab: it asks again at once instead of at its next poll.
      await tab.bringToFront();
      await tab.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
      await expect(tab.getByRole('heading', { level: 1, name })).toBeVisible();
    }
  });
  complaints.all = complaints.all.filter((line) => !isRefusal(line));
});
