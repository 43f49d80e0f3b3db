import { agent, business, test } from './pages.ts';
import { answerChanged, expect, expectAccessible } from './portal.ts';

/** What writes to people asks first, says to whom, and happens once. */

test('“Run once” names who gets a message, offers the own address, and a double click starts one run', async ({ as, page, api }) => {
  const id = await agent(api);
  const current = await api.owner.getAgent({ params: { id } });
  await api.owner.updateAgent({ params: { id }, body: { config: { ...current.config, quietHours: '' } } });
  await as('owner', `/dashboard/agents/${id}`);
  const started: (string | null)[] = [];
  page.on('request', (request) => {
    if (/\/trigger/.test(request.url())) started.push(request.headers()['idempotency-key'] ?? null);
  });
  await page.getByRole('button', { name: 'Run once' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('This can send 1 message: a text to +1')).toBeVisible();
  const caller = dialog.getByLabel(/number/i).first();
  await caller.fill('');
  await expect(dialog.getByText('No one gets a message')).toBeVisible();
  await caller.click();
  await page.keyboard.type('+13125550942');
  await expect(dialog.getByText('a text to +1 312 555 0942')).toBeVisible();
  await dialog.getByRole('button', { name: 'This is my phone' }).click();
  await caller.fill('+13125550943');
  await dialog.getByRole('button', { name: 'Send to me instead' }).click();
  await expect(caller).toHaveValue('+13125550942');
  await dialog.getByRole('button', { name: 'Run once' }).dblclick();
  await page.waitForURL(/\/dashboard\/runs\/[0-9a-f-]{36}$/);
  expect(started).toHaveLength(1);
  expect(started[0]).toMatch(/^[0-9a-f-]{36}$/);

  // A rerun of what succeeded asks; its main button is not the one that writes again.
  await expect(page.getByText('Succeeded', { exact: true }).first()).toBeVisible();
  const reruns: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/rerun')) reruns.push(request.url());
  });
  await expect(page.getByRole('button', { name: 'Edit input and rerun' })).not.toHaveClass(/button-primary/);
  await page.getByRole('button', { name: 'Rerun', exact: true }).click();
  await expect(page.getByRole('dialog')).toContainText('a text to +1 312 ··· 0942 once more');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  expect(reruns).toEqual([]);
  const first = page.url();
  await page.getByRole('button', { name: 'Rerun', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rerun' }).dblclick();
  await expect(page).not.toHaveURL(first);
  expect(reruns).toHaveLength(1);
});

test('a test event that is asked for twice by a double click is sent once', async ({ as, page, api }) => {
  const { data } = await api.owner.listExecutions({ query: { status: 'FAILED', limit: 1 } });
  expect(data.length).toBe(1);
  await as('owner', `/dashboard/runs/${data[0]?.id}`);
  // The failure says what it was and what to do, in words without codes.
  const note = page.locator('.note', { hasText: 'To fix it:' });
  await expect(note).toBeVisible();
  await expect(note).not.toContainText(/E\.164|_/);
});

test('a client starts a report by hand: it reads who gets mail, and a double click starts one run', async ({ as, page, api }) => {
  const clientId = await business(api);
  const { partnerId } = await api.client.getMyClient();
  const made = await api.staff.createAgent({
    body: {
      partnerId,
      clientId,
      templateName: 'daily-sql-report',
      config: { recipients: ['front@oakstreet.example', 'ada@oakstreet.example'] },
    },
  });
  try {
    await as('client', `/client/agents/${made.id}`);
    await expect(page.getByRole('heading', { level: 1, name: made.name })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Run now' })).toHaveCount(0);
    // Its keys and its flow are what other tests are about.
    await answerChanged(
      page,
      (url) => url.pathname === `/agents/${made.id}`,
      (text) => JSON.stringify({ ...JSON.parse(text), installed: true, health: 'ok', missingConnections: [], missingSettings: [] }),
    );
    const started: [body: unknown, key: string | undefined][] = [];
    await page.route('**/trigger', async (route) => {
      started.push([route.request().postDataJSON(), route.request().headers()['idempotency-key']]);
      await route.fulfill({ status: 202, json: { accepted: true, executionId: made.id } });
    });
    await page.reload();
    await page.getByRole('button', { name: 'Run now' }).click();
    const dialog = page.getByRole('dialog', { name: `Run ${made.name} now?` });
    await expect(dialog).toContainText('It can send an e-mail to front@oakstreet.example and ada@oakstreet.example.');
    await expectAccessible(page, 'light');
    await dialog.getByRole('button', { name: 'Run now' }).dblclick();
    await expect(page.getByText(`${made.name} has started.`)).toBeVisible();
    expect(started).toEqual([[{ input: {} }, expect.stringMatching(/^[0-9a-f-]{36}$/)]]);
  } finally {
    // A page that is open would read the agent again once it is gone.
    await page.goto('about:blank');
    await api.staff.deleteAgent({ params: { id: made.id } });
  }
});

test('a failure of a call from a dialog is read, closed and tried again while the dialog stays open', async ({
  as,
  page,
  api,
  complaints,
}) => {
  await as('owner', `/dashboard/agents/${await agent(api)}`);
  await page.getByRole('button', { name: 'Run once' }).click();
  const dialog = page.getByRole('dialog');
  await page.route(/\/trigger/, (route) =>
    route.fulfill({
      status: 503,
      contentType: 'application/problem+json',
      body: '{"code":"service_unavailable","title":"Not now","status":503}',
    }),
  );
  await dialog.getByRole('button', { name: 'Run once' }).click();
  const message = page.getByRole('region', { name: 'Messages' }).getByRole('alert');
  await expect(message).toContainText('Not now');
  // In the corner of the window, and not inside the box of the dialog.
  expect((await message.boundingBox())?.x).toBeLessThan(40);
  await message.getByRole('button', { name: 'Close' }).click();
  await expect(message).toHaveCount(0);
  await expect(dialog).toBeVisible();
  await dialog.getByRole('button', { name: 'Run once' }).click();
  await expect(message).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(message).toBeVisible();
  await message.getByRole('button', { name: 'Close' }).click();
  await expect(message).toHaveCount(0);
  complaints.all = complaints.all.filter((line) => !line.includes('503'));
});

test('an input with a value that is no JSON is not sent, its field gets the focus, and a long text keeps it', async ({ as, page, api }) => {
  const id = await agent(api);
  const { inputs } = await api.owner.getWorkflow({ params: { id } });
  const phone = inputs?.find(({ writtenTo }) => writtenTo === 'text')?.key ?? '';
  const sent: unknown[] = [];
  await page.route(/\/trigger/, (route) => {
    sent.push(route.request().postDataJSON());
    return route.fallback();
  });
  await as('owner', `/dashboard/agents/${id}`);
  await page.getByRole('button', { name: 'Run once' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'JSON' }).click();
  const json = dialog.getByLabel('Input');
  const input = { ...JSON.parse(await json.inputValue()), [phone]: '+13125550944', remark: 'x' };
  await json.fill(JSON.stringify({ ...input, tries: 1 }));
  await expect(dialog.getByText('a text to +1 312 555 0944')).toBeVisible();
  await dialog.getByRole('radio', { name: 'Fields' }).click();
  const remark = dialog.getByLabel('remark');
  await remark.click();
  await page.keyboard.press('End');
  await page.keyboard.type('y'.repeat(90));
  await expect(remark).toHaveValue(`x${'y'.repeat(90)}`);
  const tries = dialog.getByLabel('tries');
  await tries.click();
  await page.keyboard.press('End');
  await page.keyboard.type('x');
  await dialog.getByRole('button', { name: 'Run once' }).click();
  await expect(tries).toBeFocused();
  await dialog.getByRole('radio', { name: 'JSON' }).click();
  await expect(tries).toBeFocused();
  await page.keyboard.press('Backspace');
  await page.keyboard.type('2');
  await dialog.getByRole('button', { name: 'Run once' }).click();
  await expect(page).toHaveURL(/\/dashboard\/runs\/[0-9a-f-]{36}$/);
  expect(sent).toEqual([{ input: { ...input, tries: 12, remark: `x${'y'.repeat(90)}` } }]);
});
