import type { Page } from '@playwright/test';
import { collectComplaints, expect, expectLoaded, test } from './portal.ts';
import { chatOf, openWebsite } from './website.ts';

/** Notes what the policy of any document in the page refuses, in frames too, from before its first element. */
async function collectViolations(page: Page): Promise<string[]> {
  const violations: string[] = [];
  await page.exposeFunction('noteViolation', (text: string) => void violations.push(text));
  await page.addInitScript(`addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile, sample }) =>
    noteViolation([location.pathname, violatedDirective, blockedURI, sourceFile, sample].join(' | ')));`);
  return violations;
}

test('violations of a policy are reported: text that would become code, an inline style, a script of another site', async ({ page }) => {
  const violations = await collectViolations(page);
  const complaints = collectComplaints(page);
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
  // The tests of all pages expect a console without errors, and so no violation.
  await expect
    .poll(() => complaints.all)
    .toEqual(expect.arrayContaining([expect.stringMatching('TrustedHTML'), expect.stringMatching('style-src')]));
});

test('the API document shows its operations under its policy', async ({ page }) => {
  const violations = await collectViolations(page);
  // The library reads the whole document first, for most of a minute.
  await page.route(/\/api\/docs[/-].*json/, async (route) => {
    const response = await route.fetch();
    const document = (await response.json()) as { paths: object }; // an OpenAPI document
    const paths = Object.fromEntries(Object.entries(document.paths).filter(([path]) => path.startsWith('/auth/log')));
    await route.fulfill({ response, json: { ...document, paths } });
  });
  await page.goto('/api/docs');
  await expect(page.locator('#operations-tag-auth')).toBeVisible();
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
  // The greeting, the question and its answer: all that is shown after the question was said by the chatbot.
  await expect(frame.getByRole('log').locator('[data-author="visitor"] ~ [data-author="bot"] .bubble').first()).toBeVisible();
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
