import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { webhookSignatureHeader } from '@partner-portal/core/webhook/signing.ts';
import {
  button,
  dialog,
  fill,
  fireEvent,
  gone,
  holds,
  isInactive,
  open,
  press,
  reads,
  screen,
  see,
  user,
  within,
} from '../../testing/portal.ts';
import { idOf } from '../../testing/sample.ts';
import { type Answers, Refused, reply, row } from '../../testing/service.ts';

const PAGE = '/dashboard/settings/webhooks';
const URL_OF = 'https://hooks.northwind.example/in';
const made = reply('createWebhook', { id: idOf(70), url: URL_OF, secret: 'whsec_only-once' });

/** Adds an endpoint and leaves its secret as saved. */
async function addEndpoint(listWebhooks: Answers['listWebhooks']): Promise<void> {
  let isMade = false;
  await open('owner', PAGE, {
    listWebhooks: (call) => (isMade && typeof listWebhooks === 'function' ? listWebhooks(call) : []),
    createWebhook: () => {
      isMade = true;
      return made;
    },
  });
  await press('Add endpoint');
  const adding = await dialog('Add endpoint');
  await fill('Endpoint URL', URL_OF, adding);
  await press('Add endpoint', adding);
  await see('This is the only time you can see it.');
  assert.ok(isInactive(await button('Done')));
  await user.click(await screen.findByLabelText('I have saved it'));
  await press('Done');
}

test('a new endpoint shows its log at once, even if the list of endpoints loads late', async () => {
  const held = Promise.withResolvers<never>();
  await addEndpoint(() => held.promise);
  await see('No deliveries yet', await dialog('Deliveries'));
  await gone('That endpoint was removed.');
  await gone('This is the only time you can see it.');
});

test('an endpoint that is being added, also to rotate a secret, shows its secret, however one tries to leave its dialog', async () => {
  const old = row('listWebhooks', { id: idOf(71), url: URL_OF, createdAt: '2026-05-01T09:00:00.000Z', isActive: true });
  const ways = [
    { path: PAGE, title: 'Add endpoint', act: 'Add endpoint', busy: 'Checking the URL' },
    { path: `${PAGE}?rotate=${old.id}`, title: 'Rotate the signing secret', act: 'Add endpoint and show secret', busy: 'Adding' },
  ];
  for (const { path, title, act, busy } of ways) {
    const answer = Promise.withResolvers<typeof made>();
    const isNew = path === PAGE;
    await open('owner', path, { listWebhooks: isNew ? [] : [old], createWebhook: () => answer.promise });
    if (isNew) await press('Add endpoint');
    const adding = await dialog(title);
    if (isNew) await fill('Endpoint URL', URL_OF, adding);
    await press(act, adding);
    await button(busy, adding);
    fireEvent(adding, new Event('cancel', { cancelable: true }));
    await press('Cancel', adding);
    answer.resolve(made);
    await see('whsec_only-once');
    await see('This is the only time you can see it.');
  }
});

test('the secret of a paused endpoint is rotated once it is on again: no endpoint sends to its URL meanwhile', async () => {
  const old = row('listWebhooks', { id: idOf(71), url: URL_OF, createdAt: '2026-05-01T09:00:00.000Z', isActive: false });
  const next = row('listWebhooks', {
    id: idOf(72),
    url: URL_OF,
    createdAt: '2026-05-02T09:00:00.000Z',
    isActive: true,
    recent: ['delivered'],
  });
  await open('owner', `${PAGE}?rotate=${old.id}`, { listWebhooks: [old] });
  const asked = await dialog('Rotate the signing secret');
  await see(/This endpoint is paused.*Switch it on first/, asked);
  assert.equal(within(asked).queryByRole('button', { name: 'Add endpoint and show secret' }), null);
  await open('owner', `${PAGE}?rotate=${old.id}`, { listWebhooks: [{ ...old, isActive: true }] });
  await button('Add endpoint and show secret', await dialog('Rotate the signing secret'));
  // Paused later: its removal says what is lost with it.
  await open('owner', `${PAGE}?rotate=${old.id}`, { listWebhooks: [old, next] });
  await see(/what it missed before .* can no longer be recovered/, await dialog('Rotate the signing secret'));
});

test('the secret stays visible when the list behind it cannot be refetched', async () => {
  await addEndpoint(() => {
    throw new Refused('internal_error');
  });
  await dialog('Deliveries');
});

