import assert from 'node:assert/strict';
import { test } from 'node:test';
import { suspensionRecord } from '@partner-portal/contract/records/account.ts';
import { dialog, open, press, reads, screen, see, sessionOf, user, within } from '../../testing/portal.ts';
import { idOf, sample } from '../../testing/sample.ts';
import { reply, row } from '../../testing/service.ts';

const NAME = 'Oak Street Dental';
const purgeAfter = '2026-07-01T09:00:00.000Z';

const deletionOf = (previousStatus: 'active' | 'archived') =>
  row('listDeletionRequests', { scope: 'client', clientId: idOf(2), accountName: NAME, status: 'approved', purgeAfter, previousStatus });
const reactivationOf = (restores: 'active' | 'archived') =>
  row('listReactivationRequests', { id: idOf(81), clientId: idOf(2), accountName: NAME, status: 'pending', purgeAfter, restores });
const client = reply('getClient', { id: idOf(2), name: NAME, status: 'suspended' });

test('a removal that waits for a decision says so to the account, to its agency and to staff', async () => {
  const { user: me } = sessionOf('client');
  const suspension = sample(suspensionRecord, { scope: 'client', cause: 'deletion_approved', purgeAfter, reactivationPending: true });
  await open('client', '/client/activity', {
    getMe: reply('getMe', { user: { ...me, suspension }, partner: me.partner, client: me.client, features: me.features }),
  });
  await see(/Its removal, due on 1 July.*, waits until the request to keep it is decided\./);

  await open('owner', `/dashboard/clients/${idOf(2)}?tab=settings`, {
    getClient: client,
    listDeletionRequests: { data: [deletionOf('active')], nextCursor: null },
    listReactivationRequests: { data: [reactivationOf('active')], nextCursor: null },
  });
  await see(/Its removal, due on 1 July.*, waits for your decision\./);
  assert.equal(screen.queryByText(/archived again/), null);

  await open('staff', '/admin', {
    getWorkQueue: [row('getWorkQueue', { kind: 'reactivation_request', itemId: idOf(81), partnerId: idOf(1) })],
    listDeletionRequests: { data: [row('listDeletionRequests', { scope: 'partner', status: 'approved', purgeAfter })], nextCursor: null },
    listReactivationRequests: { data: [row('listReactivationRequests', { id: idOf(81), status: 'pending' })], nextCursor: null },
  });
  await see(/due on 1 July.*; waits for this decision/);
  await user.keyboard('r');
  await reads(await dialog(/^Reject the reactivation of/), /was due on 1 July.*: it begins within a minute/);
});

test('an agency that keeps a client that was archived reads that it is archived again', async () => {
  const asked = { data: [reactivationOf('archived')], nextCursor: null };
  await open('owner', `/dashboard/clients/${idOf(2)}?tab=settings`, {
    getClient: client,
    listDeletionRequests: { data: [deletionOf('archived')], nextCursor: null },
    listReactivationRequests: asked,
    approveReactivation: { ...reactivationOf('archived'), status: 'approved' },
  });
  await see(/archived before, so it is archived again and its agents stay stopped/);
  await press('Reactivate');
  await see(/Oak Street Dental is archived again\. Its deletion is withdrawn\./);

  await open('owner', `/dashboard/clients/${idOf(2)}?tab=settings`, {
    getClient: client,
    listDeletionRequests: { data: [deletionOf('archived')], nextCursor: null },
    listReactivationRequests: { data: [], nextCursor: null },
  });
  await press('Keep this client');
  await reads(await dialog(`Keep ${NAME}?`), /archived again and its agents stay stopped/);

  await open('owner', `/dashboard/clients/${idOf(2)}?tab=settings`, {
    getClient: client,
    listDeletionRequests: { data: [deletionOf('active')], nextCursor: null },
    listReactivationRequests: { data: [], nextCursor: null },
  });
  await press('Keep this client');
  await reads(await dialog(`Keep ${NAME}?`), /Agents, schedules and webhooks continue as they were\./);
});

test('a decision says that its note goes to everyone of the side that asked', async () => {
  const asked = { ...reactivationOf('active'), requestedBy: { id: idOf(5), name: 'Ada', email: 'ada@example.com' } };
  await open('owner', `/dashboard/clients/${idOf(2)}?tab=settings`, {
    getClient: client,
    listReactivationRequests: { data: [asked], nextCursor: null },
  });
  await press('Reject with a note');
  const rejecting = await dialog(`Reject the reactivation of ${NAME}?`);
  await reads(rejecting, /Ada and colleagues (get your note by e-mail|read your note in the portal)/);
});

test('a rejection says what becomes of the removal, before and after the click', async () => {
  const day = 86_400_000;
  const asked = (at: number) => ({ ...reactivationOf('active'), purgeAfter: new Date(at).toISOString() });
  for (const [at, before, after] of [
    [Date.now() - day, /it begins within a minute and cannot be undone/, /The removal of Oak Street Dental begins now\./],
    [Date.now() + day, /Its removal stays due on/, /Oak Street Dental stays suspended until its removal on/],
  ] as const) {
    await open('owner', `/dashboard/clients/${idOf(2)}?tab=settings`, {
      getClient: client,
      listReactivationRequests: { data: [asked(at)], nextCursor: null },
      rejectReactivation: { ...asked(at), status: 'rejected' },
    });
    await press('Reject with a note');
    const rejecting = await dialog(`Reject the reactivation of ${NAME}?`);
    await reads(rejecting, before);
    await user.type(within(rejecting).getByLabelText(/^Note/), 'No');
    await press('Reject reactivation');
    await see(after);
  }
});
