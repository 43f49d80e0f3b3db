import { randomUUID } from 'node:crypto';
import type { Locator, Page, Request } from '@playwright/test';
import { type Api, expect, expectAccessible, expectNoSidewaysScroll, test } from './portal.ts';
import { chatOf, openWebsite, type Website } from './website.ts';

const ORIGINS_OF = 'Lakeview';
/** Long enough to have a middle: the model writes it word by word. */
const PARKING =
  '# Parking\n\nVisitors park their car for free in the yard behind the house, on the places that are marked in yellow, where the gate opens by ' +
  'itself at seven in the morning and stays open until the last visitor has gone home in the evening.';
const QUESTION = 'Where can I park my car?';
const SECOND = 'Do you have parking places for visitors?';

/** Made before the first test. */
let chatbotId = '';
let site: Website;
let clientId = '';

test.beforeEach(async ({ api, address, restored: _before }) => {
  if (chatbotId !== '') return;
  clientId = (await api.owner.listClients({ query: { q: ORIGINS_OF } })).data[0]?.id ?? '';
  const settings = {
    isActive: true,
    name: 'Mia',
    greeting: 'Hello, how can I help?',
    knowledgeText: PARKING,
    handoffWhenUnsure: false,
  } as const;
  const model = { provider: 'openai', model: 'gpt-4.1-mini-slow' } as const;
  const { id } = await api.owner.changeChatbot({
    query: { clientId },
    body: { ...settings, ...model, privacyUrl: 'https://lakeview.example/privacy' },
  });
  chatbotId = id ?? '';
  site = await openWebsite(address, chatbotId);
  await allow(api, [site.origin]);
  await expect
    .poll(async () => (await api.owner.listKnowledge({ query: { clientId } })).find(({ kind }) => kind === 'text')?.status, {
      message: 'the text is searched',
    })
    .toBe('ready');
});
test.afterAll(() => site.close());

const allow = (api: Api, allowedOrigins: string[]) => api.owner.changeChatbot({ query: { clientId }, body: { allowedOrigins } });

/** Opens the chat of a page and asks; resolves when the answer has begun. */
async function ask(page: Page, text = QUESTION): Promise<void> {
  const { launcher, field, frame } = chatOf(page);
  if ((await launcher.getAttribute('aria-expanded')) === 'false') await launcher.click();
  await field.fill(text);
  await field.press('Enter');
  await expect(frame.getByText(/^Visitors park/).last()).toBeVisible();
}

/** Complete answers in the log. */
const answersOf = (page: Page): Locator => chatOf(page).log.locator('.bubble').filter({ hasText: 'home in the evening.' });

test('a website shows its chat by one script tag under a strict policy, with its sources, without cookies and without a trace on the page', async ({
  page,
  complaints: _watched,
}) => {
  await page.goto(`${site.origin}/twice`);
  const { launcher, frame } = chatOf(page);
  await expect(launcher).toHaveCount(1);
  await expect(page.locator('iframe')).toHaveCount(1);
  const names = 'Object.getOwnPropertyNames(window).filter((name) => !/^[0-9]+$/.test(name))';
  const plain = await page.context().newPage();
  await plain.goto(`${site.origin}/plain`);
  const before = new Set((await plain.evaluate(names)) as string[]);
  await plain.close();
  expect(((await page.evaluate(names)) as string[]).filter((name) => !before.has(name))).toEqual(['chatWidget']);

  await ask(page);
  await expect(answersOf(page)).toHaveCount(1);
  await frame.getByText(/^From: /).click();
  await expect(frame.getByRole('blockquote')).toContainText('marked in yellow');
  await expect(frame.getByText(/Chat by /)).not.toContainText(/portal/i);
  await expect(frame.getByRole('link', { name: 'Privacy' })).toHaveAttribute('href', 'https://lakeview.example/privacy');
  expect(await page.context().cookies()).toEqual([]);
});

test('a website that is not on the list, and a chatbot that is not served, show nothing', async ({ page, address, api }) => {
  /** The browser itself refuses the frame, and nothing shows that there was one. */
  const expectNothing = async (at: string): Promise<void> => {
    const refusal = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
    await page.goto(at);
    await refusal;
    await expect(chatOf(page).launcher).toHaveCount(0);
  };
  await allow(api, ['https://another.example']);
  // The service caches the allowed origins for some seconds.
  const ancestors = async () => (await fetch(`${address}/chat/${chatbotId}`)).headers.get('content-security-policy');
  await expect.poll(ancestors).toContain("frame-ancestors 'self' https://another.example");
  await expectNothing(site.origin);
  await allow(api, [site.origin]);
  await expect.poll(ancestors).toContain(site.origin);
  await page.goto(site.origin);
  await expect(chatOf(page).launcher).toBeVisible();

  const other = await openWebsite(address, randomUUID());
  await expectNothing(other.origin);
  await other.close();
  const direct = await page.goto(`/chat/${randomUUID()}`);
  expect(direct?.status()).toBe(404);
  await expect(page.getByRole('heading')).toHaveText('This chat is not available');
});

