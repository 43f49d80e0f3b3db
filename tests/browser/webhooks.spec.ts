import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { webhookSignatureHeader } from '@partner-portal/core/webhook/signing.ts';
import { type Api, expect, expectAccessible, expectNoSidewaysScroll, holdMessages, test } from './portal.ts';

const PAGE = '/dashboard/settings/webhooks';
const FIRST_WORDS = 'This is the only time you can see it.';

type Received = { body: string; signature: string; type: string };
type Receiver = { url: string; received: Received[]; status: number; close: () => void };

/** A receiver on this machine: records requests and responds with the status the test sets. */
async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const server: Server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { 'x-service-signature': signature, 'x-service-event': type } = request.headers;
    received.push({ body, signature: String(signature), type: String(type) });
    response.writeHead(receiver.status, { 'content-type': 'text/plain' }).end(`said ${receiver.status}`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // listening on TCP
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  const receiver: Receiver = { url: `http://127.0.0.1:${port}/hooks`, received, status: 200, close };
  return receiver;
}

let receiver: Receiver;
test.beforeEach(async ({ api }) => {
  receiver = await startReceiver();
  // Five endpoints is all an agency has: what an earlier test left is removed, the seeded one stays.
  for (const { id } of (await api.owner.listWebhooks()).slice(0, -1)) await api.owner.deleteWebhook({ params: { id } });
});
test.afterEach(() => receiver.close());

const addInPage = async (page: Page, url: string): Promise<string> => {
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add endpoint' });
  await dialog.getByLabel('Endpoint URL').fill(url);
  await dialog.getByRole('button', { name: 'Add endpoint' }).click();
  await expect(page.getByText(FIRST_WORDS)).toBeVisible();
  return (await page.getByRole('textbox', { name: 'Signing secret' }).textContent()) ?? '';
};
const finishSecret = async (page: Page): Promise<void> => {
  await page.getByLabel('I have saved it').check();
  await page.getByRole('button', { name: 'Done' }).click();
};
const log = (page: Page) => page.getByRole('dialog', { name: 'Deliveries' });
const failing = async (api: Api, events: number): Promise<string> => {
  receiver.status = 410;
  const { id } = await api.owner.createWebhook({ body: { url: receiver.url } });
  for (let n = 0; n < events; n++) {
    const { clientId } = await clientOf(api);
    await api.owner.createInvitation({
      body: { kind: 'client_user', clientId, email: `n${Date.now()}-${n}@oakstreet.example`, fullName: 'N' },
    });
  }
  await expect
    .poll(async () => (await api.owner.listDeliveries({ params: { id } })).filter(({ status }) => status === 'failed').length, {
      intervals: [500],
    })
    .toBe(events);
  return id;
};
const clientOf = async (api: Api) => ({ clientId: (await api.owner.listClients()).data[0]?.id ?? '' });

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

test('a failed delivery says why and what to do; sent again it arrives, with the same event id', async ({ as, api }) => {
  const id = await failing(api, 1);
  const page = await as('owner', `${PAGE}?endpoint=${id}&show=failed`);
  await log(page)
    .getByRole('button', { name: /client_user\.invited/ })
    .click();
  await expect(log(page).getByText('this address is gone for good').first()).toBeVisible();
  await expectAccessible(page, 'light');
  await expectAccessible(page, 'dark', 'color');
  receiver.status = 200;
  await log(page).getByRole('button', { name: 'Send again' }).click();
  const again = log(page).getByRole('button', { name: /client_user\.invited.*Sent again/ });
  await expect(again.getByRole('img', { name: 'Delivered' })).toBeVisible();
  const [first, second] = receiver.received;
  expect(second?.body).toBe(first?.body);
  expect(second?.signature).not.toBe(first?.signature);
});

test('missed events are counted first, then sent again, with progress until the end', async ({ as, api }) => {
  const id = await failing(api, 3);
  receiver.status = 200;
  const page = await as('owner', `${PAGE}?endpoint=${id}`);
  await log(page).getByRole('button', { name: 'Recover', exact: true }).click();
  await page.getByRole('button', { name: 'Count missed events' }).click();
  await expect(page.getByText('3 events did not arrive.')).toBeVisible();
  expect(receiver.received).toHaveLength(3);
  await page.getByRole('button', { name: 'Send 3 events again' }).click();
  await expect.poll(() => receiver.received.length).toBe(6);
  await expect(log(page).getByText('Recovered')).toHaveCount(3);
  await expect(
    log(page)
      .getByRole('button', { name: /client_user\.invited/ })
      .getByRole('img', { name: 'Delivered' }),
  ).toHaveCount(3);
  // Asked for once more there is nothing left.
  await log(page).getByRole('button', { name: 'Recover', exact: true }).click();
  await page.getByRole('button', { name: 'Count missed events' }).click();
  await expect(page.getByText('No missed events in this period.')).toBeVisible();
});

test('a paused endpoint says so and can be undone; J and K walk the log', async ({ as, page, api }) => {
  await holdMessages(page);
  const { id } = await api.owner.createWebhook({ body: { url: receiver.url } });
  for (const _ of [1, 2]) await api.owner.testWebhook({ params: { id } });
  await as('owner', `${PAGE}?endpoint=${id}`);
  const rows = log(page).getByRole('button', { name: /webhook\.test/ });
  await expect(rows).toHaveCount(2);
  await page.keyboard.press('j');
  await expect(rows.nth(0)).toBeFocused();
  await page.keyboard.press('j');
  await expect(rows.nth(1)).toBeFocused();
  await page.keyboard.press('k');
  await page.keyboard.press('Enter');
  await expect(rows.nth(0)).toHaveAttribute('aria-expanded', 'true');
  await expect(page).toHaveURL(/delivery=/);
  await page.keyboard.press('Escape');
  await expect(log(page)).toHaveCount(0);

  const mine = page.getByRole('list', { name: 'Endpoints' }).getByRole('listitem').first();
  await mine.getByRole('switch').click();
  await expect(mine.getByText('Paused')).toBeVisible();
  expect((await api.owner.listWebhooks())[0]?.isActive).toBe(false);
  await page.getByRole('button', { name: /^Undo/ }).click();
  await expect(mine.getByRole('switch')).toHaveAttribute('aria-checked', 'true');
  await expect.poll(async () => (await api.owner.listWebhooks())[0]?.isActive).toBe(true);
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

test('a moderator sees every attempt and its answer, and cannot send it again', async ({ as, api }) => {
  const id = await failing(api, 1);
  const page = await as('moderator', `${PAGE}?endpoint=${id}`);
  await log(page)
    .getByRole('button', { name: /client_user\.invited/ })
    .click();
  await expect(log(page).getByRole('list', { name: 'Attempts' }).getByText('410', { exact: true })).toBeVisible();
  await expect(log(page).getByRole('button', { name: 'Send again' })).toHaveAttribute('aria-disabled', 'true');
});

test('staff find the failing endpoint and whom to write to', async ({ as, api }) => {
  await failing(api, 2);
  const page = await as('staff', '/admin/deliveries');
  const row = page
    .getByRole('table', { name: 'Endpoints' })
    .getByRole('row')
    .filter({ hasText: new URL(receiver.url).host });
  await expect(row).toContainText('Failing, 2 in a row');
  await expect(row.getByRole('link', { name: 'Contact' })).toHaveAttribute('href', /^mailto:help%40northwind\.example\?subject=/);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
});
