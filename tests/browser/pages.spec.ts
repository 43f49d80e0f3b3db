import { isFull } from '../harness/full.ts';
import {
  type Api,
  expect,
  expectAccessible,
  expectGood,
  expectLoaded,
  expectNoSidewaysScroll,
  expectWholeTables,
  type Person,
  test,
} from './portal.ts';

type Sight = { name: string; path: (api: Api) => Promise<string> };

const at = (path: string): Sight => ({ name: path, path: async () => path });
const partner = async (api: Api): Promise<string> =>
  `/admin/partners/${(await api.staff.listPartners({ query: { q: 'Northwind' } })).data[0]?.id}`;
const agent = async (api: Api): Promise<string> =>
  (await api.owner.listAgents({ query: { templateName: 'missed-call-text-back' } })).data[0]?.id ?? '';
const run = async (api: Api): Promise<string> => (await api.owner.listExecutions({ query: { limit: 1 } })).data[0]?.id ?? '';
const delivery = async (api: Api): Promise<string> => {
  const endpoint = (await api.owner.listWebhooks()).at(-1)?.id ?? '';
  const [newest] = await api.owner.listDeliveries({ params: { id: endpoint } });
  return `endpoint=${endpoint}&delivery=${newest?.id}`;
};
/** One that waits for staff, sent as anybody may. */
const application = async (api: Api): Promise<string> => {
  await api.staff.registerTrial({
    body: { email: 'una@waits.example', fullName: 'Una Wait', companyName: 'Waits & Co.', message: 'Soon, please.', acceptTerms: true },
  });
  const { data } = await api.staff.listPlanRequests({ query: { status: 'pending' } });
  return data[0]?.id ?? '';
};
const business = async (api: Api): Promise<string> => (await api.owner.listClients({ query: { q: 'Oak' } })).data[0]?.id ?? '';

