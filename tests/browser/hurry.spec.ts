import { DEMO } from '@partner-portal/service/quick-start/seed-workspace.ts';
import type { Page, Route } from '@playwright/test';
import { test } from './pages.ts';
import { type Api, expect, readAlone, isFollowing } from './portal.ts';

/** Holds matching requests back until they are released. */
async function hold(page: Page, url: RegExp, isMeant: (route: Route) => boolean = () => true) {
  const arrived = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    if (!isMeant(route)) return route.fallback();
    arrived.resolve();
    await gate.promise;
    // The page may have asked anew by now.
    await route.continue().catch(() => undefined);
  });
  return { arrived: arrived.promise, release: gate.resolve };
}

const oakOf = async (api: Api): Promise<string> => (await api.owner.listClients({ query: { q: 'Oak' } })).data[0]?.id ?? '';

test('text typed while a save is in flight is not lost when it completes', async ({ as, page, api }) => {
  const { website } = await api.owner.getMyPartner();
  const save = await hold(page, /\/partners\/me$/, (route) => route.request().method() === 'PATCH');
  await as('owner', '/dashboard/settings');
  await page.getByLabel('Website').fill('https://first.example');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await save.arrived;
  await page.getByLabel('Support e-mail').fill('typed-meanwhile@northwind.example');
  save.release();
  await expect(page.getByRole('button', { name: 'Save changes' })).not.toHaveAttribute('aria-busy', 'true');
  await expect.poll(async () => (await api.owner.getMyPartner()).website).toBe('https://first.example');
  await expect(page.getByLabel('Website')).toHaveValue('https://first.example');
  await expect(page.getByLabel('Support e-mail')).toHaveValue('typed-meanwhile@northwind.example');
  await expect(page.getByText('Not saved yet')).toBeVisible();
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByText('Everything is saved.')).toBeVisible();
  await api.owner.updateMyPartner({ body: { website }, headers: { 'if-match': `"${(await api.owner.getMyPartner()).updatedAt}"` } });
});

test('text a client types while its business is being saved stays', async ({ as, page, api }) => {
  const id = await oakOf(api);
  const { businessProfile } = await api.owner.getClient({ params: { id } });
  const save = await hold(page, /\/clients\/me$/, (route) => route.request().method() === 'PATCH');
  await as('client', '/client/business');
  await page.getByLabel('Opening hours').fill('Mon to Fri, 8 to 16');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await save.arrived;
  await page.getByLabel('Address').fill('typed meanwhile');
  save.release();
  await expect(page.getByRole('button', { name: 'Save changes' })).not.toHaveAttribute('aria-busy', 'true');
  await expect.poll(async () => (await api.owner.getClient({ params: { id } })).businessProfile.hours).toBe('Mon to Fri, 8 to 16');
  await expect(page.getByText(/^Unsaved: Address/)).toBeVisible();
  await expect(page.getByLabel('Opening hours')).toHaveValue('Mon to Fri, 8 to 16');
  await expect(page.getByLabel('Address')).toHaveValue('typed meanwhile');
  await api.owner.updateClient({ params: { id }, body: { businessProfile } });
});

test('a setting of an agent that is typed while the others are saved stays', async ({ as, page, api }) => {
  const made = await api.staff.createAgent({
    body: { partnerId: (await api.owner.getMyPartner()).id, clientId: null, templateName: 'lead-follow-up-email', name: 'In haste' },
  });
  const save = await hold(page, new RegExp(`/agents/${made.id}$`), (route) => route.request().method() === 'PATCH');
  await as('owner', `/dashboard/agents/${made.id}`);
  await page.getByLabel('Sender address').fill('desk@northwind.example');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await save.arrived;
  await page.getByLabel('Name', { exact: true }).fill('In more haste');
  save.release();
  await expect
    .poll(async () => (await api.owner.getAgent({ params: { id: made.id } })).config['fromAddress'])
    .toBe('desk@northwind.example');
  await expect(page.getByRole('button', { name: 'Save changes' })).not.toHaveAttribute('aria-busy', 'true');
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('In more haste');
  await expect(page.getByText(/^Unsaved: name/)).toBeVisible();
  await page.close();
  await api.owner.deleteAgent({ params: { id: made.id } });
});

test('a filter keeps its text and blanks while an earlier search is in flight', async ({ as }) => {
  const page = await as('owner', '/dashboard/agents');
  const filter = page.getByRole('searchbox');
  await filter.pressSequentially('missed ');
  await expect(page).toHaveURL(/q=missed(&|$)/);
  await expect(page.getByRole('link', { name: /text-back/i }).first()).toBeVisible();
  await filter.pressSequentially('call');
  await expect(filter).toHaveValue('missed call');
  await expect(page).toHaveURL(/q=missed(\+|%20)call/);
});

test('a two-key shortcut works although the page was busy between the keys', async ({ as }) => {
  const page = await as('staff', '/admin/partners');
  await expect(page.getByRole('table', { name: 'Partners' })).toBeVisible();
  // Pressed one right after the other; the page gets to the second one late.
  await page.evaluate(`{
    const [g, u] = ['g', 'u'].map((key) => new KeyboardEvent('keydown', { key, bubbles: true }));
    const pressed = Date.now();
    document.body.dispatchEvent(g);
    while (Date.now() - pressed < 1500);
    document.body.dispatchEvent(u);
  }`);
  await page.waitForURL((url) => url.pathname === '/admin/users');
});

