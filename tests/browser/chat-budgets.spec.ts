import { test } from './pages.ts';
import { expect, expectGood } from './portal.ts';

test('an admin sees and changes the budget of all chatbots, and of one chatbot next to its settings', async ({ as, api }) => {
  const clientId = (await api.owner.createClient({ body: { name: 'Willow Garage', timezone: 'America/Chicago' } })).id;
  await api.owner.changeChatbot({ query: {}, body: { clientId, name: 'Will' } });
  const page = await as('owner', '/dashboard/usage');
  const section = page.locator('#chatbots');
  await expect(section.getByRole('heading', { name: 'Chatbots', exact: true })).toBeVisible();
  await expect(section.getByText('Kept for events')).toBeVisible();
  await expect(section.getByRole('textbox', { name: 'Share of the month, in percent' })).toHaveValue('40');
  await expectGood(page);

  await section.getByRole('textbox', { name: 'Credits a day for one visitor' }).fill('a lot');
  await section.getByRole('button', { name: 'Save changes' }).click();
  await expect(section.getByText('Enter a whole number from 0 to 1,000,000.').last()).toBeVisible();
  await section.getByRole('textbox', { name: 'Credits a day for one visitor' }).fill('150');
  await section.getByRole('textbox', { name: 'Share of the month, in percent' }).fill('30');
  await section.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Budgets saved. The next answer uses them.')).toBeVisible();
  const saved = await api.owner.getChatBudgets();
  expect([saved.sharePercent, saved.visitorCredits, saved.conversationCredits]).toEqual([30, 150, 60]);

  await page.goto(`/dashboard/settings/chatbot?client=${clientId}`);
  const panel = page.getByRole('region', { name: 'Budget' });
  await expect(panel.getByText('0 of 300 credits')).toBeVisible();
  await expect(panel.getByText('60 credits a day for one conversation and 150 for one visitor')).toBeVisible();
  await expectGood(page);
  await panel.getByRole('link', { name: 'See and change budgets' }).click();
  await expect(section.getByRole('textbox', { name: 'Share of the month, in percent' })).toHaveValue('30');
});
