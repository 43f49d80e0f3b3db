import { test } from 'node:test';
import assert from 'node:assert/strict';
import { fill, open, press, screen, see } from '../../testing/portal.ts';
import { WITHOUT_MAIL } from '../../testing/service.ts';

const answers = { forgotPassword: { accepted: true } as const };

test('a link is on its way only where the service can send e-mail; elsewhere a person reads whom to ask for it', async () => {
  await open(undefined, '/forgot-password', { ...answers, ...WITHOUT_MAIL });
  await see(/E-mail is not set up here, so no link can reach you\./);
  await fill('E-mail', 'ada@oak.example');
  await press('Send link');
  await see(/No e-mail was sent, because e-mail is not set up here\./);
  assert.equal(screen.queryByText(/is on its way/), null);
});

test('where e-mail is sent, the confirmation says so', async () => {
  await open(undefined, '/forgot-password', answers);
  await fill('E-mail', 'ada@oak.example');
  await press('Send link');
  await see(/If ada@oak\.example has an account, a link to set a new password is on its way\./);
});
