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
    // The page may have cancelled this request and sent another.
    await route.continue().catch(() => undefined);
  });
  return { arrived: arrived.promise, release: gate.resolve };
}

const oakOf = async (api: Api): Promise<string> => (await api.owner.listClients({ query: { q: 'Oak' } })).data[0]?.id ?? '';

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

test('the end of a setup is shown, regardless of the part that was read before it', async ({ as, page, api }) => {
  const path = `/partners/${(await api.staff.listPartners({ query: { q: 'Northwind' } })).data[0]?.id}/automation`;
  await readAlone(page);
  const stream = await hold(page, /\/streams$/);
  // The instance as it was a moment before the end; the steps are read after it.
  const early = async (route: Route): Promise<void> => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), status: 'provisioning', canRepair: false } });
  };
  await page.route(({ pathname }) => pathname === path, early, { times: 1 });
  await as('staff', `/admin${path}`);
  await expect(page.getByRole('button', { name: 'Provision', exact: true })).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByRole('img', { name: 'Done', exact: true }).first()).toBeVisible();
  stream.release();
  await expect(page.getByRole('button', { name: 'Repair', exact: true })).toBeEnabled();
});
