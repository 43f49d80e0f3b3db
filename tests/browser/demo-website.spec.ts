import { sandboxUrl } from '../harness/system.ts';
import { expect, expectAccessibleInThemes, expectNoSidewaysScroll, test } from './portal.ts';
import { chatOf } from './website.ts';

test('the website of the demo client carries its chat: a price with its source, a text by the agent, a person', async ({
  page,
  system,
  api,
  complaints: _watched,
}) => {
  await page.goto(sandboxUrl(system, '/sandbox/website'));
  const { launcher, frame, field, log } = chatOf(page);
  await launcher.click();
  const say = async (text: string, answer: RegExp): Promise<void> => {
    await field.fill(text);
    await field.press('Enter');
    await expect(log.getByText(answer)).toBeVisible();
  };
  await say('How much does a cleaning cost?', /^A check-up with cleaning costs \$120\.$/);
  await frame.getByText(/^From: /).click();
  await expect(frame.getByRole('blockquote')).toContainText('cleaning costs $120');
  await say('Please text me the booking link, my number is (312) 555-0149.', /^Done: Texted /);
  const { data: texts } = await api.staff.listOutbox({ query: { provider: 'twilio', q: '3125550149' } });
  expect(texts[0]?.body).toMatch(/Thanks\+for\+getting\+in\+touch|Thanks%20for%20getting/);
  await say('I would like to talk to a person.', /passed this on to a person/);
});

test('the website of the demo client fits a phone and is accessible in both themes', async ({ page, system, complaints: _watched }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(sandboxUrl(system, '/sandbox/website'));
  await expect(chatOf(page).launcher).toBeVisible();
  await expectNoSidewaysScroll(page);
  await expectAccessibleInThemes(page);
});
