import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import type { System } from '../harness/system.ts';
import { type Api, expect, test } from './portal.ts';

export const PAGE = '/dashboard/settings/webhooks';
export const FIRST_WORDS = 'This is the only time you can see it.';

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

/** A new receiver for each test of the file, and no endpoint but the seeded one. */
export function receiverForEachTest(): Pick<Receiver, 'url' | 'received' | 'status'> {
  let current: Receiver;
  test.beforeEach(async ({ api, restored: _before }) => {
    current = await startReceiver();
    // Five endpoints is all an agency has: what an earlier test left is removed, the seeded one stays.
    for (const { id } of (await api.owner.listWebhooks()).slice(0, -1)) await api.owner.deleteWebhook({ params: { id } });
  });
  test.afterEach(() => current.close());
  return {
    get url() {
      return current.url;
    },
    get received() {
      return current.received;
    },
    get status() {
      return current.status;
    },
    set status(status) {
      current.status = status;
    },
  };
}

export const addInPage = async (page: Page, url: string): Promise<string> => {
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add endpoint' });
  await dialog.getByLabel('Endpoint URL').fill(url);
  await dialog.getByRole('button', { name: 'Add endpoint' }).click();
  await expect(page.getByText(FIRST_WORDS)).toBeVisible();
  return (await page.getByRole('textbox', { name: 'Signing secret' }).textContent()) ?? '';
};
export const finishSecret = async (page: Page): Promise<void> => {
  await page.getByLabel('I have saved it').check();
  await page.getByRole('button', { name: 'Done' }).click();
};
export const log = (page: Page) => page.getByRole('dialog', { name: 'Deliveries' });
/** Creates an endpoint whose receiver refuses `events` events, five attempts each, without the waits between attempts. */
export const failing = async (
  { api, system }: { api: Api; system: System },
  receiver: Pick<Receiver, 'url' | 'status'>,
  events: number,
): Promise<string> => {
  receiver.status = 410;
  // Nothing else that happens meanwhile, such as the end of an earlier test's run, is delivered to it.
  const { id } = await api.owner.createWebhook({ body: { url: receiver.url, events: ['client_user.invited'] } });
  for (let n = 0; n < events; n++) {
    const { clientId } = await clientOf(api);
    await api.owner.createInvitation({
      body: { kind: 'client_user', clientId, email: `n${Date.now()}-${n}@oakstreet.example`, fullName: 'N' },
    });
  }
  await expect
    .poll(
      async () => {
        await system.query("update delivery_queue set due_at = now() - interval '1 second' where endpoint_id = $1 and claimed_by is null", [
          id,
        ]);
        return (await api.owner.listDeliveries({ params: { id } })).filter(({ status }) => status === 'failed').length;
      },
      { intervals: [500] },
    )
    .toBe(events);
  return id;
};
export const clientOf = async (api: Api) => ({ clientId: (await api.owner.listClients()).data[0]?.id ?? '' });
