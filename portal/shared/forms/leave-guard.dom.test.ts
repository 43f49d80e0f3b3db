import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dialog, field, holds, noDialog, open, press, screen, user } from '../../testing/portal.ts';
import { idOf } from '../../testing/sample.ts';
import { type Answers, changed, reply } from '../../testing/service.ts';

/** Types into the field and leaves by the link: once the user stays, once not. */
async function asksBeforeLeaving(label: string, link: string, to: RegExp): Promise<void> {
  const start = location.href;
  const input = await field(label);
  await user.type(input, '1');
  const typed = input.value;
  const leave = async (): Promise<HTMLElement> => {
    await user.click((await screen.findAllByRole('link', { name: link }))[0] ?? document.body);
    return dialog(/^Leave without saving/);
  };
  await press('Stay', await leave());
  await noDialog();
  assert.equal(location.href, start);
  assert.equal((await field(label)).value, typed);
  await press('Leave', await leave());
  await holds(() => assert.match(location.pathname + location.search, to));
}

for (const { person, path, first, label, link, to } of [
  {
    person: 'owner',
    path: '/dashboard/settings/profile',
    first: undefined,
    label: 'Your name',
    link: 'Security',
    to: /settings\/security/,
  },
  {
    person: 'owner',
    path: '/dashboard/settings/alerts',
    first: 'Change',
    label: 'Agent failing after',
    link: 'Team',
    to: /settings\/team/,
  },
  { person: 'client', path: '/client/business', first: undefined, label: 'Opening hours', link: 'Activity', to: /client\/activity/ },
] as const)
  test(`leaving ${path} with unsaved input asks first`, async () => {
    await open(person, path);
    if (first) await press(first);
    await asksBeforeLeaving(label, link, to);
  });

test('the settings of a client ask when another tab of the page is opened, and nothing asks after a save', async () => {
  const client = reply('getClient', { id: idOf(2), name: 'Oak Street Dental', notes: 'Calls on Mondays' });
  const answers: Answers = { getClient: () => client, updateClient: ({ body }) => Object.assign(client, changed(client, body)) };
  const path = `/dashboard/clients/${client.id}?tab=settings`;
  await open('owner', path, answers);
  await asksBeforeLeaving('Trade', 'People', /tab=people/);
  const service = await open('owner', path, answers);
  await user.type(await field('Notes'), 'x');
  await press('Save changes');
  await holds(() => assert.ok(screen.queryByText('Everything is saved.')));
  await user.click((await screen.findAllByRole('link', { name: 'Runs' }))[0] ?? document.body);
  await holds(() => assert.equal(location.pathname, '/dashboard/runs'));
  await noDialog();
  assert.deepEqual(service.sent('updateClient').map(({ notes }) => notes), ['Calls on Mondaysx']); // prettier-ignore
});
