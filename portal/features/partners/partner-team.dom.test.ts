import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dialog, holds, open, press, screen, user } from '../../testing/portal.ts';
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
