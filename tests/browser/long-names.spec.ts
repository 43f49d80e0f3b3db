import { business, test } from './pages.ts';
import { type Api, expect, expectLoaded, expectNoSidewaysScroll, type Person } from './portal.ts';

const NAMES = new Set(['name', 'fullName', 'clientName', 'agentName', 'partnerName', 'email', 'subject', 'summary', 'detail', 'website']);
const LONG = 'Wwwwwwwwww'.repeat(8);

const PAGES: readonly [Person, (api: Api) => Promise<string>][] = [
  ['owner', async () => '/dashboard'],
  ['owner', async (api) => `/dashboard/clients/${await business(api)}`],
  ['owner', async () => '/dashboard/settings/account'],
  ['client', async () => '/client'],
  ['client', async () => '/client/settings?part=business'],
  ['staff', async (api) => `/admin/partners/${(await api.owner.getMyPartner()).id}`],
];

test('names without a space make no page wider than a phone', async ({ as, page, api }) => {
  let count = 0;
  const lengthen = (key: string, value: unknown): unknown => {
    // Keys of templates and settings are lower-case words.
    if (!NAMES.has(key) || typeof value !== 'string' || /^[a-z_-]*$/.test(value)) return value;
    count += 1;
    return value + LONG;
  };
  await page.setViewportSize({ width: 390, height: 844 });
  await page.route('**/reads', async (route) => {
    const response = await route.fetch();
    const lines = (await response.text()).split('\n');
    await route.fulfill({ response, body: lines.map((line) => line && JSON.stringify(JSON.parse(line, lengthen))).join('\n') });
  });
  for (const [person, pathOf] of PAGES) {
    const path = await pathOf(api);
    count = 0;
    await as(person, path);
    await expect.poll(() => count, `names on ${path}`).toBeGreaterThan(0);
    await expectLoaded(page);
    await expectNoSidewaysScroll(page);
  }
});
