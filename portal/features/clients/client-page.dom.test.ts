import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dialog, open, press, reads, screen, user } from '../../testing/portal.ts';
import { idOf } from '../../testing/sample.ts';
import { reply } from '../../testing/service.ts';

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
