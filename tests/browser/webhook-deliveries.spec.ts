import { webhookSignatureHeader } from '@partner-portal/core/webhook/signing.ts';
import { test } from './pages.ts';
import { expect, expectAccessible } from './portal.ts';
import { addInPage, failing, finishSecret, log, PAGE, receiverForEachTest } from './webhooks.ts';

const receiver = receiverForEachTest();

test('a test event arrives live, and the verifier in the browser agrees with its signature', async ({ as }) => {
  const page = await as('owner', PAGE);
  const secret = await addInPage(page, receiver.url);
  await finishSecret(page);
  await log(page).getByRole('button', { name: 'Send test' }).first().click();
  const row = log(page).getByRole('button', { name: /webhook\.test/ });
  await expect(row.getByRole('img', { name: 'Delivered' })).toBeVisible();
  await expect(row).toHaveAttribute('aria-expanded', 'true');
  await expect(log(page).getByRole('list', { name: 'Attempts' }).getByText('200', { exact: true })).toBeVisible();
  await log(page).getByRole('radio', { name: 'Response' }).click();
  await expect(log(page).getByText('said 200')).toBeVisible();
  const arrived = receiver.received.find(({ type }) => type === 'webhook.test');
  expect(arrived?.type).toBe('webhook.test');
  await log(page).getByRole('button', { name: 'Close' }).click();

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Developer' }).click();
  await page.getByRole('link', { name: 'Verify a signature' }).click();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const verify = async (body: string, header: string, key: string): Promise<void> => {
    await page.getByLabel('Body').fill(body);
    await page.getByLabel('Header X-Service-Signature').fill(header);
    await page.getByLabel('Signing secret').fill(key);
    await page.getByRole('button', { name: 'Check signature' }).click();
  };
  const { body = '', signature = '' } = arrived ?? {};
  await verify(body, signature, secret);
  await expect(page.getByText('Matches.')).toBeVisible();
  await verify(body.replace('test', 'tost'), signature, secret);
  await expect(page.getByText('Does not match.')).toBeVisible();
  await verify(JSON.stringify(JSON.parse(body), null, 2), signature, secret);
  await expect(page.getByText('It matches the same JSON without whitespace.')).toBeVisible();
  await verify(body, 'sha256=abc', secret);
  await expect(page.getByText('Invalid header.')).toBeVisible();
  await verify(body, webhookSignatureHeader(secret, Math.floor(Date.now() / 1000) - 3600, body), secret);
  await expect(page.getByText(/the timestamp is old by 1 h/)).toBeVisible();
  // Nothing that was pasted leaves the page; what the shell asks for by itself carries none of it.
  expect(asked.filter((url) => url.includes('whsec') || url.includes('v1='))).toEqual([]);
});

test('a failed delivery says why and what to do; sent again it arrives, with the same event id', async ({ as, api, system }) => {
  const id = await failing({ api, system }, receiver, 1);
  const page = await as('owner', `${PAGE}?endpoint=${id}&show=failed`);
  await log(page)
    .getByRole('button', { name: /client_user\.invited/ })
    .click();
  await expect(log(page).getByText('this address is gone for good').first()).toBeVisible();
  await expectAccessible(page, 'light');
  await expectAccessible(page, 'dark', 'color');
  await log(page).getByRole('button', { name: 'Show as table: Deliveries per day' }).focus();
  await page.keyboard.press('Enter');
  await expect(log(page).getByRole('table', { name: 'Deliveries per day' }).locator('tbody tr').last().locator('td')).toHaveText([
    /.+/,
    '1',
    '1',
  ]);
  receiver.status = 200;
  await log(page).getByRole('button', { name: 'Send again' }).click();
  const again = log(page).getByRole('button', { name: /client_user\.invited.*Sent again/ });
  await expect(again.getByRole('img', { name: 'Delivered' })).toBeVisible();
  const [first, last] = [receiver.received[0], receiver.received.at(-1)];
  expect(last?.body).toBe(first?.body);
  expect(last?.signature).not.toBe(first?.signature);
});
