import assert from 'node:assert/strict';
import { test } from 'node:test';
import { button, dialog, holds, isInactive, noDialog, open, press, see, sessionOf, user } from '../../testing/portal.ts';
import { idOf } from '../../testing/sample.ts';
import { reply, row } from '../../testing/service.ts';

const NAME = 'Northwind Digital';
const { id, fullName, email } = sessionOf('owner').user;
const ME = { id, name: fullName, email };

test('an agency requests its deletion by keys, reads what stops and when, and withdraws', async () => {
  let requests = [] as ReturnType<typeof pending>[];
  const pending = (reason: string) =>
    row('listDeletionRequests', {
      id: idOf(80),
      scope: 'partner',
      accountName: NAME,
      partnerName: NAME,
      reason,
      status: 'pending',
      requestedBy: ME,
    });
  const service = await open('owner', '/dashboard/settings/account', {
    listDeletionRequests: () => ({ data: requests, nextCursor: null }),
    previewDeletion: reply('previewDeletion', {
      scope: 'partner',
      accountName: NAME,
      partnerName: NAME,
      purgeAfter: '2026-07-01T09:00:00.000Z',
    }),
    requestDeletion: ({ body }) => {
      requests = [pending(body.reason)];
      return pending(body.reason);
    },
    cancelDeletion: () => {
      requests = [];
      return pending('');
    },
  });
  await see(/No agent is running/);
  (await button('Request deletion')).focus();
  await user.keyboard('{Enter}');
  const asked = await dialog(`Delete ${NAME}?`);
  await see(/everything is removed on \d+ \w+/, asked);
  // The safe button has the focus; the form is before it.
  const keep = await button('Keep it', asked);
  const send = await button('Request deletion', asked);
  await holds(() => assert.ok(keep.hasAttribute('autofocus')));
  assert.ok(isInactive(send));
  keep.focus();
  await user.tab({ shift: true });
  await user.keyboard(NAME);
  assert.ok(isInactive(send));
  await user.tab({ shift: true });
  await user.keyboard('We merge with another agency');
  await user.tab();
  await user.keyboard('{Enter}');
  await noDialog(`Delete ${NAME}?`);
  await see(/You requested the deletion/);
  await see(/We merge with another agency/);
  assert.deepEqual(service.sent('requestDeletion'), [{ scope: 'partner', reason: 'We merge with another agency', confirmName: NAME }]);
  await press('Withdraw request');
  await button('Request deletion');
  assert.equal(service.sent('cancelDeletion').length, 1);
});
