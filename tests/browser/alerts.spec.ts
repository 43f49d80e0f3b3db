import { test } from './pages.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, holdMessages } from './portal.ts';

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
  await expect(alert.getByRole('button', { name: 'Resolve' })).toBeVisible();
});

test('a moderator sees the alert and its rules, and changes only their own notifications', async ({ as }) => {
  const page = await as('moderator', '/dashboard/alerts');
  const alert = page.getByRole('listitem').filter({ hasText: TITLE });
  await expect(alert.getByRole('button', { name: 'Resolve' })).toHaveAttribute('aria-disabled', 'true');
  await page.goto('/dashboard/settings/alerts');
  await expect(page.getByLabel('Credits used, in percent')).toBeDisabled();
  const bellSwitch = page.getByRole('switch', { name: 'Someone is removed: in the bell' });
  await expect(bellSwitch).toHaveAttribute('aria-checked', 'true');
  await bellSwitch.click();
  await expect(bellSwitch).toHaveAttribute('aria-checked', 'false');
  await page.reload();
  await expect(bellSwitch).toHaveAttribute('aria-checked', 'false');
  await bellSwitch.click();
  await expect(bellSwitch).toHaveAttribute('aria-checked', 'true');
});

test('an admin moves a threshold and is refused one that is none', async ({ as, page, api, complaints }) => {
  await holdMessages(page);
  await as('owner', '/dashboard/settings/alerts');
  const field = page.getByLabel('Credits used, in percent');
  await field.fill('50, 120');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  // Browsers write each refused request into the console.
  complaints.all = complaints.all.filter((line) => !line.includes('422'));
  await field.fill('60, 90');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Alert rules saved.')).toBeVisible();
  expect((await api.owner.getAlertRules()).usageThresholds).toEqual([60, 90]);
});