test('the chat is used by keyboard alone: opened, written in, closed by Escape with the focus back at the launcher', async ({ page }) => {
  await page.goto(site.origin);
  const { launcher, frame, field } = chatOf(page);
  await expect(launcher).toHaveAccessibleName('Open the chat with Mia');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(launcher).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(launcher).toHaveAttribute('aria-expanded', 'true');
  await expect(field).toBeFocused();
  await page.keyboard.type('One');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('Two');
  await expect(field).toHaveValue('One\nTwo');
  await field.fill('x'.repeat(2_001));
  await expect(frame.getByText('1 character too long')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(field).toHaveValue(/^x+$/);
  await page.keyboard.press('Escape');
  await expect(launcher).toBeFocused();
  await expect(launcher).toHaveAttribute('aria-expanded', 'false');
  await expect(field).toBeHidden();
});

test('the chat is accessible in both themes and fits windows from 320 pixels on, which it fills on a phone', async ({ page }) => {
  await page.goto(`/chat/${chatbotId}`);
  await page.getByRole('textbox').fill(QUESTION);
  await page.keyboard.press('Enter');
  await page.getByText(/^From: /).click();
  for (const [width, theme] of [
    [320, 'light'],
    [390, 'dark'],
    [1280, 'light'],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await expectNoSidewaysScroll(page);
    await expectAccessible(page, theme);
  }
  await page.getByRole('button', { name: 'Start new conversation' }).click();
  await expectAccessible(page, 'light');
  await page.setViewportSize({ width: 320, height: 700 });
  await page.goto(`${site.origin}/rtl`);
  const { launcher } = chatOf(page);
  expect((await launcher.boundingBox())?.x, 'mirrored').toBeLessThan(100);
  await launcher.click();
  await expect.poll(() => page.locator('iframe').boundingBox()).toEqual({ x: 0, y: 0, width: 320, height: 700 });
  await expectNoSidewaysScroll(page);
  expect(await page.evaluate('document.getAnimations().length'), 'reduced motion').toBe(0);
});

test('a conversation survives a reload and is the same in two tabs; a message that arrives while the chat is closed is counted', async ({
  page,
  api,
}) => {
  await page.goto(site.origin);
  await ask(page);
  await expect(answersOf(page)).toHaveCount(1);
  const second = await page.context().newPage();
  await second.goto(site.origin);
  await chatOf(second).launcher.click();
  await expect(answersOf(second)).toHaveCount(1);
  await ask(second, SECOND);
  for (const tab of [page, second]) await expect(answersOf(tab)).toHaveCount(2);
  await page.reload();
  // The chat was open in this tab, so it stays open.
  await expect(answersOf(page)).toHaveCount(2);
  await expect(chatOf(page).log.getByText(SECOND)).toHaveCount(1);
  await second.close();

  await chatOf(page).frame.getByRole('button', { name: 'Close the chat' }).click();
  await expect(chatOf(page).launcher).toHaveAttribute('aria-expanded', 'false');
  const [conversation] = (await api.owner.listConversations({ query: { clientId } })).data;
  const params = { id: conversation?.id ?? '' };
  await api.owner.takeOverConversation({ params });
  await api.owner.replyToConversation({ params, body: { text: 'A person is here now.' } });
  await page.reload();
  await expect(chatOf(page).launcher).toHaveAccessibleName(/, 1 new message$/);
  await chatOf(page).launcher.click();
  await expect(chatOf(page).frame.getByText(/ answers you$/)).toBeVisible();
  await expect(chatOf(page).log.getByText('A person is here now.')).toHaveCount(1);
});

test('a website that replaces the content of its body, or its body, on navigation keeps the chat as it was', async ({ page }) => {
  await page.goto(site.origin);
  await ask(page);
  await expect(answersOf(page)).toHaveCount(1);
  const { launcher, frame, field } = chatOf(page);
  const content = 'document.body.replaceChildren(document.createElement("main"))';
  const body = 'document.documentElement.replaceChild(document.createElement("body"), document.body)';
  for (const replaced of [content, body, content]) {
    await page.evaluate(replaced);
    await expect(launcher).toHaveAttribute('aria-expanded', 'true');
    await expect(answersOf(page)).toHaveCount(1);
    // The frame is notified that it is open.
    await expect(field).toBeFocused();
  }
  await frame.getByRole('button', { name: 'Close the chat' }).click();
  await expect(launcher).toHaveAttribute('aria-expanded', 'false');
  await page.evaluate(content);
  await expect(launcher).toHaveAttribute('aria-expanded', 'false');
  await expect(page.locator('iframe')).toHaveCount(1);
});

test('an answer that a lost network interrupts is there once when the network is back, and so is a message written meanwhile', async ({
  page,
}) => {
  await page.goto(site.origin);
  await ask(page);
  await page.context().setOffline(true);
  const { frame, field, log } = chatOf(page);
  await expect(frame.getByText('You are offline.')).toBeVisible();
  await field.fill(SECOND);
  await field.press('Enter');
  await expect(frame.getByText(/It is sent when you are online again\./)).toBeVisible();
  await page.reload().catch(() => undefined);
  await page.context().setOffline(false);
  await page.goto(site.origin);
  await expect(log.getByText(QUESTION)).toHaveCount(1);
  await expect(log.getByText(SECOND)).toHaveCount(1);
  // One answer to each question.
  await expect(answersOf(page)).toHaveCount(2);
  await expect(frame.getByText('You are offline.')).toBeHidden();
});

test('a chatbot that is switched off ends the chat; when it is on again the conversation is still there', async ({ page, api }) => {
  await page.goto(`/chat/${chatbotId}`);
  await page.getByRole('textbox').fill(QUESTION);
  await page.keyboard.press('Enter');
  const answer = page.getByRole('log').locator('.bubble').filter({ hasText: 'home in the evening.' });
  await expect(answer).toHaveCount(1);
  await api.owner.changeChatbot({ query: { clientId }, body: { isActive: false } });
  await expect(page.getByText('This chat is not available any more.')).toBeVisible();
  await api.owner.changeChatbot({ query: { clientId }, body: { isActive: true } });
  // That there is none is kept for some seconds too.
  await expect.poll(async () => (await page.goto(`/chat/${chatbotId}`))?.status()).toBe(200);
  await expect(answer).toHaveCount(1);
});

test('an answer is given to readers once it is complete', async ({ page }) => {
  await page.goto(`/chat/${chatbotId}`);
  await expect(page.getByRole('log')).toBeVisible();
  await page.evaluate(`{
    window.spoken = [];
    new MutationObserver((changes) => {
      for (const { type, addedNodes, target } of changes)
        window.spoken.push(...(type === 'childList' ? [...addedNodes].map((node) => node.textContent) : [target.textContent]));
    }).observe(document.querySelector('[role=log]'), { childList: true, subtree: true, characterData: true });
  }`);
  await page.getByRole('textbox').fill(QUESTION);
  await page.keyboard.press('Enter');
  await expect(page.getByText(/^From: /)).toBeVisible();
  const spoken = (await page.evaluate('window.spoken')) as string[]; // collected just above
  expect(spoken.filter((text) => text.includes('Visitors park'))).toHaveLength(1);
});

test('the stream is open while something may arrive and closed with the chat', async ({ page }) => {
  const isStream = (request: Request): boolean => request.url().endsWith('/stream');
  await page.goto(site.origin);
  const opened = page.waitForRequest(isStream);
  await ask(page);
  await opened;
  await expect(chatOf(page).log.getByText(/^From: /)).toHaveCount(1);
  const closed = page.waitForEvent('requestfailed', isStream);
  await page.keyboard.press('Escape');
  await closed;
  const again = page.waitForRequest(isStream);
  await chatOf(page).launcher.click();
  await again;
});

test('where storage is blocked the chat works for as long as the page is open', async ({ page, complaints: _watched }) => {
  await page.addInitScript(`for (const name of ['localStorage', 'sessionStorage'])
    Object.defineProperty(window, name, { get() { throw new DOMException('denied', 'SecurityError'); } });`);
  await page.goto(site.origin);
  await ask(page);
  await expect(answersOf(page)).toHaveCount(1);
});

test.describe('in the browser of a Spanish visitor', () => {
  test.use({ locale: 'es-MX' });
  test('the launcher and the chat are in Spanish, and the greeting is as the business wrote it', async ({ page }) => {
    await page.goto(site.origin);
    const launcher = page.getByRole('button', { name: 'Abrir el chat con Mia' });
    await launcher.click();
    const { frame } = chatOf(page);
    await expect(page.getByRole('button', { name: 'Cerrar el chat con Mia' })).toHaveAttribute('aria-expanded', 'true');
    await expect(frame.locator('html')).toHaveAttribute('lang', 'es');
    await expect(frame.getByText('Mia responde automáticamente')).toBeVisible();
    await expect(frame.getByText('Hello, how can I help?')).toBeVisible();
    const field = frame.getByRole('textbox', { name: 'Mensaje para Mia' });
    await field.fill(QUESTION);
    await field.press('Enter');
    await expect(frame.getByText(/^Fuente: /)).toBeVisible();
  });
});

test('a visitor whose language is not offered reads that of the business', async ({ browser, api }) => {
  await api.owner.updateClient({ params: { id: clientId }, body: { locale: 'de' } });
  const context = await browser.newContext({ locale: 'fr-FR' });
  try {
    const page = await context.newPage();
    // The service caches the allowed origins for some seconds.
    await expect(async () => {
      await page.goto(site.origin);
      await expect(page.getByRole('button', { name: 'Chat mit Mia öffnen' })).toBeVisible();
    }).toPass();
  } finally {
    await context.close();
    await api.owner.updateClient({ params: { id: clientId }, body: { locale: 'en' } });
  }
});