test('an address that is not public is refused next to its field, with what to do instead', async () => {
  await open('owner', PAGE, {
    createWebhook: () => {
      throw new Refused('private_address', {
        errors: [{ field: 'url', code: 'private_address', message: 'This address is not reachable from the internet.' }],
      });
    },
  });
  await press('Add endpoint');
  const adding = await dialog('Add endpoint');
  const url = await fill('Endpoint URL', 'http://10.0.0.8/hooks', adding);
  await press('Add endpoint', adding);
  await see(/This address is not reachable from the internet\./, adding);
  await holds(() => assert.deepEqual([url.getAttribute('aria-invalid'), document.activeElement === url], ['true', true]));
});

test('removing asks for the host, and an old link says that the endpoint is gone', async () => {
  const service = await open('owner', PAGE, {
    listWebhooks: [row('listWebhooks', { id: idOf(71), url: URL_OF })],
    deleteWebhook: undefined,
  });
  await press(/^More for/);
  await user.click(await screen.findByRole('menuitem', { name: 'Remove endpoint' }));
  const asked = await dialog('Remove this endpoint?');
  const remove = await button('Remove endpoint', asked);
  assert.ok(isInactive(remove));
  await user.type(within(asked).getByRole('textbox'), 'hooks.northwind.example');
  service.answers.listWebhooks = [];
  await user.click(remove);
  await see('Endpoint removed.');
  assert.ok(service.calls.some(({ name }) => name === 'deleteWebhook'));
});

const ENDPOINT = row('listWebhooks', { id: idOf(71), url: URL_OF, isActive: true });
type Delivery = ReturnType<typeof row<'listDeliveries'>>;
const delivery = (n: number, given: Partial<Delivery> = {}): Delivery =>
  row('listDeliveries', {
    id: idOf(80 + n),
    endpointId: ENDPOINT.id,
    eventId: `evt_${String(n).padStart(26, '0')}`,
    eventType: 'client_user.invited',
    status: 'failed',
    reason: 'attempts_exhausted',
    createdAt: `2026-06-01T09:0${n}:00.000Z`,
    attemptCount: 5,
    maxAttempts: 5,
    requestBody: '{}',
    ...given,
  });
const attempt = (n: number): Delivery['attempts'][number] => ({
  n,
  at: `2026-06-01T09:00:0${n}.000Z`,
  httpStatus: 410,
  durationMs: 12,
  error: 'status',
  explanation: { message: 'It answered 410: this address is gone for good.', hint: 'Change the URL.' },
  responsePreview: 'said 410',
  signature: null,
});
const log = () => dialog('Deliveries');

test('missed events are counted first, then sent again, with progress until the end', async () => {
  const missed = [delivery(1), delivery(2), delivery(3)];
  let recovered: Delivery[] = [];
  const begun = row('listRecoveries', { id: idOf(90), endpointId: ENDPOINT.id, status: 'running', total: 3, queued: 3, pending: 3 });
  let recoveries: (typeof begun)[] = [];
  const service = await open('owner', `${PAGE}?endpoint=${ENDPOINT.id}`, {
    listWebhooks: [ENDPOINT],
    listDeliveries: () => [...recovered, ...missed],
    listRecoveries: () => recoveries,
    recoverDeliveries: ({ body: { dryRun } }) => {
      const count = recovered.length > 0 ? 0 : 3;
      if (!dryRun) recoveries = [begun];
      return {
        count,
        oldest: count ? (missed[0]?.createdAt ?? null) : null,
        newest: count ? (missed[2]?.createdAt ?? null) : null,
        recovery: dryRun ? null : begun,
      };
    },
  });
  const drawer = await log();
  await press('Recover', drawer);
  const asked = await dialog('Recover missed events');
  await press('Count missed events', asked);
  await see('3 events did not arrive.', asked);
  assert.deepEqual(service.sent('recoverDeliveries').map(({ dryRun }) => dryRun), [true]); // prettier-ignore
  await press('Send 3 events again', asked);
  await within(drawer).findByRole('meter');
  const [counted, sent] = service.sent('recoverDeliveries');
  assert.deepEqual({ ...sent, dryRun: true }, counted);
  recovered = missed.map((one, n) =>
    delivery(4 + n, {
      eventId: one.eventId,
      status: 'delivered',
      reason: null,
      redeliveryOf: one.id,
      recoveryId: begun.id,
      attempts: [attempt(1)],
    }),
  );
  recoveries = [{ ...begun, status: 'completed', queued: 0, pending: 0, delivered: 3 }];
  for (const one of recovered) await holds(() => assert.ok(service.send(`/partners/me/webhooks/${ENDPOINT.id}`, 'delivery', one)));
  await holds(() => assert.equal(within(drawer).getAllByText('Recovered').length, 3));
  assert.equal(within(drawer).getAllByRole('img', { name: 'Delivered' }).length, 3);
  // Asked for once more there is nothing left.
  await press('Recover', drawer);
  await press('Count missed events', await dialog('Recover missed events'));
  await see('No missed events in this period.');
});