const SIGHTS: Record<Person, Sight[]> = {
  staff: [
    at('/admin'),
    { name: 'an application in the work queue', path: async (api) => `/admin?item=application.${await application(api)}` },
    at('/admin/plans'),
    at('/admin/plans?plan=new'),
    at('/admin/partners'),
    { name: 'a partner', path: partner },
    { name: 'the clients of a partner', path: async (api) => `${await partner(api)}/clients?client=${await business(api)}` },
    { name: 'the audit log of a partner', path: async (api) => `${await partner(api)}/audit` },
    at('/admin/audit-log'),
    at('/admin/system'),
    { name: 'a mail of the outbox', path: async (api) => `/admin/system?mail=${(await api.staff.listMail()).data[0]?.id}` },
    { name: 'an entry of the audit log', path: async (api) => `/admin/audit-log?entry=${(await api.staff.listAuditLog()).data[0]?.id}` },
    { name: 'the automation of a partner', path: async (api) => `${await partner(api)}/automation` },
    at('/admin/requests'),
    at('/admin/alerts'),
    at('/admin/users'),
    at('/admin/templates'),
    at('/admin/templates?template=missed-call-text-back'),
    at('/admin/engine'),
    at('/admin/deliveries'),
    at('/admin/deliveries?show=all'),
    at('/admin/outbox'),
  ],
  owner: [
    at('/dashboard'),
    at('/dashboard/clients'),
    { name: 'a client', path: async (api) => `/dashboard/clients/${await business(api)}` },
    at('/dashboard/agents'),
    { name: 'an agent', path: async (api) => `/dashboard/agents/${await agent(api)}` },
    at('/dashboard/requests'),
    at('/dashboard/alerts'),
    at('/dashboard/alerts?state=resolved'),
    at('/dashboard/runs'),
    { name: 'a run', path: async (api) => `/dashboard/runs/${await run(api)}` },
  ],
  moderator: [
    at('/dashboard/catalog'),
    at('/dashboard/integrations'),
    at('/dashboard/setup'),
    at('/dashboard/usage'),
    at('/dashboard/settings'),
    at('/dashboard/settings/alerts'),
    at('/dashboard/settings/team'),
    at('/dashboard/settings/team?view=invitations'),
    at('/dashboard/settings/sso'),
    at('/dashboard/settings/webhooks'),
    { name: 'the log of a webhook', path: async (api) => `/dashboard/settings/webhooks?${await delivery(api)}` },
    at('/dashboard/developer'),
    at('/dashboard/developer?tab=events&event=usage.threshold_crossed'),
    at('/dashboard/developer?tab=verify'),
    at('/dashboard/settings/audit'),
    {
      name: 'a change in the audit log',
      path: async (api) =>
        `/dashboard/settings/audit?entry=${(await api.owner.listAuditLog({ query: { action: 'partner.changed' } })).data[0]?.id}`,
    },
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

/** In turns between the people, so that nobody's requests of a minute are used up while the others wait. */
const TURNS = (Object.entries(SIGHTS) as [Person, Sight[]][]) // keys of a record over Person
  .flatMap(([person, sights]) => sights.map((sight, turn) => ({ person, turn, ...sight })))
  .toSorted((a, b) => a.turn - b.turn);

/** Asked of every page in a full run; else one page is asked one of them, the next one the next. */
const LOOKS = [
  { theme: 'light', width: 1280 },
  { theme: 'dark', width: 1280 },
  { theme: 'light', width: 390 },
] as const;

for (const [place, { person, name, path }] of TURNS.entries()) {
  test(`${name}: accessible, fits a phone, says nothing in the console (${person})`, async ({ as, api }) => {
    const page = await as(person, await path(api));
    await expectLoaded(page);
    for (const [at, { theme, width }] of LOOKS.entries()) {
      await page.setViewportSize({ width, height: 844 });
      await expectNoSidewaysScroll(page);
      await expectWholeTables(page);
      if (isFull || place % LOOKS.length === at) await expectAccessible(page, theme);
    }
  });
}

for (const path of [
  '/',
  '/login',
  '/signup',
  '/signup?trial=true',
  '/status',
  '/problems/quota_exceeded',
  '/problems/no-such-code',
  '/invite/no-such-link',
  '/login?sso=no%20name',
  '/login/callback?test=ok',
  '/login/callback?problem=no_member#email=somebody@example.com',
  '/login/no-such-page',
  '/nonsense',
]) {
  test(`${path}: accessible in both themes and fits a phone, for anybody`, async ({ page, complaints }) => {
    await page.goto(path);
    await expectLoaded(page);
    await expectAccessible(page, 'light');
    await expectAccessible(page, 'dark');
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(page);
    // A link that is no invitation and an address without a page are answered 404, and browsers write that into the console.
    if (path.startsWith('/invite/') || path === '/nonsense') complaints.all = complaints.all.filter((line) => !line.includes('404'));
  });
}

const NOWHERE = '01a00000-0000-7000-8000-000000000000';
for (const [person, list, thing] of [
  ['owner', '/dashboard/runs', 'run'],
  ['owner', '/dashboard/agents', 'agent'],
  ['owner', '/dashboard/clients', 'client'],
  ['client', '/client/agents', 'agent'],
] as const) {
  test(`${list}/…: what is not there is told as a page, with the way on (${person})`, async ({ as, page, complaints }) => {
    let asked = 0;
    page.on('request', (request) => {
      if (request.resourceType() === 'fetch' && request.url().includes(NOWHERE)) asked += 1;
    });
    await as(person, `${list}/${NOWHERE}`);
    await expect(page.getByRole('heading', { level: 1, name: `This ${thing} is not here` })).toBeVisible();
    await expectGood(page);
    await page
      .getByRole('main')
      .getByRole('link', { name: /^(All|Your) / })
      .click();
    await page.waitForURL((url) => url.pathname === list);
    expect(asked, 'what is not there is asked for once').toBe(1);
    complaints.all = complaints.all.filter((line) => !line.includes('404'));
  });
}

test('a client who comes to an address without a page stays with the agency and reads of no platform', async ({ as, api, complaints }) => {
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
