import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dialog, noDialog, open, press, reads, screen, user } from '../../testing/portal.ts';
import { idOf } from '../../testing/sample.ts';
import { row } from '../../testing/service.ts';

test('staff see the text that would have been sent', async () => {
  const body = new URLSearchParams({ To: '+13125550911', From: '+13125550100', Body: 'Sorry we missed your call at Oak Street Dental.' });
  const call = row('listOutbox', {
    id: idOf(90),
    provider: 'twilio',
    method: 'POST',
    path: '/2010-04-01/Accounts/AC1/Messages.json',
    body: String(body),
    status: 201,
  });
  const service = await open('staff', '/admin/outbox?q=13125550911', { listOutbox: { data: [call], nextCursor: null } });
  await user.click(await screen.findByRole('row', { name: /Twilio/ }));
  const drawer = await dialog('Text message');
  await reads(drawer, /\+1 312 555 0911/);
  await reads(drawer, /Sorry we missed your call at Oak Street Dental\./);
  await press('Close', drawer);
  await noDialog();
  assert.equal((service.calls.find(({ name }) => name === 'listOutbox')?.query as { q?: string } | undefined)?.q, '13125550911');
});