test('a paused endpoint says so and can be undone; J and K walk the log', async () => {
  const tests = [delivery(2, { eventType: 'webhook.test' }), delivery(1, { eventType: 'webhook.test' })];
  const endpoint = { ...ENDPOINT };
  const service = await open('owner', `${PAGE}?endpoint=${ENDPOINT.id}`, {
    listWebhooks: () => [endpoint],
    listDeliveries: tests,
    updateWebhook: ({ body: { isActive } }) => Object.assign(endpoint, { isActive }),
  });
  const drawer = await log();
  const shown = () => within(drawer).getAllByRole('button', { name: /webhook\.test/ });
  await holds(() => assert.equal(shown().length, 2));
  for (const [key, at] of [
    ['j', 0],
    ['j', 1],
    ['k', 0],
  ] as const) {
    await user.keyboard(key);
    await holds(() => assert.equal(document.activeElement, shown()[at]));
  }
  await user.keyboard('{Enter}');
  await holds(() => assert.equal(shown()[0]?.getAttribute('aria-expanded'), 'true'));
  assert.equal(new URLSearchParams(location.search).get('delivery'), tests[0]?.id);
  await press('Close', drawer);
  const mine = () => screen.getByRole('list', { name: 'Endpoints' });
  await user.click(within(mine()).getByRole('switch'));
  await holds(() => assert.match(mine().textContent, /Paused/));
  await press(/^Undo/);
  await holds(() => assert.equal(within(mine()).getByRole('switch').getAttribute('aria-checked'), 'true'));
  assert.deepEqual(service.sent('updateWebhook').map(({ isActive }) => isActive), [false, true]); // prettier-ignore
});

test('a moderator sees every attempt and its answer, and cannot send it again', async () => {
  const failed = delivery(1, { attempts: [1, 2, 3, 4, 5].map(attempt) });
  const service = await open('moderator', `${PAGE}?endpoint=${ENDPOINT.id}`, { listWebhooks: [ENDPOINT], listDeliveries: [failed] });
  const drawer = await log();
  await press(/client_user\.invited/, drawer);
  const attempts = await within(drawer).findByRole('list', { name: 'Attempts' });
  assert.equal(within(attempts).getAllByText('410').length, 5);
  await user.click(await within(drawer).findByRole('radio', { name: 'Response' }));
  await holds(() => assert.match(drawer.textContent, /said 410/));
  const again = await button('Send again', drawer);
  assert.ok(isInactive(again));
  await user.click(again);
  assert.ok(!service.calls.some(({ name }) => name === 'redeliver'));
});

test('staff find the failing endpoint and whom to write to', async () => {
  const failing = row('listWebhookEndpoints', {
    id: ENDPOINT.id,
    url: URL_OF,
    isActive: true,
    partnerName: 'Northwind Digital',
    contactEmail: 'help@northwind.example',
    failureStreak: 2,
    lastDelivery: { status: 'failed', at: ENDPOINT.createdAt },
  });
  const service = await open('staff', '/admin/deliveries', { listWebhookEndpoints: { data: [failing], nextCursor: null } });
  const found = await screen.findByRole('row', { name: /hooks\.northwind\.example/ });
  assert.match(found.textContent, /Failing, 2 in a row/);
  assert.match(
    within(found).getByRole('link', { name: 'Contact' }).getAttribute('href') ?? '',
    /^mailto:help%40northwind\.example\?subject=/,
  );
  const asked = service.calls.find(({ name }) => name === 'listWebhookEndpoints')?.query as { failing?: boolean } | undefined;
  assert.equal(asked?.failing, true);
});

test('a new endpoint gets all events or those that are chosen, and an empty choice is refused', async () => {
  const service = await open('owner', PAGE, { listWebhooks: [], createWebhook: made });
  await press('Add endpoint');
  const adding = await dialog('Add endpoint');
  await fill('Endpoint URL', URL_OF, adding);
  await user.click(await within(adding).findByRole('radio', { name: 'Chosen events' }));
  await press('Add endpoint', adding);
  await see('Choose at least one event, or all events.', adding);
  assert.deepEqual(service.sent('createWebhook'), []);
  await user.click(within(adding).getByLabelText(/^account\.suspended/));
  await user.click(within(adding).getByLabelText(/^client_user\.invited/));
  await press('Add endpoint', adding);
  await see('This is the only time you can see it.');
  assert.deepEqual(service.sent('createWebhook'), [{ url: URL_OF, events: ['account.suspended', 'client_user.invited'] }]);
});

