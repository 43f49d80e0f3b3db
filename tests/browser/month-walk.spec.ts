import { createClient } from '@partner-portal/contract/client.ts';
import { routes } from '@partner-portal/contract/index.ts';
import type { Page } from '@playwright/test';
import type { System } from '../harness/system.ts';
import { test } from './pages.ts';
import { type Api, expect, expectAccessible, expectNoSidewaysScroll, PASSWORD } from './portal.ts';

// What people see of a month: the import, and the report on a phone. The counters of the month are written by the test, and the mail is sent
// by hand; tests/journeys/client-month.test.ts has the clock, with real runs and the mail by the calendar.

/** Two businesses as an agency exports them from its own records. */
const FILE = `Nombre;Correo;Zona horaria;Idioma;Referencia
Clínica Mirador;ines@mirador.example;Europe/Madrid;es;crm-901
Ferretería Sol;hola@sol.example;Europe/Madrid;es;crm-902
`;
const INES = { email: 'ines@mirador.example', fullName: 'Inés Vidal' };
const RESULTS = 12;
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, locale: 'es-ES' };

/** Imports the file as a person does; returns the ids of its businesses. */
async function importBusinesses(page: Page, api: Api): Promise<{ mirador: string; sol: string }> {
  await page.getByLabel('File of clients').setInputFiles({ name: 'clientes.csv', mimeType: 'text/csv', buffer: Buffer.from(FILE) });
  await expect(page.getByRole('button', { name: 'Field of the column Nombre' })).toHaveText('Name');
  await page.getByRole('button', { name: 'Check every row' }).click();
  await page.getByRole('button', { name: 'Import 2 clients' }).click();
  await expect(page.getByRole('heading', { name: 'Import of clientes.csv' })).toBeVisible();
  const { data } = await api.owner.listClients({ query: { limit: 100 } });
  const idOf = (reference: string): string => data.find(({ externalRef }) => externalRef === reference)?.id ?? '';
  return { mirador: idOf('crm-901'), sol: idOf('crm-902') };
}

/** An agent of this client with results in the month before this one; returns the agent. */
async function addLastMonth(system: System, api: Api, clientId: string): Promise<string> {
  const { id: partnerId } = await api.owner.getMyPartner();
  const { id } = await api.staff.createAgent({ body: { partnerId, clientId, templateName: 'missed-call-text-back' } });
  await system.query("update client set created_at = created_at - interval '4 months' where id = $1", [clientId]);
  await system.query(
    `insert into workflow_hour (partner_id, workflow_id, client_id, hour, succeeded, failed, contacted, helped)
     select w.partner_id, w.id, w.client_id, (date_trunc('month', now() at time zone c.timezone) - interval '10 days' + interval '9 hours') at time zone c.timezone, $2::int, 1, $2::int, $2::int
     from workflow w join client c on c.id = w.client_id where w.id = $1`,
    [id, RESULTS],
  );
  return id;
}

test('a business is imported, and reads its month in Spanish on a phone, by the link in its mail', async ({ as, api, system, browser }) => {
  const { mirador, sol } = await importBusinesses(await as('owner', '/dashboard/clients/import'), api);
  const agentId = await addLastMonth(system, api, mirador);

  const { acceptUrl } = await api.owner.createInvitation({ body: { kind: 'client_user', clientId: mirador, ...INES } });
  const token = new URL(acceptUrl).pathname.split('/').at(-1) ?? '';
  await createClient(routes, { baseUrl: system.baseUrl, fetch }).acceptInvitation({
    body: { token, password: PASSWORD, fullName: INES.fullName },
  });
  const recipients = await api.owner.listReportRecipients({ params: { id: mirador } });
  const userId = recipients.find(({ email }) => email === INES.email)?.userId ?? '';
  const { month } = await api.owner.getClientReport({ params: { id: mirador }, query: {} });
  const { queued } = await api.owner.sendClientReport({ params: { id: mirador }, body: { month, userIds: [userId] } });
  expect(queued).toBe(1);
  // No mail is configured: staff see what would have been sent.
  const { data: mails } = await api.staff.listMail({ query: { kind: 'report_ready' } });
  const mail = await api.staff.getMail({ params: { id: mails.find(({ to }) => to === INES.email)?.id ?? '' } });
  expect(mail.text).toContain(`${RESULTS} resultados`);
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

  // Other tests list the agents and businesses of the demo.
  await api.owner.deleteAgent({ params: { id: agentId } });
  for (const id of [mirador, sol]) await api.owner.archiveClient({ params: { id } });
});
