import assert from 'node:assert/strict';
import { test } from 'node:test';
import { button, choose, field, fill, gone, holds, isInvalid, open, press, screen, see, user } from '../../testing/portal.ts';
import { changed, reply, Refused } from '../../testing/service.ts';

const SAVED = reply('getMyPartner', {
  name: 'Northwind Digital',
  website: 'https://northwind.example',
  brandColor: '#1f4e8c',
  supportEmail: null,
});

test('a value that the schema of the route refuses is reported next to its field, and nothing is sent', async () => {
  const service = await open('owner', '/dashboard/settings', { getMyPartner: SAVED, updateMyPartner: ({ body }) => changed(SAVED, body) });
  const colour = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Brand colour' });
  await fill('Brand colour', 'blue');
  await press('Save changes');
  await see('Use a colour such as #1f4e8c.');
  await holds(() => assert.equal(document.activeElement, colour));
  await see('Not saved yet');
  assert.deepEqual(service.sent('updateMyPartner'), []);

  // Values that the schema accepts are sent.
  await fill('Brand colour', '#1f4e8d');
  await gone('Use a colour such as #1f4e8c.');
  await press('Save changes');
  await see('Everything is saved.');
  assert.deepEqual(
    service.sent('updateMyPartner').map(({ brandColor }) => brandColor),
    ['#1f4e8d'],
  );
});

test('a field that is refused says why, is counted at the top of its form and has the focus', async () => {
  await open('owner', '/dashboard/settings', { getMyPartner: SAVED });
  const website = await fill('Website', 'ftp://nothing.example');
  await press('Save changes');
  await holds(() => assert.equal(screen.getByRole('alert').textContent, 'One field needs attention.'));
  await holds(() => assert.equal(document.activeElement, website));
  assert.ok(isInvalid(website));
  const described = website.getAttribute('aria-describedby')?.split(' ') ?? [];
  assert.match(described.map((id) => document.getElementById(id)?.textContent).join(' '), /web address/);
  await press('Discard');
  assert.equal(screen.queryByRole('alert'), null);
  assert.equal(website.value, SAVED.website);
});

test('text typed while a save is in flight is not lost when it completes', async () => {
  const gate = Promise.withResolvers<void>();
  const service = await open('owner', '/dashboard/settings', {
    getMyPartner: SAVED,
    updateMyPartner: async ({ body }) => {
      await gate.promise;
      return changed(SAVED, body);
    },
  });
  const website = await fill('Website', 'https://first.example');
  await press('Save changes');
  await holds(() => assert.equal(service.sent('updateMyPartner').length, 1));
  const support = await fill('Support e-mail', 'typed-meanwhile@northwind.example');
  gate.resolve();
  const save = await button('Save changes');
  await holds(() => assert.notEqual(save.getAttribute('aria-busy'), 'true'));
  assert.deepEqual([website.value, support.value], ['https://first.example', 'typed-meanwhile@northwind.example']);
  await see('Not saved yet');
  await press('Discard');
  await see('Everything is saved.');
});

test('typed text stays when refetching the page fails', async (context) => {
  let reads = 0;
  await open('owner', '/dashboard/settings', {
    getMyPartner: () => {
      if (reads++ > 0) throw new Refused('internal_error');
      return SAVED;
    },
  });
  const website = await fill('Website', 'https://typed.example');
  // Data older than a minute is refetched when the user returns to the page.
  context.mock.timers.enable({ apis: ['Date'], now: Date.now() + 61_000 });
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  await holds(() => assert.ok(reads > 1));
  await fill('Support e-mail', 'still-here@northwind.example');
  await see('Not saved yet');
  assert.equal(website.value, 'https://typed.example');
  await press('Discard');
  await see('Everything is saved.');
});

test('a moderator reads the settings and can change none', async () => {
  await open('moderator', '/dashboard/settings', { getMyPartner: SAVED });
  assert.ok((await field('Website')).disabled);
});

test('another time zone of the agency reaches the overview at once', async () => {
  let mine = { ...SAVED, timezone: 'Asia/Tokyo' };
  const service = await open('owner', '/dashboard', {
    getMyPartner: () => mine,
    getMySummary: () => reply('getMySummary', { timezone: mine.timezone }),
    updateMyPartner: ({ body }) => (mine = changed(mine, body)),
  });
  await see('Today by the hour in Tokyo');
  await user.click(await screen.findByRole('link', { name: 'Settings' }));
  await user.click(await screen.findByRole('link', { name: 'Agency' }));
  await choose('Time zone', 'Europe/Berlin');
  await press('Save changes');
  await see('Everything is saved.');
  const reads = service.calls.filter(({ name }) => name === 'getMySummary').length;
  await user.click(await screen.findByRole('link', { name: 'Overview' }));
  await see('Today by the hour in Berlin');
  assert.ok(reads > 0);
});
