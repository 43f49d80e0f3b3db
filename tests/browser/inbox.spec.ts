import { addVisitorConversation, handOver, say } from '../harness/conversations.ts';
import type { System } from '../harness/system.ts';
import { test } from './pages.ts';
import { type Api, expect, expectAccessible, expectNoSidewaysScroll, readAlone } from './portal.ts';

async function newConversation(system: System, api: Api, label: string): Promise<string> {
  const { id: clientId, partnerId } = await api.client.getMyClient();
  return addVisitorConversation(system, { partnerId, clientId, label });
}

test('a conversation and its messages appear in the inbox by themselves', async ({ as, page, api, system }) => {
  await newConversation(system, api, 'Visitor EARLY');
  await as('owner', '/dashboard/inbox');
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  const id = await newConversation(system, api, 'Visitor LIVE');
  await say(system, id, { author: 'visitor', text: 'Do you have a garden?' });
  const row = page.locator(`[data-conversation="${id}"]`);
  await expect(row).toContainText('Do you have a garden?');
  await expect(row).toContainText('unread');
  await row.click();
  const passages = [{ documentId: id, title: 'Business profile', heading: 'House', excerpt: 'The garden is behind the house.' }];
  await say(system, id, { author: 'bot', text: 'Yes, behind the house.', passages });
  await expect(page.getByRole('region', { name: 'Thread' })).toContainText('Yes, behind the house.');
  await page.getByText('1 source').click();
  await expect(page.getByText('The garden is behind the house.')).toBeVisible();
  await expect(row).not.toContainText('unread');
  await expectAccessible(page, 'light');
});

test('the figures of conversations are a panel with a chart by day, for each figure', async ({ as, page, api, system }) => {
  await newConversation(system, api, 'Visitor FIGURE');
  await as('owner', '/dashboard/inbox');
  await expect(page.getByRole('heading', { name: 'Chatbot, last 30 days' })).toBeVisible();
  await expect(page.getByRole('img', { name: 'Conversations by day' })).toBeVisible();
  await page.getByRole('radio', { name: 'Handed over' }).click();
  const chart = page.getByRole('img', { name: 'Handed over by day' });
  await expect(chart).toBeVisible();

  // A finger that is lifted leaves the values it chose; a pointer that leaves takes them away, and so does a scroll by touch.
  const { x, y, width } = (await chart.boundingBox()) ?? { x: 0, y: 0, width: 0 };
  const at = { bubbles: true, clientX: x + width / 2, clientY: y + 40 };
  const values = page.locator('.chart-tip');
  for (const [type, end, shown] of [
    ['touch', 'pointerout', 1],
    ['touch', 'pointercancel', 0],
    ['mouse', 'pointerout', 0],
  ] as const) {
    await chart.dispatchEvent('pointerdown', { ...at, pointerType: type });
    await expect(values).toHaveCount(1);
    await chart.dispatchEvent(end, { ...at, pointerType: type });
    await expect(values).toHaveCount(shown);
  }
  // Keys of the browser stay its own.
  await chart.focus();
  await page.keyboard.press('Control+ArrowRight');
  await expect(values).toHaveCount(0);
  await page.keyboard.press('ArrowRight');
  await expect(values).toHaveCount(1);
});

test('the keyboard reaches everything: move, open, reply, close, back', async ({ as, page, api, system }) => {
  const second = await newConversation(system, api, 'Visitor SECOND');
  const first = await newConversation(system, api, 'Visitor FIRST');
  await api.client.addCannedReply({ body: { title: 'Opening hours', text: 'We open at nine.' } });
  await as('owner', '/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  // One right after the other: the second counts only for a moment.
  await Promise.all([page.keyboard.press('g'), page.keyboard.press('i')]);
  await expect(page.locator(`[data-conversation="${first}"]`)).toBeVisible();
  await page.keyboard.press('j');
  await expect(page.locator(`[data-conversation="${first}"]`)).toBeFocused();
  await page.keyboard.press('j');
  await expect(page.locator(`[data-conversation="${second}"]`)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Visitor SECOND' })).toBeVisible();
  await page.keyboard.press('r');
  const box = page.getByRole('textbox', { name: 'Reply' });
  await expect(box).toBeFocused();
  await page.keyboard.type('/');
  await expect(page.getByRole('option', { name: /Opening hours/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(box).toHaveValue('We open at nine.');
  await expect(box).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Thread' })).toContainText('We open at nine.');
  await expect(page.getByText(/^With /).first()).toBeVisible();
  await page.keyboard.type('A draft');
  await page.keyboard.press('Escape');
  // The one that was answered moves to the top.
  await expect(page.locator('[data-conversation]').first()).toHaveAttribute('data-conversation', second);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Visitor FIRST' })).toBeVisible();
  await page.locator(`[data-conversation="${second}"]`).click();
  await expect(box).toHaveValue('A draft');
  await page.keyboard.press('e');
  await expect(page.getByRole('region', { name: 'Conversation', exact: true })).toContainText('Closed');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toContainText('Close the conversation');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(page.locator(`[data-conversation="${second}"]`)).toBeFocused();
  await expect(page).toHaveURL(/\/dashboard\/inbox$/);
});

test('a client answers its visitor from a phone', async ({ as, page, api, system }) => {
  const id = await newConversation(system, api, 'Visitor PHONE');
  await handOver(system, id);
  await page.setViewportSize({ width: 390, height: 844 });
  await as('client', '/client/inbox?show=waiting');
  await expect(page.locator(`[data-conversation="${id}"]`)).toBeVisible();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page, 'light');
  await page.locator(`[data-conversation="${id}"]`).click();
  await expect(page.getByText('Waiting for a person').last()).toBeVisible();
  await page.getByRole('button', { name: 'Take over' }).click();
  // The message about it covers neither the reply box nor its button.
  const said = page.getByRole('status').filter({ hasText: 'You answer this conversation now.' });
  await expect(said).toBeVisible();
  const [message, send] = await Promise.all([said.boundingBox(), page.getByRole('button', { name: 'Send' }).boundingBox()]);
  expect(message && send && message.y + message.height <= send.y).toBe(true);
  await page.getByRole('textbox', { name: 'Reply' }).click();
  await page.keyboard.type('Yes, it is free.');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByRole('region', { name: 'Thread' })).toContainText('Yes, it is free.');
  await expectNoSidewaysScroll(page);
  await expectAccessible(page, 'light');
  await page.getByRole('button', { name: 'Close', exact: true }).first().click();
  await expect(page.getByRole('region', { name: 'Conversation', exact: true })).toContainText('Closed');
  await page.getByRole('button', { name: 'Back to the list' }).click();
  await expect(page.getByRole('heading', { name: 'Inbox' })).toBeVisible();
});

test('the list stays where it is when the figures above it arrive, on a phone too', async ({ as, page, api, system }) => {
  const id = await newConversation(system, api, 'Visitor 5TAY');
  const read = Promise.withResolvers<void>();
  await readAlone(page);
  await page.route(/\/chatbot\/figures/, (route) => read.promise.then(() => route.continue()));
  await page.setViewportSize({ width: 390, height: 844 });
  await as('owner', '/dashboard/inbox');
  const row = page.locator(`[data-conversation="${id}"]`);
  await expect(row).toBeVisible();
  const before = await row.boundingBox();
  read.resolve();
  await expect(page.getByText(/in 30 days: /)).toBeVisible();
  expect((await row.boundingBox())?.y).toBe(before?.y);
});
