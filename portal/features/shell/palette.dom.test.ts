import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dialog, holds, noDialog, open, press, see, user, within } from '../../testing/portal.ts';
import { idOf } from '../../testing/sample.ts';
import { row } from '../../testing/service.ts';

const AGENT = row('listAgents', {
  id: idOf(70),
  name: 'Missed-call text-back',
  clientName: 'Oak Street Dental',
  isActive: true,
  installed: true,
});

async function type(text: string): Promise<HTMLElement> {
  await user.keyboard('{Control>}k{/Control}');
  const palette = await dialog('Search or jump to');
  await user.type(await within(palette).findByRole('combobox'), text);
  return palette;
}

test('what is typed before the palette has loaded is in its field, and no shortcut of the page acts on it', async () => {
  await open('owner', '/dashboard/usage');
  // “G C” leads to the clients.
  await user.keyboard('{Control>}k{/Control}gc plam{Backspace}n');
  const palette = await dialog('Search or jump to');
  const input = await within(palette).findByRole<HTMLInputElement>('combobox');
  await holds(() => assert.equal(input.value, 'gc plan'));
  assert.equal(location.pathname, '/dashboard/usage');
});

test('the palette pauses an agent that its words name with the client, which the toast undoes', async () => {
  const service = await open('owner', '/dashboard/usage', {
    listAgents: { data: [AGENT], nextCursor: null },
    pauseAgent: AGENT,
    resumeAgent: AGENT,
  });
  const palette = await type('pause missed-call oak');
  const option = await within(palette).findByRole('option', { name: /^Pause Missed-call text-back, Oak Street Dental/ });
  await user.click(option);
  await noDialog();
  await see('Missed-call text-back is paused.');
  assert.deepEqual(service.calls.filter(({ name }) => name === 'pauseAgent').length, 1);
  // The search leaves the verb out.
  assert.ok(service.calls.some(({ name, query }) => name === 'listAgents' && (query as { q?: string }).q === 'missed-call oak'));
  await press(/^Undo/);
  await holds(() => assert.equal(service.calls.filter(({ name }) => name === 'resumeAgent').length, 1));
});

test('the palette offers a moderator no switch of an agent, only its page', async () => {
  await open('moderator', '/dashboard/usage', { listAgents: { data: [AGENT], nextCursor: null } });
  const palette = await type('missed-call oak');
  await within(palette).findByRole('option', { name: /^Missed-call text-back, Oak Street Dental/ });
  assert.equal(within(palette).queryByRole('option', { name: /^Pause/ }), null);
});

test('the palette offers no switch for an agent of a suspended client', async () => {
  await open('owner', '/dashboard/usage', { listAgents: { data: [{ ...AGENT, clientStatus: 'suspended' }], nextCursor: null } });
  const palette = await type('missed-call oak');
  await within(palette).findByRole('option', { name: /^Missed-call text-back, Oak Street Dental/ });
  assert.equal(within(palette).queryByRole('option', { name: /^Pause/ }), null);
});

test('staff find a user by name or address and open them in the list of users', async () => {
  const one = row('listUsers', {
    id: idOf(71),
    fullName: 'Maya Lindqvist',
    email: 'maya@northwind.example',
    partnerName: 'Northwind',
    role: 'PARTNER',
  });
  await open('staff', '/admin/partners', { listUsers: { data: [one], nextCursor: null } });
  const palette = await type('maya@north');
  await user.click(await within(palette).findByRole('option', { name: /^Maya Lindqvist/ }));
  await holds(() => assert.equal(location.pathname, '/admin/users'));
  assert.equal(new URLSearchParams(location.search).get('q'), 'maya@northwind.example');
});
