import { PURGE_STEPS } from '@partner-portal/contract/vocabulary.ts';
import type { Page } from '@playwright/test';
import { newAgency, newClientUser, newMember } from './agency.ts';
import { test } from './pages.ts';
import { expect, expectGood, expectLoaded, logIn } from './portal.ts';

/** Opens a page of this user, as after a login, in a browser of its own when `page` is one. */
async function open(page: Page, email: string, path: string): Promise<void> {
  await page.goto(`/login?next=${encodeURIComponent(path)}`);
  await logIn(page, email);
  await page.waitForURL((url) => url.pathname === path);
}

/** What browsers log for each refused request. */
const isRefusal = (line: string): boolean => line.includes('403');

test('an agency requests its deletion by keys, reads what stops and when, and withdraws', async ({
  page,
  api,
  address,
  complaints: _watched,
}) => {
  const agency = await newAgency(page, address, api.staff, { hasSso: false });
  await open(page, agency.owner.email, '/dashboard/settings/account');
  await expect(page.getByText(/No agent is running/)).toBeVisible();
  await expectGood(page);
  await page.getByRole('button', { name: 'Request deletion' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: `Delete ${agency.name}?` });
  await expect(dialog.getByText(/everything is removed on \d+ \w+/)).toBeVisible();
  // The safe button has the focus; the form is before it.
  await expect(dialog.getByRole('button', { name: 'Keep it' })).toBeFocused();
  const send = dialog.getByRole('button', { name: 'Request deletion' });
  await expect(send).toHaveAttribute('aria-disabled', 'true');
  await expectGood(page);
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.type(agency.name);
  await expect(send).toHaveAttribute('aria-disabled', 'true');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.type('We merge with another agency');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText(/You requested the deletion/)).toBeVisible();
  await expect(page.getByText('We merge with another agency')).toBeVisible();
  await expectGood(page);
  await page.getByRole('button', { name: 'Withdraw request' }).click();
  await expect(page.getByRole('button', { name: 'Request deletion' })).toBeVisible();
  const { data } = await agency.api.listDeletionRequests({ query: { scope: 'partner' } });
  expect(data.map(({ status }) => status)).toEqual(['cancelled']);
});

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
  await open(other, client.email, '/client/settings');
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
    await expect(other.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
    await other.getByRole('link', { name: 'Account' }).first().click();
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

test('staff find a deletion among all requests, and approve it by keys with the name typed', async ({ as, api, address, page }) => {
  const agency = await newAgency(page, address, api.staff, { hasSso: false });
  await agency.api.requestDeletion({ body: { scope: 'partner', reason: 'We retire', confirmName: agency.name } });
  await as('staff', '/admin/account-requests?status=pending');
  const row = page.getByRole('row').filter({ hasText: agency.name });
  await expect(row).toBeVisible();
  await page.keyboard.press('j');
  await expect(row).toBeFocused();
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('dialog', { name: `Deletion of ${agency.name}` });
  await expect(drawer.getByText('We retire')).toBeVisible();
  await expectGood(page);
  await drawer.getByRole('button', { name: 'Approve deletion' }).focus();
  await page.keyboard.press('Enter');
  const asked = page.getByRole('dialog', { name: `Delete ${agency.name}?` });
  await expect(asked.getByText(/Everything is removed on \d+ \w+/)).toBeVisible();
  await expect(asked.getByRole('button', { name: 'Back' })).toBeFocused();
  await asked.getByLabel(/^Type/).focus();
  await page.keyboard.type(agency.name);
  await page.keyboard.press('Enter');
  await expect(row).toHaveCount(0);
  await page.goto(`/admin/partners/${agency.id}/account`);
  await expect(page.getByText(`${agency.name} is suspended and is removed on`)).toBeVisible();
  await expectGood(page);
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

test('a purge that waits for the engine says so, and what follows by itself', async ({ as, api, address, page, system }) => {
  const agency = await newAgency(page, address, api.staff, { hasSso: false });
  const { id } = await agency.api.requestDeletion({ body: { scope: 'partner', reason: 'We retire', confirmName: agency.name } });
  await api.staff.approveDeletion({ params: { id }, body: {} });
  // As a worker leaves it after its third try; claimed, so that the sweep does not continue it.
  await system.query(
    `with due as (update deletion_request set purge_after = now() - interval '1 hour' where id = $1 returning id, partner_id),
      begun as (insert into purge (deletion_request_id, partner_id, status, waiting_for, started_at, claimed_by, claimed_until)
        select id, partner_id, 'waiting', 'engine', now(), gen_random_uuid(), now() + interval '1 day' from due
        returning deletion_request_id, partner_id)
      insert into purge_step (deletion_request_id, position, partner_id, name, status, tries, problem, started_at)
      select b.deletion_request_id, s.position, b.partner_id, s.name, case when s.position = 1 then 'waiting' else 'pending' end,
        case when s.position = 1 then 3 else 0 end, case when s.position = 1 then 'The engine did not answer.' end,
        case when s.position = 1 then now() end
      from begun b, unnest($2::text[]) with ordinality as s(name, position)`,
    [id, [...PURGE_STEPS]],
  );
  await as('staff', `/admin/partners/${agency.id}/account`);
  await expect(page.getByText('Waiting for the engine.', { exact: true })).toBeVisible();
  const steps = page.getByRole('list').filter({ hasText: 'Remove agents from the engine' }).getByRole('listitem');
  await expect(steps).toHaveCount(PURGE_STEPS.length);
  await expect(steps.first()).toContainText('3 tries');
  await expect(steps.first()).toContainText('The engine did not answer.');
  await expect(steps.first().getByRole('img', { name: 'Waiting' })).toBeVisible();
  await expect(steps.last().getByRole('img', { name: 'Not reached' })).toBeVisible();
  await expectGood(page);
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
    await expect(page.getByText('Our team answers by e-mail')).toBeVisible();
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

test('an archived client reads that it is archived and whom to ask, without a request that would fail', async ({
  page,
  api,
  address,
  complaints,
}) => {
  const agency = await newAgency(page, address, api.staff, { hasSso: false });
  const client = await newClientUser(page, agency, 'Birch Row Bakery');
  await open(page, client.email, '/client/activity');
  await agency.api.suspendClient({ params: { id: client.id }, body: { reason: 'Moved' } });
  await page.reload();
  await expect(page.getByRole('button', { name: 'Request reactivation' })).toBeVisible();
  await agency.api.archiveClient({ params: { id: client.id } });
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: `${client.name} is archived` })).toBeVisible();
  await expect(page.getByText(`Ask ${agency.name} to make it active again.`)).toBeVisible();
  await expect(page.getByText('all data of your business: people, agents and their settings, activity and files.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Request reactivation' })).toHaveCount(0);
  await expectGood(page);
  complaints.all = complaints.all.filter((line) => !isRefusal(line));
});
