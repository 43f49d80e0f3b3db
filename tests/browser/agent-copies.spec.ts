import { test } from './pages.ts';
import { type Api, expect, expectAccessible, expectNoSidewaysScroll } from './portal.ts';

const OAK = 'Oak Street Dental';
const textBack = async (api: Api) => {
  const { data } = await api.owner.listAgents({ query: { templateName: 'missed-call-text-back' } });
  const found = data.find((one) => one.clientName === OAK);
  if (!found) throw new Error('The demo has an agent for missed calls.');
  return found;
};

test('agents chosen with X are paused together, and Undo turns on those that were on', async ({ as, api }) => {
  const page = await as('owner', '/dashboard/agents');
  const table = page.getByRole('table', { name: 'Agents' });
  const rows = table.getByRole('row').filter({ has: page.getByRole('switch') });
  await expect(rows.first()).toBeVisible();
  await page.keyboard.press('j');
  await expect(rows.nth(0)).toBeFocused();
  await page.keyboard.press('x');
  const bar = page.getByRole('region', { name: 'Selected agents' });
  await expect(bar).toContainText('1 agent of 1 client');
  await page.keyboard.press('j');
  await expect(rows.nth(1)).toBeFocused();
  await page.keyboard.press('x');
  await expect(bar).toContainText('2 agents of');
  const switchedOn = page.getByRole('switch', { checked: true });
  const on = await rows.filter({ has: switchedOn }).count();
  // One that is not installed yet is shown off.
  const chosen = (await rows.nth(0).filter({ has: switchedOn }).count()) + (await rows.nth(1).filter({ has: switchedOn }).count());
  expect(chosen).toBeGreaterThan(0);
  await bar.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByText('2 agents are paused.')).toBeVisible();
  await expect(rows.getByRole('switch', { checked: true })).toHaveCount(on - chosen);
  await page.getByRole('button', { name: /^Undo/ }).click();
  await expect(rows.getByRole('switch', { checked: true })).toHaveCount(on);
  await expect(async () => {
    const { data } = await api.owner.listAgents({ query: {} });
    expect(data.filter((one) => one.isActive && one.installed).length).toBe(on);
  }).toPass();
  await bar.getByRole('button', { name: 'Clear' }).click();
  await expect(bar).toHaveCount(0);
});

test('an agent is copied to another client after a preview of what that client gets', async ({ as, api }) => {
  const source = await textBack(api);
  const target = await api.owner.createClient({
    body: { name: 'Harbor Yoga', businessProfile: { bookingUrl: 'https://harbor.example/book' } },
  });
  const page = await as('owner', `/dashboard/agents/${source.id}`);
  await page.getByRole('button', { name: 'Copy to clients' }).click();
  const dialog = page.getByRole('dialog', { name: /^Copy .* to other clients$/ });
  await expect(dialog.getByRole('checkbox', { name: OAK })).toHaveCount(0);
  await dialog.getByRole('checkbox', { name: 'Harbor Yoga' }).check();
  const preview = dialog.getByRole('region', { name: 'What each client gets' });
  await expect(preview).toContainText('Ready to install');
  await preview.getByText(/settings? differs?/).click();
  await expect(preview).toContainText('https://harbor.example/book, from the client’s business profile');
  await dialog.getByRole('button', { name: 'Request 1 copy' }).click();
  await expect(page.getByText('1 request submitted.').first()).toBeVisible();
  await expect(page.getByRole('region', { name: 'Submitted' }).getByRole('button', { name: /Harbor Yoga/ })).toBeVisible();
  const { data } = await api.owner.listAgentRequests({ query: { clientId: target.id } });
  expect(data.map((one) => [one.templateName, one.status, 'bookingUrl' in one.config])).toEqual([
    ['missed-call-text-back', 'submitted', false],
  ]);
});

