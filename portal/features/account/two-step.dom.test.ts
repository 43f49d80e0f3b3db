import assert from 'node:assert/strict';
import { test } from 'node:test';
import { button, holds, open, reads, screen, see, sessionOf, user } from '../../testing/portal.ts';
import { reply } from '../../testing/service.ts';

const notice = () => screen.queryByRole('complementary', { name: 'Two-step login' });

test('staff without two-step login see so on every page, and under System', async () => {
  await open('staff', '/admin/system', {
    getSystem: reply('getSystem', { staff: { active: 3, withoutSecondStep: 1, secondStepRequired: false } }),
  });
  await see(/1 of 3 staff can log in with a password alone\./);
  await user.click(await screen.findByRole('link', { name: 'Set it up' }));
  await holds(() => assert.equal(location.pathname, '/admin/account'));
  await button('Set up');
  assert.ok(notice());
});

test('staff who must set it up get nothing else to see', async () => {
  const { user: me } = sessionOf('staff');
  await open('staff', '/admin/partners', {
    getMe: reply('getMe', { user: me, partner: me.partner, client: null, features: me.features, mfaSetupRequired: true }),
  });
  await screen.findByRole('heading', { level: 1, name: 'Set up two-step login' });
  assert.equal(screen.queryByRole('table'), null);
  await reads(screen.getByRole('main'), /A stolen password alone must not be enough/);
});

test('agencies and clients see no such notice', async () => {
  for (const [person, path] of [
    ['owner', '/dashboard'],
    ['client', '/client'],
  ] as const) {
    await open(person, path);
    assert.equal(notice(), null);
  }
});
