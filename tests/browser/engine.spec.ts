import { test } from './pages.ts';
import { expect, expectAccessibleInThemes, expectNoSidewaysScroll } from './portal.ts';

/** The page of staff about the engine. */

const MORE_THAN_A_FLUSH = 60_000;

test('staff refresh the session with the engine, and read until when the new one lasts', async ({ as }) => {
  const page = await as('staff', '/admin/engine');
  await page.getByRole('button', { name: 'Refresh session' }).click();
  await expect(page.getByText(/^Logged in to the engine again\. The session expires .+\d\.$/)).toBeVisible();
  await expect(page.getByText('There is no new session.')).toHaveCount(0);
});

test('staff read in words why there is no new session', async ({ as, complaints }) => {
  const page = await as('staff', '/admin/engine');
  const detail = "The engine does not accept the admin's e-mail and password. Set AUTOMATION_ENGINE_ADMIN_PASSWORD, then restart.";
  const problem = { type: '', title: '', instance: '', requestId: '', status: 503, code: 'engine_unavailable', detail };
  await page.route('**/provisioning/engine/refresh', (route) =>
    route.fulfill({ status: 503, contentType: 'application/problem+json', body: JSON.stringify(problem) }),
  );
  await page.getByRole('button', { name: 'Refresh session' }).click();
  await expect(page.getByRole('alert')).toContainText(`There is no new session. ${detail}`);
  complaints.all = complaints.all.filter((line) => !line.includes('503'));
});

test('a report that is refused shows with its reason and what to do about it', async ({ as, api, request }) => {
  const ids = { executionId: '018f0000-0000-7000-8000-000000000000', workflowId: '018f0000-0000-7000-8000-000000000001' };
  await request.post('/executions/webhook', { data: { ...ids, status: 'SUCCEEDED' }, headers: { 'x-callback-token': 'of another run' } });
  await expect.poll(async () => (await api.staff.getEngine()).callbackFailures.total, { timeout: MORE_THAN_A_FLUSH }).toBeGreaterThan(0);
  const page = await as('staff', '/admin/engine');
  await expect(page.getByText('No valid token')).toBeVisible();
  await expect(page.getByText(/AUTOMATION_CALLBACK_SECRET was changed/)).toBeVisible();
  await expectAccessibleInThemes(page);
  await expectNoSidewaysScroll(page);
});
