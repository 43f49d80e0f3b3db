import { createClient } from '@partner-portal/contract/client.ts';
import { routes } from '@partner-portal/contract/index.ts';
import { postJson } from '@partner-portal/service/quick-start/seed-workspace.ts';
import type { System } from '../harness/system.ts';
import { agent } from './pages.ts';
import { type Api, expect, expectAccessible, expectNoSidewaysScroll, PASSWORD, test } from './portal.ts';

/** Two businesses as an agency exports them from its own records. */
const FILE = `Nombre;Correo;Zona horaria;Idioma;Referencia
Clínica Mirador;ines@mirador.example;Europe/Madrid;es;crm-901
Ferretería Sol;hola@sol.example;Europe/Madrid;es;crm-902
`;
const INES = { email: 'ines@mirador.example', fullName: 'Inés Vidal' };
const CALLS = 4;
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, locale: 'es-ES' };

/** Imports the file and returns the ids of its businesses. */
async function importBusinesses(api: Api): Promise<{ mirador: string; sol: string }> {
  const form = new FormData();
  form.set('mode', 'all');
  form.set('file', new File([FILE], 'clientes.csv', { type: 'text/csv' }));
  const { counts, rows } = await api.owner.importClients({ body: form });
  expect(counts).toMatchObject({ created: 2, refused: 0 });
  const [mirador, sol] = rows.map(({ clientId }) => clientId ?? '');
  return { mirador: mirador ?? '', sol: sol ?? '' };
}

/** Copies the agent of another business, and has staff install the copies. Returns the agent of the first. */
async function copyAgent(api: Api, clientIds: string[]): Promise<string> {
  const id = await agent(api);
  const preview = await api.owner.previewCopies({ params: { id }, body: { clientIds } });
  expect(preview.targets.map(({ state }) => state)).toEqual(clientIds.map(() => 'ready'));
  // What names the business that the agent was written for does not reach another.
  expect(JSON.stringify(preview.targets)).not.toContain('oakstreet');
  const { results } = await api.owner.copyAgent({ params: { id }, body: { clientIds } });
  for (const { requestId } of results)
    await api.staff.approveAgentRequest({ params: { id: requestId ?? '' }, body: { provisionNow: true } });
  const installed = async () => (await api.owner.listAgents({ query: { clientId: clientIds[0] ?? '' } })).data[0];
  await expect.poll(async () => (await installed())?.health, { timeout: 120_000 }).toBe('ok');
  const copy = (await installed())?.id ?? '';
  await api.owner.updateAgent({ params: { id: copy }, body: { config: { quietHours: '', repeatAfterHours: 0 } } });
  return copy;
}

/** Calls that were missed and answered by text, moved to the days of last month. */
async function liveThroughMonth(system: System, api: Api, workflowId: string, clientId: string): Promise<void> {
  const { url } = await api.owner.getIngestUrl({ params: { workflowId } });
  for (let n = 0; n < CALLS; n += 1) await postJson(url, { callerNumber: `+3460000010${n}`, businessNumber: '+34910000000' });
  const ended = async () => {
    const { data } = await api.owner.listExecutions({ query: { workflowId } });
    return data.filter(({ status }) => status === 'SUCCEEDED').length;
  };
  await expect.poll(ended, { timeout: 120_000 }).toBe(CALLS);
  const counted = async () => {
    const [row] = await system.query<{ runs: number }>(
      'select coalesce(sum(succeeded), 0)::int as runs from workflow_hour where workflow_id = $1',
      [workflowId],
    );
    return row?.runs;
  };
  await expect.poll(counted).toBe(CALLS);
  await system.query("update workflow_hour set hour = hour - interval '1 month' where workflow_id = $1", [workflowId]);
  await system.query("update client set created_at = created_at - interval '2 months' where id = $1", [clientId]);
}

test('businesses are imported, get a copy of an agent, and read its month in Spanish on a phone', async ({ as, api, system, browser }) => {
  const { mirador, sol } = await importBusinesses(api);
  const workflowId = await copyAgent(api, [mirador, sol]);
  await liveThroughMonth(system, api, workflowId, mirador);

  const { acceptUrl } = await api.owner.createInvitation({ body: { kind: 'client_user', clientId: mirador, ...INES } });
  const token = new URL(acceptUrl).pathname.split('/').at(-1) ?? '';
  await createClient(routes, { baseUrl: system.baseUrl, fetch }).acceptInvitation({
    body: { token, password: PASSWORD, fullName: INES.fullName },
  });

  // The agency reads the month, subscribes the person and sends it.
  const desk = await as('owner', `/dashboard/clients/${mirador}?tab=report`);
  await expect(desk.getByText('missed calls answered by text')).toBeVisible();
  const choice = desk.getByRole('switch', { name: `${INES.fullName}: report by e-mail` });
  await choice.click();
  await expect(choice).toBeChecked();
  const { month } = await api.owner.getClientReport({ params: { id: mirador }, query: {} });
  const { queued } = await api.owner.sendClientReport({ params: { id: mirador }, body: { month, to: 'subscribed' } });
  expect(queued).toBe(1);
  // No mail is configured: staff see what would have been sent.
  const { data: mails } = await api.staff.listMail({ query: { kind: 'report_ready' } });
  expect(mails.map(({ to }) => to)).toEqual([INES.email]);
  const mail = await api.staff.getMail({ params: { id: mails[0]?.id ?? '' } });
  expect(mail.subject).toMatch(/^Clínica Mirador: su informe de /);
  expect(mail.text).toContain(`${CALLS} resultados`);
  const link = mail.links.find((one) => one.includes('/client/report')) ?? '';

  const phone = await (await browser.newContext({ ...PHONE, baseURL: system.baseUrl })).newPage();
  await phone.goto('/health');
  const session = await phone.request.post('/auth/login', { data: { email: INES.email, password: PASSWORD } });
  await phone.evaluate(`sessionStorage.setItem('portal.session', ${JSON.stringify(await session.text())})`);
  await phone.goto(link);
  await expect(phone.getByRole('heading', { level: 1 })).toHaveText('Informe mensual');
  await expect(phone.locator('html')).toHaveAttribute('lang', 'es');
  await expect(phone.getByRole('main')).toContainText('llamadas perdidas');
  await expect(phone.getByRole('main')).not.toContainText('missed calls');
  await expectNoSidewaysScroll(phone);
  await expectAccessible(phone, 'light');
  const download = phone.waitForEvent('download');
  await phone.getByRole('button', { name: 'CSV' }).click();
  expect((await download).suggestedFilename()).toBe(`clinica-mirador-${month}.csv`);
  await phone.context().close();

  // Other tests list the businesses of the demo.
  for (const id of [mirador, sol]) await api.owner.archiveClient({ params: { id } });
});
