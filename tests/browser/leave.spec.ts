import type { Page } from '@playwright/test';
import { business, test } from './pages.ts';
import { expect, type Person } from './portal.ts';

const QUESTION = 'Leave without saving?';

type Case = { person: Person; path: string; field: string; link: string; to: RegExp };
const CASES: readonly Case[] = [
  { person: 'owner', path: '/dashboard/settings', field: 'Website', link: 'Profile', to: /settings\/profile/ },
  { person: 'owner', path: '/dashboard/settings/profile', field: 'Your name', link: 'Security', to: /settings\/security/ },
  { person: 'owner', path: '/dashboard/settings/alerts', field: 'Agent failing after', link: 'Team', to: /settings\/team/ },
  { person: 'client', path: '/client/business', field: 'Opening hours', link: 'Activity', to: /client\/activity/ },
];

async function asksBeforeLeaving(page: Page, { field, link, to }: Pick<Case, 'field' | 'link' | 'to'>): Promise<void> {
  const start = page.url();
  await page.getByLabel(field, { exact: true }).click();
  await page.keyboard.type('1');
  const question = page.getByRole('dialog', { name: /^Leave without saving|Ohne Speichern/ });
  await page.getByRole('link', { name: link, exact: true }).first().click();
  await expect(question).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(question).toHaveCount(0);
  await expect(page).toHaveURL(start);
  await page.getByRole('link', { name: link, exact: true }).first().click();
  await question.getByRole('button', { name: 'Leave' }).click();
  await expect(page).toHaveURL(to);
}

for (const one of CASES)
  test(`what was typed on ${one.path} is not lost without a question`, async ({ as }) => {
    await asksBeforeLeaving(await as(one.person, one.path), one);
  });

test('the settings of a client ask when another tab of the page is opened, and nothing asks after a save', async ({ as, page, api }) => {
  const id = await business(api);
  const { notes } = await api.owner.getClient({ params: { id } });
  await as('owner', `/dashboard/clients/${id}?tab=settings`);
  await asksBeforeLeaving(page, { field: 'Trade', link: 'People', to: /tab=people/ });
  await as('owner', `/dashboard/clients/${id}?tab=settings`);
  await page.getByLabel('Notes').click();
  await page.keyboard.type('x');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Everything is saved.')).toBeVisible();
  await page.getByRole('link', { name: 'Runs', exact: true }).first().click();
  await expect(page).toHaveURL(/\/dashboard\/runs/);
  await expect(page.getByRole('dialog', { name: QUESTION })).toHaveCount(0);
  await api.owner.updateClient({ params: { id }, body: { notes } });
});
