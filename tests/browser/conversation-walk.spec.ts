import type { Browser, FrameLocator, Page } from '@playwright/test';
import { sandboxUrl, type System } from '../harness/system.ts';
import { agent, business, test } from './pages.ts';
import { type Api, expect, expectAccessible, expectNoSidewaysScroll } from './portal.ts';

/** What the business wrote for its chatbot. */
const KNOWLEDGE = `# Prices

A check-up with cleaning costs $120. Whitening is $300.

# Booking

Book online at https://oakstreet.example/book, or call (312) 555-0100.`;
const PHONE = '+13125550148';

/** Turns on the chatbot of a business for one website, with what it knows and the agent that it may run. */
async function serveChatbot(api: Api, site: string): Promise<{ clientId: string; chatbotId: string; workflowId: string }> {
  const [clientId, workflowId] = [await business(api), await agent(api)];
  const routes = [{ intent: 'A text message with the booking link', workflowId }];
  const body = { clientId, isActive: true, name: 'Ava', knowledgeText: KNOWLEDGE, allowedOrigins: [site], agentRoutes: routes };
  const { id } = await api.owner.changeChatbot({ body });
  await expect
    .poll(async () =>
      (await api.owner.listKnowledge({ query: { clientId } })).filter(({ kind }) => kind === 'text').map(({ status }) => status),
    )
    .toEqual(['ready']);
  return { clientId, chatbotId: id ?? '', workflowId };
}

/** Opens the website as a visitor does: a page of another origin than the portal, in a browser that knows no one. */
async function visit(browser: Browser, system: System, chatbotId: string): Promise<{ site: Page; chat: FrameLocator }> {
  const site = await (await browser.newContext()).newPage();
  await site.goto(sandboxUrl(system, `/sandbox/website?chatbot=${chatbotId}`));
  await site.getByRole('button', { name: /^Open the chat with/ }).click();
  return { site, chat: site.frameLocator('iframe') };
}

async function say(chat: FrameLocator, text: string): Promise<void> {
  const field = chat.getByRole('textbox', { name: /^Message to/ });
  await field.fill(text);
  await field.press('Enter');
}

/** What texts went out to the visitor, and what the agency paid for runs of the agent. */
async function figures(api: Api, workflowId: string) {
  const { data: calls } = await api.staff.listOutbox({ query: { provider: 'twilio', q: PHONE.slice(1), limit: 100 } });
  const { data: runs } = await api.owner.listExecutions({ query: { workflowId, limit: 100 } });
  const mine = runs.filter(({ source }) => source === 'chatbot');
  return { texts: calls.length, runs: mine.map(({ status, creditsCharged }) => ({ status, creditsCharged })) };
}

test('a visitor of a website is answered from knowledge, texted by an agent, and answered by the business from its phone', async ({
  browser,
  as,
  api,
  system,
}) => {
  const { chatbotId, workflowId } = await serveChatbot(api, new URL(sandboxUrl(system)).origin);
  const before = await figures(api, workflowId);
  const { site, chat } = await visit(browser, system, chatbotId);
  const log = chat.getByRole('log');

  await say(chat, 'How much does a cleaning cost?');
  await expect(log).toContainText('A check-up with cleaning costs $120.');
  await log
    .getByText(/^From: /)
    .first()
    .click();
  await expect(log.locator('blockquote').first()).toContainText('Whitening is $300.');

  // The business sees it at once, on a phone.
  const inbox = await as('client', '/client/inbox');
  await inbox.setViewportSize({ width: 390, height: 844 });
  const row = inbox.getByRole('list', { name: 'Conversations' }).getByRole('link').first();
  await expect(row).toContainText('A check-up with cleaning costs $120.');
  await row.click();
  const thread = inbox.getByRole('region', { name: 'Conversation', exact: true });
  await expect(thread).toContainText('How much does a cleaning cost?');

  await say(chat, `Please text me the booking link, my number is ${PHONE}.`);
  await expect(log).toContainText('Done: ');
  await expect(thread).toContainText(`my number is ${PHONE}`);
  await expect(thread).toContainText('Missed-call text-back');
  const after = await figures(api, workflowId);
  expect(after.texts - before.texts, 'texts that went out').toBe(1);
  expect(after.runs).toHaveLength(before.runs.length + 1);
  expect(after.runs[0]).toMatchObject({ status: 'SUCCEEDED', creditsCharged: 1 });

  await say(chat, 'I would like to talk to a person');
  await expect(chat.getByRole('heading', { level: 1 }).locator('..')).toContainText('A person will answer here');
  await inbox.getByRole('button', { name: 'Take over' }).click();
  await inbox.getByRole('textbox', { name: 'Reply' }).fill('Elena here. How can I help?');
  await expectNoSidewaysScroll(inbox);
  await expectAccessible(inbox, 'light');
  await inbox.getByRole('button', { name: 'Send' }).click();
  await expect(log).toContainText('Elena here. How can I help?');
  await expect(chat.getByText('Elena Ruiz answers you')).toBeVisible();

  // The chatbot is silent while a person answers, and a reload loses nothing.
  await say(chat, 'Is there a parking lot?');
  await expect(thread).toContainText('Is there a parking lot?');
  const said = await log.locator('[data-author]').count();
  await site.reload();
  await expect(log.locator('[data-author]')).toHaveCount(said);
  await expect(log.locator('[data-author="bot"]').last()).not.toContainText('parking');
  await site.context().close();
});
