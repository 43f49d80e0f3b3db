import type { Page } from '@playwright/test';
import { business, test } from './pages.ts';
import { type Api, expect, expectGood } from './portal.ts';

const path = (clientId: string): string => `/dashboard/settings/chatbot?client=${clientId}`;

/** A client of its own for a test, so that no other test meets its chatbot. */
async function newClient(api: Api, name: string): Promise<string> {
  return (await api.owner.createClient({ body: { name, timezone: 'America/Chicago' } })).id;
}

/** Opens one of the four steps, or closes it. */
async function turn(page: Page, step: string): Promise<void> {
  await page.getByRole('heading', { level: 2, name: step, exact: true }).click();
}

async function ask(page: Page, question: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Question of a visitor' }).fill(question);
  await page.keyboard.press('Enter');
}

test('an admin writes what a chatbot knows, tries it before saving the rest, and turns it on', async ({ as, api, address }) => {
  const clientId = await newClient(api, 'Cedar Bakery');
  const page = await as('owner', '/dashboard/settings/chatbot');
  await page.getByRole('link', { name: 'Cedar Bakery' }).click();
  await expect(page.getByText('Off: visitors do not see it')).toBeVisible();
  await expect(page.getByText('The script tag appears here')).toBeVisible();
  await expectGood(page);

  // From what it lacks to the field that holds it.
  await page.getByRole('button', { name: 'Add knowledge' }).click();
  await expect(page.getByRole('textbox', { name: 'Text', exact: true })).toBeFocused();
  await page.keyboard.type('# Opening hours\n\nThe bakery is open from 7:00 to 15:00 on weekdays.');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Rye');
  await turn(page, 'Websites');
  await page.getByRole('textbox', { name: 'Allowed sites' }).fill('not a site!');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('not is not a web address')).toBeVisible();
  await page.getByRole('textbox', { name: 'Allowed sites' }).fill('https://www.cedar.example/contact?from=mail');
  await page.getByRole('textbox', { name: 'Allowed sites' }).press('Enter');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Everything is saved.')).toBeVisible();
  await expect(page.getByText(`<script async src="${address}/widget/`)).toContainText(
    /\/widget\/\d+\.js" integrity="sha384-[^"]+" crossorigin/,
  );
  const saved = await api.owner.getChatbot({ query: { clientId } });
  expect([saved.name, saved.allowedOrigins, saved.isActive]).toEqual(['Rye', ['https://www.cedar.example'], false]);

  // The name of the preview is what is typed; its answers stand on what is saved.
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Rye the baker');
  await expect(page.getByText('No matching passage')).toHaveCount(0);
  await expect(page.getByText('passage as saved')).toBeVisible();
  await ask(page, 'When are you open?');
  const log = page.getByRole('log', { name: 'Test conversation' });
  await expect(log).toContainText('7:00 to 15:00');
  await log.getByText('Stands on 1 passage').click();
  await expect(log).toContainText('Opening hours');
  await expectGood(page);
  await page.getByRole('button', { name: 'Discard' }).click();

  await page.getByRole('switch', { name: 'Chatbot of Cedar Bakery' }).click();
  await expect(page.getByText('On: it answers visitors')).toBeVisible();
  expect((await api.owner.getChatbot({ query: { clientId } })).isActive).toBe(true);
});

test('a file says what was read from it or why nothing was, and leaves with its passages', async ({ as, api }) => {
  const clientId = await newClient(api, 'Fern Florist');
  await api.owner.changeChatbot({ body: { clientId, name: 'Ivy' } });
  const page = await as('owner', path(clientId));
  const choose = page.getByLabel('Files for the chatbot');
  await choose.setInputFiles([
    { name: 'prices.md', mimeType: 'text/markdown', buffer: Buffer.from('# Prices\n\nA bouquet costs 25 dollars.') },
    { name: 'broken.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\nno pages') },
  ]);
  const files = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: /^Remove / }) });
  await expect(files.filter({ hasText: 'prices' })).toContainText('1 passage');
  await expect(page.getByText('Uploading')).toHaveCount(0);
  await expect(page.getByText(/broken/).first()).toBeVisible();
  await expect(page.getByText('Being read')).toHaveCount(0);
  await expectGood(page);
  await page.getByRole('button', { name: /^Remove prices/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(files.filter({ hasText: 'prices' })).toHaveCount(0);
  const { passages } = (await api.owner.listKnowledge({ query: { clientId } })).reduce(
    (sum, one) => ({ passages: sum.passages + one.passages }),
    { passages: 0 },
  );
  expect(passages).toBe(0);
});

test('agents are added, moved and removed by keyboard, and leaving with unsaved changes asks', async ({ as, api }) => {
  const clientId = await business(api);
  const page = await as('owner', path(clientId));
  const before = (await api.owner.getChatbot({ query: { clientId } })).agentRoutes.length;
  await turn(page, 'Agents and people');
  const intents = page.getByRole('textbox', { name: 'The visitor wants' });
  const add = page.getByRole('button', { name: 'Add an agent' });
  await add.focus();
  await page.keyboard.press('Enter');
  await expect(intents.nth(before)).toBeFocused();
  await page.keyboard.type('a call back');
  await add.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.type('the menu');
  await page.keyboard.press('Alt+ArrowUp');
  await expect(intents.nth(before)).toHaveValue('the menu');
  await expect(intents.nth(before)).toBeFocused();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Choose an agent.').first()).toBeVisible();
  await page.getByRole('button', { name: `Remove line ${before + 2}` }).click();
  await expect(intents).toHaveCount(before + 1);

  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await question.getByRole('button', { name: 'Stay' }).click();
  await expect(page).toHaveURL(/settings\/chatbot/);
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await question.getByRole('button', { name: 'Leave' }).click();
  await expect(page).toHaveURL(/settings\/webhooks/);
});

test('a moderator reads every setting and can change none; the client reads what its visitors see', async ({ as, api }) => {
  const clientId = await business(api);
  const { name, greeting } = await api.owner.changeChatbot({ body: { clientId } });
  const page = await as('moderator', path(clientId));
  await expect(page.getByText(/Only admins change the chatbot. Ask an admin of your agency/)).toBeVisible();
  for (const step of ['Greeting', 'Knowledge', 'Agents and people', 'Websites']) await turn(page, step);
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue(name);
  const enabled = page.getByRole('main').locator('input:enabled, textarea:enabled, button[aria-haspopup]:enabled');
  await expect(enabled.filter({ visible: true })).toHaveCount(0);
  await expect(page.getByRole('switch')).toHaveAttribute('aria-disabled', 'true');
  await expectGood(page);

  const own = await as('client', '/client/settings?part=business');
  await expect(own.getByRole('heading', { name: 'Your website chatbot' })).toBeVisible();
  await expect(own.getByText(greeting)).toBeVisible();
  await expectGood(own);
});
