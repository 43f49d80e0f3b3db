import type { Page } from '@playwright/test';
import { type Api, expect, expectAccessible, expectGood, expectNoSidewaysScroll, test, readAlone } from './portal.ts';

const PHONE = { width: 390, height: 844 };
const PAGE = 25;

/** Answers the client's activity with 125 tasks, in pages as the service makes them; three of them failed. */
async function answerActivity(page: Page, api: Api): Promise<void> {
  const [sample] = (await api.client.listExecutions({ query: { limit: 1 } })).data;
  if (!sample) throw new Error('The seeded client has runs.');
  const began = Date.now() - 3_600_000;
  const runs = Array.from({ length: 5 * PAGE }, (_, n) => ({
    ...sample,
    id: `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`,
    summary: `Task ${n + 1}: texted +1 312 ··· 0121 after a missed call`,
    status: n % 50 === 3 ? ('FAILED' as const) : ('SUCCEEDED' as const),
    startedAt: new Date(began - n * 1_800_000).toISOString(),
  }));
  await readAlone(page);
  await page.route(
    ({ pathname }) => pathname === '/executions',
    async (route) => {
      const { searchParams } = new URL(route.request().url());
      const from = Number(searchParams.get('cursor') ?? 0);
      const status = searchParams.get('status');
      const wanted = runs.filter((run) => !status || run.status === status);
      const next = from + PAGE;
      await route.fulfill({ json: { data: wanted.slice(from, next), nextCursor: next < wanted.length ? String(next) : null } });
    },
  );
}

const rowsOf = (page: Page) => page.getByRole('main').locator('[data-run]');
const spoken = (page: Page, text: RegExp) => page.getByRole('main').getByRole('status').filter({ hasText: text });
const scrolled = async (page: Page): Promise<number> => Number(await page.evaluate('Math.round(scrollY)'));

test('on a phone older activity comes while scrolling, and Back finds the rows and the place', async ({ page, as, api }) => {
  await page.setViewportSize(PHONE);
  await answerActivity(page, api);
  await as('client', '/client/activity');
  const rows = rowsOf(page);
  await expect(rows).toHaveCount(PAGE);
  await page.mouse.move(195, 400);
  await expect(async () => {
    // As many as come without the button, so that no more are on their way.
    await page.mouse.wheel(0, 2_000);
    expect(await rows.count()).toBe(4 * PAGE);
  }).toPass();
  await expect(spoken(page, /^25 older entries added, \d+ shown\.$/)).toBeAttached();
  await expectNoSidewaysScroll(page);
  await rows.nth(34).scrollIntoViewIfNeeded();
  // The place it is left at: the wheel may still be scrolling.
  await page.evaluate('addEventListener("click", () => (window.place = scrollY), { capture: true, once: true })');
  await page.getByRole('navigation', { name: 'Main' }).last().getByRole('link', { name: 'Agents' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Your agents' })).toBeVisible();
  const place = Number(await page.evaluate('window.place'));
  expect(place).toBeGreaterThan(1000);
  await page.goBack();
  await expect(rows).toHaveCount(4 * PAGE);
  await expect.poll(async () => Math.abs((await scrolled(page)) - place)).toBeLessThan(50);
});

test('a thumb filters the activity in a sheet from the bottom, and the address keeps the filters', async ({ page, as, api }) => {
  await page.setViewportSize(PHONE);
  await answerActivity(page, api);
  await as('client', '/client/activity');
  const rows = rowsOf(page);
  await expect(rows).toHaveCount(PAGE);
  const open = page.getByRole('button', { name: 'Filters' });
  const reach = await open.boundingBox();
  expect(reach?.y).toBeGreaterThan(PHONE.height / 2);
  expect(reach?.height).toBeGreaterThanOrEqual(44);
  await open.click();
  const sheet = page.getByRole('dialog', { name: 'Filter the activity' });
  await expect(sheet).toBeVisible();
  await expectAccessible(page, 'light');
  await expectAccessible(page, 'dark', 'color');
  const box = await sheet.boundingBox();
  expect([box?.x, box?.width, Math.round((box?.y ?? 0) + (box?.height ?? 0))]).toEqual([0, PHONE.width, PHONE.height]);
  for (const choice of await sheet.locator('label').all()) expect((await choice.boundingBox())?.height).toBeGreaterThanOrEqual(44);

  await sheet.getByText('Failed', { exact: true }).click();
  await expect(page).toHaveURL(/[?&]result=failed/);
  await expect(rows).toHaveCount(3);
  // The next group, with keys alone.
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(page).toHaveURL(/[?&]since=week/);
  await sheet.getByRole('button', { name: 'Show the results' }).click();
  await expect(sheet).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Filters (2)' })).toBeFocused();
  await expect(page.getByText('Failed · Last 7 days')).toBeVisible();
  await page.reload();
  await expect(rows).toHaveCount(3);
  await page.getByRole('button', { name: 'Filters (2)' }).click();
  await sheet.getByRole('button', { name: 'Clear' }).click();
  await page.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);
  await expect(page).toHaveURL(/\/client\/activity$/);
  await expect(rows).toHaveCount(PAGE);
  await expectGood(page);
});

test('by keyboard older activity is asked for with the button, and reading goes on at the first of it', async ({ page, as, api }) => {
  await answerActivity(page, api);
  await as('client', '/client/activity');
  const rows = rowsOf(page);
  await expect(rows).toHaveCount(PAGE);
  await page.keyboard.press('End');
  await expect.poll(() => scrolled(page)).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Show older' }).focus();
  await page.keyboard.press('Enter');
  // Had the key loaded some as well, there would be more.
  await expect(rows.nth(PAGE)).toBeFocused();
  await expect(rows).toHaveCount(2 * PAGE);
  await expect(spoken(page, /^25 older entries added, 50 shown\.$/)).toBeAttached();
});
