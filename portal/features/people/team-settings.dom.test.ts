import assert from 'node:assert/strict';
import { test } from 'node:test';
import { button, dialog, fill, holds, isInactive, noDialog, open, press, reads, screen, see, user, within } from '../../testing/portal.ts';
import { idOf } from '../../testing/sample.ts';
import { reply, row } from '../../testing/service.ts';

test('a moderator sees the team and whom to ask, and can change no one', async () => {
  const team = [
    row('listTeam', { id: idOf(30), fullName: 'Maya Lindqvist', partnerRole: 'admin' }),
    row('listTeam', { id: idOf(12), fullName: 'Theo Brandt', partnerRole: 'moderator' }),
  ];
  await open('moderator', '/dashboard/settings/team', { listTeam: reply('listTeam', { data: team }) });
  const remove = await button('Remove Maya Lindqvist');
  assert.ok(isInactive(remove));
  remove.focus();
  await holds(() => assert.ok(screen.getAllByRole('tooltip').some(({ textContent }) => textContent.includes('Maya Lindqvist'))));
  await user.keyboard('{Enter}');
  await noDialog();
});

test('an invitation holds a seat, gives its link to copy, is sent again and revoked', async () => {
  type Invitation = ReturnType<typeof row<'listInvitations'>>;
  let made: Invitation | undefined;
  const pending = (): number => (made?.status === 'pending' ? 1 : 0);
  const withLink = (one: Invitation, link: string) => ({
    ...reply('createInvitation'),
    ...one,
    acceptUrl: `https://portal.test/invite/${link}`,
  });
  const service = await open('owner', '/dashboard/settings/team', {
    listTeam: () => reply('listTeam', { seats: { included: 3, purchased: 0, total: 3, used: 1 + pending(), pendingInvites: pending() } }),
    listInvitations: () => ({ data: made ? [made] : [], nextCursor: null }),
    createInvitation: ({ body: { email } }) => {
      made = row('listInvitations', { id: idOf(31), email, kind: 'team', status: 'pending' });
      return withLink(made, 'first-link');
    },
    resendInvitation: () => withLink(made ?? assert.fail('no invitation'), 'second-link'),
    revokeInvitation: () => Object.assign(made ?? assert.fail('no invitation'), { status: 'revoked' }),
  });
  await press('Invite a member');
  const asked = await dialog();
  await fill(/^E-mail/, 'new@northwind.example', asked);
  await press('Invite', asked);
  await reads(await dialog('Invitation created'), /\/invite\/first-link/);
  await press('Done', await dialog('Invitation created'));
  await see('1 open invitation included');
  await holds(() => assert.match(location.search, /view=invitations/));
  const shown = () => screen.findByRole('row', { name: /new@northwind\.example/ });
  await press('Send again', await shown());
  await reads(await dialog('New invitation link'), /\/invite\/second-link/);
  await press('Done', await dialog('New invitation link'));
  await press('Revoke', await shown());
  await holds(async () => assert.match((await shown()).textContent, /Revoked/));
  // A revoked invitation cannot be sent again.
  assert.equal(within(await shown()).queryByRole('button'), null);
  await holds(() => assert.equal(screen.getByRole('meter', { name: 'Seats taken' }).getAttribute('aria-valuenow'), '1'));
  assert.deepEqual(service.sent('createInvitation'), [{ kind: 'team', email: 'new@northwind.example' }]);
});
