import { agent, test } from './pages.ts';
import { expect, expectAccessible } from './portal.ts';

/** What writes to people asks first, says to whom, and happens once. */

test('“Run once” names who gets a message, offers the own address, and a double click starts one run', async ({ as, page, api }) => {
  const id = await agent(api);
  const current = await api.owner.getAgent({ params: { id } });
  await api.owner.updateAgent({ params: { id }, body: { config: { ...current.config, quietHours: '' } } });
  await as('owner', `/dashboard/agents/${id}`);
  const started: (string | null)[] = [];
  page.on('request', (request) => {
    if (/\/trigger/.test(request.url())) started.push(request.headers()['idempotency-key'] ?? null);
  });
  await page.getByRole('button', { name: 'Run once' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('This can send 1 message: a text to +1')).toBeVisible();
  const caller = dialog.getByLabel(/number/i).first();
  await caller.fill('');
  await expect(dialog.getByText('No one gets a message')).toBeVisible();
  await caller.click();
  await page.keyboard.type('+13125550942');
  await expect(dialog.getByText('a text to +1 312 555 0942')).toBeVisible();
  await dialog.getByRole('button', { name: 'This is my phone' }).click();
  await caller.fill('+13125550943');
  await dialog.getByRole('button', { name: 'Send to me instead' }).click();
  await expect(caller).toHaveValue('+13125550942');
  await dialog.getByRole('button', { name: 'Run once' }).dblclick();
  await page.waitForURL(/\/dashboard\/runs\/[0-9a-f-]{36}$/);
  expect(started).toHaveLength(1);
  expect(started[0]).toMatch(/^[0-9a-f-]{36}$/);

  // A rerun of what succeeded asks; its main button is not the one that writes again.
  await expect(page.getByText('Succeeded', { exact: true }).first()).toBeVisible();
  const reruns: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/rerun')) reruns.push(request.url());
  });
  await expect(page.getByRole('button', { name: 'Edit input and rerun' })).not.toHaveClass(/button-primary/);
  await page.getByRole('button', { name: 'Rerun', exact: true }).click();
  await expect(page.getByRole('dialog')).toContainText('a text to +1 312 ··· 0942 once more');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  expect(reruns).toEqual([]);
  const first = page.url();
  await page.getByRole('button', { name: 'Rerun', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rerun' }).dblclick();
  await expect(page).not.toHaveURL(first);
  expect(reruns).toHaveLength(1);
});

test('“Send it to my phone” texts the own number alone, says why a number got none, and tries another', async ({ as, page, api }) => {
  const id = await agent(api);
  const { config, clientId } = await api.owner.getAgent({ params: { id } });
  await api.owner.updateAgent({ params: { id }, body: { config: { ...config, quietHours: '' } } });
  await as('owner', `/dashboard/agents/${id}`);
  const textsTo = async (part: string): Promise<number> =>
    (await api.staff.listOutbox({ query: { provider: 'twilio', q: part } })).data.length;
  await page.getByRole('button', { name: 'Send it to my phone' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Your phone number')).toBeFocused();
  const cut = (all: Element[]): number => all.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length;
  expect(await dialog.locator('dd').evaluateAll(cut), 'what is cut off').toBe(0);
  await page.keyboard.type('+44 7400 123456');
  await expect(dialog.getByText('To +44 7400 123456')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('No text was sent.')).toBeVisible();
  await expect(dialog.getByRole('status')).toContainText('in a country that this business does not text. It cost nothing.');
  await expect(dialog.getByRole('link', { name: 'Change the countries' })).toHaveAttribute(
    'href',
    `/dashboard/clients/${clientId}?tab=settings`,
  );
  await expectAccessible(page, 'light');
  await dialog.getByRole('button', { name: 'Change the number' }).click();
  await expect(dialog.getByLabel('Your phone number')).toBeFocused();
  await dialog.getByLabel('Your phone number').fill('(312) 555-0946');
  await dialog.getByRole('button', { name: 'Send text' }).dblclick();
  await expect(dialog.getByText('Sent, to the sandbox.')).toBeVisible();
  await expectAccessible(page, 'dark');
  expect([await textsTo('13125550946'), await textsTo('447400123456')]).toEqual([1, 0]);
  await dialog.getByRole('link', { name: 'Open run' }).click();
  await page.waitForURL(/\/dashboard\/runs\/[0-9a-f-]{36}$/);
  await expect(page.getByText('Test', { exact: true })).toBeVisible();
});

test('a failure of a call from a dialog is read, closed and tried again while the dialog stays open', async ({
  as,
  page,
  api,
  complaints,
}) => {
  await as('owner', `/dashboard/agents/${await agent(api)}`);
  await page.getByRole('button', { name: 'Run once' }).click();
  const dialog = page.getByRole('dialog');
  await page.route(/\/trigger/, (route) =>
    route.fulfill({
      status: 503,
      contentType: 'application/problem+json',
      body: '{"code":"service_unavailable","title":"Not now","status":503}',
    }),
  );
  await dialog.getByRole('button', { name: 'Run once' }).click();
  const message = page.getByRole('region', { name: 'Messages' }).getByRole('alert');
  await expect(message).toContainText('Not now');
  // In the corner of the window, and not inside the box of the dialog.
  expect((await message.boundingBox())?.x).toBeLessThan(40);
  await message.getByRole('button', { name: 'Close' }).click();
  await expect(message).toHaveCount(0);
  await expect(dialog).toBeVisible();
  await dialog.getByRole('button', { name: 'Run once' }).click();
  await expect(message).toBeVisible();
  // The dialog is held until the button is no longer busy, a frame later.
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeEnabled();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(message).toBeVisible();
  await message.getByRole('button', { name: 'Close' }).click();
  await expect(message).toHaveCount(0);
  complaints.all = complaints.all.filter((line) => !line.includes('503'));
});
