import { readFile } from 'node:fs/promises';
import { addVisitorConversation, say } from '../harness/conversations.ts';
import { test } from './pages.ts';
import { expect, expectGood, expectLoaded, expectNoSidewaysScroll } from './portal.ts';

test('an export is followed until it is ready, and saved as a zip without a token in its address', async ({
  as,
  page,
  complaints: _watched,
}) => {
  const addresses: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/account-export/')) addresses.push(request.url());
  });
  await as('owner', '/dashboard/settings/account');
  await expectLoaded(page);
  await expectGood(page);
  await page.getByRole('button', { name: 'Export data' }).click();
  const table = page.getByRole('table', { name: 'Exports' });
  await expect(table).toBeVisible();
  const download = table.getByRole('button', { name: 'Download' });
  await expect(download.first()).toBeVisible({ timeout: 60_000 });
  await expect(table).toContainText(/Ready until \d+ \w+/);
  await expectGood(page);
  const saving = page.waitForEvent('download');
  await download.first().click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toMatch(/^northwind-studio-\d{4}-\d\d-\d\d\.zip$/);
  const bytes = await readFile(await saved.path());
  expect(bytes.subarray(0, 4).toString('latin1')).toBe('PK\u0003\u0004');
  expect(bytes.subarray(-22, -18).toString('latin1')).toBe('PK\u0005\u0006');
  expect(addresses.some((address) => address.endsWith('/download'))).toBe(true);
  expect(addresses.filter((address) => /token|ey[A-Za-z0-9]/.test(new URL(address).search))).toEqual([]);
});

test('the clients of a list are saved as CSV by its filters', async ({ as, page }) => {
  await as('owner', '/dashboard/clients?q=Oak');
  await expect(page.getByRole('table', { name: 'Clients' })).toBeVisible();
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export as CSV' }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toMatch(/^clients-\d{4}-\d\d-\d\d\.csv$/);
  const bytes = await readFile(await saved.path());
  expect(bytes.subarray(0, 3).toString('hex'), 'a byte order mark').toBe('efbbbf');
  const lines = bytes.toString('utf8').trim().split('\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain('Oak Street Dental');
});

test('team, chatbots and the messages of a conversation are saved as CSV where they are shown, on a phone and by moderators too', async ({
  as,
  page,
  api,
  system,
}) => {
  const { id: clientId, partnerId } = await api.client.getMyClient();
  const conversationId = await addVisitorConversation(system, { partnerId, clientId, label: 'Visitor CSV' });
  await say(system, conversationId, { author: 'visitor', text: '=SUM(1) is no formula' });
  await page.setViewportSize({ width: 390, height: 844 });
  const saved = async (button: string): Promise<{ name: string; text: string }> => {
    await expectLoaded(page);
    await expectNoSidewaysScroll(page);
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: button }).click();
    const file = await saving;
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') };
  };
  await as('moderator', '/dashboard/settings/team');
  const team = await saved('Export as CSV');
  expect(team.name).toMatch(/^team-.*\.csv$/);
  expect(team.text).toContain(',moderator,');
  await as('moderator', '/dashboard/settings/chatbot');
  const chatbots = await saved('Export as CSV');
  expect(chatbots.name).toMatch(/^chatbots-.*\.csv$/);
  expect(chatbots.text).toContain(clientId);
  await as('moderator', `/dashboard/inbox/${conversationId}`);
  const messages = await saved('Download the messages as CSV');
  expect(messages.name).toMatch(/^messages-.*\.csv$/);
  expect(messages.text).toContain("'=SUM(1) is no formula");
  await as('client', `/client/inbox/${conversationId}`);
  expect((await saved('Download the messages as CSV')).text).toContain("'=SUM(1) is no formula");
});
