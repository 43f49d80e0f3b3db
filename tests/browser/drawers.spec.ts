import type { Page } from '@playwright/test';
import { test } from './pages.ts';
import { expect, expectLoaded } from './portal.ts';

const OUTSIDE = `document.activeElement !== document.body && document.activeElement.closest('.drawer') === null`;

/** Returns how many of the next Tab stops lie outside the drawer. */
async function countStopsOutside(page: Page, stops: number): Promise<number> {
  let outside = 0;
  for (let stop = 0; stop < stops; stop += 1) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(OUTSIDE)) outside += 1;
  }
  return outside;
}

test('a drawer that covers a phone traps the focus; a drawer next to a page leaves the page reachable', async ({ as, page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await as('owner', '/dashboard/integrations');
  await expectLoaded(page);
  const opener = page.getByRole('button', { name: /: Twilio$/ });
  await opener.click();
  const drawer = page.getByRole('dialog');
  await expect(drawer).toBeFocused();
  expect(await countStopsOutside(page, 25)).toBe(0);
  await page.setViewportSize({ width: 1280, height: 844 });
  await expect(page.locator('[inert]')).toHaveCount(0);
  expect(await countStopsOutside(page, 25)).toBeGreaterThan(0);
  await page.setViewportSize({ width: 390, height: 844 });
  // Esc closes the tooltip of what has the focus first, if it has one.
  await drawer.focus();
  await page.keyboard.press('Escape');
  await expect(drawer).toHaveCount(0);
  await expect(opener).toBeFocused();
});

/** Returns the scroll position of the page in pixels, after pending rendering. */
async function scrolledTo(page: Page): Promise<number> {
  return page.evaluate(() => new Promise<number>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(scrollY)))));
}

test('a drawer leaves the page where it is scrolled to; another page starts at its top', async ({ as, page }) => {
  await page.setViewportSize({ width: 1280, height: 480 });
  await as('staff', '/admin/system');
  await expectLoaded(page);
  const mail = page.getByRole('table', { name: 'Mail outbox' }).getByRole('row').last();
  await mail.scrollIntoViewIfNeeded();
  const before = await scrolledTo(page);
  expect(before).toBeGreaterThan(200);

  await mail.click();
  const drawer = page.getByRole('dialog');
  await expect(drawer).toBeVisible();
  await expect(page).toHaveURL(/mail=/);
  expect(await scrolledTo(page), 'with the drawer').toBe(before);
  await page.keyboard.press('Escape');
  await expect(drawer).toHaveCount(0);
  await expect(page).not.toHaveURL(/mail=/);
  expect(await scrolledTo(page), 'without it').toBe(before);

  await page.getByRole('link', { name: 'Audit log' }).click();
  await expect(page.getByRole('heading', { name: 'Audit log' })).toBeVisible();
  // The heading may be there a frame before the page is scrolled.
  await expect.poll(() => scrolledTo(page), 'another page').toBe(0);
});
