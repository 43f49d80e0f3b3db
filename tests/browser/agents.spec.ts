import { agent, leavePortal, test } from './pages.ts';
import { type Api, expect, expectAccessible, expectAccessibleInThemes, expectLoaded, readAlone } from './portal.ts';

/** Agents of the agency itself: those of its clients are other tests'. */
const agencyOf = async (api: Api): Promise<string> => (await api.owner.getMyPartner()).id;

test('an agent is deleted only after its name was typed, and leaves the list', async ({ as, api }) => {
  const made = await api.staff.createAgent({
    body: { partnerId: await agencyOf(api), clientId: null, templateName: 'lead-intake-cleaner', name: 'Short lived' },
  });
  const page = await as('owner', `/dashboard/agents/${made.id}`);
  await expectLoaded(page);
  await page.getByRole('button', { name: 'Delete agent' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete Short lived?' });
  await expect(dialog).toContainText('its ingest URL');
  await expect(dialog.getByRole('button', { name: 'Keep it' })).toBeFocused();
  await expectAccessible(page, 'light');
  const confirm = dialog.getByRole('button', { name: 'Delete', exact: true });
  await dialog.getByRole('textbox').fill('Short');
  await confirm.click({ force: true });
  await expect(dialog).toBeVisible();
  await dialog.getByRole('textbox').fill('Short lived');
  await confirm.click();
  await expect(page).toHaveURL(/\/dashboard\/agents$/);
  await expectLoaded(page);
  await expect(page.getByRole('main').getByText('Short lived')).toHaveCount(0);
  await expect(async () => api.owner.getAgent({ params: { id: made.id } })).rejects.toThrow();
});

test('the lists of agents and clients show thirty days of each row, and in words to screen readers', async ({ as, page }) => {
  await as('owner', '/dashboard/agents');
  const days = (table: string) =>
    page.getByRole('table', { name: table }).getByRole('img', { name: /^\d+ runs? in 30 days, \d+ failed; most on/ });
  await expect(days('Agents').first()).toBeVisible();
  await expectAccessible(page, 'light');
  await page.goto('/dashboard/clients');
  await expect(days('Clients').first()).toBeVisible();
  await expectAccessible(page, 'dark');
  // Hidden columns are not asked for.
  await page.getByRole('button', { name: 'Columns' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitemcheckbox', { name: 'By day' }).click();
  await page.keyboard.press('Escape');
  const asked: string[] = [];
  await readAlone(page);
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.reload();
  await expect(page.getByRole('table', { name: 'Clients' })).toBeVisible();
  expect(asked.filter((path) => path === '/partners/me/activity')).toEqual([]);
});

test('an agent without a setting it cannot work without says which, until that is filled in', async ({ as, api }) => {
  const made = await api.staff.createAgent({
    body: { partnerId: await agencyOf(api), clientId: null, templateName: 'lead-follow-up-email', name: 'Answers leads' },
  });
  const page = await as('owner', '/dashboard/agents?q=Answers');
  await expect(page.getByRole('row', { name: /Answers leads/ })).toContainText('Needs sender address');
  await page.getByRole('link', { name: 'Answers leads' }).click();
  const warning = page.getByText('Add sender address.');
  await expect(warning).toBeVisible();
  await expectAccessibleInThemes(page);
  await page.getByLabel('Sender address').fill('desk@northwind.example');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Everything is saved.')).toBeVisible();
  await expect(warning).toHaveCount(0);
  // What the page still asks for would not be there any more, and the browser notes that.
  await leavePortal(page);
  await api.owner.deleteAgent({ params: { id: made.id } });
});

test('the schedule of an agent of visits looks at bookings, and says so', async ({ as, api }) => {
  const made = await api.staff.createAgent({
    body: { partnerId: await agencyOf(api), clientId: null, templateName: 'appointment-reminder', name: 'Visits' },
  });
  const page = await as('owner', `/dashboard/agents/${made.id}?tab=schedule`);
  await expectLoaded(page);
  await page.getByRole('switch', { name: 'Check bookings on a schedule' }).click();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Within a minute', { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'No reminders waiting' })).toBeVisible();
  await expectAccessibleInThemes(page);
  await leavePortal(page);
  await api.owner.deleteAgent({ params: { id: made.id } });
});

test('an agent counts what each step did and what came in, takes times in 24 hours, and shows what quiet hours change', async ({
  as,
  page,
  api,
}) => {
  const id = await agent(api);
  const { config } = await api.owner.getAgent({ params: { id } });
  const counts = await api.owner.getWorkflowCounts({ params: { id } });
  await as('owner', `/dashboard/agents/${id}`);
  await expectLoaded(page);
  const inbound = counts.inbound.accepted + counts.inbound.refused;
  await expect(page.getByRole('navigation', { name: 'Agent' }).getByRole('link', { name: /^Inbound/ })).toHaveText(`Inbound${inbound}`);
  const sent = counts.steps.find(({ name }) => name === 'send_text');
  await expect(page.getByRole('listitem').filter({ hasText: 'Send text' })).toContainText(`${sent?.succeeded} done`);
  expect(sent?.succeeded).toBeGreaterThan(0);

  const type = async (name: string, text: string): Promise<void> => {
    await page.getByLabel(name).click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(text);
    await page.keyboard.press('Tab');
  };
  await type('Quiet hours from', '930pm');
  await type('Quiet hours until', '0715');
  await expect(page.getByLabel('Quiet hours from')).toHaveValue('21:30');
  await expect(page.getByLabel('Quiet hours until')).toHaveValue('07:15');
  const hours = page.getByRole('radiogroup', { name: 'Hours' });
  await hours.getByRole('radio', { name: 'Quiet hours' }).click();
  await expect(page.getByText('No text is sent from 21:30 until 07:15, in the time zone of Oak Street Dental.')).toBeVisible();
  await hours.getByRole('radio', { name: 'Open hours' }).click();
  await expect(page.getByText('No text is sent from 21:30')).toHaveCount(0);
  await expectAccessibleInThemes(page);
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Everything is saved.')).toBeVisible();
  expect((await api.owner.getAgent({ params: { id } })).config['quietHours']).toBe('21:30-07:15');
  await leavePortal(page);
  await api.owner.updateAgent({ params: { id }, body: { config } });
});

test('a list of numbers that holds something else is refused in its field, and Discard takes it away', async ({ as, api }) => {
  const made = await api.staff.createAgent({
    body: { partnerId: await agencyOf(api), clientId: null, templateName: 'appointment-reminder', name: 'Reminds twice' },
  });
  const page = await as('owner', `/dashboard/agents/${made.id}`);
  const field = page.getByLabel('Remind this many hours before');
  await expect(field).toHaveValue('24, 2');
  await field.click();
  await page.keyboard.press('End');
  await page.keyboard.type(', abc');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Enter numbers, separated by commas, such as 24, 2.')).toBeVisible();
  await expect(field).toBeFocused();
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(field).toHaveValue('24, 2');
  await field.click();
  await page.keyboard.press('End');
  await page.keyboard.type(', 1');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Everything is saved.')).toBeVisible();
  expect((await api.owner.getAgent({ params: { id: made.id } })).config['leadHours']).toEqual([24, 2, 1]);
});
