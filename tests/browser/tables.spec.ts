import type { Page, Route } from '@playwright/test';
import type { Api } from './portal.ts';
import { test } from './pages.ts';
import { expect, readAlone } from './portal.ts';

type Runs = Awaited<ReturnType<Api['owner']['listExecutions']>>;

const PAGE = '/dashboard/runs?started=all';
const rowsIn = (page: Page) => page.getByRole('table', { name: 'Runs' }).locator('[data-row]');

/** Answers the list of runs with what `answer` returns for the page and the status that are asked for; undefined fails the request. */
async function answerRuns(page: Page, answer: (cursor: string | null, status: string | null) => Runs | undefined): Promise<void> {
  await readAlone(page);
  await page.route(
    ({ pathname }) => pathname === '/executions',
    async (route: Route) => {
      const { searchParams } = new URL(route.request().url());
      const runs = answer(searchParams.get('cursor'), searchParams.get('status'));
      await (runs
        ? route.fulfill({ json: runs })
        : route.fulfill({ status: 400, json: { code: 'invalid_cursor', title: 'No such page' } }));
    },
  );
}

const sampleRuns = async (api: Api): Promise<Runs['data']> => (await api.owner.listExecutions({ query: { limit: 7 } })).data;

test('a failed run is one line in the list, cut with an ellipsis, and whole on hover', async ({ as, page, api }) => {
  const [run] = await sampleRuns(api);
  if (!run) throw new Error('The quick start has no runs.');
  const summary =
    'Could not text +1 312 ··· 0121 after a missed call: the business number belongs to another account, or it cannot send texts';
  await answerRuns(page, () => ({ data: [{ ...run, status: 'FAILED', summary }], nextCursor: null }));
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await as('owner', PAGE);
    const link = rowsIn(page).getByRole('link', { name: summary });
    await expect(link).toBeVisible();
    const linesOf = (element: HTMLElement | SVGElement): number =>
      element.clientHeight / Number.parseFloat(getComputedStyle(element).lineHeight);
    // Its padding is less than a line.
    expect(await link.evaluate(linesOf), `at ${width} px`).toBeLessThan(2);
    await expect(link).toHaveAttribute('title', summary);
  }
});

test('Back restores all loaded rows and the scroll position', async ({ as, page, api }) => {
  const runs = await sampleRuns(api);
  const many = (from: number, count: number): Runs['data'] =>
    Array.from({ length: count }, (_, at) => {
      const run = runs[at % runs.length];
      if (!run) throw new Error('The quick start has no runs.');
      return { ...run, id: `00000000-0000-4000-8000-${String(from + at).padStart(12, '0')}`, summary: `Run number ${from + at}` };
    });
  await answerRuns(page, (cursor) => (cursor ? { data: many(26, 20), nextCursor: null } : { data: many(1, 25), nextCursor: 'more' }));
  let gate: Promise<unknown> = Promise.resolve();
  await page.route(/\/executions\/00000000-/, async (route) => {
    await gate;
    const id = new URL(route.request().url()).pathname.split('/').at(-1);
    await route.fulfill({ json: { ...(await api.owner.getExecution({ params: { id: runs[0]?.id ?? '' } })), id } });
  });
  await as('owner', PAGE);
  await page.getByRole('button', { name: 'Load 25 more' }).click();
  await expect(rowsIn(page)).toHaveCount(45);
  const link = page.getByRole('link', { name: 'Run number 40', exact: true });
  await link.scrollIntoViewIfNeeded();
  const place = await page.evaluate(() => window.scrollY);
  expect(place).toBeGreaterThan(500);
  await link.click();
  await page.waitForURL(/\/dashboard\/runs\/00000000-/);
  await expect(page.getByRole('heading', { level: 1, name: 'Runs', exact: true })).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.goBack();
  await expect(rowsIn(page)).toHaveCount(45);
  await expect(link).toBeInViewport();
  await expect.poll(() => page.evaluate((before) => Math.abs(window.scrollY - before), place)).toBeLessThan(50);
  // Back before the run is there: its skeleton is as high as the window.
  const held = Promise.withResolvers<undefined>();
  gate = held.promise;
  await link.click();
  await expect(rowsIn(page)).toHaveCount(0);
  await page.goBack();
  await expect(rowsIn(page)).toHaveCount(45);
  await expect(link).toBeInViewport();
  held.resolve(undefined);
});
