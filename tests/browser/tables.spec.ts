import type { Page, Route } from '@playwright/test';
import type { Api } from './portal.ts';
import { test } from './pages.ts';
import { answerChanged, expect, expectAccessible, readAlone } from './portal.ts';

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

test('more rows follow those that are there, and the list says when it is complete', async ({ as, page, api }) => {
  const runs = await sampleRuns(api);
  await answerRuns(page, (cursor) => (cursor ? { data: runs.slice(3), nextCursor: null } : { data: runs.slice(0, 3), nextCursor: 'more' }));
  await as('owner', PAGE);
  await expect(rowsIn(page)).toHaveCount(3);
  await expect(page.getByText('Showing the newest 3')).toBeVisible();
  await page.getByRole('button', { name: 'Load 25 more' }).click();
  await expect(rowsIn(page)).toHaveCount(7);
  await expect(page.getByText('Showing all 7')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Load 25 more' })).toHaveCount(0);
  const keys = await rowsIn(page).evaluateAll((rows) => rows.map((row) => row.getAttribute('data-row')));
  expect(keys).toEqual(runs.map(({ id }) => id));
});

test('rows that cannot be loaded are reported below the rows that are there, and can be tried again', async ({
  as,
  page,
  api,
  complaints,
}) => {
  const runs = await sampleRuns(api);
  let fails = true;
  await answerRuns(page, (cursor) => {
    if (!cursor) return { data: runs.slice(0, 3), nextCursor: 'more' };
    return fails ? undefined : { data: runs.slice(3), nextCursor: null };
  });
  // No run events, upon which the page would refetch and drop the error.
  await page.route(/\/streams$/, () => undefined);
  await as('owner', PAGE);
  await page.getByRole('button', { name: 'Load 25 more' }).click();
  const problem = page.getByRole('main').getByRole('alert');
  await expect(problem).toContainText('More rows could not be loaded.');
  await expect(rowsIn(page)).toHaveCount(3);
  const [last, below] = [await rowsIn(page).last().boundingBox(), await problem.boundingBox()];
  expect(below?.y).toBeGreaterThan(last?.y ?? Number.POSITIVE_INFINITY);
  fails = false;
  await page.getByRole('button', { name: 'Load 25 more' }).click();
  await expect(rowsIn(page)).toHaveCount(7);
  await expect(problem).toHaveCount(0);
  // The browser reports every refused request.
  complaints.all = complaints.all.filter((line) => !line.includes('400'));
});

test('J and K stop at the ends, Tab reaches the row they left, and Enter opens it', async ({ as, page, api }) => {
  const runs = (await sampleRuns(api)).slice(0, 3);
  await answerRuns(page, () => ({ data: runs, nextCursor: null }));
  await as('owner', PAGE);
  const rows = rowsIn(page);
  await expect(rows).toHaveCount(3);
  for (const [key, at] of [
    ['k', 0],
    ['k', 0],
    ['j', 1],
    ['j', 2],
    ['j', 2],
    ['k', 1],
  ] as const) {
    await page.keyboard.press(key);
    await expect(rows.nth(at)).toBeFocused();
  }
  await expect(page.locator('[data-row][tabindex="0"]')).toHaveCount(1);
  await expect(rows.nth(1)).toHaveAttribute('tabindex', '0');
  await page.getByRole('searchbox').focus();
  await page.keyboard.press('j');
  await expect(page.getByRole('searchbox')).toHaveValue('j');
  await page.getByRole('searchbox').fill('');
  await rows.nth(1).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname === `/dashboard/runs/${runs[1]?.id}`);
});

test('X and the box select the same rows; selecting opens nothing, and Clear deselects', async ({ as, page, api }) => {
  const runs = (await sampleRuns(api)).slice(0, 3);
  await answerRuns(page, () => ({ data: runs, nextCursor: null }));
  await as('owner', PAGE);
  const rows = rowsIn(page);
  await expect(rows).toHaveCount(3);
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await expect(rows.nth(0)).toHaveAttribute('aria-selected', 'true');
  await rows.nth(2).getByRole('checkbox').check();
  await expect(rows.nth(1)).toHaveAttribute('aria-selected', 'false');
  await expect(page.getByRole('button', { name: 'Rerun 2' })).toBeVisible();
  await rows.nth(0).focus();
  await page.keyboard.press('x');
  await expect(page.getByRole('button', { name: 'Rerun 1' })).toBeVisible();
  expect(new URL(page.url()).pathname).toBe('/dashboard/runs');
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await expect(rows.nth(2)).toHaveAttribute('aria-selected', 'false');
  await expect(rows.nth(2).getByRole('checkbox')).not.toBeChecked();
});

