import { agent, test } from './pages.ts';
import { expect } from './portal.ts';

test('a client suggests a text, its agency compares and applies it, and the client reads so', async ({ as, api }) => {
  const id = await agent(api);
  const text = 'Sorry, we were with a patient! Book here: {bookingUrl}';
  const page = await as('client', `/client/agents/${id}`);
  await page.getByRole('button', { name: 'Suggest a change: Message' }).click();
  const dialog = page.getByRole('dialog', { name: /Message/ });
  await dialog.getByLabel('Text').fill(text);
  await expect(dialog.getByText(/^Sorry, we were with a patient! Book here: https:\/\/\S+$/)).toBeVisible();
  await dialog.getByLabel(/^Note/).fill('Friendlier.');
  await dialog.getByRole('button', { name: 'Send suggestion' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText(/^Waits for/)).toBeVisible();

  await as('owner', '/dashboard/requests');
  const suggested = page.getByRole('listitem').filter({ hasText: 'Friendlier.' });
  await expect(suggested.locator('ins')).toContainText('with a patient!');
  await suggested.getByRole('button', { name: 'Apply text' }).click();
  await expect(suggested).toHaveCount(0);

  await as('client', `/client/agents/${id}`);
  await expect(page.getByText(/^Applied by/)).toBeVisible();
  await expect(page.locator('.message-bubble').filter({ hasText: 'we were with a patient' })).toBeVisible();
});
