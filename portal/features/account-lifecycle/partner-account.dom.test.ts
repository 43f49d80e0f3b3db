import assert from 'node:assert/strict';
import { test } from 'node:test';
import { purgeRecord } from '@partner-portal/contract/records/account.ts';
import { PURGE_STEPS } from '@partner-portal/contract/vocabulary.ts';
import { open, screen, see, within } from '../../testing/portal.ts';
import { idOf, sample } from '../../testing/sample.ts';
import { reply, row } from '../../testing/service.ts';

test('a purge that waits for the engine says so, and what follows by itself', async () => {
  const partnerId = idOf(1);
  const approved = row('listDeletionRequests', {
    id: idOf(80),
    scope: 'partner',
    partnerId,
    accountName: 'Northwind Digital',
    status: 'approved',
    purgeAfter: '2026-06-01T09:00:00.000Z',
  });
  const step = sample(purgeRecord).steps[0];
  const purge = reply('getPurge', {
    deletionRequestId: approved.id,
    status: 'waiting',
    waitingFor: 'engine',
    steps: PURGE_STEPS.map((name, at) => ({
      ...step,
      name,
      status: at === 0 ? 'waiting' : 'pending',
      rowsRemoved: 0,
      tries: at === 0 ? 3 : 0,
      problem: at === 0 ? 'The engine did not answer.' : null,
      startedAt: null,
      finishedAt: null,
    })),
  });
  await open('staff', `/admin/partners/${partnerId}/account`, {
    getPartner: reply('getPartner', { id: partnerId, name: 'Northwind Digital', status: 'suspended' }),
    listDeletionRequests: { data: [approved], nextCursor: null },
    getPurge: purge,
  });
  await see('Waiting for the engine.');
  const list = screen.getByText('Remove agents from the engine').closest('ol, ul') ?? document.body;
  const steps = within(list as HTMLElement).getAllByRole('listitem'); // of the page
  assert.equal(steps.length, PURGE_STEPS.length);
  const [first, last] = [steps[0] ?? document.body, steps.at(-1) ?? document.body];
  assert.match(first.textContent, /3 tries/);
  assert.match(first.textContent, /The engine did not answer\./);
  within(first).getByRole('img', { name: 'Waiting' });
  within(last).getByRole('img', { name: 'Not started' });
});
