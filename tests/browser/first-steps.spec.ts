import type { Locator, Page } from '@playwright/test';
import { runSweep } from '../harness/system.ts';
import { test } from './pages.ts';
import { newAgency } from './agency.ts';
import { type Api, expect, expectAccessible, expectNoSidewaysScroll, logIn, PASSWORD } from './portal.ts';

test('an admin of a new agency has the sample installed and run by keyboard, and sees each stage and the run', async ({
  page,
  api,
  address,
}) => {
  const agency = await newAgency(page, address, api.staff, { hasSso: false });
  expect((await agency.api.getMyAutomation()).status).toBe('unprovisioned');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/login');
  await logIn(page, agency.owner.email);
  await page.waitForURL((url) => url.pathname === '/dashboard');
  await page.goto('/dashboard/first-steps');
  const start = page.getByRole('button', { name: 'Run the sample' });
  await expect(start).toBeEnabled();
  await expectAccessible(page, 'light');
  await start.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('link', { name: 'Open run' })).toBeVisible({ timeout: 120_000 });
  await expect(page.getByText(/^The sample succeeded\./)).toBeVisible({ timeout: 120_000 });
  await expectNoSidewaysScroll(page);
  await expectAccessible(page, 'dark');
  const { sample } = await agency.api.getOnboarding();
  expect([sample?.state, sample?.run?.status]).toEqual(['ready', 'SUCCEEDED']);
  expect((await agency.api.listExecutions({})).data).toHaveLength(1);
  await page.getByRole('link', { name: 'Open run' }).press('Enter');
  await page.waitForURL((url) => url.pathname === `/dashboard/runs/${sample?.run?.id}`);
});

test('a setup under way is shown by its four stages, and one that did not finish may be tried again', async ({
  page,
  api,
  address,
  system,
}) => {
  const agency = await newAgency(page, address, api.staff, { hasSso: false });
  await page.goto('/login');
  await logIn(page, agency.owner.email);
  await page.waitForURL((url) => url.pathname === '/dashboard');
  // An attempt whose process died in its fourth step.
  await system.query(`insert into provisioning_attempt (id, partner_id, number, mode, template_names)
    select '${crypto.randomUUID()}', '${agency.id}', 1, 'provision', array['lead-intake-cleaner'];
    insert into provisioning_step (attempt_id, partner_id, "order", name, stage, status, started_at, finished_at)
    select a.id, a.partner_id, s.n, s.name, s.stage, s.status, now(), case when s.status = 'succeeded' then now() end
    from provisioning_attempt a, (values (1, 'feature_gate', 'preparing', 'succeeded'), (2, 'verify_connectivity', 'connecting', 'running'),
      (3, 'bind_credentials', 'configuring_access', 'pending'), (4, 'import_flows', 'installing_workflows', 'pending')) s(n, name, stage, status)
    where a.partner_id = '${agency.id}';
    insert into automation_instance (partner_id, provider, tenancy_mode, status, current_attempt_id, due_at)
    select partner_id, 'activepieces', 'shared', 'provisioning', id, now() + interval '15 minutes' from provisioning_attempt where partner_id = '${agency.id}'`);
  await page.goto('/dashboard/first-steps');
  for (const stage of ['Preparing', 'Connecting to your automation platform', 'Configuring access', 'Installing workflows'])
    await expect(page.getByRole('listitem').filter({ hasText: stage })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Run the sample' })).toHaveCount(0);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
  await expectAccessible(page, 'light');
  await system.query(`update automation_instance set due_at = now() - interval '1 second' where partner_id = '${agency.id}'`);
  await runSweep(system, 'provisioning.reap');
  const again = page.getByRole('button', { name: 'Try again' });
  await expect(again).toBeVisible({ timeout: 120_000 });
  await expect(page.getByText('Setup stopped because it took too long.')).toBeVisible();
  await again.click();
  await expect(page.getByText(/^The sample succeeded\./)).toBeVisible({ timeout: 120_000 });
});

test('an invited admin gets from the first login to a run that succeeded, with the keyboard', async ({ page, api }) => {
  const email = 'olive@first.example';
  const { follow, write } = keyboardOf(page);
  await page.goto(await invite(api.staff, email, 'first'));
  await follow(page.getByLabel('Password', { exact: true }));
  await write(PASSWORD);
  await follow(page.getByRole('button', { name: 'Set password' }));
  await page.waitForURL((url) => url.pathname === '/dashboard');
  await follow(page.getByRole('button', { name: 'Run the sample' }));
  await expect(page.getByText(/^The sample succeeded\./)).toBeVisible({ timeout: 120_000 });
  await follow(page.getByRole('link', { name: 'Open run' }));
  await page.waitForURL(/\/dashboard\/runs\/[0-9a-f-]{36}$/);
  await expect(page.getByRole('main').getByText('Succeeded').first()).toBeVisible();
});

/** Staff create the agency; returns the path of the link that its owner gets. */
async function invite(staff: Api['staff'], ownerEmail: string, slug: string): Promise<string> {
  const planId = (await staff.listPlans())[0]?.id ?? '';
  const { invitation } = await staff.createPartner({ body: { name: 'Olive Agency', slug, ownerEmail, ownerName: 'Olive Owner', planId } });
  return new URL(invitation.acceptUrl).pathname;
}

/** What a person does on the way from the link in the first mail to a run of their own. */
function keyboardOf(page: Page) {
  return {
    async follow(target: Locator): Promise<void> {
      await expect(target).toBeEnabled();
      const isFocused = (): Promise<boolean> => target.evaluate((element) => element === document.activeElement);
      for (let tabs = 0; !(await isFocused()); tabs += 1) {
        expect(tabs, 'presses of Tab').toBeLessThan(60);
        await page.keyboard.press('Tab');
      }
      if ((await target.evaluate((element) => element.tagName)) !== 'INPUT') await page.keyboard.press('Enter');
    },
    write: (text: string): Promise<void> => page.keyboard.type(text),
  };
}
