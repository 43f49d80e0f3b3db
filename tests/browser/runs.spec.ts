import { EMBEDDED_WINDOW_LIMITS } from '@partner-portal/core/execution/window.ts';
import { DEMO } from '@partner-portal/service/quick-start/seed-workspace.ts';
import type { System } from '../harness/system.ts';
import { test } from './pages.ts';
import { type Api, expect, expectGood, isFollowing, readAlone } from './portal.ts';

test('an event becomes a run that the agency, the client and staff each see in their own words', async ({ as, api, address }) => {
  // Those since midnight may be none.
  const page = await as('owner', '/dashboard/runs?started=7d');
  await expect(page.getByRole('table')).toBeVisible();
  await textAtAnyHour(api);
  await postMissedCall(api, address, '+13125550911');
  const row = page.getByRole('row', { name: /Texted \+1 312 ··· 0911 after a missed call/ });
  await expect(row).toBeVisible();
  await row.getByRole('link').first().click();
  await expect(page).toHaveURL(/\/dashboard\/runs\/[0-9a-f-]{36}/);
  await expect(page.getByRole('main')).toContainText('Send text');
  await expect(page.getByRole('main')).not.toContainText('+13125550911');
});

test('a run that ends before the stream opens is shown, and the list is read once', async ({ as, page, api, address }) => {
  const lists: string[] = [];
  await readAlone(page);
  page.on('request', (request) => void (new URL(request.url()).pathname === '/executions' && lists.push(request.url())));
  const opened = Promise.withResolvers<void>();
  await page.route(/\/streams$/, (route) => opened.promise.then(() => route.continue()));
  await as('owner', '/dashboard/runs?started=7d');
  await expect(page.getByRole('table')).toBeVisible();
  await textAtAnyHour(api);
  await postMissedCall(api, address, '+13125550921');
  const hasEnded = async (): Promise<boolean> =>
    (await api.owner.listExecutions({ query: { limit: 5 } })).data.some(({ summary }) => /Texted \+1 312 ··· 0921 after/.test(summary));
  await expect.poll(hasEnded).toBe(true);
  opened.resolve();
  await expect(page.getByRole('row', { name: /Texted \+1 312 ··· 0921 after a missed call/ })).toBeVisible();
  expect(lists).toHaveLength(1);
});

test('a tab that is hidden keeps no connection, and continues where it was when it is shown again', async ({ as, page, api, address }) => {
  await textAtAnyHour(api);
  const first = page.waitForResponse((response) => isFollowing(/\/executions\/stream/)(response.request()));
  await as('owner', '/dashboard/runs?started=7d');
  await first;
  const show = (isShown: boolean): Promise<unknown> =>
    page.evaluate((shown) => {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => !shown });
      document.dispatchEvent(new Event('visibilitychange'));
    }, isShown);
  const closed = page.waitForEvent('requestfailed', isFollowing(/\/executions\/stream/));
  await show(false);
  await closed;
  await postMissedCall(api, address, '+13125550931');
  const hasEnded = async (): Promise<boolean> =>
    (await api.owner.listExecutions({ query: { limit: 5 } })).data.some(({ summary }) => /Texted \+1 312 ··· 0931 after/.test(summary));
  await expect.poll(hasEnded).toBe(true);
  await expect(page.getByRole('row', { name: /··· 0931/ })).toHaveCount(0);
  await show(true);
  await expect(page.getByRole('row', { name: /Texted \+1 312 ··· 0931 after a missed call/ })).toBeVisible();
});

test('the client reads the same run as a sentence and can have it as a file', async ({ as, api, address }) => {
  await textOnce(api, address);
  const page = await as('client', '/client/activity');
  await expect(page.getByText('Texted +1 312 ··· 0911 after a missed call').first()).toBeVisible();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download as CSV' }).click();
  expect((await download).suggestedFilename()).toMatch(/^activity-\d{4}-\d\d-\d\d\.csv$/);
});

async function textBack(api: Api) {
  const { data } = await api.owner.listAgents({ query: { templateName: 'missed-call-text-back' } });
  const agent = data[0];
  if (!agent) throw new Error('The quick start installed no text-back.');
  return agent;
}

/** The seeded agent keeps quiet at night, and a test may run at night. */
async function textAtAnyHour(api: Api): Promise<void> {
  const agent = await textBack(api);
  await api.owner.updateAgent({ params: { id: agent.id }, body: { config: { ...agent.config, quietHours: '' } } });
}

/** The run of the missed call that several tests look at; the first of them makes it. */
async function textOnce(api: Api, baseUrl: string): Promise<void> {
  const runs = async () => (await api.owner.listExecutions({ query: { q: '0911' } })).data;
  if ((await runs()).length === 0) {
    await textAtAnyHour(api);
    await postMissedCall(api, baseUrl, '+13125550911');
  }
  await expect.poll(async () => (await runs())[0]?.status).toBe('SUCCEEDED');
}

async function postMissedCall(api: Api, baseUrl: string, callerNumber: string): Promise<void> {
  const { url } = await api.owner.getIngestUrl({ params: { workflowId: (await textBack(api)).id } });
  const { pathname, search } = new URL(url);
  const answer = await fetch(baseUrl + pathname + search, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ callerNumber, businessNumber: DEMO.businessNumber }),
  });
  expect(answer.status).toBe(202);
}