test('each J in the work queue goes one item on, however late the address follows', async ({ as, api }) => {
  for (const name of ['One', 'Two', 'Three'])
    await api.staff.registerTrial({
      body: { email: `${name.toLowerCase()}@in-haste.example`, fullName: name, companyName: `Haste ${name}`, acceptTerms: true },
    });
  const page = await as('staff', '/admin');
  const items = page.getByRole('region', { name: 'Items' }).getByRole('link');
  await expect(items.nth(2)).toBeVisible();
  await page.evaluate(`for (const _ of [1, 2, 3]) document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true }))`);
  await expect(page).toHaveURL(/item=/);
  await expect(items.nth(2)).toHaveAttribute('aria-current');
});

test('a request that another user makes before the board subscribes is shown on it', async ({ as, page, api }) => {
  await readAlone(page);
  const stream = await hold(page, /\/streams$/);
  const read = page.waitForResponse(/\/agent-requests\?open=true/);
  await as('owner', '/dashboard/requests');
  await stream.arrived;
  // No event reports what is created between reading the list and opening the stream.
  await read;
  await api.owner.createAgentRequest({ body: { clientId: await oakOf(api), title: 'Sweep the yard' } });
  stream.release();
  await expect(page.getByRole('region', { name: 'Submitted' }).getByRole('button', { name: /Sweep the yard/ })).toBeVisible();
});

test('a run reported while the list of runs is still loading is in the list', async ({ as, page, api }) => {
  // The first list is read at once and comes late; other readings are not held.
  const arrived = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  let isFirst = true;
  await readAlone(page);
  await page.route(/\/executions\?/, async (route) => {
    if (!isFirst) return route.fallback();
    isFirst = false;
    const answer = await route.fetch();
    arrived.resolve();
    await gate.promise;
    await route.fulfill({ response: answer });
  });
  const listening = page.waitForResponse((response) => isFollowing(/\/executions\/stream/)(response.request()));
  // A midnight between the run and the list takes no run out of it.
  await as('owner', '/dashboard/runs?started=7d');
  await arrived.promise;
  await listening;
  const { data } = await api.owner.listAgents({ query: { templateName: 'missed-call-text-back' } });
  const agent = data[0];
  await api.owner.updateAgent({ params: { id: agent?.id ?? '' }, body: { config: { ...agent?.config, quietHours: '' } } });
  const { url } = await api.owner.getIngestUrl({ params: { workflowId: agent?.id ?? '' } });
  const { pathname, search } = new URL(url);
  // The page receives the run, refetches the failure causes, and has no list to put it into yet.
  const heard = page.waitForRequest(/\/executions\/causes/);
  const posted = await page.request.post(pathname + search, {
    data: { callerNumber: '+13125550777', businessNumber: DEMO.businessNumber },
  });
  expect(posted.status()).toBe(202);
  await heard;
  gate.resolve();
  await expect(page.getByRole('row', { name: /··· 0777/ })).toBeVisible();
});

test('the end of a setup is shown whichever part of it was read before that end', async ({ as, page, api }) => {
  const path = `/partners/${(await api.staff.listPartners({ query: { q: 'Northwind' } })).data[0]?.id}/automation`;
  await readAlone(page);
  const stream = await hold(page, /\/streams$/);
  // The instance as it was a moment before the end; the steps are read after it.
  const early = async (route: Route): Promise<void> => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), status: 'provisioning' } });
  };
  await page.route(({ pathname }) => pathname === path, early, { times: 1 });
  await as('staff', `/admin${path}`);
  await expect(page.getByRole('button', { name: 'Provision', exact: true })).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByRole('img', { name: 'Done', exact: true }).first()).toBeVisible();
  stream.release();
  await expect(page.getByRole('button', { name: 'Repair', exact: true })).toBeEnabled();
});

test('typed text stays when refetching the page fails', async ({ as, page, complaints }) => {
  await readAlone(page);
  await page.clock.install();
  await as('owner', '/dashboard/settings');
  await page.getByLabel('Website').fill('https://typed.example');
  const failed = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
  let count = 0;
  await page.route(/\/partners\/me$/, async (route) => {
    await route.fulfill({ status: 503, contentType: 'application/problem+json', body: '{}' });
    failed[count++]?.resolve();
  });
  // Data older than a minute is refetched when the user returns to the page.
  await page.clock.fastForward(61_000);
  await page.evaluate('document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))');
  await Promise.all(failed.map(({ promise }) => promise));
  await page.unroute(/\/partners\/me$/);
  await page.getByLabel('Support e-mail').fill('still-here@northwind.example');
  await expect(page.getByText('Not saved yet')).toBeVisible();
  await expect(page.getByLabel('Website')).toHaveValue('https://typed.example');
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByText('Everything is saved.')).toBeVisible();
  complaints.all = complaints.all.filter((line) => !line.includes('503'));
});

test('a page that is opened too often says that it waits, and goes on by itself', async ({ as, page, complaints }) => {
  const refusal = { code: 'rate_limited', title: 'Too many requests', detail: 'Please wait 3 seconds.', status: 429, retryAfterSeconds: 3 };
  await page.route(
    /\/reads$/,
    (route) =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': '3' },
        contentType: 'application/problem+json',
        body: JSON.stringify(refusal),
      }),
    { times: 1 },
  );
  await as('owner', '/dashboard/runs?started=7d');
  const wait = page.getByText('Too many requests in a minute. Loading continues in 3 seconds.');
  await expect(wait).toHaveCount(1);
  await expect(page.getByRole('table', { name: 'Runs' }).locator('[data-row]').first()).toBeVisible();
  await expect(wait).toHaveCount(0);
  await expect.poll(() => complaints.all.filter((line) => line.includes('429'))).toHaveLength(1);
  complaints.all = complaints.all.filter((line) => !line.includes('429'));
});
