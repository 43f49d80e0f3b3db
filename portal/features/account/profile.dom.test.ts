import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choose, holds, open, press, screen, see, sessionOf } from '../../testing/portal.ts';
import { changed } from '../../testing/service.ts';

test('a language chosen in the profile applies at once', async () => {
  const { user: me } = sessionOf('client');
  const service = await open('client', '/client/settings', { updateMe: ({ body }) => changed(me, body) });
  await choose('Language', 'Deutsch');
  await press('Save profile');
  await screen.findByRole('heading', { level: 1, name: 'Einstellungen' });
  await see('Profil gespeichert.');
  await holds(() => assert.equal(document.documentElement.lang, 'de'));
  assert.deepEqual(service.sent('updateMe').map(({ locale }) => locale), ['de']); // prettier-ignore
});
