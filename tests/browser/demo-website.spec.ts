import { sandboxUrl } from '../harness/system.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './portal.ts';
import { chatOf } from './website.ts';

test('the website of the demo client carries its chat: a price with its source, a text by the agent, a person', async ({
  page,
  system,
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
  await say('I would like to talk to a person.', /passed this on to a person/);
});

for (const colorScheme of ['light', 'dark'] as const)
  test(`the website of the demo client fits a phone and is accessible (${colorScheme})`, async ({ page, system, complaints: _watched }) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(sandboxUrl(system, '/sandbox/website'));
    await expect(chatOf(page).launcher).toBeVisible();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page, colorScheme);
  });
