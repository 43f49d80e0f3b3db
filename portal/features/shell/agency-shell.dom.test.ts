import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dialog, gone, holds, open, press, screen, see, user, within } from '../../testing/portal.ts';
import { idOf } from '../../testing/sample.ts';
import { row } from '../../testing/service.ts';

test('a two-key shortcut works although the page was busy between the keys', async (context) => {
  await open('staff', '/admin/partners');
  const pressed = Date.now();
  const [g, u] = ['g', 'u'].map((key) => new KeyboardEvent('keydown', { key, bubbles: true }));
  document.body.dispatchEvent(g as Event);
  // Pressed one right after the other; the page gets to the second one late.
  context.mock.timers.enable({ apis: ['Date'], now: pressed + 1_500 });
  document.body.dispatchEvent(u as Event);
  await holds(() => assert.equal(location.pathname, '/admin/users'));
});

test('a short list of clients is loaded once and searched in the browser', async () => {
  const clients = ['Oak Street Dental', 'Lakeview Physio'].map((name, n) => row('listClients', { id: idOf(60 + n), name }));
  const service = await open('owner', '/dashboard', { listClients: { data: clients, nextCursor: null } });
  await press('Client: All clients');
  await holds(() => assert.equal(screen.getAllByRole('option').length, 3));
  await user.keyboard('o');
  await gone(/Type to find more\./);
  await user.keyboard('{Escape}');
  assert.deepEqual(
    service.calls.filter(({ name, query }) => name === 'listClients' && (query as { q?: string }).q),
    [],
  );
});

test('a moderator sees the role in the shell, with whom to ask; an admin sees none', async () => {
  await open('moderator', '/dashboard/developer');
  const role = await screen.findByText('Moderator');
  role.closest<HTMLElement>('[tabindex]')?.focus();
  await holds(() =>
    assert.match(screen.getAllByRole('tooltip').at(-1)?.textContent ?? '', /^You can see everything.*Ask an admin of your agency/),
  );
  await open('owner', '/dashboard/developer');
  await see('Call the API and receive events in your own systems');
  assert.equal(screen.queryByText('Moderator'), null);
});

test('the list of keys has those of lists, also on a page without one', async () => {
  await open('owner', '/dashboard/developer');
  await see('Call the API and receive events in your own systems');
  await user.keyboard('?');
  const keys = await dialog('Keys');
  for (const [label, key] of [
    ['Next row', 'J'],
    ['Previous row', 'K'],
    ['Open the row', 'Enter'],
    ['Select the row', 'X'],
  ])
    assert.equal(within(keys).getByText(label ?? '').nextElementSibling?.textContent, key);
});
