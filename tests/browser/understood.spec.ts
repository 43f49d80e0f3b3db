import { DELIVERY_HEADERS } from '@partner-portal/core/execution/event-id.ts';
import { setupEnd } from '../harness/setup-end.ts';
import { agent, business, leavePortal, test } from './pages.ts';
import { type Api, expect, expectGood, expectLoaded, expectWideTexts } from './portal.ts';

/** An agent of a client in Chicago that takes a link, a phone number, an e-mail address and a time. */
async function quotes(api: Api): Promise<{ id: string; clientId: string }> {
  const client = await api.owner.createClient({ body: { name: 'Quoting Roofers', timezone: 'America/Chicago' } });
  const { id: partnerId } = await api.owner.getMyPartner();
  const templateNames = ['quote-follow-up'];
  const body = { mode: 'repair' as const, templateNames, clientId: client.id };
  await setupEnd(api.staff, await api.staff.reprovision({ params: { id: partnerId }, body }));
  const [made] = (await api.owner.listAgents({ query: { clientId: client.id } })).data;
  expect(made?.installed).toBe(true);
  return { id: made?.id ?? '', clientId: client.id };
}

test('the inbound log and the run show what was understood next to what came, masked', async ({ as, page, api }) => {
  const { id } = await quotes(api);
  const { url } = await api.owner.getIngestUrl({ params: { workflowId: id } });
  // A member that came twice, and a value that is left out.
  const sent = await page.request.post(url, {
    headers: { 'content-type': 'application/json' },
    data: `{"customerName":"Ada","customerName":"Ada Byron","quoteUrl":"oak.example/quote/7","customerPhone":"(312) 555-0951","sentAt":"2026-07-06 09:30","customerEmail":"ada at oak"}`,
  });
  expect(sent.status()).toBe(202);
  const { executionId } = (await sent.json()) as { executionId: string };

  await as('owner', `/dashboard/agents/${id}?tab=inbound&event=${executionId}`);
  const drawer = page.getByRole('dialog', { name: 'Accepted event' });
  const row = drawer.getByRole('row', { name: /When the quote was sent/ });
  await expect(row).toContainText('2026-07-06 09:30');
  await expect(row).toContainText('Mon 6 Jul 2026, 9:30 in Chicago');
  await expect(drawer.getByRole('row', { name: /Customer’s e-mail address/ })).toContainText('Left out');
  await expect(drawer.getByRole('row', { name: /Link to the quote/ })).toContainText('https://oak.example/quote/7');
  await expect(drawer.getByRole('row', { name: /Customer’s phone/ })).toContainText('+1 312 ··· 0951');
  await expect(drawer.getByRole('list', { name: 'Remarks on the body' })).toContainText('customerName');
  await expect(drawer).not.toContainText('555-0951');
  await expectGood(page);

  await page.goto(`/dashboard/runs/${executionId}`);
  await expectLoaded(page);
  const main = page.getByRole('main');
  await expect(main).toContainText('Understood as Mon 6 Jul 2026, 9:30 in Chicago');
  // Both places say the same of the event, also why a value is left out.
  const run = await api.owner.getExecution({ params: { id: executionId } });
  const [inbound] = (await api.owner.listInboundEvents({ params: { id }, query: {} })).data;
  expect(run.understood.map(({ key, remark }) => [key, remark])).toEqual(inbound?.understood.map(({ key, remark }) => [key, remark]));
  const mail = run.understood.find(({ key }) => key === 'customerEmail');
  expect([mail?.came, mail?.value]).toEqual(['ada at oak', null]);
  const field = main.locator('dl > div').filter({ hasText: /^customerEmail/ });
  for (const text of ['ada at oak', 'Left out', mail?.remark ?? 'no remark', 'Customer’s e-mail address'])
    await expect(field).toContainText(text);
  await expect(main).not.toContainText('+13125550951');
  await expectGood(page);
  await expectWideTexts(page);
  await page.getByRole('button', { name: 'Show personal data' }).click();
  await expect(main).toContainText('Understood as +1 312 555 0951');
  await leavePortal(page);
  await api.owner.deleteAgent({ params: { id } });
});

