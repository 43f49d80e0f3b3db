import type { Locator } from '@playwright/test';
import { navigate, test } from './pages.ts';
import { type Api, expect, expectAccessible, expectLoaded, expectNoSidewaysScroll, type Person } from './portal.ts';

type Way = { name: string; path: (api: Api) => Promise<string>; press: (string | RegExp)[] };

const partner = async (api: Api): Promise<string> =>
  `/admin/partners/${(await api.staff.listPartners({ query: { q: 'Northwind' } })).data[0]?.id}`;
const business = async (api: Api): Promise<string> =>
  `/dashboard/clients/${(await api.owner.listClients({ query: { q: 'Oak' } })).data[0]?.id}`;

/** Dialogs of each face and what is pressed to open them; several are drawn inside the cell of a table. */
const WAYS: Partial<Record<Person, Way[]>> = {
  staff: [
    { name: 'Disable', path: async () => '/admin/users?q=Theo', press: [/^Disable Theo/] },
    { name: 'Log out', path: async () => '/admin/users', press: [/^More for/, 'Log out everywhere'] },
    { name: 'View as', path: partner, press: ['View as agency'] },
    { name: 'Suspend', path: partner, press: ['Suspend partner'] },
    { name: 'Repair', path: async (api) => `${await partner(api)}/automation`, press: ['Repair'] },
    { name: 'Create partner', path: async () => '/admin/partners', press: ['Create partner'] },
  ],
  owner: [
    { name: 'Remove', path: async (api) => `${await business(api)}?tab=people`, press: [/^Remove/] },
    { name: 'Archive', path: async (api) => `${await business(api)}?tab=settings`, press: ['More', 'Archive'] },
    { name: 'Make admin', path: async () => '/dashboard/settings/team', press: [/^Change Theo/, 'Make admin'] },
    { name: 'Request an agent', path: async () => '/dashboard/requests', press: ['Request an agent'] },
    { name: 'Add endpoint', path: async () => '/dashboard/settings/webhooks', press: ['Add endpoint'] },
  ],
  client: [
    { name: 'Ask', path: async () => '/client/suggestions', press: ['Ask for something else'] },
    { name: 'Log out', path: async () => '/client/settings', press: [/^Log out everywhere$/] },
  ],
};

for (const [person, ways] of Object.entries(WAYS) as [Person, Way[]][])
  test(`on a phone each dialog shows all of itself, is accessible and gives the focus back at Esc (${person})`, async ({
    page,
    as,
    api,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    for (const [turn, { name, path, press }] of ways.entries())
      await test.step(name, async () => {
        if (turn === 0) await as(person, await path(api));
        else await navigate(page, await path(api));
        await expectLoaded(page);
        const [first = '', second] = press;
        const opener = page.getByRole('button', { name: first }).first();
        await opener.click();
        if (second !== undefined) await page.getByRole('menuitem', { name: second }).click();
        const dialog = page.locator('dialog[open]');
        await expect(dialog.getByRole('heading')).toHaveCSS('text-align', 'start');
        await expect.poll(() => dialog.evaluate((node) => node.scrollWidth - node.clientWidth), 'what is cut off').toBe(0);
        await expectNoSidewaysScroll(page);
        await expectAccessible(page, turn % 2 === 0 ? 'dark' : 'light');
        await page.keyboard.press('Escape');
        await expect(dialog).toHaveCount(0);
        await expect(opener).toBeFocused();
      });
  });

test('a dialog with what is typed in it closes by a click next to it, and by nothing that begins or ends within it', async ({
  page,
  as,
}) => {
  await as('owner', '/dashboard/requests');
  const opener = page.getByRole('button', { name: 'Request an agent' });
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await opener.click();
    const dialog = page.locator('dialog[open]');
    const note = dialog.getByLabel(/^Note for the platform team/);
    await note.fill('The text that must stay.');
    const [box, text] = [await boxOf(dialog), await boxOf(note)];
    const outside = { x: box.x / 2, y: box.y / 2 };
    const middle = { x: text.x + 60, y: text.y + text.height / 2 };
    // Within its visible edge.
    await page.mouse.click(box.x + 8, box.y + box.height / 2);
    for (const [from, to] of [
      [middle, outside],
      [outside, middle],
      [outside, { x: box.x + 8, y: middle.y }],
    ] as const) {
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move(to.x, to.y, { steps: 4 });
      await page.mouse.up();
    }
    await expect(note).toHaveValue('The text that must stay.');
    await page.mouse.click(outside.x, outside.y);
    await expect(dialog).toHaveCount(0);
  }
});

async function boxOf(locator: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  const box = await locator.boundingBox();
  if (!box) throw new Error('It is not shown.');
  return box;
}