test('a list that cannot be loaded, one without rows and one without a match each say what to do', async ({
  as,
  page,
  api,
  complaints,
}) => {
  const runs = await sampleRuns(api);
  let answer: Runs | undefined;
  await answerRuns(page, (_, status) => (status ? { data: [], nextCursor: null } : answer));
  // Runs that changed a moment ago would be added to the empty list.
  await page.route(/\/streams$/, () => undefined);
  await as('owner', PAGE);
  const main = page.getByRole('main');
  await expect(main.getByRole('alert')).toContainText('No such page.');
  await expect(rowsIn(page)).toHaveCount(0);

  answer = { data: [], nextCursor: null };
  await page.reload();
  await expect(main.getByText('No runs yet')).toBeVisible();
  await expect(main.getByRole('alert')).toHaveCount(0);

  answer = { data: runs, nextCursor: null };
  await page.goto(`${PAGE}&status=FAILED`);
  await expect(main.getByText('No run matches')).toBeVisible();
  await main.getByRole('button', { name: 'Clear the filters' }).click();
  await expect(rowsIn(page)).toHaveCount(runs.length);
  expect(new URL(page.url()).searchParams.get('status')).toBeNull();
  // Of the first load, wherever the console shows it.
  complaints.all = complaints.all.filter((line) => !line.includes('400'));
});

test('density and hidden columns are kept on the device', async ({ as, page, api }) => {
  const runs = (await sampleRuns(api)).slice(0, 1);
  await answerRuns(page, () => ({ data: runs, nextCursor: null }));
  await as('owner', PAGE);
  const table = page.getByRole('table', { name: 'Runs' });
  await expect(table).toHaveAttribute('data-dense', '');
  await page.getByRole('radio', { name: 'Comfortable rows' }).click();
  await page.getByRole('button', { name: 'Columns' }).click();
  await expect(page.getByRole('menuitemcheckbox', { name: 'Source' })).toBeChecked();
  await page.getByRole('menuitemcheckbox', { name: 'Credits', checked: true }).click();
  await expect(table.getByRole('columnheader', { name: 'Credits' })).toHaveCount(0);
  await page.reload();
  await expect(rowsIn(page)).toHaveCount(1);
  await expect(table).not.toHaveAttribute('data-dense');
  await expect(table.getByRole('columnheader', { name: 'Credits' })).toHaveCount(0);
  await expect(table.getByRole('columnheader', { name: 'Source' })).toBeVisible();
  await page.getByRole('button', { name: 'Columns' }).click();
  await expect(page.getByRole('menuitemcheckbox', { name: 'Credits' })).not.toBeChecked();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Theme' }).click();
  await page.getByRole('menuitemradio', { name: 'Dark' }).click();
  await page.getByRole('button', { name: 'Theme' }).click();
  await expect(page.getByRole('menuitemradio', { checked: true })).toHaveText('Dark');
});

/** Saves the filters of an address under a name, and applies them from the page without any. */
async function keepFilter(page: Page, path: string, search: string): Promise<void> {
  const saved = page.getByRole('button', { name: /^Saved filters/ });
  await page.goto(`${path}?${search}`);
  await saved.click();
  await page.getByRole('menuitem', { name: 'Save this filter' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill(`Kept ${search}`);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: `Saved filters: Kept ${search}` })).toBeVisible();
  await page.goto(path);
  await saved.click();
  await page.getByRole('menuitemradio', { name: `Kept ${search}` }).click();
  await expect(page).toHaveURL(`${path}?${search}`);
}

