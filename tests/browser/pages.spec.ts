import { type Api, expect, expectAccessible, expectLoaded, expectNoSidewaysScroll, type Person, test } from './portal.ts';

type Sight = { name: string; path: (api: Api) => Promise<string> };

const at = (path: string): Sight => ({ name: path, path: async () => path });
const partner = async (api: Api): Promise<string> =>
  `/admin/partners/${(await api.staff.listPartners({ query: { q: 'Northwind' } })).data[0]?.id}`;
const agent = async (api: Api): Promise<string> =>
  (await api.owner.listAgents({ query: { templateName: 'missed-call-text-back' } })).data[0]?.id ?? '';
const run = async (api: Api): Promise<string> => (await api.owner.listExecutions({ query: { limit: 1 } })).data[0]?.id ?? '';
const business = async (api: Api): Promise<string> => (await api.owner.listClients({ query: { q: 'Oak' } })).data[0]?.id ?? '';

const SIGHTS: Record<Person, Sight[]> = {
  staff: [
    at('/admin/partners'),
    { name: 'a partner', path: partner },
    { name: 'the clients of a partner', path: async (api) => `${await partner(api)}/clients?client=${await business(api)}` },
    { name: 'the automation of a partner', path: async (api) => `${await partner(api)}/automation` },
    at('/admin/requests'),
    at('/admin/users'),
    at('/admin/templates'),
    at('/admin/templates?template=missed-call-text-back'),
    at('/admin/engine'),
    at('/admin/outbox'),
  ],
  owner: [
    at('/dashboard'),
    at('/dashboard/clients'),
    { name: 'a client', path: async (api) => `/dashboard/clients/${await business(api)}` },
    at('/dashboard/agents'),
    { name: 'an agent', path: async (api) => `/dashboard/agents/${await agent(api)}` },
    at('/dashboard/requests'),
    at('/dashboard/runs'),
    { name: 'a run', path: async (api) => `/dashboard/runs/${await run(api)}` },
  ],
  moderator: [
    at('/dashboard/catalog'),
    at('/dashboard/integrations'),
    at('/dashboard/setup'),
    at('/dashboard/usage'),
    at('/dashboard/settings'),
    at('/dashboard/settings/team'),
  ],
  client: [
    at('/client'),
    at('/client/agents'),
    { name: 'an agent of the client', path: async (api) => `/client/agents/${await agent(api)}` },
    at('/client/activity'),
    at('/client/integrations'),
    at('/client/integrations?service=twilio'),
    at('/client/suggestions'),
    at('/client/business'),
    at('/client/settings'),
  ],
};

for (const [person, sights] of Object.entries(SIGHTS) as [Person, Sight[]][]) {
  // keys of a record over Person
  for (const { name, path } of sights) {
    test(`${name}: accessible in both themes, fits a phone, says nothing in the console (${person})`, async ({ as, api }) => {
      const page = await as(person, await path(api));
      await expectLoaded(page);
      await expectAccessible(page, 'light');
      await expectAccessible(page, 'dark');
      await page.setViewportSize({ width: 390, height: 844 });
      await expectNoSidewaysScroll(page);
      await expectAccessible(page, 'light');
    });
  }
}

for (const path of [
  '/',
  '/login',
  '/status',
  '/problems/quota_exceeded',
  '/problems/no-such-code',
  '/invite/no-such-link',
  '/login/no-such-page',
]) {
  test(`${path}: accessible in both themes and fits a phone, for anybody`, async ({ page, complaints }) => {
    await page.goto(path);
    await expectLoaded(page);
    await expectAccessible(page, 'light');
    await expectAccessible(page, 'dark');
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(page);
    // A link that is no invitation is answered 404, and browsers write each refused request into the console.
    if (path.startsWith('/invite/')) complaints.all = complaints.all.filter((line) => !line.includes('404'));
  });
}

test('a tablet and a small phone need no sideways scroll either', async ({ as }) => {
  const page = await as('client', '/client');
  for (const width of [320, 768, 1100]) {
    await page.setViewportSize({ width, height: 800 });
    await expectNoSidewaysScroll(page);
  }
  await expect(page.getByRole('navigation', { name: 'Main' }).first()).toBeVisible();
});
