import { DEMO } from '@partner-portal/service/quick-start/seed-workspace.ts';
import { test } from './pages.ts';
import { answerChanged, type Api, expect, expectAccessible, isFollowing } from './portal.ts';

test('an agency asks for an agent, staff approve it with a note, and it is installed', async ({ as, api }) => {
  const page = await as('owner', '/dashboard/catalog');
  await page.getByRole('button', { name: /^Quote follow-up/ }).click();
  await page.getByRole('button', { name: 'Request', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Request an agent' });
  await dialog.getByLabel('Lakeview Physio').check();
  // What it needs stands in the dialog before it is asked for.
  const needs = dialog.getByRole('region', { name: 'What it needs' });
  await expect(needs.getByRole('listitem').first()).toContainText('key');
  await expectAccessible(page, 'light');
  await expectAccessible(page, 'dark', 'color');
  await dialog.getByRole('button', { name: 'Request', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Submitted' }).getByRole('button', { name: /Quote follow-up/ })).toBeVisible();

  const request = await newest(api, 'quote-follow-up');
  await api.staff.approveAgentRequest({ params: { id: request }, body: { note: 'Gladly.', provisionNow: true } });
  await page.goto(`/dashboard/requests?request=${request}`);
  await expect(page.getByRole('link', { name: 'Open agent' })).toBeVisible();
  await expect(page.getByText('Gladly.').first()).toBeVisible();
});

test('a request for several clients says which of them lack a key, and for one where to add it', async ({ as, api }) => {
  const { id } = await api.owner.createClient({ body: { name: 'Keyless Bakery' } });
  const page = await as('owner', '/dashboard/catalog');
  await page.getByRole('button', { name: /^Appointment reminder/ }).click();
  await page.getByRole('button', { name: 'Request', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Request an agent' });
  const needs = dialog.getByRole('region', { name: 'What it needs' });
  await dialog.getByLabel('Keyless Bakery').focus();
  await page.keyboard.press('Space');
  const add = needs.getByRole('link', { name: /^Add the .* key in a new tab$/ }).first();
  await expect(add).toHaveAttribute('href', new RegExp(`for=${id}`));
  await dialog.getByLabel('Lakeview Physio').focus();
  await page.keyboard.press('Space');
  await expect(needs.getByRole('list', { name: 'What the clients need' })).toContainText(/needs a key for/);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
});

test('a missing key is put right on the board, and the installation goes on by itself', async ({ as, api }) => {
  const { data } = await api.owner.listClients({ query: { q: 'Lakeview' } });
  const made = await api.owner.createAgentRequest({ body: { clientId: data[0]?.id ?? '', templateName: 'appointment-reminder' } });
  const id = Array.isArray(made) ? (made[0]?.id ?? '') : made.id;
  await api.staff.approveAgentRequest({ params: { id }, body: { provisionNow: true } });
  const page = await as('owner', `/dashboard/requests?request=${id}`);
  await expect(page.getByText('Could not activate: missing credential').first()).toBeVisible();
  await page.getByRole('radio', { name: 'For this client' }).click();
  await page.getByLabel('API key').fill('cal_sandbox_key');
  await page.getByRole('button', { name: 'Save and test' }).click();
  await expect(page.getByRole('link', { name: 'Open agent' })).toBeVisible();
  await expect(page.getByText('The missing key was saved.')).toBeVisible();
});

test('an open board shows a request of another user without a reload', async ({ as, api }) => {
  const page = await as('owner', '/dashboard/requests');
  await expect(page.getByRole('heading', { level: 1, name: 'Requests' })).toBeVisible();
  const following = page.waitForRequest(isFollowing(/\/agent-requests\/stream/));
  await page.reload();
  await following;
  const { data } = await api.owner.listClients({ query: { q: 'Oak' } });
  await api.owner.createAgentRequest({ body: { clientId: data[0]?.id ?? '', title: 'Water the plants' } });
  await expect(page.getByRole('region', { name: 'Submitted' }).getByRole('button', { name: /Water the plants/ })).toBeVisible();
});

test('staff reject with a note, which they cannot leave out', async ({ as, api }) => {
  const { data } = await api.owner.listClients({ query: { q: 'Oak' } });
  await api.owner.createAgentRequest({ body: { clientId: data[0]?.id ?? '', title: 'Phone everybody twice a day' } });
  const page = await as('staff', '/admin/requests');
  await page
    .getByRole('region', { name: 'To decide' })
    .getByRole('button', { name: /Phone everybody/ })
    .click();
  await page.getByRole('button', { name: 'Reject' }).click();
  const dialog = page.getByRole('dialog', { name: /^Reject/ });
  await expect(dialog.getByRole('button', { name: 'Reject' })).toHaveAttribute('aria-disabled', 'true');
  await dialog.getByLabel('Note').fill('People would hate it.');
  await dialog.getByRole('button', { name: 'Reject' }).click();
  await expect(page.getByRole('region', { name: 'Done' }).getByRole('button', { name: /Phone everybody/ })).toBeVisible();
  await expect(page.getByText('People would hate it.').first()).toBeVisible();
});

test('a client asks its agency for an agent, and the agency finds it among the suggestions', async ({ as, api }) => {
  const page = await as('client', '/client/suggestions');
  await page.getByRole('listitem').filter({ hasText: 'No-show rebooking' }).getByRole('button', { name: 'Request' }).click();
  await page.getByLabel(`Message to ${DEMO.partner.name}`).fill('Eight empty chairs last month.');
  await page.getByRole('button', { name: `Ask ${DEMO.partner.name}` }).click();
  await expect(page.getByText(`${DEMO.partner.name} has your request.`).first()).toBeVisible();
  const { data } = await api.owner.listAgentRequests({ query: { status: 'suggested' } });
  expect(data.map((one) => [one.templateName, one.description])).toContainEqual(['no-show-rebooking', 'Eight empty chairs last month.']);
});

test('a suggestion stands among what needs the agency, one click from its answer', async ({ as, api }) => {
  await api.client.createAgentRequest({ body: { title: 'Answer in Spanish' } });
  const page = await as('owner', '/dashboard');
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Answer in Spanish was suggested' })
    .getByRole('link', { name: 'Open request' })
    .click();
  await page.getByRole('dialog', { name: 'Answer in Spanish' }).getByRole('button', { name: 'Submit request' }).click();
  await expect(page.getByRole('region', { name: 'Submitted' }).getByRole('button', { name: /Answer in Spanish/ })).toBeVisible();
});

test('a long name of a client stays within its card and its column', async ({ as, api }) => {
  const { id } = await api.owner.createClient({ body: { name: 'Heating, cooling and plumbing '.repeat(4).trim(), timezone: 'UTC' } });
  await api.owner.createAgentRequest({ body: { clientId: id, title: 'Count the boilers' } });
  const page = await as('owner', '/dashboard/requests');
  const column = page.getByRole('region', { name: 'Submitted' });
  const card = column.getByRole('button', { name: /Count the boilers/ });
  await expect(card).toBeVisible();
  // Both at one moment: what else arrives on the board changes the widths of its columns.
  const tooWide = (node: HTMLElement | SVGElement): number =>
    node.getBoundingClientRect().width - (node.closest('section')?.getBoundingClientRect().width ?? 0);
  await expect.poll(() => card.evaluate(tooWide)).toBeLessThanOrEqual(0);
});

test('the catalog has four groups, its drawer leaves the state of each agent in sight, and its samples name the client', async ({
  as,
  page,
  api,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const { data } = await api.owner.listClients({ query: { q: 'Lakeview' } });
  await as('owner', `/dashboard/catalog?client=${data[0]?.id}`);
  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { level: 2 })).toHaveText(['Calls and visits', 'Leads', 'Answers and reviews', 'Reports']);
  const row = main.getByRole('button', { name: /^Review request/ });
  await row.focus();
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('dialog', { name: 'Review request' });
  await expect(drawer).toContainText('Lakeview Physio');
  await expect(drawer).not.toContainText('Oak Street');
  const state = row.locator('span').last();
  await expect
    .poll(async () => {
      const [cell, panel] = [await state.boundingBox(), await drawer.boundingBox()];
      return (panel?.x ?? 0) - (cell ? cell.x + cell.width : Number.POSITIVE_INFINITY);
    })
    .toBeGreaterThanOrEqual(0);
});

test('beside what needs attention stand the agents on their way, and the checklist leads to its next step', async ({ as, page, api }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const { data } = await api.owner.listClients({ query: { q: 'Oak' } });
  const made = await api.owner.createAgentRequest({ body: { clientId: data[0]?.id ?? '', title: 'Feed the fish' } });
  await as('owner', '/dashboard');
  const heading = page.getByRole('heading', { name: 'Being set up' });
  const [left, right] = [await page.getByRole('heading', { name: 'Needs attention' }).boundingBox(), await heading.boundingBox()];
  expect([right?.y, (right?.x ?? 0) > (left?.x ?? 0) + (left?.width ?? 0)]).toEqual([left?.y, true]);
  await page.getByRole('link', { name: 'Feed the fish' }).press('Enter');
  await expect(page.getByRole('dialog', { name: 'Feed the fish' })).toBeVisible();

  await api.owner.cancelAgentRequest({ params: { id: Array.isArray(made) ? (made[0]?.id ?? '') : made.id } });
  // The demo has done most of its steps.
  const next = {
    key: 'webhook',
    label: 'Add a webhook',
    done: false,
    dismissedAt: null,
    href: '/dashboard/settings/webhooks',
    action: 'Add webhook',
  };
  await answerChanged(page, /\/partners\/me\/summary/, (text) =>
    JSON.stringify({ ...(JSON.parse(text) as object), checklist: [next], checklistDismissedAt: null }),
  );
  await as('owner', '/dashboard');
  await page.getByRole('region', { name: 'First steps' }).getByRole('link', { name: 'Add webhook' }).press('Enter');
  await page.waitForURL((url) => url.pathname === next.href);
});

test('staff decide about a request with its preflight, words and history in sight, and the next item opens by itself', async ({
  as,
  page,
  api,
}) => {
  const client = await api.owner.createClient({ body: { name: 'Preflight Plumbing', timezone: 'UTC' } });
  const ask = async (templateName: string, description: string): Promise<string> => {
    const made = await api.owner.createAgentRequest({ body: { clientId: client.id, templateName, description } });
    return Array.isArray(made) ? (made[0]?.id ?? '') : made.id;
  };
  const [first, second] = [
    await ask('ai-faq-reply', 'Most people ask the same five things.'),
    await ask('lead-intake-cleaner', 'Names arrive in capitals.'),
  ];
  await as('staff', `/admin?item=agent_request.${first}`);
  const pane = page.getByRole('region', { name: 'The open item' });
  await expect(pane.getByRole('heading', { name: 'Preflight', exact: true })).toBeVisible();
  for (const line of [/^OpenAI/, /^Twilio.*default, saved.*check/, /^Workspace/, /^Credits[\d,]+ left\d+ credits? a run$/])
    await expect(pane.getByRole('listitem').filter({ hasText: line })).toBeVisible();
  const { partners } = await api.staff.getStaffCounts();
  await expect(
    page
      .getByRole('navigation')
      .first()
      .getByRole('link', { name: `Partners ${partners}` }),
  ).toBeVisible();
  await expect(pane.locator('blockquote')).toHaveText('Most people ask the same five things.');
  await expect(pane.getByRole('heading', { name: 'History' })).toBeVisible();
  for (const theme of ['light', 'dark'] as const) await expectAccessible(page, theme);
  await page.keyboard.press('r');
  const dialog = page.getByRole('dialog', { name: /^Reject/ });
  await expect(dialog.getByLabel('Note')).toBeFocused();
  await page.keyboard.type('The website answers these already.');
  await dialog.getByRole('button', { name: 'Reject' }).press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(page).toHaveURL(/item=/);
  await expect(page).not.toHaveURL(new RegExp(first));
  await expect(pane.getByRole('heading', { level: 2 })).toBeVisible();
  await api.owner.cancelAgentRequest({ params: { id: second } });
  await api.owner.archiveClient({ params: { id: client.id } });
});

async function newest(api: Api, templateName: string): Promise<string> {
  const { data } = await api.staff.listAgentRequests({ query: { limit: 10 } });
  return data.find((one) => one.templateName === templateName)?.id ?? '';
}
