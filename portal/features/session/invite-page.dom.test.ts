import assert from 'node:assert/strict';
import { test } from 'node:test';
import { field, fill, holds, open, press, reads, screen, sessionOf, within } from '../../testing/portal.ts';
import { Refused, reply } from '../../testing/service.ts';

test('an invited person whose address has an account elsewhere is notified when they accept', async () => {
  const service = await open(undefined, '/invite/the-token', {
    getInvitationByToken: reply('getInvitationByToken', { email: 'olive@team.example', kind: 'team', partnerName: 'Northwind Digital' }),
    acceptInvitation: () => {
      throw new Refused('email_in_use');
    },
  });
  await fill('Your name', 'Olive Owner');
  await fill('Password', 'nine quiet herons');
  await press(/^Set password/);
  const alert = await screen.findByRole('alert');
  await reads(alert, /This address already has an account/);
  await reads(alert, /Northwind Digital does not learn that you have one/);
  assert.deepEqual(service.sent('acceptInvitation'), [{ token: 'the-token', password: 'nine quiet herons', fullName: 'Olive Owner' }]);
});

const invited = reply('getInvitationByToken', { email: 'olive@team.example', kind: 'team', partnerName: 'Northwind Digital' });
async function accept(session: ReturnType<typeof sessionOf> | null) {
  const service = await open(undefined, '/invite/the-token', {
    getInvitationByToken: invited,
    acceptInvitation: { email: 'olive@team.example', session },
  });
  await fill('Your name', 'Olive Owner');
  await fill('Password', 'nine quiet herons');
  await press(/^Set password/);
  return service;
}

test('accepting an invitation opens the portal without a second password', async () => {
  const service = await accept(sessionOf('moderator'));
  await holds(() => assert.equal(location.pathname, '/dashboard'));
  await screen.findByRole('heading', { level: 1, name: 'Overview' });
  assert.deepEqual(service.sent('login'), []);
  // The used link is not asked about again.
  assert.equal(service.sent('getInvitationByToken').length, 1);
});

test('an invited member whose agency enforces single sign-on goes to the login, which knows the address', async () => {
  await accept(null);
  await holds(() => assert.equal(location.pathname, '/login'));
  await holds(async () => assert.equal(((await field('E-mail')) as HTMLInputElement).value, 'olive@team.example'));
});

test('a used link leads to the login and asks no one for another one, in each language', async () => {
  const { loadMessages } = await import('../../app/messages.ts');
  for (const [language, heading] of [
    ['en', 'This invitation was already used'],
    ['de', 'Diese Einladung wurde schon verwendet.'],
    ['es', 'Esta invitación ya se usó.'],
  ] as const) {
    await open(undefined, '/invite/the-token', {
      getInvitationByToken: () => {
        throw new Refused('invitation_used', { detail: 'The account exists. Log in with the address that was invited.' });
      },
    });
    // A page for strangers opens in the browser’s language.
    await loadMessages(language, 'UTC');
    const main = (await screen.findByRole('heading', { level: 1, name: new RegExp(heading) })).closest('main') ?? document.body;
    assert.doesNotMatch(main.textContent, /new (one|invitation)|um eine neue|Pida otra/);
    assert.ok(
      within(main)
        .getAllByRole('link')
        .some((link) => link.getAttribute('href') === '/login'),
    );
  }
  await loadMessages('en', 'UTC');
});
