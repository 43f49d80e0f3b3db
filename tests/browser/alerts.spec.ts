import { test } from './pages.ts';
import { expect, expectAccessible, expectNoSidewaysScroll } from './portal.ts';

const TITLE = 'Anthropic refused the key';

test('the bell shows the alert the demo starts with, links to its fix, and clears it once read', async ({ as, api }) => {
  const page = await as('owner', '/dashboard');
  const bell = page.getByRole('button', { name: /^Notifications, [1-9]\+? unread$/ });
  await bell.click();
  const panel = page.getByRole('dialog', { name: 'Notifications' });
  await expect(panel.getByRole('button', { name: new RegExp(TITLE) })).toBeVisible();
  await expectAccessible(page, 'light');
  await expectAccessible(page, 'dark', 'color');
  await panel.getByRole('button', { name: new RegExp(TITLE) }).click();
  await expect(page).toHaveURL(/\/dashboard\/integrations\?key=/);
  await expect(panel).toHaveCount(0);
  // The drawer of the refused key covers the bell.
  const drawer = page.getByRole('dialog', { name: /Anthropic/ });
  await expect(drawer).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(drawer).toHaveCount(0);
  // One more, so that something is left to be marked.
  await api.owner.sendSampleNotification({});
  await bell.click();
  await panel.getByRole('button', { name: 'Mark all as read' }).click();
  await expect(page.getByRole('button', { name: 'Notifications, 0 unread' })).toBeVisible();
  expect((await api.owner.countUnread()).unread).toBe(0);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
  await expectAccessible(page, 'light');
});

test('a notification that arrives while a page is open appears by itself', async ({ as, api }) => {
  const page = await as('moderator', '/dashboard/agents');
  const bell = page.getByRole('button', { name: /^Notifications, / });
  await expect(bell).toBeVisible();
  await api.moderator.readAllNotifications({});
  await expect(page.getByRole('button', { name: 'Notifications, 0 unread' })).toBeVisible();
  await api.moderator.sendSampleNotification({});
  await expect(page.getByRole('button', { name: 'Notifications, 1 unread' })).toBeVisible();
});

test('an alert is listed under attention with one button, and on its page with two', async ({ as }) => {
  const page = await as('owner', '/dashboard');
  const item = page.getByRole('listitem').filter({ hasText: TITLE });
  await expect(item.getByRole('link', { name: 'Replace key' })).toBeVisible();
  await page.getByRole('link', { name: /open alert/ }).click();
  const alert = page.getByRole('list', { name: 'Open alerts' }).getByRole('listitem').filter({ hasText: TITLE });
  await alert.getByRole('button', { name: 'Acknowledge' }).click();
  await expect(alert.getByText(/acknowledged by Maya Lindqvist/)).toBeVisible();
  await expect(alert.getByRole('button', { name: 'Acknowledge' })).toHaveCount(0);
  await expect(alert.getByRole('button', { name: 'Mute' })).toBeVisible();
});
