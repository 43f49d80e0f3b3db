import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dialog, fill, holds, open, press, screen, user } from '../../testing/portal.ts';
import { idOf } from '../../testing/sample.ts';
import { reply, row } from '../../testing/service.ts';

const PARTNER = idOf(1);

test('staff see the team of an agency and its invitations, and can disable a member there', async () => {
  const owner = row('listUsers', {
    id: idOf(30),
    email: 'olive@team.example',
    fullName: 'Olive Owner',
    role: 'PARTNER',
    partnerRole: 'admin',
    status: 'active',
  });
  const service = await open('staff', `/admin/partners/${PARTNER}`, {
    getPartner: reply('getPartner', { id: PARTNER, name: 'Northwind Digital', status: 'active' }),
    listUsers: () => ({ data: [owner], nextCursor: null }),
    listInvitations: {
      data: [row('listInvitations', { id: idOf(31), email: 'later@team.example', fullName: 'Lou Later', kind: 'team', status: 'pending' })],
      nextCursor: null,
    },
    updateUser: ({ body: { status } }) => Object.assign(owner, { status }),
  });
  await user.click(await screen.findByRole('link', { name: 'Team' }));
  const member = () => screen.findByRole('row', { name: /olive@team\.example/ });
  await holds(async () => assert.match((await member()).textContent, /Admin.*Active/));
  await user.click(await screen.findByRole('radio', { name: 'Invitations' }));
  await holds(() => assert.match(location.search, /view=invitations/));
  assert.match((await screen.findByRole('row', { name: /Lou Later/ })).textContent, /Waiting/);
  await user.click(screen.getByRole('radio', { name: 'Members' }));
  await press('Disable Olive Owner');
  await press('Disable user', await dialog('Disable Olive Owner?'));
  await holds(async () => assert.match((await member()).textContent, /Disabled/));
  assert.deepEqual(service.sent('updateUser'), [{ status: 'disabled' }]);
});

test('staff make a member an admin, with a reason, and learn first that disabling an admin may leave none', async () => {
  const person = { role: 'PARTNER', status: 'active' } as const;
  const owner = row('listUsers', { ...person, id: idOf(30), fullName: 'Olive Owner', partnerRole: 'admin' });
  const member = row('listUsers', { ...person, id: idOf(32), fullName: 'Mo Member', partnerRole: 'moderator' });
  const service = await open('staff', `/admin/partners/${PARTNER}/team`, {
    getPartner: reply('getPartner', { id: PARTNER, name: 'Northwind Digital', status: 'active' }),
    listUsers: () => ({ data: [owner, member], nextCursor: null }),
    makeAdmin: () => {
      Object.assign(member, { partnerRole: 'admin' });
      return reply('makeAdmin');
    },
  });
  await press('More for Olive Owner');
  assert.match((await screen.findByRole('menuitem', { name: /^Make admin/ })).textContent, /Olive Owner is an admin already\./);
  await user.keyboard('{Escape}');
  await press('Disable Olive Owner');
  assert.match((await dialog('Disable Olive Owner?')).textContent, /make another member an admin first/);
  await press('Keep active');
  await press('More for Mo Member');
  await user.click(await screen.findByRole('menuitem', { name: /^Make admin/ }));
  const asked = await dialog('Make Mo Member an admin?');
  await fill(/^Reason/, 'The only admin left', asked);
  await press('Make admin', asked);
  await holds(async () => assert.match((await screen.findByRole('row', { name: /Mo Member/ })).textContent, /Admin/));
  assert.deepEqual(service.sent('makeAdmin'), [{ reason: 'The only admin left' }]);
});
