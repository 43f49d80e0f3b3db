import assert from 'node:assert/strict';
import { test } from 'node:test';
import { button, dialog, field, holds, open, screen, see, user } from '../../testing/portal.ts';
import { idOf } from '../../testing/sample.ts';
import { reply, row } from '../../testing/service.ts';

const NAME = 'Northwind Digital';
const request = row('listDeletionRequests', {
  id: idOf(80),
  scope: 'partner',
  accountName: NAME,
  partnerName: NAME,
  reason: 'We retire',
  status: 'pending',
});

test('staff find a deletion among all requests, and approve it by keys with the name typed', async () => {
  let data = [request];
  const service = await open('staff', '/admin/account-requests?status=pending', {
    listDeletionRequests: () => ({ data, nextCursor: null }),
    getDeletionRequest: request,
    previewDeletion: reply('previewDeletion', {
      scope: 'partner',
      accountName: NAME,
      partnerName: NAME,
      purgeAfter: '2026-07-01T09:00:00.000Z',
    }),
    approveDeletion: () => {
      data = [];
      return { ...request, status: 'approved' };
    },
  });
  const listed = () => screen.queryAllByRole('row').filter(({ textContent }) => textContent.includes(NAME));
  await holds(() => assert.equal(listed().length, 1));
  await user.keyboard('j');
  await holds(() => assert.equal(document.activeElement, listed()[0]));
  await user.keyboard('{Enter}');
  const drawer = await dialog(`Deletion of ${NAME}`);
  await see(/We retire/, drawer);
  (await button('Approve deletion', drawer)).focus();
  await user.keyboard('{Enter}');
  const asked = await dialog(`Delete ${NAME}?`);
  await see(/Everything is removed on \d+ \w+/, asked);
  assert.ok((await button('Back', asked)).hasAttribute('autofocus'));
  (await field(/^Type/, asked)).focus();
  await user.keyboard('Northwind{Enter}');
  assert.deepEqual(service.sent('approveDeletion'), []);
  await user.keyboard(' Digital{Enter}');
  await holds(() => assert.equal(service.sent('approveDeletion').length, 1));
  await holds(() => assert.equal(listed().length, 0));
});
