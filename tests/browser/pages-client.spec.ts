import { agent, at, conversation, test, testViews } from './pages.ts';
import { expect, expectAccessible, expectGood, expectLoaded, expectNoSidewaysScroll } from './portal.ts';

testViews('client', [
  at('/client'),
  at('/client/agents'),
  { name: 'an agent of the client', path: async (api) => `/client/agents/${await agent(api)}` },
  at('/client/inbox'),
  { name: 'a conversation', path: async (api, system) => `/client/inbox/${await conversation(api, system)}` },
  at('/client/activity'),
  at('/client/integrations'),
  at('/client/integrations?service=twilio'),
  at('/client/suggestions'),
  at('/client/business'),
  at('/client/report'),
  at('/client/settings'),
  at('/client/settings?part=business'),
  at('/client/trust'),
  at('/client/people'),
  at('/client/stop-list'),
]);

test('an unknown address shows a client the branding of the agency and names no platform', async ({ as, api, complaints }) => {
  const { name } = await api.owner.getMyPartner();
  const page = await as('client', '/client/no-such-page');
  await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
  await expect(page.getByRole('banner').getByText(name, { exact: true })).toBeVisible();
  await expect(page.getByText('Portal', { exact: true })).toHaveCount(0);
  await expect(page).toHaveTitle(`Page not found · ${name}`);
  await expectGood(page);
  complaints.all = complaints.all.filter((line) => !line.includes('404'));
});

test('a tablet and a small phone need no sideways scroll either', async ({ as }) => {
  const page = await as('client', '/client');
  for (const width of [320, 768, 1100]) {
    await page.setViewportSize({ width, height: 800 });
    await expectNoSidewaysScroll(page);
  }
  await expect(page.getByRole('navigation', { name: 'Main' }).first()).toBeVisible();
});

for (const locale of ['de', 'es'] as const)
  test(`the top bar of a tablet and a desk has room for the agency's name and the person's menu: ${locale}`, async ({ as, api }) => {
    await api.client.updateMe({ body: { locale } });
    try {
      const page = await as('client', '/client');
      const name = page.getByRole('banner').getByText((await api.owner.getMyPartner()).name, { exact: true });
      await expectLoaded(page);
      for (const width of [768, 820, 1024, 1100, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        await expectNoSidewaysScroll(page);
        await expect.poll(() => name.evaluate((node) => node.scrollWidth - node.clientWidth), `cut off the name at ${width} px`).toBe(0);
      }
    } finally {
      await api.client.updateMe({ body: { locale: 'en-US' } });
    }
  });

test('a thumb reaches every page of a phone of 320 px, by targets of 44 px', async ({ as }) => {
  const page = await as('client', '/client');
  await page.setViewportSize({ width: 320, height: 640 });
  const bar = page.getByRole('navigation', { name: 'Main' }).last();
  // A wide window has its tabs in the header until the page has noticed that it is narrow.
  await expect(bar.getByRole('button', { name: 'More' })).toBeVisible();
  for (const target of await bar.locator(':scope > *').all()) {
    const box = await target.boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
  }
  await bar.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Your data' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Your data' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Who opened or changed your data' })).toBeVisible();
  await expectNoSidewaysScroll(page);
});

test('an agent of a client shows its days of this month, as a picture and as a table', async ({ as, api }) => {
  const page = await as('client', `/client/agents/${await agent(api)}`);
  const chart = page.getByRole('img', { name: /^Results of “.+” by day$/ });
  await expect(chart).toBeVisible();
  await expectGood(page);
  const asTable = page.getByRole('button', { name: /^Show as table: Results of/ });
  await asTable.focus();
  await page.keyboard.press('Enter');
  const table = page.getByRole('table', { name: /^Results of “.+” by day$/ });
  const [stats] = (await api.client.getWorkflowStats({ params: { id: await agent(api) }, query: { range: '7d' } })).slice(-1);
  const today = table.locator('tbody tr').last().locator('td');
  await expect(today.nth(1)).toHaveText(String(stats?.results ?? 0));
  await expect(table.locator('tbody tr')).toHaveCount(Number(stats?.date.slice(8)));
  await expectAccessible(page, 'light');
});
