import type { Page, Request } from '@playwright/test';
import { newAgency } from './agency.ts';
import { expect, logIn, logOut, test } from './portal.ts';

for (const [way, leave] of [
  ['logging out', logOut],
  ['signing out everywhere', signOutEverywhere],
] as const) {
  test(`what a page was still reading is dropped by ${way}, and Back shows nothing of it`, async ({
    page,
    address,
    api,
    complaints: _watched,
  }) => {
    const agency = await newAgency(page, address, api.staff, { hasSso: false });
    const reading = Promise.withResolvers<void>();
    const left = Promise.withResolvers<void>();
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

async function signOutEverywhere(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Log out everywhere', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Log out everywhere' }).click();
  await page.waitForURL((url) => url.pathname === '/login');
}
