import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  button,
  close,
  dialog,
  fill,
  holds,
  isInactive,
  open,
  press,
  rows,
  savedFiles,
  screen,
  see,
  user,
  within,
} from '../../testing/portal.ts';
import { idOf } from '../../testing/sample.ts';
import { type Answers, reply, row } from '../../testing/service.ts';

const OLIVE = row('listUsers', { id: idOf(30), email: 'olive@team.example', fullName: 'Olive Owner', role: 'PARTNER', mfaEnabled: false });

test('a person without a name, as single sign-on may bring one, is called by the address', async () => {
  const nameless = row('listUsers', { id: idOf(31), email: 'new@team.example', fullName: '', role: 'PARTNER', status: 'active' });
  await open('staff', '/admin/users', {
    listUsers: { data: [nameless], nextCursor: null },
    updateUser: reply('updateUser', { ...nameless, status: 'disabled' }),
  });
  await press('Disable new@team.example');
  await press('Disable user', await dialog('Disable new@team.example?'));
  await see('new@team.example is disabled and logged out.');
  const [first] = rows('Users');
  assert.ok(
    first &&
      within(first)
        .getAllByText('new@team.example')
        .some((part) => part.classList.contains('font-medium')),
  );
});

test('staff reset a second step and end sessions, with a reason', async () => {
  const service = await open('staff', '/admin/users?q=olive', {
    listUsers: { data: [OLIVE], nextCursor: null },
    signOutUser: reply('signOutUser'),
  });
  await press('More for Olive Owner');
  const reset = await screen.findByRole('menuitem', { name: /^Reset MFA/ });
  assert.equal(reset.getAttribute('aria-disabled'), 'true');
  assert.match(reset.textContent, /Two-step login is off\./);
  await user.click(await screen.findByRole('menuitem', { name: 'Log out everywhere' }));
  const asked = await dialog('Log Olive Owner out?');
  assert.ok(isInactive(await button('Log out everywhere', asked)));
  await fill(/^Reason/, 'Left a session open in a shop', asked);
  await press('Log out everywhere', asked);
  await see('Olive Owner is logged out everywhere.');
  assert.deepEqual(service.sent('signOutUser'), [{ reason: 'Left a session open in a shop' }]);
});

for (const { path, table, column, answers, file, exported } of [
  {
    path: '/admin/users',
    table: 'Users',
    column: 'Agency',
    answers: { listUsers: { data: [OLIVE], nextCursor: null }, exportUsers: 'Name\nOlive Owner\n' },
    file: /^users-.*\.csv$/,
    exported: [{ q: 'olive' }],
  },
  {
    path: '/admin/templates',
    table: 'Templates',
    column: 'Services',
    answers: { listTemplates: ['Olive harvest', 'Other'].map((title) => row('listTemplates', { name: title, title })) },
    file: /^templates-.*\.csv$/,
    exported: [],
  },
] satisfies { answers: Answers; [other: string]: unknown }[])
  test(`staff choose the columns of ${path} and save what is filtered as CSV`, async () => {
    const page = `${path}?q=olive`;
    const service = await open('staff', page, answers);
    const hasColumn = (isShown: boolean) =>
      holds(() =>
        assert.equal(within(screen.getByRole('table', { name: table })).queryByRole('columnheader', { name: column }) !== null, isShown),
      );
    await hasColumn(true);
    await press('Columns');
    await user.click(await screen.findByRole('menuitemcheckbox', { name: column }));
    await user.keyboard('{Escape}');
    await hasColumn(false);
    await close();
    const again = await open('staff', page, { ...service.answers });
    await hasColumn(false);
    await press('Export as CSV');
    await holds(() => assert.equal(savedFiles.length, 1));
    const [saved] = savedFiles;
    assert.match(saved?.name ?? '', file);
    const text = (await saved?.content.text()) ?? '';
    assert.match(text, /Olive/);
    assert.doesNotMatch(text, /Other/);
    assert.deepEqual(again.calls.flatMap(({ name, query }) => (name === 'exportUsers' ? [query] : [])), exported); // prettier-ignore
  });
