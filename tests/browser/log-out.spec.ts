import type { Page, Request } from '@playwright/test';
import { newAgency } from './agency.ts';
import { expect, logIn, logOut, PEOPLE, test, readAlone } from './portal.ts';

for (const [way, leave] of [
  ['logging out', logOut],
  ['signing out everywhere', signOutEverywhere],
] as const) {
  test(`${way} discards the pending reads of a page, and Back shows none of their data`, async ({
    page,
    address,
    api,
    complaints: _watched,
  }) => {
    const agency = await newAgency(page, address, api.staff, { hasSso: false });
    const reading = Promise.withResolvers<void>();
    const left = Promise.withResolvers<void>();
    await readAlone(page);
    await page.route(/\/metering\/quota/, async (route) => {
      reading.resolve();
      await left.promise;
      // Asked now, the session has ended.
      await route.continue().catch(() => undefined);
    });
    await page.goto('/login?next=/dashboard/settings/security');
    await logIn(page, agency.owner.email);
    await reading.promise;
    const isReading = (request: Request): boolean => /\/metering\/quota/.test(request.url());
    const over = Promise.race([page.waitForEvent('requestfinished', isReading), page.waitForEvent('requestfailed', isReading)]);
    await page.route(/\/auth\/logout/, async (route) => {
      const response = await route.fetch();
      left.resolve();
      await over;
      await route.fulfill({ response });
    });
    await leave(page);
    await expect(page).toHaveURL(`${address}/login`);
    await page.goBack();
    await expect(page).toHaveURL(/\/login\?next=/);
    await expect(page.getByText(agency.name)).toHaveCount(0);
  });
}

test('components rendered while a page is being left still have its session', async ({ page, complaints }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/login');
  await logIn(page, PEOPLE.client.email);
  await page.waitForURL((url) => url.pathname === '/client');
  const asked = Promise.withResolvers<void>();
  const rendered = Promise.withResolvers<void>();
  await page.route(/\/login$/, async (route) => {
    asked.resolve();
    await rendered.promise;
    await route.continue();
  });
  await page.exposeFunction('onTabs', rendered.resolve);
  await page.evaluate(() => {
    const look = (): void => {
      if (document.querySelector('header nav a')) Reflect.get(window, 'onTabs')();
    };
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
  });
  await page.getByRole('button', { name: /account of/ }).click();
  // Both calls resolve only after the navigation, which waits for the tabs.
  const clicked = page.getByRole('menuitem', { name: 'Log out' }).click();
  clicked.catch(asked.reject);
  await asked.promise;
  // A wider window renders the tabs again.
  const resized = page.setViewportSize({ width: 1280, height: 844 });
  resized.catch(rendered.reject);
  await rendered.promise;
  await Promise.all([clicked, resized]);
  await page.waitForURL((url) => url.pathname === '/login');
  expect(complaints.all).toEqual([]);
});

async function signOutEverywhere(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Log out everywhere', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Log out everywhere' }).click();
  await page.waitForURL((url) => url.pathname === '/login');
}
