import type { Page } from '@playwright/test';
import { type Api, expect, expectLoaded, type Person, test } from './portal.ts';
import { agent, business } from './pages.ts';
import { chatOf, openWebsite } from './website.ts';

/** The pages that draw something of their own: charts, marks in colours of agencies, previews, frames. */
const PAGES: readonly [Person, readonly ((api: Api) => string | Promise<string>)[]][] = [
  [
    'owner',
    [
      () => '/dashboard',
      () => '/dashboard/runs',
      () => '/dashboard/agents',
      async (api) => `/dashboard/agents/${await agent(api)}`,
      () => '/dashboard/clients',
      async (api) => `/dashboard/clients/${await business(api)}`,
      async (api) => `/dashboard/clients/${await business(api)}/report`,
      () => '/dashboard/inbox',
      () => '/dashboard/setup',
      () => '/dashboard/usage',
      () => '/dashboard/alerts',
      () => '/dashboard/webhooks',
      () => '/dashboard/developer',
      () => '/dashboard/settings',
      () => '/dashboard/settings/security',
      () => '/dashboard/settings/team',
      () => '/dashboard/billing',
      () => '/dashboard/billing/invoices',
    ],
  ],
  [
    'staff',
    [() => '/admin', () => '/admin/partners', () => '/admin/plans', () => '/admin/usage', () => '/admin/system', () => '/admin/engine'],
  ],
  [
    'client',
    [
      () => '/client',
      () => '/client/activity',
      () => '/client/agents',
      () => '/client/inbox',
      () => '/client/report',
      () => '/client/trust',
    ],
  ],
];

/** Notes what the policy of any document in the page refuses, in frames too, from before its first element. */
async function collectViolations(page: Page): Promise<string[]> {
  const violations: string[] = [];
  await page.exposeFunction('noteViolation', (text: string) => void violations.push(text));
  await page.addInitScript(`addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile, sample }) =>
    noteViolation([location.pathname, violatedDirective, blockedURI, sourceFile, sample].join(' | ')));`);
  return violations;
}

for (const [person, paths] of PAGES)
  test(`no page of ${person} asks for what its policy refuses`, async ({ as, page, api, complaints: _watched }) => {
    const violations = await collectViolations(page);
    for (const pathOf of paths) {
      await as(person, await pathOf(api));
      await expectLoaded(page);
    }
    expect(violations).toEqual([]);
  });

test('no public page asks for what its policy refuses, whole before its scripts and after them', async ({ page, complaints: _watched }) => {
  const violations = await collectViolations(page);
  for (const path of ['/', '/signup', '/login', '/status', '/forgot-password']) {
    await page.goto(path);
    await expectLoaded(page);
  }
  expect(violations).toEqual([]);
});

test('what a policy refuses is noted: text that would become code, a style in an element, a script of another site', async ({ page }) => {
  const violations = await collectViolations(page);
  await page.goto('/login');
  await expectLoaded(page);
  await page
    .evaluate(`(() => {
    try { document.createElement('div').innerHTML = '<b>text</b>'; } catch {}
    document.body.setAttribute('style', 'color: red');
    document.head.append(Object.assign(document.createElement('script'), { textContent: '1' }));
  })()`)
    .catch(() => undefined);
  await expect
    .poll(() => violations.map((text) => text.split(' | ')[1]))
    .toEqual(expect.arrayContaining(['require-trusted-types-for', 'style-src-attr']));
});

test('the API document shows its operations under its policy', async ({ page }) => {
  const violations = await collectViolations(page);
  await page.goto('/api/docs');
  // The library reads the whole document first.
  await page.locator('#operations-tag-auth').waitFor({ timeout: 0 });
  expect(violations).toEqual([]);
});

test('the widget and its chat ask for nothing that the policies of the website and of the chat refuse', async ({
  page,
  api,
  address,
  complaints: _watched,
}) => {
  const clientId = (await api.owner.listClients({ query: { q: 'Lakeview' } })).data[0]?.id ?? '';
  const { id, snippet } = await api.owner.changeChatbot({ body: { clientId, isActive: true, name: 'Mia', greeting: 'Hello' } });
  const site = await openWebsite(address, id ?? '', snippet ?? '');
  await api.owner.changeChatbot({ body: { clientId, allowedOrigins: [site.origin] } });
  await expect.poll(async () => (await fetch(`${address}/chat/${id}`)).headers.get('content-security-policy')).toContain(site.origin);
  const violations = await collectViolations(page);
  await page.goto(`${site.origin}/snippet`);
  const { launcher, field, frame } = chatOf(page);
  await launcher.click();
  await field.fill('Where can I park?');
  await field.press('Enter');
  await expect(frame.getByRole('log').getByText('Where can I park?')).toBeVisible();
  await expect(frame.getByRole('log').locator('.bubble')).toHaveCount(2);
  await page.goto(`/chat/${id}`);
  expect(violations).toEqual([]);
  await site.close();
});

test('a website runs the bytes of the script that its tag names by their digest, and no others', async ({ page, api, address }) => {
  const clientId = (await api.owner.listClients({ query: { q: 'Lakeview' } })).data[0]?.id ?? '';
  const { id, snippet } = await api.owner.changeChatbot({ body: { clientId, isActive: true } });
  const site = await openWebsite(address, id ?? '', snippet ?? '');
  await api.owner.changeChatbot({ body: { clientId, allowedOrigins: [site.origin] } });
  const refusal = page.waitForEvent('console', (message) => /digest|integrity/i.test(message.text()));
  await page.goto(`${site.origin}/other-bytes`);
  await refusal;
  expect(await page.evaluate('typeof chatWidget')).toBe('undefined');
  await page.goto(`${site.origin}/snippet`);
  await expect.poll(() => page.evaluate('typeof chatWidget')).toBe('object');
  await site.close();
});
