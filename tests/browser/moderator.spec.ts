import { DEMO } from '@partner-portal/service/quick-start/seed-workspace.ts';
import type { Page } from '@playwright/test';
import { test } from './pages.ts';
import { type Api, expect } from './portal.ts';

const REASON = `Ask an admin of your agency: ${DEMO.owner.fullName}.`;

/** A control that changes something, on each page that has one. */
const CONTROLS: { page: (api: Api) => Promise<string>; name: string; role: 'button' | 'switch' }[] = [
  { page: async () => '/dashboard/clients', name: 'Add client', role: 'button' },
  { page: async () => '/dashboard/requests', name: 'Request an agent', role: 'button' },
  { page: async () => '/dashboard/integrations', name: 'Test all keys', role: 'button' },
  { page: async () => '/dashboard/settings/team', name: 'Invite', role: 'button' },
  { page: async () => '/dashboard/settings/sso', name: 'Require single sign-on', role: 'switch' },
  { page: async () => '/dashboard/settings/webhooks', name: 'Add endpoint', role: 'button' },
  { page: async () => '/dashboard/settings/webhooks', name: 'Send to', role: 'switch' },
  { page: async (api) => `/dashboard/settings/webhooks?endpoint=${await firstEndpoint(api)}`, name: 'Send test', role: 'button' },
  { page: async (api) => `/dashboard/settings/webhooks?endpoint=${await firstEndpoint(api)}`, name: 'Recover', role: 'button' },
  { page: async () => '/dashboard/settings', name: 'Save changes', role: 'button' },
  { page: async () => '/dashboard/settings', name: 'Upload logo', role: 'button' },
  { page: async () => '/dashboard/settings/account', name: 'Export data', role: 'button' },
  { page: async () => '/dashboard/settings/account', name: 'Request deletion', role: 'button' },
  { page: async () => '/dashboard/billing', name: 'Buy seats', role: 'button' },
  { page: async () => '/dashboard/billing', name: 'Release seats', role: 'button' },
  { page: async () => '/dashboard/billing', name: 'Buy credits', role: 'button' },
  { page: async (api) => `/dashboard/agents/${await firstAgent(api)}`, name: 'Run once', role: 'button' },
  { page: async (api) => `/dashboard/runs/${await firstRun(api)}`, name: 'Rerun', role: 'button' },
];

test('a moderator finds each control that changes something disabled, with the reason', async ({ visit, api }) => {
  // Many pages on a busy machine.
  test.setTimeout(600_000);
  for (const { page: pathOf, role, name } of CONTROLS)
    await test.step(name, async () => {
      const { page, complaints } = await visit('moderator', await pathOf(api));
      const found = page.getByRole(role, { name }).first();
      await expect(found).toHaveAttribute('aria-disabled', 'true');
      await found.focus();
      await expect(page.getByRole('tooltip').filter({ hasText: REASON })).toBeVisible();
      const dialogs = await page.getByRole('dialog').count();
      await page.keyboard.press('Enter');
      await expect(page.getByRole('dialog')).toHaveCount(dialogs);
      expect(complaints.all, 'the console of the browser').toEqual([]);
    });
});

test('a disabled control below the fold shows its reason when focused by keyboard', async ({ as, api }) => {
  const page = await as('moderator', `/dashboard/agents/${await firstAgent(api)}`);
  const found = page.getByRole('button', { name: 'Delete agent' });
  await expect(found).toBeAttached();
  await expect(found).not.toBeInViewport();
  await found.focus();
  await expect(found).toBeInViewport();
  await expect(page.getByRole('tooltip').filter({ hasText: REASON })).toBeVisible();
});

test('a reason stays while its control keeps the focus, however the page moves', async ({ as, api }) => {
  const page = await as('moderator', `/dashboard/agents/${await firstAgent(api)}`);
  const found = page.getByRole('button', { name: 'Delete agent' });
  const reason = page.getByRole('tooltip').filter({ hasText: REASON });
  await found.focus();
  await expect(reason).toBeVisible();
  // As when the font arrives: text above takes fewer lines, so the page becomes shorter than it is scrolled.
  // What arrived since the focus came may have made it longer.
  await scrolled(page, `scrollTo(0, document.body.scrollHeight); document.querySelector('main').style.marginTop = '-16px'`);
  await expect(found).toBeInViewport();
  await expect(reason).toBeVisible();
  await scrolled(page, 'scrollTo(0, 0)');
  await expect(found).not.toBeInViewport();
  await expect(reason).toBeHidden();
  await scrolled(page, 'scrollTo(0, document.body.scrollHeight)');
  await expect(reason).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(reason).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(reason).toHaveCount(0);
  await expect(found).toBeFocused();
});

test('an admin of the agency finds the same control enabled', async ({ as }) => {
  const page = await as('owner', '/dashboard/clients');
  await page.getByRole('button', { name: 'Add client' }).first().click();
  await expect(page.getByRole('dialog')).toBeVisible();
});

/** Runs the script, which makes the page scroll, and returns once the page has drawn what follows from it. */
async function scrolled(page: Page, script: string): Promise<void> {
  await page.evaluate(`new Promise((resolve) => {
    addEventListener('scroll', () => requestAnimationFrame(() => requestAnimationFrame(resolve)), { once: true });
    ${script};
  })`);
}

async function firstAgent(api: Api): Promise<string> {
  return (await api.owner.listAgents({ query: { limit: 1 } })).data[0]?.id ?? '';
}

async function firstRun(api: Api): Promise<string> {
  return (await api.owner.listExecutions({ query: { limit: 1 } })).data[0]?.id ?? '';
}

async function firstEndpoint(api: Api): Promise<string> {
  return (await api.owner.listWebhooks()).at(-1)?.id ?? '';
}
