import { test } from './pages.ts';
import { expect, expectAccessible, holdMessages, readAlone } from './portal.ts';
import { addInPage, finishSecret, FIRST_WORDS, log, PAGE, receiverForEachTest } from './webhooks.ts';

const receiver = receiverForEachTest();

test('an address that is not public is refused beside its field, with the way out', async ({ as, complaints }) => {
  const page = await as('owner', PAGE);
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add endpoint' });
  await dialog.getByLabel('Endpoint URL').fill('http://10.0.0.8/hooks');
  await dialog.getByRole('button', { name: 'Add endpoint' }).click();
  await expect(dialog.getByText('This address is not reachable from the internet.')).toBeVisible();
  await expect(dialog.getByLabel('Endpoint URL')).toHaveAttribute('aria-invalid', 'true');
  await expect(dialog.getByLabel('Endpoint URL')).toBeFocused();
  // Browsers write each refused request into the console.
  complaints.all = complaints.all.filter((line) => !line.includes('422'));
});

test('the secret is shown once: Done waits for the tick, every other way out asks, and it is nowhere afterwards', async ({ as }) => {
  const page = await as('owner', '/dashboard/settings/team');
  await page.getByRole('link', { name: 'Webhooks' }).click();
  const secret = await addInPage(page, receiver.url);
  expect(secret).toMatch(/^whsec_[\w-]{43}$/);
  await expectAccessible(page, 'light');
  await expectAccessible(page, 'dark', 'color');
  await page.setViewportSize({ width: 390, height: 844 });
  const tooWide = 'Math.max(...[...document.querySelectorAll("dialog")].map((one) => one.scrollWidth - one.clientWidth))';
  await expect.poll(() => page.evaluate(tooWide)).toBeLessThanOrEqual(0);
  await page.setViewportSize({ width: 1280, height: 900 });
  const done = page.getByRole('button', { name: 'Done' });
  await expect(done).toHaveAttribute('aria-disabled', 'true');
  for (const language of ['Python', 'PHP', 'Ruby', 'Node.js']) {
    await page.getByRole('radio', { name: language }).click();
    await expect(page.getByText(`Verify a signature in ${language}`)).toBeVisible();
  }

  const leave = page.getByText('Leave without the secret?');
  await page.keyboard.press('Escape');
  await expect(leave).toBeVisible();
  await page.getByRole('button', { name: 'Stay' }).click();
  await expect(leave).toHaveCount(0);
  // Not page.goBack(): that waits for a page which must not come.
  await page.evaluate('history.back()');
  await expect(leave).toBeVisible();
  await page.getByRole('button', { name: 'Stay' }).click();
  await expect(page.getByText(FIRST_WORDS)).toBeVisible();

  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  expect((await saved).suggestedFilename()).toMatch(/^webhook-secret-127\.0\.0\.1-\d+\.txt$/);
  await finishSecret(page);
  await expect(log(page)).toBeVisible();
  await expect(page.getByText(FIRST_WORDS)).toHaveCount(0);
  expect(await page.content()).not.toContain(secret);
  await page.reload();
  await expect(log(page).getByText('No deliveries yet')).toBeVisible();
  expect(await page.content()).not.toContain(secret);
});

test('a new endpoint shows its log at once, however late the list of endpoints follows', async ({ as, page }) => {
  await readAlone(page);
  await as('owner', PAGE);
  await expect(page.getByRole('button', { name: 'Add endpoint' })).toBeVisible();
  const gate = Promise.withResolvers<void>();
  await page.route('**/partners/me/webhooks', async (route) => {
    if (route.request().method() === 'GET') await gate.promise;
    // The page may have asked anew by now.
    await route.continue().catch(() => undefined);
  });
  await addInPage(page, receiver.url);
  await finishSecret(page);
  await expect(log(page).getByText('No deliveries yet')).toBeVisible();
  await expect(page.getByText('That endpoint was removed.')).toHaveCount(0);
  gate.resolve();
});

test('the secret stays on show when the list behind it cannot be read anew', async ({ as, page, complaints }) => {
  await readAlone(page);
  await as('owner', PAGE);
  await expect(page.getByRole('button', { name: 'Add endpoint' })).toBeVisible();
  await page.route('**/partners/me/webhooks', (route) =>
    route.request().method() === 'GET' ? route.fulfill({ status: 500, json: {} }) : route.fallback(),
  );
  const failed = page.waitForResponse((answer) => answer.status() === 500);
  await addInPage(page, receiver.url);
  await failed;
  await finishSecret(page);
  await expect(log(page)).toBeVisible();
  // Browsers write each failed request into the console.
  complaints.all = complaints.all.filter((line) => !line.includes('500'));
});

test('a secret is rotated over a second endpoint, which must prove itself before the old one goes', async ({ as, page, api }) => {
  await holdMessages(page);
  const { id: oldId } = await api.owner.createWebhook({ body: { url: receiver.url } });
  await as('owner', PAGE);
  await page
    .getByRole('button', { name: /^More for/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Rotate secret' }).click();
  await page.getByRole('button', { name: 'Add endpoint and show secret' }).click();
  await finishSecret(page);
  const steps = page.getByRole('dialog', { name: 'Rotate the signing secret' });
  await expect(steps.getByRole('button', { name: 'Remove the old endpoint' })).toHaveCount(0);
  // Left and taken up again: how far it is follows from the endpoints.
  await steps.getByRole('button', { name: 'Continue later' }).click();
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await steps.getByRole('button', { name: 'Send test' }).click();
  await steps.getByRole('button', { name: 'Remove the old endpoint' }).click();
  await expect(page.getByText('Secret rotated.')).toBeVisible();
  const left = await api.owner.listWebhooks();
  expect(left.filter(({ url }) => url === receiver.url)).toHaveLength(1);
  expect(left.some(({ id }) => id === oldId)).toBe(false);
});

test('removing asks for the host, and an old link says that the endpoint is gone', async ({ as, page, api }) => {
  await holdMessages(page);
  const { id } = await api.owner.createWebhook({ body: { url: receiver.url } });
  await as('owner', PAGE);
  await page
    .getByRole('button', { name: /^More for/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Remove endpoint' }).click();
  const dialog = page.getByRole('dialog', { name: 'Remove this endpoint?' });
  const remove = dialog.getByRole('button', { name: 'Remove endpoint' });
  await expect(remove).toHaveAttribute('aria-disabled', 'true');
  await dialog.getByRole('textbox').fill(new URL(receiver.url).host);
  await remove.click();
  await expect(page.getByText('Endpoint removed.')).toBeVisible();
  expect((await api.owner.listWebhooks()).some((endpoint) => endpoint.id === id)).toBe(false);
  await page.goto(`${PAGE}?endpoint=${id}`);
  await expect(page.getByText('That endpoint was removed.')).toBeVisible();
});
