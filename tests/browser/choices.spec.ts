import type { Page } from '@playwright/test';
import { newAgency } from './agency.ts';
import { test } from './pages.ts';
import { answerChanged, expect, expectAccessible, expectLoaded, logIn } from './portal.ts';

const FIRST = 100;
const nameOf = (n: number): string => `Shop ${String(n).padStart(3, '0')}`;
const options = (page: Page) => page.getByRole('option');

/** Types into the search field of the open list, which is there once the list knows that it has more than it shows. */
async function search(page: Page, text: string): Promise<void> {
  await expect(page.getByRole('combobox', { name: /^Search / })).toBeFocused();
  await page.keyboard.type(text);
}

test('a client beyond the first page of a list is found by typing, and its name is shown when its link is opened', async ({
  page,
  api,
  address,
  complaints: _watched,
}) => {
  const agency = await newAgency(page, address, api.staff, { hasSso: false, includedClients: 200 });
  const file = new FormData();
  const names = Array.from({ length: 105 }, (_, n) => nameOf(n));
  file.set('file', new File([['Name', ...names].join('\n')], 'shops.csv', { type: 'text/csv' }));
  await agency.api.importClients({ body: file });
  const shown = new Set((await agency.api.listClients({ query: { limit: FIRST } })).data.map(({ name }) => name));
  const [late = '', other = ''] = names.filter((name) => !shown.has(name));
  const id = (await agency.api.listClients({ query: { q: late } })).data[0]?.id ?? '';
  await page.goto('/login?next=/dashboard/runs');
  await logIn(page, agency.owner.email);

  // The switcher, with the keyboard.
  await page.getByRole('button', { name: 'Client: All clients' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('combobox', { name: 'Search Clients' })).toBeFocused();
  await expect(options(page)).toHaveCount(FIRST + 1);
  await expect(page.getByText('Showing the first 100. Type to find more.')).toBeVisible();
  await expectAccessible(page, 'light');
  await page.keyboard.type(late);
  await expect(options(page)).toHaveText([late]);
  await expect(page.getByText('Type to find more.')).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL((url) => url.searchParams.get('client') === id);
  await expect(page.getByRole('button', { name: `Client: ${late}` })).toBeVisible();

  // A link to the client shows its name in the switcher and in the filter next to the list; so does the catalog.
  await page.reload();
  await expect(page.getByRole('button', { name: `Client: ${late}` })).toBeVisible();
  const chip = page.getByRole('button', { name: `Client ${late}` });
  await expect(chip).toBeVisible();
  await page.goto(`/dashboard/catalog?client=${id}`);
  await expect(page.getByText(`Readiness is for ${late}.`)).toBeVisible();

  // The filters of the lists, where the text is forgotten when the list closes.
  for (const path of ['/dashboard/runs', '/dashboard/settings/audit']) {
    await page.goto(`${path}?client=${id}`);
    await expectLoaded(page);
    await page
      .getByRole('main')
      .getByRole('button', { name: `Client ${late}` })
      .click();
    await search(page, 'no such shop');
    await expect(page.getByText('Nothing matches “no such shop”.')).toBeVisible();
    await page.keyboard.press('Escape');
    await page
      .getByRole('main')
      .getByRole('button', { name: `Client ${late}` })
      .click();
    await expect(options(page)).toHaveCount(FIRST);
    await search(page, other);
    await options(page).filter({ hasText: other }).click();
    await expect(page.getByRole('main').getByRole('button', { name: `Client ${other}` })).toBeVisible();
  }

  // The filter of keys by owner finds the client.
  await page.goto('/dashboard/integrations?service=twilio');
  await page.getByRole('button', { name: 'Whose key' }).click();
  await search(page, late);
  await options(page).filter({ hasText: late }).click();
  await expect(page.getByRole('button', { name: 'Whose key' })).toHaveText(late);
});

test('staff find an agency beyond the first page of a list by typing: for a filter, and for a roll-out', async ({ as, page, api }) => {
  const { id, name } = await api.owner.getMyPartner();
  await answerChanged(page, /\/partners\?limit=100$/, () => JSON.stringify({ data: [], nextCursor: 'more' }));
  await answerChanged(page, /\/provisioning\/templates$/, (text) =>
    // Every agency is on an older version than this.
    JSON.stringify((JSON.parse(text) as object[]).map((template) => ({ ...template, templateVersion: 99 }))),
  );
  await as('staff', '/admin/invoices');
  await page.getByRole('main').getByRole('button', { name: 'Agency', exact: true }).click();
  await search(page, name);
  await expect(options(page)).toHaveText([name]);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL((url) => url.searchParams.get('partner') === id);
  await expect(page.getByRole('main').getByRole('button', { name: `Agency ${name}` })).toBeVisible();

  await page.goto('/admin/templates?template=missed-call-text-back');
  await page.getByRole('button', { name: /^Roll out v/ }).click();
  const dialog = page.getByRole('dialog', { name: /^Roll out version/ });
  await dialog.getByText('Chosen agencies').click();
  await dialog.getByPlaceholder('Find an agency').click();
  await page.keyboard.type(name);
  await dialog.getByRole('checkbox', { name }).check();
  await expect(dialog.getByText('1 chosen')).toBeVisible();
  await expectAccessible(page, 'light');
});
