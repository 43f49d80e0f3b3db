import assert from 'node:assert/strict';
import { test } from 'node:test';
import { button, dialog, fireEvent, holds, isInactive, noDialog, open, press, reads, screen, see, user } from '../../testing/portal.ts';
import { idOf } from '../../testing/sample.ts';
import { reply, row } from '../../testing/service.ts';

test('archiving a client says before it is done that it is final and what its users lose; suspending says that it can be resumed', async () => {
  const client = reply('getClient', { id: idOf(2), name: 'Oak Street Dental', status: 'active' });
  const service = await open('owner', `/dashboard/clients/${idOf(2)}`, {
    getClient: client,
    archiveClient: { ...client, status: 'archived' },
  });
  const pick = async (item: string): Promise<HTMLElement> => {
    await press('More');
    await user.click(await screen.findByRole('menuitem', { name: item }));
    return dialog(`${item} Oak Street Dental?`);
  };
  const suspending = await pick('Suspend');
  await reads(suspending, /you can resume at any time\./);
  await press('Keep it active', suspending);
  const archiving = await pick('Archive');
  await reads(archiving, /Its users can only log in and export its data\. Its runs and figures stay\. This cannot be undone\./);
  assert.deepEqual(service.sent('archiveClient'), []);
});

test('while a confirmed action is under way, neither Esc nor the button next to it closes the dialog', async () => {
  const client = reply('getClient', { id: idOf(2), name: 'Oak Street Dental', status: 'active' });
  const answer = Promise.withResolvers<typeof client>();
  await open('owner', `/dashboard/clients/${idOf(2)}`, { getClient: client, suspendClient: () => answer.promise });
  await press('More');
  await user.click(await screen.findByRole('menuitem', { name: 'Suspend' }));
  const asked = await dialog('Suspend Oak Street Dental?');
  const keep = await button('Keep it active', asked);
  await press(/^Suspend/, asked);
  await holds(() => assert.ok(isInactive(keep)));
  fireEvent(asked, new Event('cancel', { cancelable: true }));
  await user.click(keep);
  assert.ok(asked.isConnected);
  answer.resolve({ ...client, status: 'suspended' });
  await noDialog();
});

test('the agents of a client that is resumed are shown at work without another load of the page', async () => {
  let client = reply('getClient', { id: idOf(2), name: 'Oak Street Dental', status: 'suspended' });
  const agent = row('listAgents', { id: idOf(50), clientId: client.id, clientName: client.name, installed: true, isActive: true });
  await open('owner', `/dashboard/clients/${client.id}?tab=agents`, {
    getClient: () => client,
    listAgents: () => ({ data: [{ ...agent, clientStatus: client.status }], nextCursor: null }),
    resumeClient: () => {
      client = { ...client, status: 'active' };
      return client;
    },
  });
  await see('Client suspended');
  await press('Resume');
  await holds(() => assert.equal(screen.getByRole('switch').getAttribute('aria-checked'), 'true'));
  assert.equal(screen.queryByText('Client suspended'), null);
});