test('“How to connect” lists each input in plain words with two accepted examples', async ({ as, page, api }) => {
  const made = await api.staff.createAgent({
    body: { partnerId: (await api.owner.getMyPartner()).id, clientId: null, templateName: 'appointment-reminder', name: 'Reminds people' },
  });
  await as('owner', `/dashboard/agents/${made.id}?tab=connect`);
  await expectLoaded(page);
  const table = page.getByRole('table', { name: 'Inputs' });
  const start = table.getByRole('row', { name: /startTime/ });
  await expect(start).toContainText('Date and time');
  await expect(start).toContainText(/2027-01-05T15:00:00Z\s*2027-01-05 15:00/);
  await expect(start).toContainText(/without an offset: in [A-Z]\w+/);
  await expect(table.getByRole('row', { name: /attendeePhone/ })).toContainText(/\+13125550121\s*\+1 \(312\) 555-0121/);
  await expect(page.getByRole('main')).toContainText('A JSON list of up to 60 events starts one run for each.');
  await expectGood(page);
  await page.goto(`/dashboard/agents/${await agent(api)}?tab=connect`);
  await expect(page.getByRole('table', { name: 'Inputs' }).getByRole('row', { name: /callerNumber/ })).toContainText('(312) 555-0121');
  await leavePortal(page);
  await api.owner.deleteAgent({ params: { id: made.id } });
});

test('an agent says where its events have their ID, and a repeat by that ID starts nothing', async ({ as, page, api, complaints }) => {
  const { id } = await quotes(api);
  const { url } = await api.owner.getIngestUrl({ params: { workflowId: id } });
  await as('owner', `/dashboard/agents/${id}?tab=connect`);
  await expectLoaded(page);
  const main = page
    .getByRole('main')
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Repeated events' }) });
  for (const header of DELIVERY_HEADERS) await expect(main.getByText(header, { exact: true })).toBeVisible();
  await main.getByRole('button', { name: /^Where an event has its ID/ }).click();
  await page.getByRole('option', { name: 'In a header' }).click();
  await main.getByLabel('Header', { exact: true }).fill('Content-Type');
  await main.getByRole('button', { name: 'Save changes' }).click();
  await expect(main.getByText('This header says nothing about one event.')).toBeVisible();
  await expectGood(page);
  await main.getByLabel('Header', { exact: true }).fill('X-Quote-Event');
  await main.getByRole('button', { name: 'Save changes' }).click();
  await expect(main.getByText('Everything is saved.')).toBeVisible();
  await expect(main.getByLabel('Header', { exact: true })).toHaveValue('x-quote-event');
  expect((await api.owner.getAgent({ params: { id } })).eventIdFrom).toEqual({ header: 'x-quote-event' });
  const event = { customerName: 'Ada Byron', quoteUrl: 'https://oak.example/quote/7', answered: true };
  const post = async (note: string): Promise<string> => {
    const answer = await page.request.post(url, { data: { ...event, note }, headers: { 'X-Quote-Event': 'q-7' } });
    return ((await answer.json()) as { executionId: string }).executionId;
  };
  const first = await post('first');
  expect(await post('again')).toBe(first);
  const [repeat] = (await api.owner.listInboundEvents({ params: { id }, query: {} })).data;
  await page.getByRole('link', { name: /^Inbound/ }).click();
  await page.getByRole('table', { name: 'Inbound events' }).getByRole('row').nth(1).getByText('note').first().click();
  const drawer = page.getByRole('dialog');
  await expect(drawer).toContainText('A repeat of an earlier event, by the header x-quote-event. Nothing was started.');
  expect(repeat?.remarks.join()).toContain('x-quote-event');
  await leavePortal(page);
  complaints.all = complaints.all.filter((line) => !line.includes('422'));
  await api.owner.deleteAgent({ params: { id } });
});

