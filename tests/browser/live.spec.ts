import type { Page } from '@playwright/test';
import { setupEnd } from '../harness/setup-end.ts';
import { agent, test } from './pages.ts';
import { answerChanged, expect, followedBy, isFollowing } from './portal.ts';

test('a key that was saved is shown as live when it is, without asking', async ({ as, page, complaints: _watched }) => {
  const keys = await answerChanged(page, /\/credentials$/, (text) => text.replaceAll('"live":"live"', '"live":"pending"'));
  await as('owner', '/dashboard/integrations?service=twilio');
  const drawer = page.getByRole('dialog');
  await expect(drawer.getByText('saved, not yet live')).toBeVisible();
  keys.end();
  await expect(drawer.getByText('in use', { exact: true })).toBeVisible();
});

test('the overview follows a setup until it has ended', async ({ as, page, api }) => {
  const { stages, errorPublic, provisionedAt, attempt } = await api.owner.getMyAutomation();
  const setup = { status: 'provisioning', stages, errorPublic, provisionedAt, attempt, workflows: [] };
  const summary = await answerChanged(page, /\/summary$/, (text) => JSON.stringify({ ...(JSON.parse(text) as object), setup }));
  // No run events, which would make the page refetch too.
  const ended = Promise.withResolvers<void>();
  await page.route(/\/streams$/, async (route) => {
    await ended.promise;
    const at = followedBy(route.request()).findIndex((path) => path.endsWith('/automation/stream'));
    await route.fulfill({ contentType: 'text/event-stream', body: `id: ${at}:1.25\nevent: stages\ndata: {}\n\n` });
  });
  await as('owner', '/dashboard');
  const section = page.getByRole('heading', { name: 'Setup in progress' });
  await expect(section).toBeVisible();
  summary.end();
  ended.resolve();
  await expect(section).toHaveCount(0);
});

test('a control that becomes disabled while it has the focus keeps it, and shows the reason', async ({
  as,
  page,
  complaints: _watched,
}) => {
  let change = (text: string): string => text.replaceAll('"live":"live"', '"live":"pending"');
  await answerChanged(page, /\/credentials$/, (text) => change(text));
  await as('owner', '/dashboard/integrations');
  const found = page.getByRole('button', { name: 'Test all keys' });
  await found.focus();
  await expect(found).not.toHaveAttribute('aria-disabled');
  await expect(page.getByRole('tooltip')).toHaveCount(0);
  change = (text) => text.replaceAll('"configured":true', '"configured":false');
  await expect(page.getByRole('tooltip')).toHaveText('No keys saved yet.');
  await expect(found).toHaveAttribute('aria-disabled', 'true');
  await expect(found).toBeFocused();
});

test('an agent that staff install while a page opens reaches it', async ({ as, page, api }) => {
  const client = await api.owner.createClient({ body: { name: 'Live Laundry', timezone: 'UTC' } });
  const { id: partnerId } = await api.owner.getMyPartner();
  // Between the page's reads and its streams.
  const installed = Promise.withResolvers<void>();
  await page.route('**/streams', async (route) => {
    await installed.promise;
    await route.continue();
  });
  await as('owner', `/dashboard/agents?client=${client.id}`);
  await expect(page.getByText('No agents yet')).toBeVisible();
  const body = { mode: 'repair' as const, templateNames: ['lead-intake-cleaner'], clientId: client.id };
  const { status, instance } = await setupEnd(api.staff, await api.staff.reprovision({ params: { id: partnerId }, body }));
  expect(status, instance.errorPublic ?? '').toBe('succeeded');
  installed.resolve();
  await expect(page.getByRole('table').getByRole('row', { name: /Lead intake cleaner/ })).toBeVisible();
  await api.owner.archiveClient({ params: { id: client.id } });
});

test('a comparison with the engine reaches a page that is open, also one that is out of sight meanwhile', async ({
  as,
  page,
  api,
  system,
}) => {
  const { id: partnerId } = await api.owner.getMyPartner();
  const drifted = page.getByText('Gone from the engine');
  // What the last comparison found is no longer so: of one agent, since those of clients that other tests have archived are not compared.
  const workflowId = await agent(api);
  const forget = () => system.query("update workflow_drift set state = 'missing' where workflow_id = $1", [workflowId]);
  // As each night, and as another person does.
  const compare = () => api.staff.verifyAutomation({ params: { id: partnerId } });
  await forget();
  const followed = page.waitForRequest(isFollowing(/\/automation\/stream$/));
  await as('staff', `/admin/partners/${partnerId}/automation`);
  await expect(drifted.first()).toBeVisible();
  await followed;
  await compare();
  await expect(drifted).toHaveCount(0);

  await forget();
  await page.reload();
  await expect(drifted.first()).toBeVisible();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await showTab(page, false);
  await compare();
  await showTab(page, true);
  await expect(drifted).toHaveCount(0);
});

/** Hides or shows the tab, as choosing another does: a hidden one follows no stream. */
async function showTab(page: Page, isShown: boolean): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, 'hidden', { configurable: true, value: ${!isShown} });
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: ${isShown ? "'visible'" : "'hidden'"} });
    document.dispatchEvent(new Event('visibilitychange'));`);
}