test('a failed run shows its steps in words, what the provider answered, the fix, and how often its cause came', async ({
  as,
  page,
  api,
  address,
}) => {
  await textAtAnyHour(api);
  // The sandbox refuses to text this number.
  const refused = '+15002160600';
  for (let run = 0; run < 2; run += 1) await postMissedCall(api, address, refused);
  const { id: workflowId } = await textBack(api);
  const newest = async () => (await api.owner.listExecutions({ query: { workflowId, limit: 2 } })).data;
  await expect
    .poll(async () => (await newest()).map(({ status, error }) => `${status} ${error?.code}`))
    .toEqual(Array(2).fill('FAILED twilio_sender_rejected'));
  const id = (await newest())[0]?.id ?? '';
  // The engine's own times follow the report.
  await expect
    .poll(async () => (await api.owner.getExecution({ params: { id } })).steps.at(-1)?.output)
    .toEqual({ status: 400, code: 21606 });
  await as('owner', `/dashboard/runs/${id}`);
  const main = page.getByRole('main');
  await expect(main).toContainText('Outside quiet hours; this caller gets a text.');
  await expect(main).toContainText(/Caller’s number \+1 500 ··· 0600, Business number/);
  await expect(main).toContainText('To fix it:');
  await expect(main.getByText('Twilio answered 400 with its code')).toBeVisible();
  await expect(main).toContainText('21606');
  await expect(main.getByRole('img', { name: /^Failures by day: .*today \d+$/ })).toBeVisible();
  await expectGood(page);
});

test('a run that waits for capacity says so in Runs, on a phone too, and on its page until it ends; its client reads that it is happening', async ({
  as,
  page,
  api,
  address,
  system,
}) => {
  await textAtAnyHour(api);
  const heading = page.getByRole('heading', { level: 1 });
  const leavePlaces = await takeAllPlaces(system, (await textBack(api)).id);
  try {
    await postMissedCall(api, address, '+13125550941');
    const [run] = (await api.owner.listExecutions({ query: { q: '0941' } })).data;
    expect(run?.status).toBe('RUNNING');
    const late = "update dispatch set created_at = created_at - interval '11 seconds' where execution_id = $1 returning attempts";
    expect(await system.query(late, [run?.id])).toEqual([{ attempts: 0 }]);

    await as('client', '/client/activity');
    const entry = page.getByRole('listitem').filter({ hasText: 'Texting +1 312 ··· 0941 after a missed call' });
    await expect(entry.getByRole('img', { name: 'happening now' })).toBeVisible();
    await expect(page.getByRole('main').getByText('Now', { exact: true })).toBeVisible();
    await expect(page.getByRole('main')).not.toContainText(/capacity/i);

    await as('owner', '/dashboard/runs?started=7d');
    const row = page.getByRole('row', { name: /Texting \+1 312 ··· 0941 after a missed call/ });
    await expect(row).toContainText('Waiting for capacity');
    await expect(row).not.toContainText('Running');
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(row.getByRole('img', { name: 'Waiting for capacity' })).toBeVisible();
    await page.setViewportSize({ width: 1280, height: 720 });
    await row.getByRole('link').first().click();
    await expect(heading).toHaveText('Texting +1 312 ··· 0941 after a missed call');
    await expect(page.getByText('Waiting for capacity', { exact: true })).toBeVisible();
    await expect(page.getByText('Running', { exact: true })).toHaveCount(0);
  } finally {
    await leavePlaces();
  }
  await expect(heading).toHaveText('Texted +1 312 ··· 0941 after a missed call');
  await expect(page.getByText('Waiting for capacity', { exact: true })).toHaveCount(0);
});

/** Fills the places of this agent's agency in the engine, as many as there ever are, with runs that do not end; returns what frees them. */
async function takeAllPlaces(system: System, workflowId: string): Promise<() => Promise<unknown>> {
  const taken = await system.query<{ executionId: string }>(
    `insert into under_way (execution_id, partner_id, workflow_id, handed_at, ask_at)
     select uuidv7(), w.partner_id, w.id, now() + interval '1 hour', 'infinity' from workflow w cross join generate_series(1, ${EMBEDDED_WINDOW_LIMITS.max})
     where w.id = $1 returning execution_id as "executionId"`,
    [workflowId],
  );
  return () => system.query('delete from under_way where execution_id = any($1)', [taken.map(({ executionId }) => executionId)]);
}

test('runs that wait for their causes leave no empty place, and appear without them', async ({ page, as }) => {
  await readAlone(page);
  await page.route(/\/executions\/causes\b/, () => undefined);
  await page.addInitScript(`
    window.empty = 0;
    const look = () => {
      if (document.querySelector('main h1') && !document.querySelector('main .skeleton, main .table-panel')) empty += 1;
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  `);
  await as('owner', '/dashboard/runs?started=all');
  await expect(page.getByRole('table', { name: 'Runs' })).toBeVisible();
  expect(await page.evaluate('empty'), 'frames of the page without a row or its place').toBe(0);
});