test('filters are kept under a name: inbox, alerts, an import, invoices, mail and subscribers', async ({ as, api }) => {
  const form = new FormData();
  form.set('file', new File(['Name\nKept Filters Bakery\n'], 'kept.csv', { type: 'text/csv' }));
  const { import: made, rows } = await api.owner.importClients({ body: form });
  const owner = await as('owner', '/dashboard');
  await keepFilter(owner, '/dashboard/inbox', 'show=waiting');
  await keepFilter(owner, '/dashboard/alerts', 'severity=critical');
  await keepFilter(owner, `/dashboard/clients/import/${made?.id}`, 'outcome=created');
  const staff = await as('staff', '/admin');
  await keepFilter(staff, '/admin/invoices', 'show=paid');
  await keepFilter(staff, '/admin/system', 'status=failed');
  await keepFilter(staff, '/admin/newsletter', 'status=pending');
  // Other tests list the businesses of the demo.
  await api.owner.archiveClient({ params: { id: rows[0]?.clientId ?? '' } });
});

test('a failed run says its cause to the end', async ({ as, page, api }) => {
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
    const isCut = (element: HTMLElement | SVGElement): boolean => {
      const cell = element.closest('td');
      return (
        element.scrollWidth > element.clientWidth ||
        (cell !== null && (cell.scrollWidth > cell.clientWidth || cell.scrollHeight > cell.clientHeight))
      );
    };
    expect(await link.evaluate(isCut), `at ${width} px`).toBe(false);
  }
});

test('of hundreds of agents those that lack a key come first, and the others follow by a click', async ({ as, page }) => {
  await answerChanged(page, /\/credentials\/requirements$/, (text) => {
    const [need] = JSON.parse(text) as object[]; // the reply of the route
    const agentOf = (n: number) => ({
      id: `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`,
      name: 'Review request',
      stepNames: [],
    });
    return JSON.stringify(
      Array.from({ length: 150 }, (_, n) => ({
        ...need,
        clientName: `Client ${100 + n}`,
        state: n === 149 ? 'missing' : 'ok',
        agents: [agentOf(n)],
      })),
    );
  });
  await as('owner', '/dashboard/integrations');
  const rows = page.getByRole('table', { name: 'Readiness of agents' }).locator('tbody').getByRole('row');
  await expect(rows).toHaveCount(100);
  await expect(rows.first()).toContainText('Client 249');
  await expect(page.getByText('Showing 100 of 150 agents')).toBeVisible();
  await page.getByRole('button', { name: 'Show 50 more' }).click();
  await expect(rows).toHaveCount(150);
  await expect(page.getByText('Showing 150 of')).toHaveCount(0);
});

test('numbers of integrations are those of all agents, also of those that are not listed', async ({ as, page }) => {
  await answerChanged(page, /\/credentials\/requirements\/counts$/, () =>
    JSON.stringify({ agents: 11_846, providers: [{ provider: 'twilio', agents: 11_800, missing: 9_000, failing: 0 }] }),
  );
  await as('owner', '/dashboard/integrations');
  const grid = page.getByRole('table', { name: 'Readiness of agents' }).locator('tbody').getByRole('row');
  await expect(grid.first()).toBeVisible();
  const listed = await grid.count();
  await expect(page.getByText(`Showing ${listed} of 11,846 agents, those that lack a key first.`)).toBeVisible();
  const services = page.getByRole('table', { name: 'Services' });
  await expect(services.locator('[data-row="twilio"]')).toContainText('11,800');
  await services.getByRole('button', { name: /Twilio$/ }).click();
  await expect(page.getByRole('dialog').getByText(/ of 11,800 agents$/)).toBeVisible();
  for (const theme of ['light', 'dark'] as const) await expectAccessible(page, theme);
});

test('a search that found nothing among the newest rows goes on among older ones', async ({ as, page, api }) => {
  const [run] = await sampleRuns(api);
  await answerRuns(page, (cursor) =>
    cursor === 'third' ? { data: run ? [run] : [], nextCursor: null } : { data: [], nextCursor: cursor ? 'third' : 'second' },
  );
  await as('owner', PAGE);
  await expect(page.getByText('Nothing found yet')).toBeVisible();
  for (const theme of ['light', 'dark'] as const) await expectAccessible(page, theme);
  await page.getByRole('button', { name: 'Search older rows' }).press('Enter');
  await expect(rowsIn(page)).toHaveCount(1);
});

test('Back after more rows were loaded finds them all, and the place', async ({ as, page, api }) => {
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