test('several agents are copied to all clients that a search finds, with a result for each agent and client', async ({
  as,
  api,
  system,
}) => {
  const { id: partnerId } = await api.owner.getMyPartner();
  // More than a page of the choice, and than one call takes.
  await system.query(
    `insert into client (partner_id, name, external_ref, timezone) select $1, 'Copy shop ' || n, 'shop-' || n, 'America/Chicago' from generate_series(1, 130) n`,
    [partnerId],
  );
  const page = await as('owner', '/dashboard/agents');
  const boxes = page.getByRole('table', { name: 'Agents' }).getByRole('checkbox');
  const sources = (await api.owner.listAgents({ query: {} })).data.filter((one) => one.clientName === OAK).slice(0, 2);
  for (const { name } of sources) await page.getByRole('checkbox', { name: `Select ${name} for ${OAK}` }).check();
  await expect(boxes.and(page.locator(':checked'))).toHaveCount(2);
  await page.getByRole('region', { name: 'Selected agents' }).getByRole('button', { name: 'Copy to clients' }).click();
  const dialog = page.getByRole('dialog', { name: 'Copy 2 agents to other clients' });
  const choices = dialog.getByRole('checkbox', { name: /^Copy shop/ });
  await expect(choices).toHaveCount(50);

  // The service looks through all of them; Enter in the search sends nothing.
  const search = dialog.getByRole('searchbox');
  await search.click();
  await page.keyboard.type('shop-13');
  await page.keyboard.press('Enter');
  await expect(choices).toHaveCount(2);
  await search.selectText();
  await page.keyboard.type('Copy shop');
  await expect(choices).toHaveCount(50);
  await dialog.getByRole('checkbox', { name: 'All that match' }).click();
  await expect(dialog.getByText('130 chosen')).toBeVisible();
  await expect(dialog.getByRole('checkbox', { name: 'All that match' })).toBeChecked();
  const preview = dialog.getByRole('region', { name: 'What each client gets' });
  for (const { name } of sources) await expect(preview.getByRole('heading', { name })).toBeVisible();
  const send = dialog.getByRole('button', { name: 'Request 260 copies' });
  await expect(send).not.toHaveAttribute('aria-disabled', 'true');
  await expectAccessible(page, 'light');
  await expectAccessible(page, 'dark', 'color');
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);

  await send.dblclick();
  await expect(dialog.getByRole('status').filter({ hasText: '260 requests submitted.' })).toBeVisible();
  const results = dialog.getByRole('region', { name: 'Result of each copy' });
  await expect(results.getByRole('listitem')).toHaveCount(260);
  await expect(results.getByRole('listitem').filter({ hasText: 'Requested' })).toHaveCount(260);
  await expectAccessible(page, 'light');
  await expectAccessible(page, 'dark', 'color');
  const counted = await system.query<{ made: number; clients: number }>(
    `select count(*)::int as made, count(distinct (r.client_id, r.template_name))::int as clients
     from agent_request r join client c on c.id = r.client_id where c.name like 'Copy shop %'`,
  );
  expect(counted).toEqual([{ made: 260, clients: 260 }]);
  await dialog.getByRole('button', { name: 'Open the requests' }).click();
  await expect(page).toHaveURL(/\/dashboard\/requests/);
  await system.query(`update client set status = 'archived' where name like 'Copy shop %'`);
});

test('a moderator saves a filter under a name, finds it again, renames and deletes it', async ({ as }) => {
  const page = await as('moderator', '/dashboard/agents?health=ok');
  const saved = page.getByRole('button', { name: /^Saved filters/ });
  await saved.click();
  await page.getByRole('menuitem', { name: 'Save this filter' }).click();
  const name = page.getByRole('textbox', { name: 'Name' });
  await expect(name).toBeFocused();
  await page.keyboard.type('What works');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Saved filters: What works' })).toBeVisible();

  await page.goto('/dashboard/agents');
  await saved.click();
  await page.getByRole('menuitemradio', { name: 'What works' }).click();
  await expect(page).toHaveURL(/health=ok/);

  await saved.click();
  await page.getByRole('menuitem', { name: 'Rename or delete' }).click();
  await page.getByRole('button', { name: 'Rename What works' }).click();
  await expect(name).toHaveValue('What works');
  await name.selectText();
  await page.keyboard.type('Healthy');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Delete Healthy' }).click();
  await expect(page.getByText('“Healthy” is deleted.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Saved filters', exact: true })).toBeVisible();
});

test('the sample runs with one click, and its run is opened', async ({ as }) => {
  const page = await as('owner', '/dashboard/first-steps');
  await page.getByRole('button', { name: 'Run the sample' }).click();
  await expect(page).toHaveURL(/\/dashboard\/runs\//);
  await expect(page.getByText('Succeeded').first()).toBeVisible();
});
