import { test } from './pages.ts';
import { expect, expectAccessible, holdMessages } from './portal.ts';
import { addInPage, finishSecret, FIRST_WORDS, log, PAGE, receiverForEachTest } from './webhooks.ts';

const receiver = receiverForEachTest();

test('the secret is shown once: Done needs the checkbox, every other exit asks first, and the secret is not shown again', async ({
  as,
}) => {
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