test('the events of an endpoint are shown and can be chosen later', async () => {
  const endpoint = { ...ENDPOINT, events: ['account.suspended' as const] };
  const service = await open('owner', PAGE, {
    listWebhooks: () => [endpoint],
    updateWebhook: ({ body: { events } }) => Object.assign(endpoint, { events }),
  });
  await see(/1 event type/);
  await press(/^More for/);
  await user.click(await screen.findByRole('menuitem', { name: 'Choose events' }));
  const asked = await dialog('Choose events');
  await user.click(await within(asked).findByRole('radio', { name: 'All events' }));
  await press('Save events', asked);
  await gone(/1 event type/);
  assert.deepEqual(service.sent('updateWebhook').map(({ events }) => events), [[]]); // prettier-ignore
});

const SECRET = 'whsec_c2VjcmV0LW9mLXRoZS1lbmRwb2ludC0wMDAwMDAwMDA';
const BODY = '{"id":"evt_1","type":"client_user.invited"}';

const PLAIN = reply('listEventTypes');
const listEventTypes = { ...PLAIN, verification: { ...PLAIN.verification, toleranceSeconds: 300 } };

/** Signatures are checked on https pages only. */
function onHttps(context: TestContext): void {
  const was = Object.getOwnPropertyDescriptor(globalThis, 'isSecureContext');
  Object.defineProperty(globalThis, 'isSecureContext', { value: true, configurable: true });
  context.after(() =>
    was ? Object.defineProperty(globalThis, 'isSecureContext', was) : Reflect.deleteProperty(globalThis, 'isSecureContext'),
  );
}

/** Enters a secret and reads the verdict. */
async function check(secret: string, verdict: RegExp, within_: HTMLElement): Promise<void> {
  await fill('Signing secret', secret, within_);
  await press('Check signature', within_);
  await reads(within_, verdict);
}

test('a delivery shows its signature and checks it, and says whether secret, bytes or time is wrong', async (context) => {
  onHttps(context);
  const signature = webhookSignatureHeader(SECRET, Math.floor(Date.now() / 1000), BODY);
  const old = webhookSignatureHeader(SECRET, Math.floor(Date.now() / 1000) - 7200, BODY);
  const sent = delivery(1, {
    requestBody: BODY,
    attempts: [
      { ...attempt(1), signature: old },
      { ...attempt(2), signature },
    ],
  });
  await open('moderator', `${PAGE}?endpoint=${ENDPOINT.id}`, { listWebhooks: [ENDPOINT], listDeliveries: [sent], listEventTypes });
  const drawer = await log();
  await press(/client_user\.invited/, drawer);
  await holds(() => assert.ok(drawer.textContent.includes(signature)));
  await user.click(await within(drawer).findByRole('radio', { name: 'Signature' }));
  await check('whsec_other', /this is not the secret of the endpoint/, drawer);
  await check(SECRET, /Matches\. Signed/, drawer);
  await fill('Body', BODY.replace('invited', 'changed'), drawer);
  await press('Check signature', drawer);
  await reads(drawer, /differs from what we sent from character 35 on/);
  await user.click(within(within(drawer).getByRole('list', { name: 'Attempts' })).getAllByRole('button')[0] as HTMLElement);
  await check(SECRET, /Matches, but the timestamp is old by 2 h/, drawer);
});

test('the page checks a signature with the newest delivery filled in', async (context) => {
  onHttps(context);
  const signature = webhookSignatureHeader(SECRET, Math.floor(Date.now() / 1000), BODY);
  await open('moderator', PAGE, {
    listWebhooks: [ENDPOINT],
    listDeliveries: [delivery(2), delivery(1, { requestBody: BODY, attempts: [{ ...attempt(1), signature }] })],
    listEventTypes,
  });
  await press('Check a signature');
  const asked = await dialog('Check a signature');
  await see('Filled with the newest delivery of this endpoint.', asked);
  await check(SECRET, /Matches\. Signed/, asked);
  await fill('Header X-Service-Signature', webhookSignatureHeader('whsec_other', 1_770_000_000, BODY), asked);
  await press('Check signature', asked);
  await reads(asked, /None of the endpoint’s newest deliveries has this signature/);
});