test('an agent says in which order its senders write day and month', async ({ as, page, api }) => {
  const { id } = await quotes(api);
  const { url } = await api.owner.getIngestUrl({ params: { workflowId: id } });
  await as('owner', `/dashboard/agents/${id}?tab=connect`);
  await expectLoaded(page);
  const section = page
    .getByRole('main')
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Dates' }) });
  await section.getByRole('button', { name: /^Day and month/ }).click();
  await page.getByRole('option', { name: 'Day first' }).click();
  await expect(section).toContainText('05/01/2027 is 5 January 2027.');
  await section.getByRole('button', { name: 'Save changes' }).click();
  await expect(section.getByText('Everything is saved.')).toBeVisible();
  await expectGood(page);
  const event = { customerName: 'Ada Byron', quoteUrl: 'https://oak.example/quote/7', sentAt: '05/07/2026 09:30', answered: true };
  const { executionId } = (await (await page.request.post(url, { data: event })).json()) as { executionId: string };
  const run = await api.owner.getExecution({ params: { id: executionId } });
  expect(run.understood.find(({ key }) => key === 'sentAt')?.value).toBe('2026-07-05T09:30:00-05:00');
  await leavePortal(page);
  await api.owner.deleteAgent({ params: { id } });
});

test('a test event that is refused says so at its field, and goes through once that is filled in', async ({
  as,
  page,
  api,
  complaints,
}) => {
  // An event without a number ends as stopped; one without a name is refused.
  const query = { templateName: 'review-request', clientId: await business(api) };
  const id = (await api.owner.listAgents({ query })).data[0]?.id ?? '';
  await as('owner', `/dashboard/agents/${id}`);
  await page.getByRole('button', { name: 'Run once' }).click();
  const dialog = page.getByRole('dialog');
  const customer = dialog.getByLabel(/^Customer’s name/);
  await customer.fill('');
  await dialog.getByRole('button', { name: 'Run once' }).click();
  await expect(customer).toHaveAttribute('aria-invalid', 'true');
  await expect(customer).toBeFocused();
  await expect(dialog).toContainText(/is missing\./);
  // The browser notes the refusal.
  complaints.all = complaints.all.filter((one) => !one.includes('422'));
  await expectGood(page);
  await dialog.getByText('JSON', { exact: true }).click();
  await expect(dialog.getByRole('textbox', { name: 'Input' })).toHaveAccessibleDescription(/is missing\./);
  await dialog.getByText('Fields', { exact: true }).click();
  await customer.fill('Ada Byron');
  await expect(dialog).not.toContainText(/is missing\./);
  await dialog.getByRole('button', { name: 'Run once' }).click();
  await expect(page).toHaveURL(/\/dashboard\/runs\/[0-9a-f-]{36}/);
});

test('a run that stopped on purpose is neither a success nor a failure, in the list and on its page', async ({ as, page, api }) => {
  const id = await agent(api);
  const { url } = await api.owner.getIngestUrl({ params: { workflowId: id } });
  // A premium-rate number is never texted.
  const sent = await page.request.post(url, { data: { callerNumber: '+19005550199', businessNumber: '+13125550100' } });
  const { executionId } = (await sent.json()) as { executionId: string };
  await expect.poll(async () => (await api.owner.getExecution({ params: { id: executionId } })).stopped).toBe(true);
  const { summary } = await api.owner.getExecution({ params: { id: executionId } });
  await as('owner', `/dashboard/runs?started=7d&agent=${id}`);
  const row = page.getByRole('row').filter({ has: page.locator(`a[href*="${executionId}"]`) });
  await expect(row).toContainText(summary);
  await expect(row).toContainText('Stopped');
  await expectGood(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await row.getByRole('link').first().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(summary);
  const header = page.getByRole('main');
  await expect(header).toContainText('Stopped');
  await expect(header).not.toContainText(/Succeeded|Failed|To fix it/);
  await expectGood(page);
});
