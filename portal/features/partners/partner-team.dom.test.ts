import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dialog, field, fill, holds, open, press, reads, screen, user, within } from '../../testing/portal.ts';
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

test('staff send the owner’s invitation again, to a corrected address, and revoke it; others are the agency’s', async () => {
  type Row = ReturnType<typeof row<'listInvitations'>>;
  const owner = (id: number, email: string, status: Row['status']) =>
    row('listInvitations', { id: idOf(id), email, kind: 'owner', status });
  let invited = [
    row('listInvitations', { id: idOf(40), email: 'member@team.example', kind: 'team', status: 'pending' }),
    owner(41, 'otto@wrong.example', 'expired'),
  ];
  const service = await open('staff', `/admin/partners/${PARTNER}/team?view=invitations`, {
    getPartner: reply('getPartner', { id: PARTNER, name: 'Northwind Digital', status: 'active' }),
    listInvitations: () => ({ data: invited, nextCursor: null }),
    resendInvitation: ({ body }) => {
      invited = [
        owner(42, body?.email ?? assert.fail('no address'), 'pending'),
        ...invited.map((one) => (one.kind === 'owner' ? { ...one, status: 'revoked' as const } : one)),
      ];
      return { ...reply('resendInvitation'), ...invited[0], acceptUrl: 'https://portal.test/invite/new-link' };
    },
    revokeInvitation: ({ params: { id } }) => {
      invited = invited.map((one) => (one.id === id ? { ...one, status: 'revoked' as const } : one));
      return invited.find((one) => one.id === id) ?? assert.fail(id);
    },
  });
  const shown = (name: RegExp) => screen.findByRole('row', { name });
  const actsIn = async (name: RegExp) =>
    within(await shown(name))
      .queryAllByRole('button')
      .map(({ textContent }) => textContent);
  assert.deepEqual([await actsIn(/member@team/), await actsIn(/otto@wrong/)], [[], ['Send again']]);
  await press('Send again', await shown(/otto@wrong/));
  const asked = await dialog('Send the owner’s invitation again');
  assert.equal((await field('E-mail', asked)).value, 'otto@wrong.example');
  await fill('E-mail', 'otto@right.example', asked);
  await press('Send', asked);
  await reads(await dialog('New invitation link'), /otto@right\.example.*\/invite\/new-link/);
  await press('Done', await dialog('New invitation link'));
  await holds(async () => assert.deepEqual(await actsIn(/otto@right/), ['Send again', 'Revoke']));
  assert.deepEqual(await actsIn(/otto@wrong/), []);
  await press('Revoke', await shown(/otto@right/));
  // Without an open one the newest can still be sent: no one has entered the workspace.
  await holds(async () => assert.deepEqual([await actsIn(/otto@right/), await actsIn(/otto@wrong/)], [['Send again'], []]));
  assert.deepEqual(service.sent('resendInvitation'), [{ email: 'otto@right.example' }]);
});
