import { createClient } from '@partner-portal/contract/client.ts';
import { routes } from '@partner-portal/contract/index.ts';
import { signIn } from '@partner-portal/service/quick-start/seed-workspace.ts';
import type { Page } from '@playwright/test';
import { setupEnd } from '../harness/setup-end.ts';
import type { System } from '../harness/system.ts';
import { test } from './pages.ts';
import { type Api, expect, expectAccessible, holdMessages, PASSWORD } from './portal.ts';

test('staff create a partner, provision it and see all twelve steps end well', async ({ as, api, address }) => {
  const page = await as('staff', '/admin/partners');
  await page.getByRole('button', { name: 'Create partner' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Agency name').fill('Harbour Media');
  await expect(dialog.getByLabel('Slug')).toHaveValue('harbour-media');
  await dialog.getByLabel('Owner’s name').fill('Nadia Okafor');
  await dialog.getByLabel('Owner’s e-mail').fill('nadia@harbour.example');
  await dialog.getByRole('button', { name: 'Plan' }).click();
  await page.getByRole('option', { name: /Growth/ }).click();
  await dialog.getByRole('button', { name: 'Create partner' }).click();
  const link = await page
    .getByRole('dialog')
    .getByText(/\/invite\//)
    .innerText();
  await addFirstClient(address, link.trim(), 'nadia@harbour.example', 'Quayside Bakery');

  await page.goto(`/admin/partners/${await partnerId(api, 'Harbour Media')}/automation`);
  await expect(page.getByText('Not provisioned yet')).toBeVisible();
  const provision = await openProvisionDialog(page, 'Quayside Bakery');
  await expect(provision.getByRole('checkbox', { name: /Lead intake cleaner/ })).toBeChecked();
  await expect(provision.getByRole('checkbox', { name: /Missed-call text-back/ })).not.toBeChecked();
  await expect(provision.getByText('Could not activate: missing credential for step(s) Send text').first()).toBeVisible();
  await provision.getByRole('button', { name: 'Provision 1 template' }).click();

  await expect(page.getByRole('heading', { name: 'Attempt 1' })).toBeVisible();
  await expect(page.getByRole('img', { name: 'Done', exact: true })).toHaveCount(12);
  await expect(page.getByRole('table', { name: 'Workflows' }).getByRole('row', { name: /Lead intake cleaner/ })).toContainText('On');
  // A provisioned agency can be repaired, not provisioned again.
  await expect(page.getByRole('button', { name: 'Repair', exact: true })).toBeEnabled();
  await expect(page.getByRole('button', { name: /^Provision/ })).toHaveCount(0);
});

test('a missing key ends the attempt with one text for staff and another for the partner', async ({ as, api, address }) => {
  const plan = (await api.staff.listPlans())[0];
  const { partner, invitation } = await api.staff.createPartner({
    body: {
      name: 'Inland Works',
      slug: 'inland-works',
      ownerEmail: 'omar@inland.example',
      ownerName: 'Omar Haddad',
      planId: plan?.id ?? '',
    },
  });
  await addFirstClient(address, invitation.acceptUrl, 'omar@inland.example', 'Mill Lane Garage');
  const page = await as('staff', `/admin/partners/${partner.id}/automation`);
  const provision = await openProvisionDialog(page, 'Mill Lane Garage');
  await provision.getByRole('checkbox', { name: /Missed-call text-back/ }).check();
  await provision.getByRole('button', { name: 'Provision 2 templates' }).click();

  await expect(page.getByRole('img', { name: 'Failed', exact: true })).toHaveCount(1);
  await expect(page.getByText('Could not activate: missing credential for step(s) Send text', { exact: true })).toBeVisible();
  await expect(page.getByText('lastError')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Provision again' })).not.toHaveAttribute('aria-disabled', 'true');
});

test('a flow changed directly in the engine is found by a comparison, and a repair restores it', async ({ as, api, address, system }) => {
  const plan = (await api.staff.listPlans())[0];
  const { partner, invitation } = await api.staff.createPartner({
    body: { name: 'Tideline', slug: 'tideline', ownerEmail: 'ines@tideline.example', ownerName: 'Ines Duarte', planId: plan?.id ?? '' },
  });
  await addFirstClient(address, invitation.acceptUrl, 'ines@tideline.example', 'Anchor Cafe');
  const params = { id: partner.id };
  const { instance } = await setupEnd(api.staff, await api.staff.provision({ params, body: { templateNames: ['lead-intake-cleaner'] } }));
  expect(instance.status, instance.lastError ?? '').toBe('ready');

  const path = `/admin/partners/${partner.id}/automation`;
  const page = await as('staff', path);
  const row = page.getByRole('table', { name: 'Workflows' }).getByRole('row', { name: /Lead intake cleaner/ });
  await expect(row).not.toContainText('Changed in the engine');
  // Only now: flows are compared every night, and that night may be this one.
  await switchOffInEngine(system, instance.baseUrl ?? '', instance.workflows[0]?.providerFlowId ?? '');
  await page.getByRole('button', { name: 'Compare flows' }).click();
  const badge = row.getByText('Changed in the engine');
  await expect(badge).toBeVisible();
  await expectAccessible(page, 'light');
  await badge.hover();
  await expect(page.getByRole('tooltip')).toContainText('is switched off in the engine');

  await page.getByRole('button', { name: 'Repair', exact: true }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Repair 1/ })
    .click();
  await expect(page.getByRole('heading', { name: 'Attempt 2' })).toBeVisible();
  await expect(page.getByRole('img', { name: 'Done', exact: true })).toHaveCount(6);
  await expect(badge).toHaveCount(0);
  await holdMessages(page);
  await as('staff', path);
  await page.getByRole('button', { name: 'Compare flows' }).click();
  await expect(page.getByText('All installed flows match their templates.')).toBeVisible();
});

/** Changes a flow with the engine's admin account, as its editor would. */
async function switchOffInEngine(system: System, engineUrl: string, flowId: string): Promise<void> {
  const post = async (path: string, body: object, token?: string): Promise<{ token?: string }> => {
    const headers = { 'content-type': 'application/json', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
    const answer = await fetch(`${engineUrl}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(answer.status, path).toBe(200);
    return (await answer.json()) as { token?: string }; // the engine's session, or a flow
  };
  const { AUTOMATION_ENGINE_ADMIN_EMAIL: email, AUTOMATION_ENGINE_ADMIN_PASSWORD: password } = system.settings();
  const { token } = await post('/authentication/sign-in', { email, password });
  await post(`/flows/${flowId}`, { type: 'CHANGE_STATUS', request: { status: 'DISABLED' } }, token);
}

async function openProvisionDialog(page: Page, client: string) {
  await page.getByRole('button', { name: 'Provision', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: /^Provision / });
  await dialog.getByRole('button', { name: /^For: / }).click();
  await page.getByRole('option', { name: client }).click();
  return dialog;
}

async function partnerId(api: Api, name: string): Promise<string> {
  const { data } = await api.staff.listPartners({ query: { q: name } });
  expect(data.map((partner) => partner.name)).toEqual([name]);
  return data[0]?.id ?? '';
}

/** The owner accepts the invitation and adds the client that is provisioned for. */
async function addFirstClient(baseUrl: string, acceptUrl: string, email: string, client: string): Promise<void> {
  const token = new URL(acceptUrl).pathname.split('/').at(-1) ?? '';
  await createClient(routes, { baseUrl, fetch }).acceptInvitation({ body: { token, password: PASSWORD } });
  const owner = await signIn(baseUrl, email, PASSWORD);
  await owner.createClient({ body: { name: client } });
}
