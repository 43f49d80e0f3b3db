import { test } from './pages.ts';
import { answerChanged, type Api, expect, expectAccessible } from './portal.ts';

test('an agency asks for an agent, staff approve it with a note, and it is installed', async ({ as, api }) => {
  const page = await as('owner', '/dashboard/catalog');
  await page.getByRole('button', { name: /^Quote follow-up/ }).click();
  await page.getByRole('button', { name: 'Request', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Request an agent' });
  await dialog.getByLabel('Lakeview Physio').check();
  // The dialog shows the agent's needs before the request.
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

test('a missing key is put right on the board, and the installation goes on by itself', async ({ as, api }) => {
  const { data } = await api.owner.listClients({ query: { q: 'Lakeview' } });
  const made = await api.owner.createAgentRequest({ body: { clientId: data[0]?.id ?? '', templateName: 'appointment-reminder' } });
  const id = Array.isArray(made) ? (made[0]?.id ?? '') : made.id;
  await api.staff.approveAgentRequest({ params: { id }, body: { provisionNow: true } });
  const page = await as('owner', `/dashboard/requests?request=${id}`);
  await expect(page.getByText('A key is missing for:').first()).toBeVisible();
  await page.getByRole('radio', { name: 'For this client' }).click();
  await page.getByLabel('API key').fill('cal_sandbox_key');
  await page.getByRole('button', { name: 'Save and test' }).click();
  await expect(page.getByRole('link', { name: 'Open agent' })).toBeVisible();
  await expect(page.getByText('The missing key was saved.')).toBeVisible();
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

test('the overview lists requested agents next to what needs attention, and the checklist leads to its next step', async ({
  as,
  page,
  api,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const { data } = await api.owner.listClients({ query: { q: 'Oak' } });
  const made = await api.owner.createAgentRequest({ body: { clientId: data[0]?.id ?? '', title: 'Feed the fish' } });
  await as('owner', '/dashboard');
  const attention = await page.getByRole('heading', { name: 'Needs attention' }).elementHandle();
  // Both at one moment: what else arrives above moves them.
  const isNextTo = (right: HTMLElement | SVGElement, left: Node | null): unknown => {
    const [one, other] = [(left as Element).getBoundingClientRect(), right.getBoundingClientRect()]; // a heading
    return [other.top - one.top, other.left > one.right];
  };
  await expect.poll(() => page.getByRole('heading', { name: 'Being set up' }).evaluate(isNextTo, attention)).toEqual([0, true]);
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

async function newest(api: Api, templateName: string): Promise<string> {
  const { data } = await api.staff.listAgentRequests({ query: { limit: 10 } });
  return data.find((one) => one.templateName === templateName)?.id ?? '';
}
