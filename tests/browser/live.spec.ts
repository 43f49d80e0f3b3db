import { test } from './pages.ts';
import { answerChanged, expect, sessionOf, followedBy } from './portal.ts';

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

test('an agent that staff install, and a comparison with the engine, reach pages that are open', async ({
  as,
  page,
  api,
  otherBrowser,
  system,
}) => {
  const client = await api.owner.createClient({ body: { name: 'Live Laundry', timezone: 'UTC' } });
  await as('owner', `/dashboard/agents?client=${client.id}`);
  await expect(page.getByText('No agents yet')).toBeVisible();
  const { id: partnerId } = await api.owner.getMyPartner();
  await api.staff.reprovision({
    params: { id: partnerId },
    body: { mode: 'repair', templateNames: ['lead-intake-cleaner'], clientId: client.id },
  });
  await expect(
    page
      .getByRole('table')
      .getByRole('row', { name: /Live Laundry|Lead intake cleaner/ })
      .first(),
  ).toBeVisible();

  const staff = await otherBrowser();
  await staff.goto('/health');
  await staff.evaluate(`sessionStorage.setItem('portal.session', ${JSON.stringify(await sessionOf(staff, 'staff'))})`);
  // What the last comparison found is no longer so.
  await system.query("update workflow_drift set state = 'missing' where partner_id = $1", [partnerId]);
  await staff.goto(`/admin/partners/${partnerId}/automation`);
  const drifted = staff.getByText('Gone from the engine');
  await expect(drifted.first()).toBeVisible();
  // As each night, and as another person does.
  await api.staff.verifyAutomation({ params: { id: partnerId } });
  await expect(drifted).toHaveCount(0);
  await api.owner.archiveClient({ params: { id: client.id } });
});
